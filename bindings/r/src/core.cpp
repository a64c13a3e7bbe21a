#include "core/src/all.cpp"

#include <climits>
#include <cmath>
#include <limits>
#include <memory>

#include "entries.h"

namespace {

class Entries {
  public:
    explicit Entries(const slw_entries& of) : e_(of), by_rows_(of.kind == SLW_BY_ROWS), minor_(by_rows_ ? of.column_indices : of.row_indices) {
        if (e_.kind == SLW_DENSE) return;
        if (e_.kind == SLW_TRIPLETS) {
            for (size_t k = 0; k < e_.count; ++k) check(row(k), column(k));
            return;
        }
        majors_ = by_rows_ ? e_.rows : e_.columns;
        if (e_.pointers[0] != 0 || static_cast<size_t>(e_.pointers[majors_]) != e_.count) fail_pointers();
        for (size_t m = 0; m < majors_; ++m) {
            if (e_.pointers[m + 1] < e_.pointers[m] || static_cast<size_t>(e_.pointers[m + 1]) > e_.count) fail_pointers();
            for (auto k = static_cast<size_t>(e_.pointers[m]); k < static_cast<size_t>(e_.pointers[m + 1]); ++k) {
                by_rows_ ? check(static_cast<int64_t>(m), minor_[k]) : check(minor_[k], static_cast<int64_t>(m));
                if (looks_for_minors() && k > static_cast<size_t>(e_.pointers[m]) && minor_[k] <= minor_[k - 1])
                    fail(SL_ERROR_INVALID_DATA, "x is no valid matrix: its indices do not ascend");
            }
        }
        start_over();
    }

    // From here on each() begins with row 0 again.
    void start_over() {
        if (looks_for_minors()) cursors_.assign(e_.pointers, e_.pointers + majors_);
    }

    // Calls visit(row, feature, value) for the entries of some rows, those that follow the rows of the call before.
    template <class Visit>
    void each(size_t begin, size_t end, Visit visit) {
        const auto found = [&](size_t row, size_t column, double value) {
            if (!e_.to) visit(row, static_cast<uint32_t>(column), value);
            else if (e_.to[column] >= 0) visit(row, static_cast<uint32_t>(e_.to[column]), value);
        };
        const auto inside = [&](size_t row) { return row >= begin && row < end; };
        if (e_.kind == SLW_DENSE) {
            for (size_t c = 0; c < e_.columns; ++c)
                for (size_t r = begin; r < end; ++r)
                    if (const double v = value(c * e_.rows + r); v != 0) found(r, c, v);
        } else if (e_.kind == SLW_TRIPLETS) {
            for (size_t k = 0; k < e_.count; ++k) {
                const auto r = static_cast<size_t>(row(k)), c = static_cast<size_t>(column(k));
                if (inside(r)) found(r, c, value(k));
                if (e_.symmetric && r != c && inside(c)) found(c, r, value(k));
            }
        } else {
            const bool mirrored_majors = !by_rows_, mirrored_minors = by_rows_;
            for (size_t m = begin; looks_for_majors() && m < end; ++m)
                for (int k = e_.pointers[m]; k < e_.pointers[m + 1]; ++k)
                    if (const auto other = static_cast<size_t>(minor_[k]); !mirrored_majors || other != m) found(m, other, value(static_cast<size_t>(k)));
            for (size_t m = 0; looks_for_minors() && m < majors_; ++m)
                for (int& k = cursors_[m]; k < e_.pointers[m + 1] && static_cast<size_t>(minor_[k]) < end; ++k)
                    if (const auto other = static_cast<size_t>(minor_[k]); !mirrored_minors || other != m) found(other, m, value(static_cast<size_t>(k)));
        }
        for (size_t r = begin; e_.unit && r < end; ++r) found(r, r, 1);
    }

  private:
    // Rows of compressed entries are found directly, or as the next indices of every column; where half of a matrix stands for all of
    // it, both ways.
    bool looks_for_majors() const { return by_rows_ || e_.symmetric; }
    bool looks_for_minors() const { return e_.kind == SLW_BY_COLUMNS || (by_rows_ && e_.symmetric); }

