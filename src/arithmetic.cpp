#include "arithmetic.h"

#include "error.h"
#include "rounding.h"

namespace sparselin {

void require_exact_arithmetic() {
    const volatile double odd = 1 + 0x1p-30, square = 1 + 0x1p-29, one = 1, tiny = 0x1p-60, five = 5, five_thirds = 5.0 / 3;
    const double x = odd, product = x * x - square;  // 2^-60 if it was not rounded
    if (product != 0 || sum_error(one, tiny) != tiny || five / 3 != five_thirds)
        fail(SL_ERROR_INTERNAL,
             "the library was compiled to round otherwise than IEEE 754 has it: compile it with -ffp-contract=off "
             "-fno-fast-math");
}

}  // namespace sparselin
