// What rounding takes from a sum or a product: the exact result less the double that stands for it (Knuth's two-sum; fma).
#pragma once
#include <cmath>

namespace sparselin {

inline double sum_error(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

inline double product_error(double a, double b) { return std::fma(a, b, -(a * b)); }

}  // namespace sparselin
