// Labelled rows in memory, canonical as in example.h, so that nothing about them needs checking again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "example.h"
#include "large_pages.h"
#include "shared_value.h"
#include "values.h"

namespace sparselin {

class Dataset {
  public:
    Dataset() = default;
    Dataset(Dataset&&) = default;
    Dataset& operator=(Dataset&&) = default;
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;

    size_t rows() const { return labels_.size(); }
    uint64_t nonzeros() const { return entries_->indices.size(); }
    uint64_t nonzeros(size_t first, size_t count) const { return end_of(first + count) - end_of(first); }
    uint64_t dimension() const { return entries_->dimension; }  // largest index + 1
    // A row without its values; and with them, which may lie in the buffer.
    [[gnu::always_inline]] Row pattern(size_t r) const {
        const uint64_t begin = end_of(r);
        return {entries_->indices.data() + begin, nullptr, static_cast<size_t>(entries_->ends[r] - begin), entries_->squared_norms[r]};
    }
    [[gnu::always_inline]] Row row(size_t r, ValueBuffer& buffer) const {
        Row row = pattern(r);
        row.values = entries_->values.read(static_cast<size_t>(end_of(r)), row.count, buffer);
        return row;
    }
    const float* floats(size_t r) const {  // its values, where they lie there as floats; else null
        return entries_->values.kind() == Values::Kind::floats ? entries_->values.floats().data() + end_of(r) : nullptr;
    }
    // Asks the memory for a row that will soon be wanted, and for where one is that will be wanted later.
    [[gnu::always_inline]] void prefetch(size_t r, size_t later) const {
        const Row soon = pattern(r);
        entries_->values.prefetch(static_cast<size_t>(end_of(r)), soon.count);
        prefetch_lines(soon.indices, soon.count);
        __builtin_prefetch(&labels_[r]);
        if (!weights_.empty()) __builtin_prefetch(&weights_[r]);
        __builtin_prefetch(&entries_->squared_norms[r]);
        __builtin_prefetch(&entries_->ends[later]);
    }
    double label(size_t r) const { return labels_[r]; }
    double weight(size_t r) const { return weights_.empty() ? 1.0 : weights_[r]; }
    uint64_t bytes() const;  // 4 a nonzero, and 4 or 8 for its value as of Values; 24 a row, and 8 more once a weight is not 1

    // A number that tells data sets apart (rows, labels, weights and all), for taking up a cancelled fit. O(nonzeros). Saved in
    // models, so it may not change.
    uint64_t fingerprint() const { return fingerprint_of_every(1); }
    // The same for hardly any time: from the shape and some 256 rows.
    uint64_t sample_fingerprint() const;

    // Adds a row, which is checked and made canonical, or some rows of another data set. All or nothing.
    void add(const RawRow& raw, double label, double weight, RowBuffer& buffer);
    void append(const Dataset& other, size_t first, size_t count);
    void append(const Dataset& other) { append(other, 0, other.rows()); }
    void reserve(size_t rows, size_t nonzeros);  // in all, not on top
    void clear();                                // keeps the memory, for other rows

    // Pointers ascend from 0 on, and columns are at most 2^32. Both throw SL_ERROR_INVALID_DATA naming the row.
    static Dataset from_csr(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const double* labels,
                            const double* weights);
    static Dataset from_csc(size_t rows, size_t columns, const int64_t* column_pointers, const uint32_t* row_indices, const double* values,
                            const double* labels, const double* weights);
    // From what the accessors below give. Throws SL_ERROR_INVALID_DATA, naming the row, if it is not canonical and sound.
    static Dataset from_parts(std::vector<uint64_t> ends, LargeVector<uint32_t> indices, Values values, std::vector<double> labels,
                              std::vector<double> weights);
    // The same rows, which are shared, with other labels and weights, `rows()` of each; nullptr: those of this. Throws as from_csr.
    Dataset with_labels(const double* labels, const double* weights) const;
    const std::vector<uint64_t>& ends() const { return entries_->ends; }
    const LargeVector<uint32_t>& indices() const { return entries_->indices; }
    const Values& values() const { return entries_->values; }
    const std::vector<double>& labels() const { return labels_; }
    const std::vector<double>& weights() const { return weights_; }

  private:
    friend class RowWriter;

    uint64_t end_of(size_t r) const { return r ? entries_->ends[r - 1] : 0; }  // of the rows before row r
    uint64_t fingerprint_of_every(size_t step) const;

    // A matrix by columns, with so many entries, whose rows are to be brought together in blocks of 2^shift.
    struct Columns {
        size_t rows, columns;
        const int64_t* pointers;
        const uint32_t* row_indices;
        const double* values;  // null: all are 1
        size_t entries;
        unsigned shift;
        template <class Number>
        uint64_t put_in_blocks(uint64_t c, std::vector<size_t>& block_ends, LargeVector<uint32_t>& indices,
                               LargeVector<Number>& numbers) const;
    };
    // Makes the entries of this, which has none, of a matrix of which `block_ends` has where each block starts. False, and nothing is
    // changed, where values of a row add up to what is no Number though they all are.
    template <class Number>
    bool take_columns(const Columns& from, std::vector<size_t> block_ends);
    // The same from entries that lie in blocks, each with its column and, in the lower bits, the row's place in the block.
    template <class Number>
    bool take_rows(const Columns& from, const std::vector<size_t>& block_ends, LargeVector<uint32_t> indices, LargeVector<Number> values);

    // What rows are but for their labels and weights.
    struct Entries {
        std::vector<uint64_t> ends;  // row r is [ends[r - 1], ends[r]) of the next two
        LargeVector<uint32_t> indices;
        Values values;
        std::vector<double> squared_norms;
        uint64_t dimension = 0;
    };

    SharedValue<Entries> entries_;  // shared by data sets that are made, which do not change
    std::vector<double> labels_;
    std::vector<double> weights_;  // empty while all are 1
};

// Makes rows where they will be, but for their values: whoever has their entries one by one writes them behind the last row. Until the
// writer ends the data set is to be asked for the number of its rows only. What is no row by then is gone.
class RowWriter {
  public:
    explicit RowWriter(Dataset& data);
    ~RowWriter();
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    // Where the entries of the next row go, room() of them. More room keeps those that were written.
    uint32_t* indices() { return data_.entries_->indices.data() + begin_; }
    double* values() { return values_.data(); }
    size_t room() const { return std::min(data_.entries_->indices.size() - begin_, values_.size()); }
    void add_room();

    // Makes a row of the first `count` entries, checked and canonical, of weight 1. All or nothing.
    void add(size_t count, double label, RowBuffer& buffer);

  private:
    Dataset& data_;
    size_t begin_;  // all behind it is room
    std::vector<double> values_;
};

}  // namespace sparselin
