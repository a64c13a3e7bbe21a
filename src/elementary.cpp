// After pow.c of Arm's Optimized Routines, which glibc and musl use too; of its two ways the one without fused multiply-add.
//
// Copyright (c) 2018, Arm Limited.
// SPDX-License-Identifier: MIT
#include "elementary.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "elementary_tables.h"
#include "rounding.h"

namespace sparselin {
namespace {

uint64_t bits_of(double x) {
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

double double_of(uint64_t bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

struct TwoDoubles {
    double high, low;
};

// log(x) of a finite x >= 1, to 68 bits: x = 2^k z, log(x) = k ln 2 + log(c) + log(1 + r), r = z / c - 1.
TwoDoubles logarithm(double x) {
    constexpr double kLn2 = 0x1.62e42fefa3800p-1, kLn2Rest = 0x1.ef35793c76730p-45;
    constexpr uint64_t kFirst = 0x3fe6955500000000;  // the bits of the tables' first z
    const uint64_t from_first = bits_of(x) - kFirst, z_bits = bits_of(x) - (from_first & (uint64_t{0xfff} << 52));
    const auto& c = kLogarithms[(from_first >> 45) % 128];
    const double k = static_cast<double>(static_cast<int64_t>(from_first >> 52)), z = double_of(z_bits);
    // r in two parts: both, and the square of the larger, are exact.
    const double z_high = double_of((z_bits + (uint64_t{1} << 31)) & (~uint64_t{0} << 32));
    const double r_high = z_high * c.inverse - 1, r_low = (z - z_high) * c.inverse, r = r_high + r_low;

    const double sum = k * kLn2 + c.log, sum_r = sum + r;
    const double half = -0.5 * r, half_high = -0.5 * r_high, square = r * half, square_high = r_high * half_high;
    const double high = sum_r + square_high;
    const double lost = (k * kLn2Rest + c.rest) + (sum - sum_r + r) + r_low * (half + half_high) + (sum_r - high + square_high);
    const double rest = r * square *
                        (0x1.555555555556p-2 * -2 + r * (-0x1.0000000000006p-2 * -2) +
                         square * (0x1.999999959554ep-3 * 4 + r * (-0x1.555555529a47ap-3 * 4) +
                                   square * (0x1.2495b9b4845e9p-3 * -8 + r * (-0x1.0002b8b263fc3p-3 * -8))));
    const double low = lost + rest, rounded = high + low;
    return {rounded, high - rounded + low};
}

// exp(x + rest), of a rest below |x| and 2^-15: x + rest = k ln 2 / 128 + r, exp = 2^(k / 128) exp(r).
double exponential_of(double x, double rest) {
    if (std::fabs(x) < 0x1p-54) return 1 + x;
    if (!(std::fabs(x) < 1024)) return x > 0 ? HUGE_VAL : x < 0 ? 0 : x;
    constexpr double kInverse = 0x1.71547652b82fep0 * 128, kStep = 0x1.62e42fefa0000p-8, kStepRest = 0x1.cf79abc9e3b3ap-47;
    constexpr double kToInteger = 0x1.8p52;  // a double of this size has no fraction, and the integer in its last bits
    const double shifted = kInverse * x + kToInteger, k = shifted - kToInteger;
    const uint64_t k_bits = bits_of(shifted);
    const double r = x - k * kStep - k * kStepRest + rest, square = r * r;
    const auto& power = kPowersOf2[k_bits % 128];
    const double more = double_of(power.rest) + r + square * (0x1.ffffffffffdbdp-2 + r * 0x1.555555555543cp-3) +
                        square * square * (0x1.55555cf172b91p-5 + r * 0x1.1111167a4d017p-7);
    const uint64_t scale_bits = power.value + (k_bits << 45);
    if (std::fabs(x) < 512) {
        const double scale = double_of(scale_bits);
        return scale + scale * more;
    }
    if (x > 0) {  // the scale itself may be beyond what a double holds
        const double scale = double_of(scale_bits - (uint64_t{1009} << 52));
        return 0x1p1009 * (scale + scale * more);
    }
    const double scale = double_of(scale_bits + (uint64_t{1022} << 52)), value = scale + scale * more;
    if (value >= 1) return 0x1p-1022 * value;
    // What has fewer digits for being so small is rounded once, by a sum in which the last one is where it will be.
    const double low = scale - value + scale * more, sum = 1 + value;
    return 0x1p-1022 * (sum + (1 - sum + value + low) - 1);
}

}  // namespace

double exponential(double x) { return exponential_of(x, 0); }

double log_1_plus(double x) {
    const double sum = 1 + x;
    if (!(sum < HUGE_VAL)) return sum;
    const TwoDoubles log = logarithm(sum);
    return log.high + (log.low + sum_error(1, x) / sum);
}

double to_power(double x, double y) {
    if (!(x < HUGE_VAL)) return y < 0 ? 0 : y > 0 ? x : 1;
    const TwoDoubles log = logarithm(x);
    constexpr uint64_t kLargeHalf = ~uint64_t{0} << 27;
    const double y_high = double_of(bits_of(y) & kLargeHalf), y_low = y - y_high;
    const double log_high = double_of(bits_of(log.high) & kLargeHalf), log_low = log.high - log_high + log.low;
    return exponential_of(y_high * log_high, y_low * log_high + y * log_low);
}

}  // namespace sparselin
