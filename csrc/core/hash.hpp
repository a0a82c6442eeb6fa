// A 64-bit hash over the bytes of a padding-free value.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/rng.hpp"

HENRO_BEGIN

template <class T>
    requires std::has_unique_object_representations_v<T>
std::uint64_t hash_bytes(const T& value) {
    static_assert(sizeof(T) % 8 == 0, "values are hashed in whole words");
    std::uint64_t words[sizeof(T) / 8];
    std::memcpy(words, &value, sizeof(T));
    std::uint64_t h = sizeof(T);
    for (const std::uint64_t word : words) h = mix64(h ^ word) + 0x9e3779b97f4a7c15u;
    return mix64(h);
}

HENRO_END
