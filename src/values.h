// The values of many rows, one behind the other, in as few bytes as they fit in: none where all are 1, 4 where all are floats, else 8.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "large_pages.h"

namespace sparselin {

// Multiplies the capacity where it does not suffice, so that adding numbers one by one costs O(1) each. Of a large array the part that
// nobody has touched yet takes no memory, so there is much of it, and the numbers are rarely moved.
template <class Vector>
void make_room(Vector& numbers, size_t more) {
    constexpr size_t kLarge = size_t{1} << 20;
    if (numbers.capacity() - numbers.size() >= more) return;
    const size_t wanted = std::max(numbers.size() + more, 2 * numbers.capacity());
    if (wanted >= kLarge && wanted <= numbers.max_size() / 4) try {
            return numbers.reserve(4 * wanted);
        } catch (const std::bad_alloc&) {  // a system that counts it all the same
        }
    numbers.reserve(wanted);
}

// Asks the memory for numbers that will soon be wanted: for every line that they lie on, wherever on the first one they begin.
template <class Number>
[[gnu::always_inline]] inline void prefetch_lines(const Number* numbers, size_t count) {
    constexpr size_t kOfLine = 64 / sizeof(Number);
    for (size_t j = 0; j < count; j += kOfLine) __builtin_prefetch(numbers + j, 0, 1);
    if (count > 0) __builtin_prefetch(numbers + count - 1, 0, 1);
}

// Has the values of a row as doubles where they are stored as something else, until the next row is read. One buffer serves one Values.
class ValueBuffer {
    friend class Values;
    std::vector<double> numbers_;
};

class Values {
  public:
    enum class Kind { ones, floats, doubles };  // each holds all that those before it can hold

    Values() = default;
    explicit Values(size_t ones) : size_(ones) {}
    explicit Values(LargeVector<float> floats);
    explicit Values(LargeVector<double> doubles);

    static Kind kind_of(const double* values, size_t count);  // the first that holds them all
    Kind kind() const { return kind_; }
    uint64_t bytes() const { return size_ * (kind_ == Kind::ones ? 0 : kind_ == Kind::floats ? sizeof(float) : sizeof(double)); }
    const LargeVector<float>& floats() const { return floats_; }  // where that is the kind
    const LargeVector<double>& doubles() const { return doubles_; }

    // `count` values from number `begin` on.
    [[gnu::always_inline]] const double* read(size_t begin, size_t count, ValueBuffer& buffer) const {
        if (kind_ == Kind::doubles) return doubles_.data() + begin;
        if (buffer.numbers_.size() < count) buffer.numbers_.assign(count, 1.0);
        if (kind_ == Kind::floats) widen(floats_.data() + begin, count, buffer.numbers_.data());
        return buffer.numbers_.data();
    }
    [[gnu::always_inline]] void prefetch(size_t begin, size_t count) const {
        if (kind_ == Kind::doubles) prefetch_lines(doubles_.data() + begin, count);
        if (kind_ == Kind::floats) prefetch_lines(floats_.data() + begin, count);
    }

    void reserve(size_t size);  // in all, whatever kind they come to be
    void clear();               // keeps the memory

    // Get ready for more, which append() may then add without throwing. Values of a kind that holds less are made ones of the kind that
    // these need.
    void make_room(const double* values, size_t count);
    void make_room(const Values& other, size_t count);
    void append(const double* values, size_t count);
    void append(const Values& other, size_t begin, size_t count);

  private:
    [[gnu::always_inline]] static void widen(const float* from, size_t count, double* to) {
        size_t j = 0;
#ifdef __SSE2__  // two at once, which GCC does one by one
        for (; j + 2 <= count; j += 2) {
            const __m128i two = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + j));
            _mm_storeu_pd(to + j, _mm_cvtps_pd(_mm_castsi128_ps(two)));
        }
#endif
        for (; j < count; ++j) to[j] = from[j];
    }
    void make_room(Kind kind, size_t count);

    Kind kind_ = Kind::ones;
    size_t size_ = 0, reserved_ = 0;
    LargeVector<float> floats_;  // one of the two, or none, holds the values
    LargeVector<double> doubles_;
};

}  // namespace sparselin
