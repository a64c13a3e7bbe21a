// Rows in memory: canonical whatever they are made from, added whole or not at all, refused with their number.
#include "dataset.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "expect.h"
#include "number.h"
#include "random.h"
#include "short_memory.h"

using namespace sparselin;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// Rows as `label index:value ... weight;`, and the shape.
std::string shown(const Dataset& data) {
    std::string text;
    ValueBuffer values;
    for (size_t r = 0; r < data.rows(); ++r) {
        text += to_text(data.label(r));
        const Row row = data.row(r, values);
        for (size_t j = 0; j < row.count; ++j) text += concat(" ", row.indices[j], ":", row.values[j]);
        text += concat(" *", data.weight(r), ";");
    }
    return text + concat(" ", uint64_t{data.rows()}, " x ", data.dimension(), ", ", data.nonzeros());
}

#define ASSERT_REFUSED(expected_status, expected_message, call) \
    do {                                                        \
        const Error refused = error_of([&] { call; });          \
        assert_int_equal(refused.status(), expected_status);    \
        ASSERT_TEXT(refused.message(), expected_message);       \
    } while (0)

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
        ASSERT_TEXT(shown(csr), rows_by_definition(matrix, with_values, with_weights));
        ASSERT_TEXT(shown(csc), shown(csr));
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

void the_widest_index_fits(void**) {
    RowBuffer buffer;
    Dataset data;
    const uint32_t indices[] = {4294967295u, 0};
    data.add({indices, nullptr, 2}, 1, 1, buffer);
    ASSERT_TEXT(shown(data), "1 0:1 4294967295:1 *1; 1 x 4294967296, 2");
}

void a_row_takes_what_the_header_says(void**) {
    RowBuffer buffer;
    Dataset data;
    const uint32_t indices[] = {1, 2, 3};
    for (int r = 0; r < 10; ++r) data.add({indices, nullptr, 3}, 1, 1, buffer);
    assert_int_equal(data.bytes(), 10 * (24 + 3 * 4));
    data.add({indices, nullptr, 0}, 1, 0.5, buffer);
    assert_int_equal(data.bytes(), 10 * (24 + 3 * 4) + 24 + 11 * 8);
}

