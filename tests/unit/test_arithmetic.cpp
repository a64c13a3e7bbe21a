// The library notices how its arithmetic was compiled. This is compiled twice: by the rules, and so that products are fused with sums.
#include "arithmetic.h"

#include <cstdio>
#include <cstring>

#include "error.h"

int main() {
    bool refused = false;
    try {
        sparselin::require_exact_arithmetic();
    } catch (const sparselin::Error& error) {
        refused = error.status() == SL_ERROR_INTERNAL && std::strstr(error.message().c_str(), "-ffp-contract=off");
    }
#ifdef SL_CONTRACTED
    constexpr bool expected = true;
    if (!__builtin_cpu_supports("fma")) return 0;
#else
    constexpr bool expected = false;
#endif
    if (refused != expected) std::fprintf(stderr, "%s\n", refused ? "sound arithmetic is refused" : "contraction is not noticed");
    return refused != expected;
}
