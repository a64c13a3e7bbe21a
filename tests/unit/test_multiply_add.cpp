// a b + c is rounded once, by multiply_add as by its way for processors that cannot. Products of random doubles are added to what nearly
// takes them away, lies halfway between doubles beside them, or is of another size altogether, and the sum of integers that are exact says
// what there has to be.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "multiply_add.h"
#include "random.h"

namespace {

using sparselin::multiply_add;
using sparselin::multiply_add_in_steps;

__extension__ typedef unsigned __int128 Wide;

// What is left of a whole number of 128 bits when the last `bits` are rounded away, half to even, times 2^exponent.
double rounded(Wide whole, int exponent, bool negative) {
    int length = 0;
    while (length < 128 && whole >> length) ++length;
    const int cut = length > 53 ? length - 53 : 0;
    Wide kept = whole >> cut;
    if (cut > 0) {
        const Wide rest = whole & ((Wide{1} << cut) - 1), half = Wide{1} << (cut - 1);
        if (rest > half || (rest == half && (kept & 1))) ++kept;
    }
    const double value = std::ldexp(static_cast<double>(static_cast<uint64_t>(kept)), cut + exponent);
    return negative ? -value : value;
}

int failures = 0;

void check(double a, double b, double c, double expected) {
    const double at_once = multiply_add(a, b, c), in_steps = multiply_add_in_steps(a, b, c);
    if (std::memcmp(&at_once, &expected, sizeof expected) == 0 && std::memcmp(&in_steps, &expected, sizeof expected) == 0) return;
    if (++failures <= 10) std::printf("%a * %a + %a is %a, not %a or %a\n", a, b, c, expected, at_once, in_steps);
}

}  // namespace

int main() {
    uint64_t counter = 0;
    const auto draw = [&] { return sparselin::mix64(++counter * 0x9e3779b97f4a7c15u); };
    int twice = 0;  // how often rounding the product first would have given something else
    for (int round = 0; round < 200000; ++round) {
        // a b = A B 2^-100, c = C 2^(shift - 100)
        const uint64_t A = draw() >> 11 | 1, B = draw() >> 11, C = draw() >> 11;
        const int shift = static_cast<int>(draw() % 73);
        const bool minus = draw() & 1;
        const Wide product = static_cast<Wide>(A) * B, added = static_cast<Wide>(C) << shift;
        const bool negative = minus && added > product;
        const Wide sum = !minus ? product + added : negative ? added - product : product - added;
        const double a = static_cast<double>(A), b = std::ldexp(static_cast<double>(B), -100),
                     c = std::ldexp(static_cast<double>(minus ? -static_cast<int64_t>(C) : static_cast<int64_t>(C)), shift - 100);
        const double expected = rounded(sum, -100, negative);
        check(a, b, c, expected);
        const volatile double first = a * b;
        twice += first + c != expected;
    }
    // Halfway between two doubles but for the last bit, where rounding to 64 bits first goes wrong; in denormals; beyond the largest on the
    // way.
    check(1 + 0x1p-52, 1 - 0x1p-53, 0x1p53, 0x1p53 + 2);
    check(0x1p-53, 1 + 0x1p-30, 1, 1 + 0x1p-52);
    check(-0x1p-54, 1 + 0x1p-30, 1, 1 - 0x1p-53);
    check(0x1.8p-1074, 0.5, 0, 0x1p-1074);
    check(0x1p-1000, 0x1.8p-75, 0x1p-1074, 0x1p-1073);
    check(0x1p1023, 4, -HUGE_VAL, -HUGE_VAL);
    check(0x1p1023, 2, -0x1p1023, 0x1p1023);
    check(0x1p1023, 2, 0, HUGE_VAL);
    check(1, 0, -0.0, 0.0);
    check(-1, 0, -0.0, -0.0);
    check(3, 5, -15, 0.0);
    if (twice < 1000) std::printf("rounding twice made a difference %d times alone\n", twice);
    if (failures) std::printf("%d wrong\n", failures);
    return failures > 0 || twice < 1000;
}
