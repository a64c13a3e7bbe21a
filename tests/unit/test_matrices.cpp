// Matrices by rows and by columns become the same data set: the one that the definition gives, or none, with the number of what is wrong.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "dataset.h"
#include "random.h"
#include "rows.h"

using namespace sparselin;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// A matrix both ways: a row's entries in `by_row` are in the order of their columns, repeated ones in the order they were drawn.
struct Matrix {
    std::vector<int64_t> row_pointers, column_pointers;
    std::vector<uint32_t> column_of, row_of;
    std::vector<double> by_row, by_column;
    std::vector<double> labels, weights;

    Dataset csr(bool with_values, bool with_weights) const {
        return Dataset::from_csr(labels.size(), row_pointers.data(), column_of.data(), with_values ? by_row.data() : nullptr, labels.data(),
                                 with_weights ? weights.data() : nullptr);
    }
    Dataset csc(bool with_values, bool with_weights) const {
        return Dataset::from_csc(labels.size(), column_pointers.size() - 1, column_pointers.data(), row_of.data(),
                                 with_values ? by_column.data() : nullptr, labels.data(), with_weights ? weights.data() : nullptr);
    }
};

// Values from -2 to 2 in halves, so that sums of 0 are common, and entries repeat. Both start `skip` entries into their arrays.
Matrix random_matrix(const RandomStream& random, uint64_t& i) {
    struct Entry {
        uint32_t row, column;
        double value;
    };
    const auto rows = static_cast<uint32_t>(random.below(12, i++)), columns = static_cast<uint32_t>(random.below(12, i++));
    const size_t skip = random.below(3, i++);
    std::vector<Entry> entries;
    if (rows && columns)
        for (uint64_t n = random.below(80, i++); n > 0; --n) {
            const auto row = static_cast<uint32_t>(random.below(rows, i++)), column = static_cast<uint32_t>(random.below(columns, i++));
            entries.push_back({row, column, 0.5 * (static_cast<double>(random.below(9, i++)) - 4)});
        }
    Matrix matrix;
    const auto fill = [&](std::vector<int64_t>& pointers, uint32_t lines, std::vector<uint32_t>& across, std::vector<double>& values,
                          uint32_t Entry::*line, uint32_t Entry::*other) {
        across.assign(skip, 4000000000u);
        values.assign(skip, kNan);
        pointers.push_back(static_cast<int64_t>(skip));
        for (uint32_t l = 0; l < lines; ++l) {
            for (const Entry& entry : entries)
                if (entry.*line == l) {
                    across.push_back(entry.*other);
                    values.push_back(entry.value);
                }
            pointers.push_back(static_cast<int64_t>(across.size()));
        }
    };
    fill(matrix.row_pointers, rows, matrix.column_of, matrix.by_row, &Entry::row, &Entry::column);
    fill(matrix.column_pointers, columns, matrix.row_of, matrix.by_column, &Entry::column, &Entry::row);
    for (uint32_t r = 0; r < rows; ++r) {
        matrix.labels.push_back(static_cast<double>(random.below(5, i++)));
        matrix.weights.push_back(static_cast<double>(random.below(2, i++)));
    }
    return matrix;
}

// The rows by the definition: a map of sums, without zeros.
std::string rows_by_definition(const Matrix& matrix, bool with_values, bool with_weights) {
    std::string text;
    uint64_t dimension = 0, nonzeros = 0;
    for (size_t r = 0; r < matrix.labels.size(); ++r) {
        std::map<uint32_t, double> sums;
        for (auto k = static_cast<size_t>(matrix.row_pointers[r]); k < static_cast<size_t>(matrix.row_pointers[r + 1]); ++k)
            sums[matrix.column_of[k]] += with_values ? matrix.by_row[k] : 1;
        text += to_text(matrix.labels[r]);
        for (const auto& [index, sum] : sums) {
            if (sum == 0) continue;
            text += concat(" ", index, ":", sum);
            dimension = std::max(dimension, uint64_t{index} + 1);
            ++nonzeros;
        }
        text += concat(" *", with_weights ? matrix.weights[r] : 1.0, ";");
    }
    return text + concat(" ", uint64_t{matrix.labels.size()}, " x ", dimension, ", ", nonzeros);
}

