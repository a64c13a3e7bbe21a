#include "values.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace sparselin {
namespace {

constexpr size_t kBlock = 64;

// Two at once, as every vector unit converts them.
using Floats [[gnu::vector_size(8)]] = float;
using Doubles [[gnu::vector_size(16)]] = double;

// Whether floats hold them all. What is beyond a float's range becomes infinite, which it was not.
bool are_floats(const double* values, size_t count) {
    static_assert(std::numeric_limits<float>::is_iec559);
    bool others = count % 2 && static_cast<double>(static_cast<float>(values[count - 1])) != values[count - 1];
    for (size_t j = 0; j + 2 <= count && !others;) {
        int64_t different[2] = {};
        for (const size_t end = std::min(j + kBlock, count / 2 * 2); j < end; j += 2) {
            Doubles two;
            std::memcpy(&two, values + j, sizeof two);
            const auto here = two != __builtin_convertvector(__builtin_convertvector(two, Floats), Doubles);
            different[0] |= here[0];
            different[1] |= here[1];
        }
        others = different[0] | different[1];
    }
    return !others;
}

template <class Number>
Values::Kind least_kind(const Number* values, size_t count) {
    if (std::all_of(values, values + count, [](Number value) { return value == 1; })) return Values::Kind::ones;
    if constexpr (sizeof(Number) == sizeof(double))
        if (!are_floats(values, count)) return Values::Kind::doubles;
    return Values::Kind::floats;
}

template <class To, class From>
void convert(const From* from, size_t count, To* to) {
    size_t j = 0;
    if constexpr (sizeof(To) < sizeof(From)) {
        for (; j + 2 <= count; j += 2) {
            Doubles two;
            std::memcpy(&two, from + j, sizeof two);
            const Floats narrow = __builtin_convertvector(two, Floats);
            std::memcpy(to + j, &narrow, sizeof narrow);
        }
    }
    for (; j < count; ++j) to[j] = static_cast<To>(from[j]);
}

template <class To, class From>
void append_numbers(LargeVector<To>& to, const From* from, size_t count) {
    const size_t before = to.size();
    to.resize(before + count);
    convert(from, count, to.data() + before);
}

template <class To>
void append_ones(LargeVector<To>& to, size_t count) {
    const size_t before = to.size();
    to.resize(before + count);
    std::fill_n(to.data() + before, count, To{1});
}

}  // namespace

Values::Values(LargeVector<float> floats) : kind_(least_kind(floats.data(), floats.size())), size_(floats.size()) {
    if (kind_ == Kind::floats) floats_ = std::move(floats);
}

Values::Values(LargeVector<double> doubles) : kind_(least_kind(doubles.data(), doubles.size())), size_(doubles.size()) {
    if (kind_ == Kind::floats) append_numbers(floats_, doubles.data(), doubles.size());
    if (kind_ == Kind::doubles) doubles_ = std::move(doubles);
}

Values::Kind Values::kind_of(const double* values, size_t count) { return least_kind(values, count); }

void Values::reserve(size_t size) {
    reserved_ = size;
    if (kind_ == Kind::floats) floats_.reserve(size);
    if (kind_ == Kind::doubles) doubles_.reserve(size);
}

void Values::clear() {
    kind_ = Kind::ones;
    size_ = 0;
    floats_.clear();
    doubles_.clear();
}

void Values::make_room(Kind kind, size_t count) {
    if (kind > kind_) {
        LargeVector<float> floats;
        LargeVector<double> doubles;
        const size_t wanted = std::max(reserved_, size_ + count);
        if (kind == Kind::floats) {
            floats.swap(floats_);  // of values that were cleared
            floats.reserve(wanted);
            append_ones(floats, size_);
        } else {
            doubles.swap(doubles_);
            doubles.reserve(wanted);
            kind_ == Kind::ones ? append_ones(doubles, size_) : append_numbers(doubles, floats_.data(), size_);
        }
        floats_ = std::move(floats);
        doubles_ = std::move(doubles);
        kind_ = kind;
    }
    if (kind_ == Kind::floats) sparselin::make_room(floats_, count);
    if (kind_ == Kind::doubles) sparselin::make_room(doubles_, count);
}

void Values::make_room(const double* values, size_t count) {
    make_room(kind_ == Kind::doubles ? Kind::doubles : kind_of(values, count), count);
}

void Values::make_room(const Values& other, size_t count) { make_room(other.kind_, count); }

void Values::append(const double* values, size_t count) {
    if (kind_ == Kind::floats) append_numbers(floats_, values, count);
    if (kind_ == Kind::doubles) append_numbers(doubles_, values, count);
    size_ += count;
}

void Values::append(const Values& other, size_t begin, size_t count) {
    const auto append_to = [&](auto& numbers) {
        switch (other.kind_) {
            case Kind::ones: return append_ones(numbers, count);
            case Kind::floats: return append_numbers(numbers, other.floats_.data() + begin, count);
            case Kind::doubles: return append_numbers(numbers, other.doubles_.data() + begin, count);
        }
    };
    if (kind_ == Kind::floats) append_to(floats_);
    if (kind_ == Kind::doubles) append_to(doubles_);
    size_ += count;
}

}  // namespace sparselin
