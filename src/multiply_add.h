// a b + c, rounded once. std::fma of mingw rounds twice, and gives another number in a tenth of all cases and more.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace sparselin {

#if defined(__MINGW32__) && (defined(__x86_64__) || defined(__i386__))
#define SL_OWN_MULTIPLY_ADD
double multiply_add(double a, double b, double c);
#else
inline double multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
#endif

#if (defined(__x86_64__) || defined(__i386__)) && defined(__SIZEOF_FLOAT128__)  // clang has no such numbers on macOS
// The same for processors without the instruction. In 113 bits the product is exact. Of the sum they keep in the last bit whether rounding
// took anything (rounding to odd), so that rounding to 53 bits gives what the exact sum would have given (Boldo & Melquiond 2008).
inline double multiply_add_in_steps(double a, double b, double c) {
    __extension__ typedef __float128 Quad;
    const Quad product = static_cast<Quad>(a) * b;
    Quad sum = product + c;
    const Quad of_c = sum - product, lost = (product - (sum - of_c)) + (c - of_c);
    uint64_t words[2];
    std::memcpy(words, &sum, sizeof words);
    if ((lost < 0 || lost > 0) && words[0] % 2 == 0) {
        const bool away_from_0 = (lost > 0) == (sum > 0);
        if (!away_from_0 && words[0] == 0) --words[1];
        words[0] += away_from_0 ? 1 : ~uint64_t{0};
        std::memcpy(&sum, words, sizeof words);
    }
    return static_cast<double>(sum);
}
#endif

}  // namespace sparselin
