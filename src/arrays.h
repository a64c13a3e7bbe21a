// Zeroed memory for numbers by the million.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "large_pages.h"

namespace sparselin {

// Zeroed memory that starts on a cache line. calloc gives large blocks untouched, so that a page costs memory only once it is used.
template <class T>
class ZeroedArray {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    ZeroedArray() = default;
    explicit ZeroedArray(uint64_t size) {
        if (size == 0) return;
        if (size > (SIZE_MAX - kLine) / sizeof(T)) throw std::bad_alloc();
        size_ = static_cast<size_t>(size);
        block_ = std::calloc(size_ * sizeof(T) + kLine, 1);
        if (!block_) throw std::bad_alloc();
        data_ = reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(block_) + kLine - 1) / kLine * kLine);
        ask_for_large_pages(data_, size_ * sizeof(T));
    }
    ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) {
        if (size_) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
    }
    ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
    ZeroedArray& operator=(ZeroedArray other) noexcept {
        swap(other);
        return *this;
    }
    ~ZeroedArray() { std::free(block_); }

    void swap(ZeroedArray& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    // Has the system back all of it at once with memory: what is read before it is written would fault twice a page.
    void touch() const {
        constexpr size_t kPage = 4096;
        for (size_t at = 0; at < size_ * sizeof(T); at += kPage) reinterpret_cast<volatile char*>(data_)[at] = 0;
    }
    size_t size() const { return size_; }
    uint64_t bytes() const { return size_ ? size_ * sizeof(T) + kLine : 0; }
    T* data() const { return data_; }
    T& operator[](size_t i) const { return data_[i]; }  // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): i < size

  private:
    static constexpr size_t kLine = 64;
    void* block_ = nullptr;
    T* data_ = nullptr;
    size_t size_ = 0;
};

// An array that, once it is large, grows where it is, by further blocks, so that growing never takes its memory twice.
template <class T>
class GrowingArray {
  public:
    GrowingArray() = default;
    explicit GrowingArray(uint64_t size) { grow(size); }
    GrowingArray(const GrowingArray& other) : GrowingArray(other.size_) {
        for (size_t i = 0; i < size_; i += kSegment)
            std::memcpy(static_cast<void*>(&(*this)[i]), &other[i], std::min(kSegment, size_ - i) * sizeof(T));
    }
    GrowingArray(GrowingArray&& other) noexcept { swap(other); }
    GrowingArray& operator=(GrowingArray other) noexcept {
        swap(other);
        return *this;
    }

    void swap(GrowingArray& other) noexcept {
        blocks_.swap(other.blocks_);
        segments_.swap(other.segments_);
        std::swap(size_, other.size_);
    }
    size_t size() const { return size_; }
    // The least size, from `least` on, that grow() does not round down.
    static uint64_t whole(uint64_t least) { return least > kSmall ? (least + kSegment - 1) / kSegment * kSegment : least; }
    uint64_t bytes() const {
        uint64_t sum = 0;
        for (const auto& block : blocks_) sum += block.bytes();
        return sum;
    }
    T& operator[](size_t i) const { return segments_[i / kSegment][i % kSegment]; }

    // To `size` elements, or a few less where they are many: whole segments. May throw, and then has changed nothing.
    void grow(uint64_t size) {
        if (size > kSmall) size = size / kSegment * kSegment;
        if (size <= size_) return;
        const size_t kept = size_ <= kSmall ? 0 : size_;
        ZeroedArray<T> block(size - kept);
        block.touch();
        std::vector<T*> segments(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(kept / kSegment));
        for (size_t i = kept; i < size; i += kSegment) segments.push_back(block.data() + (i - kept));
        blocks_.reserve(blocks_.size() + 1);
        if (kept == 0 && size_) std::memcpy(static_cast<void*>(block.data()), blocks_[0].data(), size_ * sizeof(T));
        if (kept == 0) blocks_.clear();
        blocks_.push_back(std::move(block));
        segments_.swap(segments);
        size_ = static_cast<size_t>(size);
    }

  private:
    static constexpr size_t kSegment = 1 << 13;
    static constexpr uint64_t kSmall = 1 << 17;  // up to so many elements the array is one block, and moves
    std::vector<ZeroedArray<T>> blocks_;
    std::vector<T*> segments_;  // into the blocks, one every kSegment elements
    size_t size_ = 0;
};

}  // namespace sparselin
