// xoshiro256++ 1.0 (Blackman and Vigna, 2019), seeded through SplitMix64 (Steele et al., 2014):
// the same numbers for the same seed on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

HENRO_BEGIN

// SplitMix64's output function: a bijection of 64-bit words that mixes every bit into every other.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class Rng {
public:
    // `stream` separates independent uses of one seed (threads, playouts of a batch, ...).
    constexpr explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t z = mix64(seed) ^ mix64(stream + 0x632be59bd9b4e019u);
        for (auto& word : s_) word = mix64(z += 0x9e3779b97f4a7c15u);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
        const std::uint64_t t = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = std::rotl(s_[3], 45);
        return result;
    }

    // Uniform in 0..bound-1. One draw whatever the bound; the bias is below bound / 2^64, which
    // no experiment can see for the bounds in use here (at most a few thousand).
    constexpr int below(int bound) {
        return int((static_cast<unsigned __int128>(next()) * std::uint64_t(bound)) >> 64);
    }

    // Uniform from 0 to below 1.
    template <class Real>
    constexpr Real unit() {
        return Real(below(1 << 24)) / Real(1 << 24);
    }

    // One of n by their shares, which add up to 1.
    template <class Real>
    constexpr std::size_t draw(const Real* shares, std::size_t n) {
        Real left = unit<Real>();
        std::size_t i = 0;
        while (i + 1 < n && left >= shares[i]) left -= shares[i++];
        return i;
    }

    friend constexpr bool operator==(const Rng&, const Rng&) = default;

private:
    std::uint64_t s_[4]{};
};

HENRO_END
