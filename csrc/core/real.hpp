// Functions of real numbers by IEEE basic operations only: equal on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

HENRO_BEGIN

// e to the power x for x <= 0, with an error below 1e-6 of the value; 0 below -80.
constexpr double exp_of(double x) {
    constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
    if (x < -80) return 0;
    const double twos = x * kLog2E;
    const int whole = int(twos) - 1;             // x = (whole + part) ln 2, 0 <= part <= 1
    const double y = (twos - whole) * kLn2 / 4;  // at most 0.35: seven terms are enough
    double sum = 1;
    for (int k = 7; k > 0; --k) sum = 1 + sum * y / k;
    const double fourth = sum * sum;
    return fourth * fourth * std::bit_cast<double>(std::uint64_t(1023 + whole) << 52);
}

// Turns n values into shares that add up to 1: the larger the scale, the more alike.
inline void softmax(double* values, std::size_t n, double scale) {
    const double most = *std::max_element(values, values + n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += values[i] = exp_of((values[i] - most) / scale);
    for (std::size_t i = 0; i < n; ++i) values[i] /= sum;
}

// Natural logarithm of whole numbers >= 1 by IEEE basic operations only: equal on every machine.
class LogTable {
public:
    constexpr LogTable() {
        for (int i = 1; i < kSize; ++i) {
            const int exponent = int(std::bit_width(unsigned(i))) - 1;
            const double m = double(i) / double(1 << exponent), t = (m - 1) / (m + 1);
            double power = t, sum = 0;
            for (int k = 1; k < 40; k += 2, power *= t * t) sum += power / k;
            log_[i] = float(2 * sum + exponent * kLn2);
        }
    }
    constexpr float operator()(std::uint32_t n) const {
        if (n < kSize) return log_[n];
        const int shift = int(std::bit_width(n)) - kBits;
        return log_[n >> shift] + float(shift) * float(kLn2);
    }

private:
    static constexpr int kBits = 11, kSize = 1 << kBits;
    static constexpr double kLn2 = 0.693147180559945309417;
    std::array<float, kSize> log_{};
};

// Made by the compiler: nothing of this instruction set may run when the library is loaded.
inline constexpr LogTable kLog{};

HENRO_END
