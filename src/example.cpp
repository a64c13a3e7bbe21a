#include "example.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "error.h"
#include "row_scan.h"

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
        const uint32_t largest = *std::max_element(raw.indices, raw.indices + raw.count);
        require_within(bounds, largest, raw);
        indices_.resize(raw.count);
        values_.resize(raw.count);
        const Entry* const entries = sorted(raw, largest);
        size_t kept = 0;
        for (size_t j = 0; j < raw.count;) {
            const uint32_t index = entries[j].index;
            double sum = 0;
            for (; j < raw.count && entries[j].index == index; ++j) sum += entries[j].value;
            if (sum == 0) continue;
            indices_[kept] = index;
            values_[kept++] = sum;
        }
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

// The entries by ascending index, those of one index in their order: digit by digit from the lowest, in as many passes as the length of the
// row makes cheapest, or by insertion where they are few.
const RowBuffer::Entry* RowBuffer::sorted(const RawRow& raw, uint32_t largest) {
    constexpr size_t kFew = 32;
    constexpr unsigned kWidest = 11;
    const auto given = [&raw](size_t j) { return Entry{raw.indices[j], raw.values ? raw.values[j] : 1}; };
    entries_.resize(raw.count);
    if (raw.count <= kFew) {
        for (size_t j = 0; j < raw.count; ++j) {
            const Entry entry = given(j);
            size_t k = j;
            for (; k > 0 && entries_[k - 1].index > entry.index; --k) entries_[k] = entries_[k - 1];
            entries_[k] = entry;
        }
        return entries_.data();
    }
    more_entries_.resize(raw.count);
    unsigned bits = 1, width = 0;
    while (bits < 32 && largest >> bits) ++bits;
    uint64_t cheapest = UINT64_MAX;
    for (unsigned passes = 1; passes <= bits; ++passes) {
        const unsigned wide = (bits + passes - 1) / passes;
        const uint64_t cost = passes * (6 * uint64_t{raw.count} + (uint64_t{1} << wide));  // in cycles or so
        if (wide > kWidest || cost >= cheapest) continue;
        cheapest = cost;
        width = wide;
    }
    size_t places[size_t{1} << kWidest];
    const uint32_t mask = (uint32_t{1} << width) - 1;
    const auto pass = [&](auto entry, Entry* to, unsigned shift) {
        std::fill_n(places, size_t{mask} + 1, 0);
        for (size_t j = 0; j < raw.count; ++j) ++places[entry(j).index >> shift & mask];
        size_t place = 0;
        for (size_t digit = 0; digit <= mask; ++digit) place += std::exchange(places[digit], place);
        for (size_t j = 0; j < raw.count; ++j) {
            const Entry moved = entry(j);
            to[places[moved.index >> shift & mask]++] = moved;
        }
    };
    pass(given, entries_.data(), 0);
    for (unsigned shift = width; shift < bits; shift += width) {
        pass([from = entries_.data()](size_t j) { return from[j]; }, more_entries_.data(), shift);
        entries_.swap(more_entries_);
    }
    return entries_.data();
}

void check_label_and_weight(double label, double weight) {
    if (!std::isfinite(label)) fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", which is not finite");
    if (!std::isfinite(weight)) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is not finite");
    if (weight < 0) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is negative");
}

}  // namespace sparselin