void rows_and_columns_make_the_same_rows(void**) {
    const RandomStream random(3, 0);
    for (uint64_t i = 0, round = 0; round < 2000; ++round) {
        const Matrix matrix = random_matrix(random, i);
        const bool with_values = random.below(4, i++), with_weights = random.below(2, i++);
        const Dataset csr = matrix.csr(with_values, with_weights), csc = matrix.csc(with_values, with_weights);
        ASSERT_TEXT(whole_text(csr), rows_by_definition(matrix, with_values, with_weights));
        ASSERT_TEXT(whole_text(csc), whole_text(csr));
        assert_true(csr.fingerprint() == csc.fingerprint());
        for (size_t r = 0; r < csr.rows(); ++r) {
            double squared_norm = 0;
            ValueBuffer values;
            const Row row = csr.row(r, values);
            for (size_t j = 0; j < row.count; ++j) squared_norm += row.values[j] * row.values[j];
            assert_true(row.squared_norm == squared_norm && csc.pattern(r).squared_norm == squared_norm);
        }
    }
}

// Of so many columns that a column and the place of a row in a block of many just have 32 bits together, or just do not.
void wide_columns_become_rows(void**) {
    const RandomStream random(3, 5);
    uint64_t draws = 0;
    for (const uint32_t columns : {65535u, 65536u, 65537u, 1u << 20, (1u << 20) + 1, 3u << 20}) {
        const uint32_t rows = 70000;
        const std::vector<double> labels(rows, 1.0);
        std::vector<std::vector<uint32_t>> expected(rows);
        std::vector<int64_t> pointers(size_t{columns} + 1);
        std::vector<uint32_t> row_of;
        for (uint32_t c = 0; c < columns; ++c) {
            if (c + 3 >= columns || c < 3 || c % 1024 == 0)
                for (const uint32_t row : {static_cast<uint32_t>(random.below(rows, draws++)), rows - 1, 0u}) {
                    if (!expected[row].empty() && expected[row].back() == c) continue;
                    row_of.push_back(row);
                    expected[row].push_back(c);
                }
            pointers[c + 1] = static_cast<int64_t>(row_of.size());
        }
        const Dataset data = Dataset::from_csc(rows, columns, pointers.data(), row_of.data(), nullptr, labels.data(), nullptr);
        assert_int_equal(data.dimension(), columns);
        for (uint32_t r = 0; r < rows; ++r) {
            assert_int_equal(data.pattern(r).count, expected[r].size());
            assert_true(std::equal(expected[r].begin(), expected[r].end(), data.pattern(r).indices));
        }
    }
}

// Floats of a row may add up to what no float holds, in the last of many rows, too; the others are what they were.
void floats_may_add_up_to_what_is_none(void**) {
    const uint32_t rows = 70000;
    std::vector<uint32_t> row_of, repeated = {rows - 1, rows - 1};
    std::vector<double> values;
    for (uint32_t r = 0; r < rows; ++r) row_of.push_back(r), values.push_back(r % 7 + 0.5);
    row_of.insert(row_of.end(), repeated.begin(), repeated.end());
    values.insert(values.end(), {0.5, 0x1p-40});
    const int64_t pointers[] = {0, rows, rows + 2};
    const std::vector<double> labels(rows, 1.0);
    for (const double last : {0x1p-40, 0.25}) {
        values.back() = last;
        const Dataset data = Dataset::from_csc(rows, 2, pointers, row_of.data(), values.data(), labels.data(), nullptr);
        assert_int_equal(data.bytes(), rows * 24 + (rows + 1) * (4 + (last == 0.25 ? 4 : 8)));
        ValueBuffer held;
        for (uint32_t r = 0; r < rows; ++r)
            assert_true(data.row(r, held).count == 1 + (r == rows - 1) && data.row(r, held).values[0] == values[r]);
        assert_true(data.row(rows - 1, held).values[1] == 0.5 + last);
    }
}

