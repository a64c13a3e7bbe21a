// What rounding takes from a sum or a product: the exact result less the double that stands for it (Knuth's two-sum; fma).
#pragma once
#include <cfloat>
#include <cmath>

namespace sparselin {

// Doubles that are computed with more digits, and rounded when they are stored, would give other bits.
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "the old unit of 32-bit x86 rounds twice: compile with -msse2 -mfpmath=sse");

inline double sum_error(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

inline double product_error(double a, double b) { return std::fma(a, b, -(a * b)); }

}  // namespace sparselin
