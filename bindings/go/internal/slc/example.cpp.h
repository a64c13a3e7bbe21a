#include "example.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace sparselin {
namespace {

double squared_norm(const double* values, size_t count) {
    return sum_in_lanes(count, [=](size_t j) { return values[j] * values[j]; });
}

void require_finite(const RawRow& raw) {
    for (size_t j = 0; j < raw.count; ++j)
        if (!std::isfinite(raw.values[j]))
            fail(SL_ERROR_INVALID_DATA, "the value of index ", raw.indices[j], " is ", raw.values[j], ", which is not finite");
}

}  // namespace

Row RowBuffer::canonical(const RawRow& raw, uint64_t dimension) {
    bool plain = true;
    for (size_t j = 1; j < raw.count; ++j) plain &= raw.indices[j - 1] < raw.indices[j];
    if (raw.values)
        for (size_t j = 0; j < raw.count; ++j) plain &= raw.values[j] != 0;
    if (dimension)
        for (size_t j = 0; j < raw.count; ++j)
            if (raw.indices[j] >= dimension)
                fail(SL_ERROR_INVALID_DATA, "index ", raw.indices[j], " is not below the option dimension, ", dimension);
    Row row{raw.indices, raw.values, raw.count, 0};
    if (!raw.values) {
        values_.assign(raw.count, 1.0);
        row.values = values_.data();
    }
    if (!plain) {
        order_.resize(raw.count);
        for (size_t j = 0; j < raw.count; ++j) order_[j] = j;
        std::sort(order_.begin(), order_.end(),
                  [&](size_t a, size_t b) { return raw.indices[a] != raw.indices[b] ? raw.indices[a] < raw.indices[b] : a < b; });
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
