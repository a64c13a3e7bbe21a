#include "multiply_add.h"

#ifdef SL_OWN_MULTIPLY_ADD
#include <immintrin.h>

namespace sparselin {
namespace {

__attribute__((target("fma"))) double multiply_add_at_once(double a, double b, double c) {
    return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
}

}  // namespace

double multiply_add(double a, double b, double c) {
    return __builtin_cpu_supports("fma") ? multiply_add_at_once(a, b, c) : multiply_add_in_steps(a, b, c);
}

}  // namespace sparselin
#endif
