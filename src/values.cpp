#include "values.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sparselin {
namespace {

bool is_float(double value) {
    return std::fabs(value) <= std::numeric_limits<float>::max() && static_cast<double>(static_cast<float>(value)) == value;
}

template <class Number>
Values::Kind kind_of(const Number* values, size_t count) {
    if (std::all_of(values, values + count, [](Number value) { return value == 1; })) return Values::Kind::ones;
    const bool floats = sizeof(Number) == sizeof(float) || std::all_of(values, values + count, is_float);
    return floats ? Values::Kind::floats : Values::Kind::doubles;
}

template <class To, class From>
void append_numbers(LargeVector<To>& to, const From* from, size_t count) {
    const size_t before = to.size();
    to.resize(before + count);
    std::transform(from, from + count, to.data() + before, [](From number) { return static_cast<To>(number); });
}

template <class To>
void append_ones(LargeVector<To>& to, size_t count) {
    const size_t before = to.size();
    to.resize(before + count);
    std::fill_n(to.data() + before, count, To{1});
}

}  // namespace

Values::Values(LargeVector<float> floats) : kind_(kind_of(floats.data(), floats.size())), size_(floats.size()) {
    if (kind_ == Kind::floats) floats_ = std::move(floats);
}

Values::Values(LargeVector<double> doubles) : kind_(kind_of(doubles.data(), doubles.size())), size_(doubles.size()) {
    if (kind_ == Kind::doubles) doubles_ = std::move(doubles);
    if (kind_ == Kind::floats) append_numbers(floats_, doubles.data(), doubles.size());
}

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
