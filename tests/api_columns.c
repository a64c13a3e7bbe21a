/* Data sets from matrices in compressed sparse columns. */
#include <math.h>

#include "shapes.h"

/* The sample's columns, each in an order of its own. */
static void columns_give_the_same_rows(void** state) {
    enum { COLUMNS = 60 };
    static int64_t column_pointers[COLUMNS + 1];
    static uint32_t row_indices[SAMPLE_ROWS * SAMPLE_WIDTH];
    static double values[SAMPLE_ROWS * SAMPLE_WIDTH];
    sample s;
    int64_t end = 0;
    sl_dataset* data = NULL;
    sl_model *a = new_model("sampling", "sequential"), *b = new_model("sampling", "sequential");
    sl_dataset* by_rows = NULL;
    (void)state;
    fill_sample(&s, 300, COLUMNS, 4);
    by_rows = dataset_of(&s);
    for (uint32_t column = 0; column < COLUMNS; ++column) {
        for (size_t k = 0; k < s.rows; ++k) {
            const size_t r = column % 2 ? k : s.rows - 1 - k;
            for (int64_t j = s.pointers[r]; j < s.pointers[r + 1]; ++j) {
                if (s.indices[j] != column) continue;
                row_indices[end] = (uint32_t)r;
                values[end++] = s.values[j];
            }
        }
        column_pointers[column + 1] = end;
    }
    assert_ok(sl_dataset_from_csc(s.rows, COLUMNS, column_pointers, row_indices, values, s.labels, s.weights, &data, &error));
    for (size_t r = 0; r < s.rows; ++r)
        assert_row(data, r, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.labels[r], s.weights[r]);
    assert_ok(sl_model_fit(a, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(b, by_rows, NULL, NULL, &error));
    assert_same_models(a, b);
    sl_model_free(a);
    sl_model_free(b);
    sl_dataset_free(data);
    sl_dataset_free(by_rows);
}

static void columns_may_repeat_rows_and_start_later(void** state) {
    const int64_t column_pointers[] = {1, 4, 4, 5};
    const uint32_t row_indices[] = {77, 1, 0, 1, 1}, row_1[] = {0, 2}, row_0[] = {0};
    const double values[] = {7, 0.5, 3, 0.25, 8}, values_1[] = {0.75, 8}, ones_1[] = {2, 1}, labels[] = {1, 2};
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csc(2, 3, column_pointers, row_indices, values, labels, NULL, &data, &error));
    assert_shape(data, 2, 3, 3);
    assert_row(data, 0, row_0, values + 2, 1, 1, 1);
    assert_row(data, 1, row_1, values_1, 2, 2, 1);
    sl_dataset_free(data);
    assert_ok(sl_dataset_from_csc(2, 3, column_pointers, row_indices, NULL, labels, NULL, &data, &error));
    assert_row(data, 1, row_1, ones_1, 2, 2, 1);
    sl_dataset_free(data);
}

static void bad_columns_are_refused(void** state) {
    const int64_t column_pointers[] = {0, 2};
    const uint32_t good[] = {0, 1}, beyond[] = {0, 2};
    const double not_a_number[] = {1, NAN}, labels[] = {1, 2}, bad_labels[] = {1, INFINITY};
    sl_dataset* data = NULL;
    (void)state;
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_from_csc(2, 1, column_pointers, beyond, NULL, labels, NULL, &data, &error));
    assert_message("2");
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_from_csc(2, 1, column_pointers, good, not_a_number, labels, NULL, &data, &error));
    assert_message("row 1");
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_from_csc(2, 1, column_pointers, good, NULL, bad_labels, NULL, &data, &error));
    assert_message("row 1");
    assert_null(data);
}

/* So many that they are sorted in several parts; no column has its rows in order. */
static void many_columns_become_rows(void** state) {
    enum { MANY = 1000, WIDE = 300 };
    int64_t* pointers = malloc((WIDE + 1) * sizeof *pointers);
    uint32_t* row_indices = malloc(MANY * WIDE * sizeof *row_indices);
    double *values = malloc(MANY * WIDE * sizeof *values), labels[MANY];
    sl_dataset* data = NULL;
    (void)state;
    pointers[0] = 0;
    for (uint32_t c = 0; c < WIDE; ++c) {
        for (uint32_t k = 0; k < MANY; ++k) {
            const uint32_t r = (k * 777 + c) % MANY;
            row_indices[c * MANY + k] = r;
            values[c * MANY + k] = (double)(c % 7 == r % 7 ? 0 : c * MANY + r);
        }
        pointers[c + 1] = (int64_t)(c + 1) * MANY;
    }
    for (uint32_t r = 0; r < MANY; ++r) labels[r] = r;
    assert_ok(sl_dataset_from_csc(MANY, WIDE, pointers, row_indices, values, labels, NULL, &data, &error));
    for (uint32_t r = 0; r < MANY; ++r) {
        uint32_t held[WIDE];
        double numbers[WIDE], label = -1;
        size_t count = 0, k = 0;
        assert_ok(sl_dataset_row(data, r, held, numbers, WIDE, &count, &label, NULL, &error));
        assert_true(label == r);
        for (uint32_t c = 0; c < WIDE; ++c) {
            if (c % 7 == r % 7) continue;
            assert_true(k < count && held[k] == c && numbers[k] == c * MANY + r);
            ++k;
        }
        assert_int_equal(k, count);
    }
    sl_dataset_free(data);
    data = NULL;
    row_indices[299 * MANY + 5] = MANY;
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_from_csc(MANY, WIDE, pointers, row_indices, values, labels, NULL, &data, &error));
    assert_message("column 299: row index 1000 is not below the number of rows, 1000");
    assert_null(data);
    free(pointers);
    free(row_indices);
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_give_the_same_rows),
        cmocka_unit_test(columns_may_repeat_rows_and_start_later),
        cmocka_unit_test(bad_columns_are_refused),
        cmocka_unit_test(many_columns_become_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
