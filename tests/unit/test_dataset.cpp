// Rows in memory: what they take, what tells them apart, and that they are added whole or not at all.
#include "dataset.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "rows.h"
#include "short_memory.h"

using namespace sparselin;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void the_widest_index_fits(void**) {
    RowBuffer buffer;
    Dataset data;
    const uint32_t indices[] = {4294967295u, 0};
    data.add({indices, nullptr, 2}, 1, 1, buffer);
    ASSERT_TEXT(whole_text(data), "1 0:1 4294967295:1 *1; 1 x 4294967296, 2");
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

void weights_are_1_until_one_is_not(void**) {
    RowBuffer buffer;
    for (size_t unusual = 0; unusual < 20; ++unusual) {
        Dataset data;
        for (size_t r = 0; r < 20; ++r) data.add({nullptr, nullptr, 0}, 1, r == unusual ? 2 : 1, buffer);
        for (size_t r = 0; r < 20; ++r) assert_true(data.weight(r) == (r == unusual ? 2 : 1));
    }
}

void nothing_is_a_data_set_too(void**) {
    const int64_t pointers[] = {7, 7, 7};
    const double labels[] = {1, 2};
    ASSERT_TEXT(whole_text(Dataset()), " 0 x 0, 0");
    ASSERT_TEXT(whole_text(Dataset::from_csr(0, pointers, nullptr, nullptr, nullptr, nullptr)), " 0 x 0, 0");
    ASSERT_TEXT(whole_text(Dataset::from_csr(2, pointers, nullptr, nullptr, labels, nullptr)), "1 *1;2 *1; 2 x 0, 0");
    ASSERT_TEXT(whole_text(Dataset::from_csc(0, 2, pointers, nullptr, nullptr, nullptr, nullptr)), " 0 x 0, 0");
    ASSERT_TEXT(whole_text(Dataset::from_csc(2, 0, pointers, nullptr, nullptr, labels, nullptr)), "1 *1;2 *1; 2 x 0, 0");
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
            const std::string before = whole_text(data);
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
                ASSERT_TEXT(whole_text(data), before);
                assert_true(data.fingerprint() == print);
            }
            assert_int_equal(data.rows(), r + 1);
            assert_int_equal(data.pattern(r).count, std::min(r % 4, size_t{1}) + 1);
            assert_true(data.weight(r) == weight && data.label(r) == 5);
        }
        assert_true(failures > 30);
        const std::string before = whole_text(data);
        const double bad[] = {1, kNan, 1, 1};
        ASSERT_REFUSED(SL_ERROR_INVALID_DATA, "the value of index 3 is nan, which is not finite",
                       data.add({indices, bad, 4}, 1, 1, buffer));
        ASSERT_REFUSED(SL_ERROR_INVALID_DATA, "the weight is -1, which is negative", data.add({indices, values, 4}, 1, -1, buffer));
        ASSERT_TEXT(whole_text(data), before);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_widest_index_fits),
        cmocka_unit_test(a_row_takes_what_the_header_says),
        cmocka_unit_test(values_take_what_they_need),
        cmocka_unit_test(weights_are_1_until_one_is_not),
        cmocka_unit_test(nothing_is_a_data_set_too),
        cmocka_unit_test(fingerprints_tell_data_sets_apart),
        cmocka_unit_test(a_row_is_added_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
