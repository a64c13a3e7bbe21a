#include "dataset.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "error.h"
#include "random.h"

namespace sparselin {
namespace {

// Where the entries of each group start, one group behind the other, for as many groups as `starts` holds. Two entries at a time are
// counted, in two arrays, so that no count waits for the one before.
class GroupStarts {
  public:
    template <class GroupOf>
    void find(size_t entries, std::vector<size_t>& starts, GroupOf group_of) {
        starts.assign(starts.size(), 0);
        others_.assign(starts.size(), 0);
        size_t k = 0;
        for (; k + 1 < entries; k += 2) {
            ++starts[group_of(k)];
            ++others_[group_of(k + 1)];
        }
        if (k < entries) ++starts[group_of(k)];
        size_t before = 0;
        for (size_t g = 0; g < starts.size(); ++g) before += std::exchange(starts[g], before) + others_[g];
    }

  private:
    std::vector<size_t> others_;
};

// Rows in a block, as a power of 2: of so many entries that a block stays in the cache, unless the blocks would then be too many to write
// to in turn; and so few rows that the place of one in its block and a column together have 32 bits.
unsigned block_shift(size_t rows, uint64_t columns, size_t entries) {
    constexpr size_t kEntries = 1 << 15, kBlocks = 512;
    unsigned shift = 16;
    while (shift > 0 && (columns > uint64_t{1} << (32 - shift) || rows >> shift < std::min(entries / kEntries, kBlocks))) --shift;
    return shift;
}

constexpr size_t kAhead = 256;  // entries that are asked for; processors do so by themselves, but not beyond a page

uint64_t bit_pattern(double value) {
    uint64_t result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

}  // namespace

uint64_t Dataset::bytes() const {
    return nonzeros() * sizeof(uint32_t) + entries_->values.bytes() + rows() * (sizeof(uint64_t) + 2 * sizeof(double)) +
           weights_.size() * sizeof(double);
}

uint64_t Dataset::sample_fingerprint() const {
    constexpr size_t kSampled = 256;
    return mix64(fingerprint_of_every(rows() / kSampled + 1) + nonzeros());
}

uint64_t Dataset::fingerprint_of_every(size_t step) const {
    constexpr uint64_t kGamma = 0x9e3779b97f4a7c15u;
    uint64_t print = mix64(rows() + kGamma);
    ValueBuffer values;
    for (size_t r = 0; r < rows(); r += step) {
        const Row held = row(r, values);
        // The entries of a row are a set (their order is fixed), so their sum will do, and no entry has to wait for the one before.
        uint64_t entries = 0;
        for (size_t j = 0; j < held.count; ++j) entries += mix64(bit_pattern(held.values[j]) + (uint64_t{held.indices[j]} + 1) * kGamma);
        print = mix64(print + entries);
        print = mix64(print + bit_pattern(label(r)));
        print = mix64(print + bit_pattern(weight(r)));
    }
    return print;
}

void Dataset::reserve(size_t rows, size_t nonzeros) {
    entries_->indices.reserve(nonzeros);
    entries_->values.reserve(nonzeros);
    entries_->ends.reserve(rows);
    entries_->squared_norms.reserve(rows);
    labels_.reserve(rows);
    if (!weights_.empty()) weights_.reserve(rows);
}

void Dataset::clear() {
    entries_->ends.clear();
    entries_->indices.clear();
    entries_->values.clear();
    entries_->squared_norms.clear();
    labels_.clear();
    weights_.clear();
    entries_->dimension = 0;
}

void Dataset::add(const RawRow& raw, double label, double weight, RowBuffer& buffer) {
    check_label_and_weight(label, weight);
    const Row row = buffer.canonical(raw);
    const bool weighted = weight != 1 || !weights_.empty();
    make_room(entries_->indices, row.count);
    entries_->values.make_room(row.values, row.count);
    make_room(entries_->ends, 1);
    make_room(entries_->squared_norms, 1);
    make_room(labels_, 1);
    if (weighted) {
        make_room(weights_, rows() - weights_.size() + 1);
        weights_.resize(rows(), 1.0);
    }
    // Nothing from here on can throw.
    const size_t held = entries_->indices.size();
    entries_->indices.resize(held + row.count);
    std::copy_n(row.indices, row.count, entries_->indices.data() + held);
    entries_->values.append(row.values, row.count);
    entries_->ends.push_back(entries_->indices.size());
    entries_->squared_norms.push_back(row.squared_norm);
    labels_.push_back(label);
    if (weighted) weights_.push_back(weight);
    entries_->dimension = std::max(entries_->dimension, row.dimension());
}

void Dataset::append(const Dataset& other, size_t first, size_t count) {
    const auto begin = static_cast<size_t>(other.end_of(first)), nonzeros = static_cast<size_t>(other.nonzeros(first, count));
    const size_t before = entries_->indices.size();
    const bool weighted = !weights_.empty() || !other.weights_.empty();
    make_room(entries_->indices, nonzeros);
    entries_->values.make_room(other.entries_->values, nonzeros);
    make_room(entries_->ends, count);
    make_room(entries_->squared_norms, count);
    make_room(labels_, count);
    if (weighted) make_room(weights_, rows() - weights_.size() + count);
    // Nothing from here on can throw.
    if (weighted) weights_.resize(rows(), 1.0);
    entries_->indices.resize(before + nonzeros);
    std::copy_n(other.entries_->indices.data() + begin, nonzeros, entries_->indices.data() + before);
    entries_->values.append(other.entries_->values, begin, nonzeros);
    for (size_t r = first; r < first + count; ++r) {
        if (weighted) weights_.push_back(other.weight(r));
        entries_->ends.push_back(before + (other.entries_->ends[r] - begin));
        entries_->squared_norms.push_back(other.entries_->squared_norms[r]);
        labels_.push_back(other.labels_[r]);
        entries_->dimension = std::max(entries_->dimension, other.pattern(r).dimension());
    }
}

Dataset Dataset::from_csr(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const double* labels,
                          const double* weights) {
    Dataset data;
    if (rows > 0) data.reserve(rows, static_cast<size_t>(row_pointers[rows] - row_pointers[0]));
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

// Columns from number c on, as far as their values are Numbers; the number of the column where that ended.
template <class Number>
uint64_t Dataset::Columns::put_in_blocks(uint64_t c, std::vector<size_t>& block_ends, LargeVector<uint32_t>& indices,
                                         LargeVector<Number>& numbers) const {
    const auto place_mask = static_cast<uint32_t>((uint64_t{1} << shift) - 1);
    for (; c < columns; ++c) {
        const int64_t begin = pointers[c], end = pointers[c + 1];
        if (sizeof(Number) < sizeof(double) && values &&
            Values::kind_of(values + begin, static_cast<size_t>(end - begin)) == Values::Kind::doubles)
            break;
        for (int64_t k = begin; k < end; ++k) {
            const uint32_t row = row_indices[k];
            const size_t to = block_ends[row >> shift]++;
            __builtin_prefetch(row_indices + k + 2 * kAhead);
            if (values) __builtin_prefetch(values + k + kAhead);
            indices[to] = static_cast<uint32_t>(c << shift) | (row & place_mask);
            numbers[to] = values ? static_cast<Number>(values[k]) : Number{1};
            constexpr size_t kLine = 64;  // the next one, no nearer than L2, which has room for all
            __builtin_prefetch(indices.data() + to + kLine / sizeof indices[0], 1, 2);
            __builtin_prefetch(numbers.data() + to + kLine / sizeof numbers[0], 1, 2);
        }
    }
    return c;
}

Dataset Dataset::from_csc(size_t rows, size_t columns, const int64_t* column_pointers, const uint32_t* row_indices, const double* values,
                          const double* labels, const double* weights) {
    for (size_t r = 0; r < rows; ++r) with_row(r, [&] { check_label_and_weight(labels[r], weights ? weights[r] : 1.0); });
    const size_t entries = columns > 0 ? static_cast<size_t>(column_pointers[columns] - column_pointers[0]) : 0;
    const Columns from{rows, columns, column_pointers, row_indices, values, entries, block_shift(rows, columns, entries)};
    std::vector<size_t> block_ends((rows >> from.shift) + 1);
    const uint32_t* const entry_rows = entries > 0 ? row_indices + column_pointers[0] : nullptr;
    GroupStarts().find(entries, block_ends, [&](size_t k) {
        const uint32_t row = entry_rows[k];
        __builtin_prefetch(entry_rows + k + 2 * kAhead);
        if (row >= rows) {
            const int64_t place = column_pointers[0] + static_cast<int64_t>(k);
            const auto column = std::upper_bound(column_pointers, column_pointers + columns, place) - column_pointers - 1;
            fail(SL_ERROR_INVALID_DATA, "column ", int64_t{column}, ": row index ", row, " is not below the number of rows, ",
                 uint64_t{rows});
        }
        return row >> from.shift;
    });
    Dataset data;
    // Repeated entries may add up to what is no float, which shows late, and so rarely that all is then done again.
    if (!data.take_columns<float>(from, block_ends)) data.take_columns<double>(from, block_ends);
    data.labels_.assign(labels, labels + rows);
    if (weights && std::any_of(weights, weights + rows, [](double weight) { return weight != 1; }))
        data.weights_.assign(weights, weights + rows);
    return data;
}

// Two steps, neither of which writes to more places at a time than the caches hold. First every entry goes to the block of rows that its
// row is in, columns in order. Its index there is the column and, in the lower bits, the row's place in the block. Then take_rows().
template <class Number>
bool Dataset::take_columns(const Columns& from, std::vector<size_t> block_ends) {
    LargeVector<uint32_t> indices(from.entries);
    LargeVector<Number> values(from.entries);
    const uint64_t c = from.put_in_blocks(0, block_ends, indices, values);
    if (c == from.columns) return take_rows(from, block_ends, std::move(indices), std::move(values));
    LargeVector<double> doubles(from.entries);
    if (c > 0) std::copy(values.begin(), values.end(), doubles.begin());
    LargeVector<Number>().swap(values);
    from.put_in_blocks(c, block_ends, indices, doubles);
    return take_rows(from, block_ends, std::move(indices), std::move(doubles));
}

// Block by block, every entry goes to its row, and the rows, made canonical, back to where the block was, or before it. False, and nothing
// is changed, where a row has a value that is no Number.
template <class Number>
bool Dataset::take_rows(const Columns& from, const std::vector<size_t>& block_ends, LargeVector<uint32_t> held_indices,
                        LargeVector<Number> held_values) {
    const size_t rows = from.rows;
    const unsigned shift = from.shift;
    GroupStarts groups;
    std::vector<size_t> row_ends;
    std::vector<uint32_t> indices;
    std::vector<double> values;
    RowBuffer buffer;
    Entries made;
    made.ends.reserve(rows);
    made.squared_norms.reserve(rows);
    size_t begin = 0, kept = 0;
    bool fits = true;
    for (size_t first = 0, block = 0; first < rows && fits; first += size_t{1} << shift, begin = block_ends[block++]) {
        const uint32_t* const block_indices = held_indices.data() + begin;
        const Number* const block_values = held_values.data() + begin;
        const size_t count = block_ends[block] - begin;
        const auto place = [=](size_t k) { return block_indices[k] & ((uint32_t{1} << shift) - 1); };
        row_ends.resize(std::min(size_t{1} << shift, rows - first));
        groups.find(count, row_ends, place);
        indices.resize(std::max(indices.size(), count));
        values.resize(indices.size());
        size_t* const ends = row_ends.data();
        uint32_t* const to_indices = indices.data();
        double* const to_values = values.data();
        for (size_t k = 0; k < count; ++k) {
            const size_t to = ends[place(k)]++;
            to_indices[to] = block_indices[k] >> shift;
            to_values[to] = static_cast<double>(block_values[k]);
        }
        size_t row_begin = 0;
        for (size_t r = 0; r < row_ends.size(); row_begin = row_ends[r++])
            with_row(first + r, [&] {
                const RawRow raw{indices.data() + row_begin, values.data() + row_begin, row_ends[r] - row_begin};
                const Row row = buffer.canonical(raw);
                if (row.indices != raw.indices && sizeof(Number) < sizeof(double))
                    fits = fits && Values::kind_of(row.values, row.count) != Values::Kind::doubles;
                if (!fits) return;
                std::copy_n(row.indices, row.count, held_indices.data() + kept);
                std::transform(row.values, row.values + row.count, held_values.data() + kept,
                               [](double value) { return static_cast<Number>(value); });
                made.ends.push_back(kept += row.count);
                made.squared_norms.push_back(row.squared_norm);
                made.dimension = std::max(made.dimension, row.dimension());
            });
    }
    if (!fits) return false;
    held_indices.resize(kept);
    held_values.resize(kept);
    made.indices = std::move(held_indices);
    made.values = Values(std::move(held_values));
    *entries_ = std::move(made);
    return true;
}

Dataset Dataset::from_parts(std::vector<uint64_t> ends, LargeVector<uint32_t> indices, Values values, std::vector<double> labels,
                            std::vector<double> weights) {
    Dataset data;
    data.entries_->squared_norms.reserve(labels.size());
    RowBuffer buffer;
    ValueBuffer row_values;
    uint64_t begin = 0;
    for (size_t r = 0; r < labels.size(); begin = ends[r++])
        with_row(r, [&] {
            if (ends[r] < begin || ends[r] > indices.size())
                fail(SL_ERROR_INVALID_DATA, "it ends at entry ", ends[r], " of ", uint64_t{indices.size()}, ", and begins at ", begin);
            check_label_and_weight(labels[r], weights.empty() ? 1.0 : weights[r]);
            const auto count = static_cast<size_t>(ends[r] - begin);
            const RawRow raw{indices.data() + begin, values.read(static_cast<size_t>(begin), count, row_values), count};
            const Row row = buffer.canonical(raw);
            if (row.indices != raw.indices) fail(SL_ERROR_INVALID_DATA, "its indices do not ascend, or a value is 0");
            data.entries_->squared_norms.push_back(row.squared_norm);
            data.entries_->dimension = std::max(data.entries_->dimension, row.dimension());
        });
    if (begin != indices.size()) fail(SL_ERROR_INVALID_DATA, "the rows end at entry ", begin, " of ", uint64_t{indices.size()});
    data.entries_->ends = std::move(ends);
    data.entries_->indices = std::move(indices);
    data.entries_->values = std::move(values);
    data.labels_ = std::move(labels);
    data.weights_ = std::move(weights);
    return data;
}

Dataset Dataset::with_labels(const double* labels, const double* weights) const {
    Dataset data;
    data.entries_ = entries_;
    data.labels_ = labels ? std::vector<double>(labels, labels + rows()) : labels_;
    data.weights_ = weights ? std::vector<double>(weights, weights + rows()) : weights_;
    for (size_t r = 0; r < rows(); ++r) with_row(r, [&] { check_label_and_weight(data.label(r), data.weight(r)); });
    if (std::all_of(data.weights_.begin(), data.weights_.end(), [](double weight) { return weight == 1; })) data.weights_.clear();
    return data;
}

namespace {

constexpr size_t kLeast = 64;

template <class Vector>
void add_room_to(Vector& entries) {
    constexpr size_t kMost = size_t{1} << 16;
    entries.resize(std::min(entries.capacity(), entries.size() + kMost));
}

}  // namespace

RowWriter::RowWriter(Dataset& data) : data_(data), begin_(data.entries_->indices.size()), values_(kLeast) {
    add_room_to(data_.entries_->indices);
}

RowWriter::~RowWriter() { data_.entries_->indices.resize(begin_); }

void RowWriter::add_room() {
    const size_t more = room() + kLeast;
    if (data_.entries_->indices.size() - begin_ < more) {
        make_room(data_.entries_->indices, kLeast);
        add_room_to(data_.entries_->indices);
    }
    if (values_.size() < more) values_.resize(2 * more);
}

void RowWriter::add(size_t count, double label, RowBuffer& buffer) {
    check_label_and_weight(label, 1.0);
    const Row row = buffer.canonical({indices(), values(), count});
    make_room(data_.entries_->ends, 1);
    data_.entries_->values.make_room(row.values, row.count);
    make_room(data_.entries_->squared_norms, 1);
    make_room(data_.labels_, 1);
    if (!data_.weights_.empty()) make_room(data_.weights_, 1);
    // Nothing from here on can throw.
    if (row.indices != indices()) std::copy_n(row.indices, row.count, indices());
    data_.entries_->values.append(row.values, row.count);
    begin_ += row.count;
    data_.entries_->ends.push_back(begin_);
    data_.entries_->squared_norms.push_back(row.squared_norm);
    data_.labels_.push_back(label);
    if (!data_.weights_.empty()) data_.weights_.push_back(1.0);
    data_.entries_->dimension = std::max(data_.entries_->dimension, row.dimension());
}

}  // namespace sparselin