// However values come, they take what the largest kind of them needs, and are what was given.
void values_take_what_they_need(void**) {
    const double values[][3] = {{1, 1, 1}, {1, 0.5, -3}, {0.1, 1, 2}, {1e100, 1, 1}, {1, 0x1p-149, 0x1.fffffep127}, {1, 0x1p-150, 1}};
    constexpr size_t kKinds = sizeof values / sizeof *values, kBytes[kKinds] = {0, 4, 8, 8, 4, 8};
    const uint32_t indices[] = {1, 5, 9};
    const int64_t pointers[] = {0, 3, 6, 9}, column_pointers[] = {0, 3, 6, 9};
    const uint32_t rows_of_columns[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const double labels[] = {1, 1, 1};
    for (size_t a = 0; a < kKinds; ++a)
        for (size_t b = 0; b < kKinds; ++b)
            for (size_t c = 0; c < kKinds; ++c) {
                const size_t kinds[] = {a, b, c};
                std::vector<double> all, by_column;
                std::vector<uint32_t> all_indices;
                RowBuffer buffer;
                Dataset one_by_one, appended, cleared;
                cleared.add({indices, values[c], 3}, 1, 1, buffer);
                cleared.clear();
                size_t each = 0;
                for (const size_t kind : kinds) {
                    Dataset one;
                    one.add({indices, values[kind], 3}, 1, 1, buffer);
                    assert_int_equal(one.bytes(), 24 + 3 * (4 + kBytes[kind]));
                    one_by_one.add({indices, values[kind], 3}, 1, 1, buffer);
                    cleared.add({indices, values[kind], 3}, 1, 1, buffer);
                    appended.append(one);
                    all.insert(all.end(), values[kind], values[kind] + 3);
                    all_indices.insert(all_indices.end(), indices, indices + 3);
                    each = std::max(each, kBytes[kind]);
                }
                for (size_t j = 0; j < 3; ++j)
                    for (const size_t kind : kinds) by_column.push_back(values[kind][j]);
                const Dataset csr = Dataset::from_csr(3, pointers, all_indices.data(), all.data(), labels, nullptr);
                const Dataset csc = Dataset::from_csc(3, 3, column_pointers, rows_of_columns, by_column.data(), labels, nullptr);
                for (const Dataset* const data : std::initializer_list<const Dataset*>{&one_by_one, &appended, &cleared, &csr, &csc}) {
                    assert_int_equal(data->bytes(), 3 * (24 + 3 * (4 + each)));
                    ValueBuffer held;
                    for (size_t r = 0; r < 3; ++r) assert_memory_equal(data->row(r, held).values, values[kinds[r]], sizeof *values);
                }
                Dataset part;
                part.append(csr, 1, 2);
                ValueBuffer held;
                for (size_t r = 0; r < 2; ++r) assert_memory_equal(part.row(r, held).values, values[kinds[r + 1]], sizeof *values);
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

void weights_are_1_until_one_is_not(void**) {
    RowBuffer buffer;
    for (size_t unusual = 0; unusual < 20; ++unusual) {
        Dataset data;
        for (size_t r = 0; r < 20; ++r) data.add({nullptr, nullptr, 0}, 1, r == unusual ? 2 : 1, buffer);
        for (size_t r = 0; r < 20; ++r) assert_true(data.weight(r) == (r == unusual ? 2 : 1));
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

void nothing_is_a_data_set_too(void**) {
    const int64_t pointers[] = {7, 7, 7};
    const double labels[] = {1, 2};
    ASSERT_TEXT(shown(Dataset()), " 0 x 0, 0");
    ASSERT_TEXT(shown(Dataset::from_csr(0, pointers, nullptr, nullptr, nullptr, nullptr)), " 0 x 0, 0");
    ASSERT_TEXT(shown(Dataset::from_csr(2, pointers, nullptr, nullptr, labels, nullptr)), "1 *1;2 *1; 2 x 0, 0");
    ASSERT_TEXT(shown(Dataset::from_csc(0, 2, pointers, nullptr, nullptr, nullptr, nullptr)), " 0 x 0, 0");
    ASSERT_TEXT(shown(Dataset::from_csc(2, 0, pointers, nullptr, nullptr, labels, nullptr)), "1 *1;2 *1; 2 x 0, 0");
}

void fingerprints_tell_data_sets_apart(void**) {
    struct Example {
        std::vector<uint32_t> indices;
        std::vector<double> values;
        double label, weight;
    };
    const auto print = [](const std::vector<Example>& examples) {
        RowBuffer buffer;
        Dataset data;
        for (const Example& e : examples) data.add({e.indices.data(), e.values.data(), e.indices.size()}, e.label, e.weight, buffer);
        return data.fingerprint();
    };
    const Example a{{1, 2}, {1, 2}, 1, 1}, b{{3}, {4}, -1, 1}, none{{}, {}, 1, 1};
    const std::vector<std::vector<Example>> all = {
        {},
        {none},
        {none, none},
        {a},
        {a, b},
        {b, a},
        {a, b, none},
        {none, a, b},
        {{{1, 2}, {2, 1}, 1, 1}, b},
        {{{1, 2}, {1, 2.0000000000000004}, 1, 1}, b},
        {{{0, 2}, {1, 2}, 1, 1}, b},
        {{{1, 3}, {1, 2}, 1, 1}, b},
        {{{1, 2, 3}, {1, 2, 4}, 1, 1}, none},
        {{{1}, {1}, 1, 1}, {{2, 3}, {2, 4}, -1, 1}},
        {{{1, 2}, {1, 2}, -1, 1}, {{3}, {4}, 1, 1}},
        {{{1, 2}, {1, 2}, 1, 2}, b},
        {a, {{3}, {4}, -1, 2}},
        {a, {{3}, {-4}, -1, 1}},
        {a, {{4294967295u}, {4}, -1, 1}},
    };
    std::set<uint64_t> prints;
    for (const auto& examples : all) prints.insert(print(examples));
    assert_int_equal(prints.size(), all.size());
    for (const auto& examples : all) assert_true(prints.count(print(examples)) == 1);
}

// With the n-th allocation of a data set's growth failing, for every n, at every size: it is as it was, and the row can be added after.
void a_row_is_added_whole_or_not_at_all(void**) {
    const uint32_t indices[] = {7, 3, 7, 1};
    const double values[] = {1, 2, 0.5, 0};
    for (const size_t unusual : {size_t{0}, size_t{1}, size_t{17}, size_t{100}}) {
        RowBuffer buffer;
        Dataset data;
        int failures = 0;
        for (size_t r = 0; r < 70; ++r) {
            const std::string before = shown(data);
            const uint64_t print = data.fingerprint();
            const RawRow raw{indices, values, 1 + r % 4};
            const double weight = r == unusual ? 2 : 1;
            bool added = false;
            for (int64_t n = 0; !added; ++n) {
                allocations_left = n;
                try {
                    data.add(raw, 5, weight, buffer);
                    added = true;
                } catch (const std::bad_alloc&) {
                    ++failures;
                }
                allocations_left = -1;
                if (added) continue;
                ASSERT_TEXT(shown(data), before);
                assert_true(data.fingerprint() == print);
            }
            assert_int_equal(data.rows(), r + 1);
            assert_int_equal(data.pattern(r).count, std::min(r % 4, size_t{1}) + 1);
            assert_true(data.weight(r) == weight && data.label(r) == 5);
        }
        assert_true(failures > 30);
        const std::string before = shown(data);
        const double bad[] = {1, kNan, 1, 1};
        ASSERT_REFUSED(SL_ERROR_INVALID_DATA, "the value of index 3 is nan, which is not finite",
                       data.add({indices, bad, 4}, 1, 1, buffer));
        ASSERT_REFUSED(SL_ERROR_INVALID_DATA, "the weight is -1, which is negative", data.add({indices, values, 4}, 1, -1, buffer));
        ASSERT_TEXT(shown(data), before);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns_make_the_same_rows),
        cmocka_unit_test(wide_columns_become_rows),
        cmocka_unit_test(the_widest_index_fits),
        cmocka_unit_test(a_row_takes_what_the_header_says),
        cmocka_unit_test(values_take_what_they_need),
        cmocka_unit_test(floats_may_add_up_to_what_is_none),
        cmocka_unit_test(weights_are_1_until_one_is_not),
        cmocka_unit_test(bad_rows_are_told_by_number),
        cmocka_unit_test(bad_row_indices_are_told),
        cmocka_unit_test(nothing_is_a_data_set_too),
        cmocka_unit_test(fingerprints_tell_data_sets_apart),
        cmocka_unit_test(a_row_is_added_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
