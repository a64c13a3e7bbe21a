#include "dataset.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "error.h"
#include "random.h"

namespace sparselin {
namespace {

// Asks for large pages behind a large array, which are first touched at a third of the cost. Not all systems have them; none has to.
template <class T>
void want_large_pages(const std::vector<T>& entries) {
    constexpr uintptr_t kLarge = uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<uintptr_t>(entries.data()), end = begin + entries.capacity() * sizeof(T);
    const uintptr_t first = (begin + kLarge - 1) & ~(kLarge - 1), last = end & ~(kLarge - 1);
#ifdef MADV_HUGEPAGE
    if (first < last && end - begin > 2 * kLarge) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

// Doubles the capacity where it does not suffice, so that adding rows one by one costs O(1) each.
template <class T>
void make_room(std::vector<T>& entries, size_t more) {
    if (entries.capacity() - entries.size() >= more) return;
    entries.reserve(std::max(entries.size() + more, 2 * entries.capacity()));
    want_large_pages(entries);
}

void check_pointers(const char* what, size_t count, const int64_t* pointers) {
    if (count == 0) return;
    if (pointers[0] < 0) fail(SL_ERROR_INVALID_ARGUMENT, what, " pointer 0 is ", pointers[0], ", which is negative");
    for (uint64_t i = 0; i < count; ++i)
        if (pointers[i + 1] < pointers[i])
            fail(SL_ERROR_INVALID_ARGUMENT, what, " pointers do not ascend: number ", i + 1, " is ", pointers[i + 1], ", after ",
                 pointers[i]);
}

uint64_t bit_pattern(double value) {
    uint64_t result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

}  // namespace

uint64_t Dataset::bytes() const {
    return nonzeros() * (sizeof(uint32_t) + sizeof(double)) + rows() * (sizeof(uint64_t) + 2 * sizeof(double)) +
           weights_.size() * sizeof(double);
}

uint64_t Dataset::fingerprint() const {
    constexpr uint64_t kGamma = 0x9e3779b97f4a7c15u;
    uint64_t print = mix64(rows() + kGamma);
    for (size_t r = 0; r < rows(); ++r) {
        const Row held = row(r);
        // The entries of a row are a set (their order is fixed), so their sum will do, and no entry has to wait for the one before.
        uint64_t entries = 0;
        for (size_t j = 0; j < held.count; ++j) entries += mix64(bit_pattern(held.values[j]) + (uint64_t{held.indices[j]} + 1) * kGamma);
        print = mix64(print + entries);
        print = mix64(print + bit_pattern(label(r)));
        print = mix64(print + bit_pattern(weight(r)));
    }
    return print;
}

void Dataset::reserve(size_t rows, uint64_t nonzeros) {
    indices_.reserve(nonzeros);
    values_.reserve(nonzeros);
    want_large_pages(indices_);
    want_large_pages(values_);
    ends_.reserve(rows);
    squared_norms_.reserve(rows);
    labels_.reserve(rows);
    if (!weights_.empty()) weights_.reserve(rows);
}

void Dataset::add(const RawRow& raw, double label, double weight, RowBuffer& buffer) {
    check_label_and_weight(label, weight);
    const Row row = buffer.canonical(raw);
    const bool weighted = weight != 1 || !weights_.empty();
    make_room(indices_, row.count);
    make_room(values_, row.count);
    make_room(ends_, 1);
    make_room(squared_norms_, 1);
    make_room(labels_, 1);
    if (weighted) {
        make_room(weights_, rows() - weights_.size() + 1);
        weights_.resize(rows(), 1.0);
    }
    // Nothing from here on can throw.
    indices_.insert(indices_.end(), row.indices, row.indices + row.count);
    values_.insert(values_.end(), row.values, row.values + row.count);
    ends_.push_back(indices_.size());
    squared_norms_.push_back(row.squared_norm);
    labels_.push_back(label);
    if (weighted) weights_.push_back(weight);
    dimension_ = std::max(dimension_, row.dimension());
}

void Dataset::append(const Dataset& other) {
    const bool weighted = !weights_.empty() || !other.weights_.empty();
    make_room(indices_, other.indices_.size());
    make_room(values_, other.values_.size());
    make_room(ends_, other.rows());
    make_room(squared_norms_, other.rows());
    make_room(labels_, other.rows());
    if (weighted) make_room(weights_, rows() - weights_.size() + other.rows());
    // Nothing from here on can throw.
    if (weighted) weights_.resize(rows(), 1.0);
    for (size_t r = 0; weighted && r < other.rows(); ++r) weights_.push_back(other.weight(r));
    const uint64_t before = nonzeros();
    for (const uint64_t end : other.ends_) ends_.push_back(before + end);
    indices_.insert(indices_.end(), other.indices_.begin(), other.indices_.end());
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    squared_norms_.insert(squared_norms_.end(), other.squared_norms_.begin(), other.squared_norms_.end());
    labels_.insert(labels_.end(), other.labels_.begin(), other.labels_.end());
    dimension_ = std::max(dimension_, other.dimension_);
}

Dataset Dataset::from_csr(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const double* labels,
                          const double* weights) {
    check_pointers("row", rows, row_pointers);
    Dataset data;
    if (rows > 0) data.reserve(rows, static_cast<uint64_t>(row_pointers[rows] - row_pointers[0]));
    RowBuffer buffer;
    for (size_t r = 0; r < rows; ++r) {
        const int64_t begin = row_pointers[r];
        RawRow raw{nullptr, nullptr, static_cast<size_t>(row_pointers[r + 1] - begin)};
        if (raw.count) raw.indices = indices + begin;
        if (raw.count && values) raw.values = values + begin;
        with_row(r, [&] { data.add(raw, labels[r], weights ? weights[r] : 1.0, buffer); });
    }
    return data;
}

Dataset Dataset::from_csc(size_t rows, size_t columns, const int64_t* column_pointers, const uint32_t* row_indices, const double* values,
                          const double* labels, const double* weights) {
    if (columns > uint64_t{1} << 32) fail(SL_ERROR_INVALID_ARGUMENT, "there are ", columns, " columns, more than 2^32");
    check_pointers("column", columns, column_pointers);
    for (size_t r = 0; r < rows; ++r) with_row(r, [&] { check_label_and_weight(labels[r], weights ? weights[r] : 1.0); });
    Dataset data;
    std::vector<uint64_t>& ends = data.ends_;
    ends.assign(rows, 0);
    for (uint64_t c = 0; c < columns; ++c)
        for (int64_t k = column_pointers[c]; k < column_pointers[c + 1]; ++k) {
            const uint32_t row = row_indices[k];
            if (row >= rows) fail(SL_ERROR_INVALID_DATA, "column ", c, ": row index ", row, " is not below the number of rows, ", rows);
            ++ends[row];
        }

    // A counting sort: ends[r] holds first the entries of row r, then where the row's next entry goes, and so at last where it ends.
    uint64_t entries = 0;
    for (uint64_t& end : ends) entries += std::exchange(end, entries);
    data.indices_.resize(entries);
    data.values_.resize(entries);
    for (uint64_t c = 0; c < columns; ++c)
        for (int64_t k = column_pointers[c]; k < column_pointers[c + 1]; ++k) {
            const uint64_t place = ends[row_indices[k]]++;
            data.indices_[place] = static_cast<uint32_t>(c);
            data.values_[place] = values ? values[k] : 1.0;
        }

    // Repeated entries are now neighbours: they are added up in place, and sums of 0 left out.
    data.squared_norms_.reserve(rows);
    RowBuffer buffer;
    uint64_t kept = 0, next = 0;
    for (size_t r = 0; r < rows; ++r) {
        const uint64_t begin = kept;
        while (next < ends[r]) {
            const uint32_t index = data.indices_[next];
            double sum = 0;
            for (; next < ends[r] && data.indices_[next] == index; ++next) sum += data.values_[next];
            if (sum == 0) continue;
            data.indices_[kept] = index;
            data.values_[kept++] = sum;
        }
        ends[r] = kept;
        with_row(r, [&] {
            const Row row = buffer.canonical({data.indices_.data() + begin, data.values_.data() + begin, kept - begin});
            data.squared_norms_.push_back(row.squared_norm);
            data.dimension_ = std::max(data.dimension_, row.dimension());
        });
    }
    data.indices_.resize(kept);
    data.values_.resize(kept);
    data.labels_.assign(labels, labels + rows);
    if (weights && std::any_of(weights, weights + rows, [](double weight) { return weight != 1; }))
        data.weights_.assign(weights, weights + rows);
    return data;
}

}  // namespace sparselin
