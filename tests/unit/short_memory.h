// Lets a test program run out of memory where it wants. To be included by one file of the program: it replaces operator new.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

// Allocations that may still succeed; negative: all of them.
inline std::atomic<int64_t> allocations_left{-1};
inline std::atomic<size_t> largest_allocation{SIZE_MAX};  // bytes

// Not inlined, because GCC takes an inlined half of the two for a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
    int64_t left = allocations_left;
    while (left > 0 && !allocations_left.compare_exchange_weak(left, left - 1)) continue;
    if (left == 0 || size > largest_allocation) throw std::bad_alloc();
    if (void* memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
