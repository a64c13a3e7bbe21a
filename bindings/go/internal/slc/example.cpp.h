#include "example.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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
    if (!raw.values) {
        values_.assign(raw.count, 1.0);
        row.values = values_.data();
    }
    if (is_canonical(raw)) {
        if (raw.count) require_within(bounds, raw.indices[raw.count - 1], raw);
    } else {
        order_.resize(raw.count);
        for (size_t j = 0; j < raw.count; ++j) order_[j] = j;
        std::sort(order_.begin(), order_.end(),
                  [&](size_t a, size_t b) { return raw.indices[a] != raw.indices[b] ? raw.indices[a] < raw.indices[b] : a < b; });
        require_within(bounds, raw.indices[order_.back()], raw);
        indices_.resize(raw.count);
        std::vector<double> sorted(raw.count);
        size_t kept = 0;
        for (size_t j = 0; j < raw.count;) {
            const uint32_t index = raw.indices[order_[j]];
            double sum = 0;
            for (; j < raw.count && raw.indices[order_[j]] == index; ++j) sum += row.values[order_[j]];
            if (sum == 0) continue;
            indices_[kept] = index;
            sorted[kept++] = sum;
        }
        values_.swap(sorted);
        row = Row{indices_.data(), values_.data(), kept, 0};
    }
    row.squared_norm = squared_norm(row.values, row.count);
    if (std::isfinite(row.squared_norm)) return row;
    if (raw.values) require_finite(raw);  // a sum of values is finite only if they are
    fail(SL_ERROR_INVALID_DATA, "the squared norm of the example overflows; scale its values down");
}

void check_label_and_weight(double label, double weight) {
    if (!std::isfinite(label)) fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", which is not finite");
    if (!std::isfinite(weight)) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is not finite");
    if (weight < 0) fail(SL_ERROR_INVALID_DATA, "the weight is ", weight, ", which is negative");
}

}  // namespace sparselin