void bad_rows_are_told_by_number(void**) {
    const std::vector<int64_t> pointers = {0, 1, 2, 4};
    const std::vector<uint32_t> indices = {5, 6, 0, 9};
    const auto refuse = [&](sl_status status, const char* message, std::vector<double> values, std::vector<double> labels,
                            std::vector<double> weights) {
        ASSERT_REFUSED(status, message,
                       Dataset::from_csr(3, pointers.data(), indices.data(), values.data(), labels.data(), weights.data()));
        // Row 2 has columns 0 and 9, row 0 column 5, row 1 column 6.
        const std::vector<int64_t> column_pointers = {0, 1, 1, 1, 1, 1, 2, 3, 3, 3, 4};
        const std::vector<uint32_t> rows = {2, 0, 1, 2};
        const std::vector<double> by_column = {values[2], values[0], values[1], values[3]};
        ASSERT_REFUSED(status, message,
                       Dataset::from_csc(3, 10, column_pointers.data(), rows.data(), by_column.data(), labels.data(), weights.data()));
    };
    const std::vector<double> ones = {1, 1, 1};
    refuse(SL_ERROR_INVALID_DATA, "row 2: the value of index 9 is nan, which is not finite", {1, 1, 1, kNan}, ones, ones);
    refuse(SL_ERROR_INVALID_DATA, "row 0: the value of index 5 is -inf, which is not finite", {-kInfinity, 1, 1, 1}, ones, ones);
    refuse(SL_ERROR_INVALID_DATA, "row 1: the label is inf, which is not finite", {1, 1, 1, 1}, {1, kInfinity, 1}, ones);
    refuse(SL_ERROR_INVALID_DATA, "row 2: the weight is nan, which is not finite", {1, 1, 1, 1}, ones, {1, 1, kNan});
    refuse(SL_ERROR_INVALID_DATA, "row 2: the weight is -0.5, which is negative", {1, 1, 1, 1}, ones, {1, 1, -0.5});
    refuse(SL_ERROR_INVALID_DATA, "row 1: the squared norm of the example overflows; scale its values down", {1, 1e200, 1, 1}, ones, ones);
    refuse(SL_ERROR_INVALID_DATA, "row 2: the squared norm of the example overflows; scale its values down", {1, 1, 1.2e154, 1.2e154}, ones,
           ones);
}

void bad_row_indices_are_told(void**) {
    const int64_t pointers[] = {0, 1, 2};
    const uint32_t rows[] = {0, 2};
    const double labels[] = {1, 1};
    ASSERT_REFUSED(SL_ERROR_INVALID_DATA, "column 1: row index 2 is not below the number of rows, 2",
                   Dataset::from_csc(2, 2, pointers, rows, nullptr, labels, nullptr));
    const int64_t with_empty_columns[] = {1, 1, 2, 2, 2, 4, 4};
    for (const size_t bad : {1u, 2u, 3u}) {
        uint32_t three[] = {9, 0, 0, 1};
        three[bad] = 5;
        ASSERT_REFUSED(SL_ERROR_INVALID_DATA,
                       bad == 1 ? "column 1: row index 5 is not below the number of rows, 2"
                                : "column 4: row index 5 is not below the number of rows, 2",
                       Dataset::from_csc(2, 6, with_empty_columns, three, nullptr, labels, nullptr));
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns_make_the_same_rows),
        cmocka_unit_test(wide_columns_become_rows),
        cmocka_unit_test(floats_may_add_up_to_what_is_none),
        cmocka_unit_test(bad_rows_are_told_by_number),
        cmocka_unit_test(bad_row_indices_are_told),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
