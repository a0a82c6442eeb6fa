// Sets of up to 64 small numbers as bits of one word.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "core/isa.hpp"

HENRO_BEGIN

using Bits = std::uint64_t;

constexpr Bits bit(int index) { return Bits{1} << index; }
constexpr bool has(Bits set, int index) { return (set >> index) & 1; }
constexpr int count(Bits set) { return std::popcount(set); }
constexpr int lowest(Bits set) { return std::countr_zero(set); }
constexpr Bits without_lowest(Bits set) { return set & (set - 1); }

// Place of the n-th set bit (n from 0, below count(set)) by broadword arithmetic: the byte first
// (running byte counts compared with n all at once), then a table within the byte.
inline constexpr auto kSelectInByte = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (int byte = 0; byte < 256; ++byte) {
        int n = 0;
        for (int i = 0; i < 8; ++i)
            if (has(Bits(byte), i)) table[byte][n++] = std::uint8_t(i);
    }
    return table;
}();

constexpr int select_portable(Bits set, int n) {
    constexpr Bits kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
    Bits sums = set - ((set >> 1) & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * kOnes;  // bits in bytes 0..i
    const Bits passed = (((Bits(n) * kOnes) | kHighs) - sums) & kHighs;
    const int shift = int(((passed >> 7) * kOnes) >> 56) * 8;
    const int before = int(((sums << 8) >> shift) & 0xff);
    return shift + kSelectInByte[(set >> shift) & 0xff][n - before];
}

inline int select(Bits set, int n) {
    HENRO_ASSERT(n >= 0 && n < count(set));
#if defined(__BMI2__)
    return lowest(_pdep_u64(bit(n), set));
#else
    return select_portable(set, n);
#endif
}

template <class F>
constexpr void for_each_bit(Bits set, F&& f) {
    for (; set != 0; set = without_lowest(set)) f(lowest(set));
}

HENRO_END
