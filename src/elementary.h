// exp and its kind in operations of IEEE 754's alone, so that they give the same bits on every machine; those of C libraries differ in last
// bits with the library's version, the processor and the compiler. The error is below 0.7 of a unit in the last place, and mostly below
// 0.51.
#pragma once

namespace sparselin {

double exponential(double x);

double log_1_plus(double x);  // log(1 + x), of x >= 0

double to_power(double x, double y);  // of x >= 1

}  // namespace sparselin