    int64_t row(size_t k) const { return int64_t{e_.row_indices[k]} - e_.base; }
    int64_t column(size_t k) const { return int64_t{e_.column_indices[k]} - e_.base; }
    double value(size_t k) const {
        if (e_.numbers) return e_.numbers[k];
        if (!e_.integers) return 1;
        return e_.integers[k] == INT_MIN ? std::numeric_limits<double>::quiet_NaN() : e_.integers[k];
    }
    void check(int64_t row, int64_t column) const {
        if (row < 0 || static_cast<size_t>(row) >= e_.rows || column < 0 || static_cast<size_t>(column) >= e_.columns)
            fail(SL_ERROR_INVALID_DATA, "x is no valid matrix: it has ", e_.rows, " rows and ", e_.columns, " columns, and an entry in row ", row + 1,
                 ", column ", column + 1);
    }
    [[noreturn]] static void fail_pointers() { fail(SL_ERROR_INVALID_DATA, "x is no valid matrix: its pointers do not ascend to the number of entries"); }

    const slw_entries& e_;
    const bool by_rows_;
    const int* minor_;
    size_t majors_ = 0;
    std::vector<int> cursors_;
};

// The places where the entries of a block of rows go, in the order that they come in.
struct Block {
    std::vector<size_t> ends;
    std::vector<uint32_t> indices;
    std::vector<double> values;
};

// Leaves each index of a row once, unless all its values are 0. The result is how many there are. A row with a NaN, which is to be refused,
// keeps it.
size_t once(uint32_t* indices, double* values, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; ++k) {
        if (std::isnan(values[k])) return count;
        if (values[k] != 0) indices[kept++] = indices[k];
    }
    std::sort(indices, indices + kept);
    std::fill_n(values, kept, 1.0);
    return static_cast<size_t>(std::unique(indices, indices + kept) - indices);
}

// Calls of the library whose failure is one of this call.
template <class Call, class... Arguments>
void call(Call function, Arguments... arguments) {
    sl_error error;
    if (function(arguments..., &error) != SL_OK) throw Error(error.status, error.message, error.row);
}

struct Free {
    void operator()(sl_builder* builder) const { sl_builder_free(builder); }
};

sl_dataset* rows_of(const slw_entries& of, const double* labels, const double* weights) {
    Entries entries(of);
    std::vector<size_t> counts(of.rows);
    entries.each(0, of.rows, [&](size_t row, uint32_t, double) { ++counts[row]; });
    entries.start_over();
    size_t total = 0;
    for (const size_t count : counts) total += count;
    sl_builder* made = nullptr;
    call(sl_builder_create, of.rows, total, &made);
    const std::unique_ptr<sl_builder, Free> builder(made);
    const size_t blocks = of.kind == SLW_TRIPLETS ? 24 : 256; // triplets are all looked at for every block
    const size_t most = std::max(total / blocks, size_t{1} << 16);
    Block block;
    for (size_t begin = 0, end; begin < of.rows; begin = end) {
        size_t size = 0;
        block.ends.clear();
        for (end = begin; end < of.rows && (end == begin || size + counts[end] <= most); size += counts[end++]) block.ends.push_back(size);
        block.indices.resize(size);
        block.values.resize(size);
        entries.each(begin, end, [&](size_t row, uint32_t feature, double value) {
            const size_t place = block.ends[row - begin]++;
            block.indices[place] = feature;
            block.values[place] = value;
        });
        for (size_t r = begin, from = 0; r < end; from = block.ends[r++ - begin]) {
            uint32_t* const indices = block.indices.data() + from;
            double* const values = block.values.data() + from;
            size_t count = block.ends[r - begin] - from;
            if (of.once) count = once(indices, values, count);
            call(sl_builder_add, builder.get(), indices, values, count, labels[r], weights ? weights[r] : 1.0);
        }
    }
    sl_dataset* data = nullptr;
    call(sl_builder_finish, builder.get(), &data);
    return data;
}

}  // namespace

sl_status slw_dataset_of_entries(const slw_entries* entries, const double* labels, const double* weights, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] { *data = rows_of(*entries, labels, weights); });
}
