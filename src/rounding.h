// What rounding takes from a sum or a product: the exact result less the double that stands for it (Knuth's two-sum; fma).
#pragma once
#include "multiply_add.h"

namespace sparselin {

inline double sum_error(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

inline double product_error(double a, double b) { return multiply_add(a, b, -(a * b)); }

// A sum in twice the digits of a double (Dekel 1971).
struct LongSum {
    double high = 0, low = 0;

    void add(double value, double lost) {  // lost: what rounding took from the value
        low += sum_error(high, value) + lost;
        high += value;
    }
    void add_product(double a, double b) { add(a * b, product_error(a, b)); }
    double value() const { return high + low; }
};

}  // namespace sparselin
