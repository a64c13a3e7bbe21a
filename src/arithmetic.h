// Arithmetic as IEEE 754 has it, each operation rounded by itself to the nearest double: without it the same input would give other bits,
// and numbers that the papers' formulas cannot give. What a compiler was told otherwise is refused, what the caller's thread does otherwise
// is put aside during a call.
#pragma once
#include <cfenv>
#include <cfloat>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "the old unit of 32-bit x86 rounds twice: compile with -msse2 -mfpmath=sse"
#elif defined(__FAST_MATH__) || __FINITE_MATH_ONLY__ || (defined(__GCC_IEC_559) && __GCC_IEC_559 == 0)
#error "arithmetic is not that of IEEE 754: compile without -Ofast, -ffast-math and their kind, or add -fno-fast-math"
#endif

// fesetenv of mingw brings back how the older unit of x86 rounds, and leaves SSE as it is.
#if defined(_WIN32) && defined(__SSE__)
#define SL_SSE_ALONE
#endif

namespace sparselin {

// Clang says nothing of contraction and of some other liberties, so that only numbers can tell. Throws SL_ERROR_INTERNAL.
void require_exact_arithmetic();

// Rounds to nearest, keeps denormals and traps nothing as long as it lives, whatever the caller's thread does. Whose thread does just that,
// as nearly all do, pays for one look.
class StandardEnvironment {
  public:
    StandardEnvironment() noexcept : other_(!is_standard()) {
        if (other_) put_aside();
    }
    ~StandardEnvironment() {
        if (other_) bring_back();
    }
    StandardEnvironment(const StandardEnvironment&) = delete;
    StandardEnvironment& operator=(const StandardEnvironment&) = delete;

  private:
    static bool is_standard() noexcept {
#if defined(__SSE__)
        constexpr unsigned kFlags = 0x3f;
        return (_mm_getcsr() & ~kFlags) == kStandard;
#elif defined(__aarch64__)
        unsigned long modes;
        asm volatile("mrs %0, fpcr" : "=r"(modes));
        return modes == 0;
#elif defined(__GLIBC__)
        return std::fegetround() == FE_TONEAREST && fegetexcept() == 0;
#else
        return std::fegetround() == FE_TONEAREST;
#endif
    }
    static constexpr unsigned kStandard = 0x1f80;  // of x86
    const bool other_;
#ifdef SL_SSE_ALONE
    void put_aside() noexcept {
        callers_ = _mm_getcsr();
        _mm_setcsr(kStandard);
    }
    void bring_back() noexcept { _mm_setcsr(callers_); }
    unsigned callers_;
#else
    void put_aside() noexcept {
        std::fegetenv(&callers_);
        std::fesetenv(FE_DFL_ENV);
    }
    void bring_back() noexcept { std::fesetenv(&callers_); }
    std::fenv_t callers_;
#endif
};

}  // namespace sparselin
