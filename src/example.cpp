#include "example.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "error.h"
#include "row_scan.h"
#include "sorted.h"

namespace sparselin {
namespace {

double squared_norm(const double* values, size_t count) {
    return sum_in_lanes(count, [=](size_t j) { return values[j] * values[j]; });
}

// Whether any of word(0) ... word(count - 1) has its top bit set. In blocks, which compilers turn into vector instructions.
template <class Word>
bool any_top_bit(size_t count, Word word) {
    uint64_t found[4] = {};
    size_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (size_t k = 0; k < 4; ++k) found[k] |= word(j + k);
    for (; j < count; ++j) found[0] |= word(j);
    return ((found[0] | found[1]) | (found[2] | found[3])) >> 63;
}

// Whether indices ascend, so that none is repeated, and no value is 0.
bool is_canonical(const RawRow& raw) {
    const auto descends = [indices = raw.indices](size_t j) { return uint64_t{indices[j + 1]} - indices[j] - 1; };
    const auto is_zero = [values = raw.values](size_t j) {
        uint64_t bits;
        std::memcpy(&bits, values + j, sizeof bits);
        return (bits & INT64_MAX) - 1;
    };
    return !(raw.count > 1 && any_top_bit(raw.count - 1, descends)) && !(raw.values && any_top_bit(raw.count, is_zero));
}

void require_finite(const RawRow& raw) {
    for (size_t j = 0; j < raw.count; ++j)
        if (!std::isfinite(raw.values[j]))
            fail(SL_ERROR_INVALID_DATA, "the value of index ", raw.indices[j], " is ", raw.values[j], ", which is not finite");
}

// That the largest index, and so every other, is within the bounds. The message names the first that is not.
void require_within(const IndexBounds& bounds, uint32_t largest, const RawRow& raw) {
    if (bounds.contain(largest)) return;
    const uint32_t index = *std::find_if(raw.indices, raw.indices + raw.count, [&](uint32_t i) { return !bounds.contain(i); });
    if (bounds.are_signed && index > INT32_MAX)
        fail(SL_ERROR_INVALID_DATA, "an index is ", int64_t{index} - (int64_t{1} << 32), ", below 0");
    fail(SL_ERROR_INVALID_DATA, "index ", index, " is not below the option dimension, ", bounds.dimension);
}

}  // namespace

Row RowBuffer::canonical(const RawRow& raw, const IndexBounds& bounds) {
    Row row{raw.indices, raw.values, raw.count, 0};
    if (raw.values && scan_norm(raw, row.squared_norm) && std::isfinite(row.squared_norm)) {
        require_within(bounds, raw.indices[raw.count - 1], raw);
        return row;
    }
    if (is_canonical(raw)) {
        if (raw.count) require_within(bounds, raw.indices[raw.count - 1], raw);
        if (!raw.values) {
            values_.assign(raw.count, 1.0);
            row.values = values_.data();
        }
    } else {
        indices_.resize(std::max(raw.count, indices_.size()));
        values_.resize(std::max(raw.count, values_.size()));
        if (raw.count <= kFew)
            sort_few(raw);
        else
            sort_many(raw);
        require_within(bounds, indices_[raw.count - 1], raw);
        const size_t kept = raw.values ? add_up_equal(raw.count) : count_equal(raw.count);
        row = Row{indices_.data(), values_.data(), kept, 0};
    }
    row.squared_norm = squared_norm(row.values, row.count);
    if (std::isfinite(row.squared_norm)) return row;
    if (raw.values) require_finite(raw);  // a sum of values is finite only if they are
    fail(SL_ERROR_INVALID_DATA, "the squared norm of the example overflows; scale its values down");
}

Row RowBuffer::held(const Row& row) {
    if (row.indices != indices_.data()) indices_.assign(row.indices, row.indices + row.count);
    if (row.values != values_.data()) values_.assign(row.values, row.values + row.count);
    return {indices_.data(), values_.data(), row.count, row.squared_norm};
}

// Where an entry goes is how many keys are smaller than its own, and so many again as have been there before: of few entries it takes less
// time to compare each with all, several at once, than to branch on what comparing finds. A key of 16 bits takes half the time of one of
// 32, and mostly tells all indices apart: it is made of their highest bits, those that any of them has.
void RowBuffer::sort_few(const RawRow& raw) {
    uint32_t bits = 0;
    for (size_t j = 0; j < raw.count; ++j) bits |= raw.indices[j];
    const unsigned shift = bits > UINT16_MAX ? 16 - static_cast<unsigned>(__builtin_clz(bits)) : 0;
    place_few<int16_t>(raw, [=](uint32_t index) { return static_cast<int16_t>((index >> shift) - 0x8000); });
    if (shift == 0 || std::is_sorted(indices_.data(), indices_.data() + raw.count)) return;
    place_few<int32_t>(raw, [](uint32_t index) { return static_cast<int32_t>(index ^ 0x80000000u); });
}

// Sorts by the keys, which are compared as signed numbers.
template <class Key, class KeyOf>
void RowBuffer::place_few(const RawRow& raw, KeyOf key_of) {
    using Lanes [[gnu::vector_size(16)]] = Key;
    constexpr size_t kLanes = sizeof(Lanes) / sizeof(Key);
    Key keys[kFew + 2 * kLanes], ranks[kFew + 2 * kLanes];
    Lanes all[kFew];
    uint8_t taken[kFew] = {};
    const size_t blocks = (raw.count + kLanes - 1) / kLanes;
    for (size_t j = 0; j < raw.count; ++j) {
        keys[j] = key_of(raw.indices[j]);
        all[j] = Lanes{} + keys[j];
    }
    std::fill(keys + raw.count, keys + (blocks + 1) * kLanes, std::numeric_limits<Key>::max());
    for (size_t b = 0; b < blocks; b += 2) {
        Lanes one, other, below_one{}, below_other{};
        std::memcpy(&one, keys + b * kLanes, sizeof one);
        std::memcpy(&other, keys + (b + 1) * kLanes, sizeof other);
        for (size_t j = 0; j < raw.count; ++j) {
            below_one -= all[j] < one;
            below_other -= all[j] < other;
        }
        std::memcpy(ranks + b * kLanes, &below_one, sizeof below_one);
        std::memcpy(ranks + (b + 1) * kLanes, &below_other, sizeof below_other);
    }
    for (size_t j = 0; j < raw.count; ++j) {
        const auto rank = static_cast<size_t>(ranks[j]);
        const size_t place = rank + taken[rank]++;
        indices_[place] = raw.indices[j];
        values_[place] = raw.values ? raw.values[j] : 1;
    }
}

// Many entries are sorted as numbers: of index and place together, or of the index alone where all values are 1.
void RowBuffer::sort_many(const RawRow& raw) {
    if (raw.count > UINT32_MAX) fail(SL_ERROR_INVALID_DATA, "a row of ", uint64_t{raw.count}, " entries is longer than 2^32 - 1");
    const uint32_t largest = *std::max_element(raw.indices, raw.indices + raw.count);
    if (raw.values) {
        keys_.resize(std::max(2 * raw.count, keys_.size()));
        for (size_t j = 0; j < raw.count; ++j) keys_[j] = uint64_t{raw.indices[j]} << 32 | j;
        const uint64_t* const sorted = sort_keys(keys_.data(), keys_.data() + raw.count, raw.count, 32, largest);
        for (size_t j = 0; j < raw.count; ++j) {
            indices_[j] = static_cast<uint32_t>(sorted[j] >> 32);
            values_[j] = raw.values[static_cast<uint32_t>(sorted[j])];
        }
    } else {
        short_keys_.resize(std::max(raw.count, short_keys_.size()));
        std::copy(raw.indices, raw.indices + raw.count, indices_.data());
        const uint32_t* const sorted = sort_keys(indices_.data(), short_keys_.data(), raw.count, 0, largest);
        if (sorted != indices_.data()) std::copy(sorted, sorted + raw.count, indices_.data());
    }
}

// Values of one index are added up in the order in which they were given, and what adds up to 0 is left out.
size_t RowBuffer::add_up_equal(size_t count) {
    if (is_canonical({indices_.data(), values_.data(), count})) return count;
    size_t kept = 0;
    for (size_t j = 0; j < count;) {
        const uint32_t index = indices_[j];
        double sum = 0;
        for (; j < count && indices_[j] == index; ++j) sum += values_[j];
        if (sum == 0) continue;
        indices_[kept] = index;
        values_[kept++] = sum;
    }
    return kept;
}

// The same where all values are 1. Where an entry goes is computed without a branch: in text, which index repeats is anyone's guess.
size_t RowBuffer::count_equal(size_t count) {
    size_t last = 0;
    values_[0] = 1;
    for (size_t j = 1; j < count; ++j) {
        const uint32_t index = indices_[j];
        last += index != indices_[j - 1];
        indices_[last] = index;
        values_[last] = static_cast<double>(j + 1);  // how many there are up to here
    }
    for (size_t j = last; j > 0; --j) values_[j] -= values_[j - 1];
    return last + 1;
}

void check_label_and_weight(double label, double weight) {
    if (!std::isfinite(label)) fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", which is not finite");
    if (!std::isfinite(weight)) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is not finite");
    if (weight < 0) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is negative");
}

}  // namespace sparselin
