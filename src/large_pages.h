// Memory in large pages, where the system has them to give: touching it first costs a 512th of the page faults, and a random access finds
// its page sooner.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "system.h"

namespace sparselin {

// For a vector: in large pages, and what resize() adds is not set to 0 but left as it is found.
template <class T>
struct LargePageAllocator {
    using value_type = T;

    LargePageAllocator() = default;
    template <class Other>
    explicit LargePageAllocator(const LargePageAllocator<Other>&) {}

    T* allocate(size_t count) {
        T* const block = std::allocator<T>().allocate(count);
        ask_for_large_pages(block, count * sizeof(T));
        return block;
    }
    void deallocate(T* block, size_t count) { std::allocator<T>().deallocate(block, count); }

    template <class Entry, class... Arguments>
    void construct(Entry* entry, Arguments&&... arguments) {
        if constexpr (sizeof...(Arguments) == 0)
            ::new (static_cast<void*>(entry)) Entry;
        else
            ::new (static_cast<void*>(entry)) Entry(std::forward<Arguments>(arguments)...);
    }
};
template <class A, class B>
bool operator==(const LargePageAllocator<A>&, const LargePageAllocator<B>&) {
    return true;
}
template <class A, class B>
bool operator!=(const LargePageAllocator<A>&, const LargePageAllocator<B>&) {
    return false;
}

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace sparselin
