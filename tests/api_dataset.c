/* Data sets: from rows, and what is held of them. */
#include <math.h>

#include "shapes.h"

static void rows_are_held_as_given(void** state) {
    sample s;
    sl_dataset* data = NULL;
    uint64_t dimension = 0;
    (void)state;
    fill_sample(&s, 200, 60, 1);
    for (int64_t k = 0; k < s.pointers[200]; ++k) dimension = s.indices[k] + 1u > dimension ? s.indices[k] + 1u : dimension;
    data = dataset_of(&s);
    assert_shape(data, 200, (uint64_t)s.pointers[200], dimension);
    for (size_t r = 0; r < 200; ++r)
        assert_row(data, r, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.labels[r], s.weights[r]);
    sl_dataset_free(data);
}

static void rows_become_canonical(void** state) {
    const int64_t pointers[] = {2, 2, 8, 10}; /* the first two pairs are nobody's */
    const uint32_t indices[] = {77, 78, 9, 4294967295u, 3, 9, 5, 5, 2, 1};
    const double values[] = {7, 7, 0.5, 2, 0, 0.25, 1.5, -1.5, -0.0, 4};
    const double labels[] = {-2.5, 0, 1e300};
    const uint32_t row_1[] = {9, 4294967295u}, row_2[] = {1};
    const double values_1[] = {0.75, 2}, values_2[] = {4};
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(3, pointers, indices, values, labels, NULL, &data, &error));
    assert_shape(data, 3, 3, 4294967296u);
    assert_row(data, 0, NULL, NULL, 0, -2.5, 1);
    assert_row(data, 1, row_1, values_1, 2, 0, 1);
    assert_row(data, 2, row_2, values_2, 1, 1e300, 1);
    sl_dataset_free(data);
}

static void values_left_out_are_ones(void** state) {
    const int64_t pointers[] = {0, 3, 4};
    const uint32_t indices[] = {4, 2, 4, 0}, row_0[] = {2, 4};
    const double labels[] = {1, 2}, weights[] = {0, 2.5}, values_0[] = {1, 2};
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(2, pointers, indices, NULL, labels, weights, &data, &error));
    assert_row(data, 0, row_0, values_0, 2, 1, 0);
    assert_row(data, 1, indices + 3, values_0, 1, 2, 2.5);
    sl_dataset_free(data);
}

static void no_rows_are_a_data_set(void** state) {
    const int64_t pointers[] = {0};
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(0, pointers, NULL, NULL, NULL, NULL, &data, &error));
    assert_shape(data, 0, 0, 0);
    sl_dataset_free(data);
    assert_ok(sl_dataset_from_csc(0, 0, pointers, NULL, NULL, NULL, NULL, &data, &error));
    assert_shape(data, 0, 0, 0);
    sl_dataset_free(data);
    /* Of nothing there need be no pointers either. */
    assert_ok(sl_dataset_from_csr(0, NULL, NULL, NULL, NULL, NULL, &data, &error));
    assert_shape(data, 0, 0, 0);
    sl_dataset_free(data);
    assert_ok(sl_dataset_from_csc(0, 0, NULL, NULL, NULL, NULL, NULL, &data, &error));
    assert_shape(data, 0, 0, 0);
    sl_dataset_free(data);
}

static void rows_are_copied(void** state) {
    sample s, kept;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 50, 60, 2);
    kept = s;
    data = dataset_of(&s);
    memset(&s, 0, sizeof s);
    for (size_t r = 0; r < 50; ++r)
        assert_row(data, r, kept.indices + kept.pointers[r], kept.values + kept.pointers[r], row_count(&kept, r), kept.labels[r],
                   kept.weights[r]);
    sl_dataset_free(data);
}

static void reading_a_row_takes_two_calls(void** state) {
    const int64_t pointers[] = {0, 3};
    const uint32_t indices[] = {1, 5, 9};
    const double values[] = {1, 2, 3}, label = -4, weight = 0.5;
    uint32_t i[3] = {77, 77, 77};
    double v[3] = {77, 77, 77}, held_label = 0, held_weight = 0;
    size_t count = 0;
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(1, pointers, indices, values, &label, &weight, &data, &error));
    assert_ok(sl_dataset_row(data, 0, NULL, NULL, 0, &count, &held_label, &held_weight, &error));
    assert_int_equal(count, 3);
    assert_true(held_label == -4 && held_weight == 0.5);
    count = 0;
    assert_ok(sl_dataset_row(data, 0, i, v, 2, &count, NULL, NULL, &error));
    assert_int_equal(count, 3);
    assert_true(i[0] == 77 && i[1] == 77 && v[0] == 77 && v[1] == 77);
    assert_ok(sl_dataset_row(data, 0, i, v, 3, &count, NULL, NULL, &error));
    assert_true(i[2] == 9 && v[2] == 3);
    count = 7;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_row(data, 1, i, v, 3, &count, NULL, NULL, &error));
    assert_int_equal(count, 7);
    sl_dataset_free(data);
}

static void bad_rows_are_refused_by_number(void** state) {
    static const struct {
        double value, label, weight;
        const char* message;
    } bad[] = {{NAN, 1, 1, "nan"},   {INFINITY, 1, 1, "inf"}, {1, NAN, 1, "label"},      {1, -INFINITY, 1, "label"},
               {1, 1, -0.5, "-0.5"}, {1, 1, NAN, "weight"},   {1, 1, INFINITY, "weight"}};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        sample s;
        sl_dataset* data = NULL;
        fill_sample(&s, 50, 60, 3);
        assert_true(row_count(&s, 31) > 0);
        s.values[s.pointers[31]] = bad[k].value;
        s.labels[31] = bad[k].label;
        s.weights[31] = bad[k].weight;
        assert_status(SL_ERROR_INVALID_DATA,
                      sl_dataset_from_csr(s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &data, &error));
        assert_message("row 31");
        assert_message(bad[k].message);
        assert_null(data);
    }
}

/* Negative, or less than the one before. Of rows the error has the row, of columns their number is told. */
static void pointers_ascend(void** state) {
    static const int64_t bad[][3] = {{-1, 1, 4}, {0, 3, 2}, {0, INT64_MIN, 2}};
    static const char* const words[] = {" 0: its pointers are -1 and 1, which do not ascend from 0",
                                        " 1: its pointers are 3 and 2, which do not ascend from 0",
                                        " 0: its pointers are 0 and -9223372036854775808, which do not ascend from 0"};
    const uint32_t indices[] = {0, 1, 0, 1};
    const double labels[] = {1, 1};
    sl_dataset* data = NULL;
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_from_csr(2, bad[k], indices, NULL, labels, NULL, &data, &error));
        assert_message("row");
        assert_message(words[k]);
        assert_int_equal(error.row, k == 1);
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_from_csc(2, 2, bad[k], indices, NULL, labels, NULL, &data, &error));
        assert_message("column");
        assert_message(words[k]);
        assert_int_equal(error.row, -1);
    }
#if SIZE_MAX > UINT32_MAX
    assert_status(SL_ERROR_INVALID_ARGUMENT,
                  sl_dataset_from_csc(2, 4294967297u, (const int64_t[]){0, 1, 2}, indices, NULL, labels, NULL, &data, &error));
    assert_message("columns is 4294967297, more than 2^32");
#endif
    assert_null(data);
}

static void a_builder_makes_what_a_matrix_makes(void** state) {
    const uint32_t unsorted[] = {9, 2, 9}, canonical[] = {2, 9};
    const double values[] = {1, 3, 0.5}, sums[] = {3, 1.5}, bad[] = {1, NAN, 1};
    sample s;
    sl_builder* builder = NULL;
    sl_dataset *expected = NULL, *data = NULL;
    uint64_t shape[3];
    (void)state;
    fill_sample(&s, 200, 60, 1);
    expected = dataset_of(&s);
    for (uint64_t room = 0; room < 2; ++room) {
        assert_ok(sl_builder_create(room * 50, room * 3000, &builder, &error));
        for (size_t r = 0; r < 200; ++r) {
            const size_t at = (size_t)s.pointers[r];
            assert_status(SL_ERROR_INVALID_DATA, sl_builder_add(builder, unsorted, bad, 3, 1, 1, &error));
            assert_int_equal(error.row, r);
            assert_status(SL_ERROR_INVALID_DATA, sl_builder_add(builder, unsorted, values, 3, INFINITY, 1, &error));
            assert_status(SL_ERROR_INVALID_DATA, sl_builder_add(builder, unsorted, values, 3, 1, -1, &error));
            assert_ok(sl_builder_add(builder, s.indices + at, s.values + at, row_count(&s, r), s.labels[r], s.weights[r], &error));
        }
        assert_ok(sl_builder_finish(builder, &data, &error));
        assert_ok(sl_dataset_shape(expected, &shape[0], &shape[1], &shape[2], &error));
        assert_shape(data, shape[0], shape[1], shape[2]);
        for (size_t r = 0; r < 200; ++r)
            assert_row(data, r, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.labels[r], s.weights[r]);
        sl_dataset_free(data);
        assert_ok(sl_builder_finish(builder, &data, &error)); /* which was left without rows */
        assert_shape(data, 0, 0, 0);
        sl_dataset_free(data);
        assert_ok(sl_builder_add(builder, unsorted, values, 3, 2, 1, &error));
        assert_ok(sl_builder_add(builder, NULL, NULL, 0, 3, 0.5, &error));
        assert_ok(sl_builder_finish(builder, &data, &error));
        assert_row(data, 0, canonical, sums, 2, 2, 1);
        assert_row(data, 1, NULL, NULL, 0, 3, 0.5);
        sl_dataset_free(data);
        sl_builder_free(builder);
    }
    sl_dataset_free(expected);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_builder_create(UINT64_MAX, 0, &builder, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_builder_add(NULL, NULL, NULL, 0, 1, 1, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_builder_finish(NULL, &data, &error));
    sl_builder_free(NULL);
}

static void rows_are_shared_whatever_their_labels(void** state) {
    const double labels[] = {4, 5, 6}, weights[] = {1, 0.5, 1}, ones[] = {1, 1, 1}, bad[] = {1, 1, NAN};
    const int64_t pointers[] = {0, 2, 2, 3};
    const uint32_t indices[] = {3, 8, 5};
    sl_dataset *data = NULL, *other = NULL, *third = NULL, *none = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(3, pointers, indices, labels, labels, weights, &data, &error));
    assert_ok(sl_dataset_with_labels(data, weights, NULL, &other, &error));
    assert_ok(sl_dataset_with_labels(other, NULL, ones, &third, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_with_labels(data, bad, NULL, &none, &error));
    assert_int_equal(error.row, 2);
    assert_status(SL_ERROR_INVALID_DATA, sl_dataset_with_labels(data, NULL, bad, &none, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_with_labels(NULL, NULL, NULL, &none, &error));
    assert_null(none);
    sl_dataset_free(data);
    assert_shape(other, 3, 3, 9);
    assert_row(other, 0, indices, labels, 2, 1, 1);
    assert_row(other, 1, NULL, NULL, 0, 0.5, 0.5);
    sl_dataset_free(other);
    assert_row(third, 1, NULL, NULL, 0, 0.5, 1);
    assert_row(third, 2, indices + 2, labels + 2, 1, 1, 1);
    sl_dataset_free(third);
}

/* In whatever parts, a data set is observed, learned and predicted to the same bits. */
static void parts_of_a_data_set_are_all_of_it(void** state) {
    enum { ROWS = 200 };
    sample s;
    sl_dataset* data = NULL;
    double expected[ROWS], scores[ROWS];
    size_t done = 7;
    (void)state;
    fill_sample(&s, ROWS, 60, 1);
    data = dataset_of(&s);
    for (uint64_t part = 1; part <= ROWS; part *= 3) {
        sl_model *all = new_model(NULL), *parts = new_model(NULL);
        assert_ok(sl_model_observe_dataset(all, data, NULL, &error));
        assert_ok(sl_model_feed_dataset(all, data, NULL, &error));
        assert_ok(sl_model_predict_dataset(all, data, expected, ROWS, &error));
        for (uint64_t first = 0; first < ROWS; first += part) {
            const uint64_t count = first + part < ROWS ? part : ROWS - first;
            assert_ok(sl_model_observe_rows(parts, data, first, count, &done, &error));
            assert_int_equal(done, count);
        }
        for (uint64_t first = 0; first < ROWS; first += part) {
            const uint64_t count = first + part < ROWS ? part : ROWS - first;
            assert_ok(sl_model_feed_rows(parts, data, first, count, &done, &error));
            assert_int_equal(done, count);
        }
        assert_same_models(all, parts);
        for (uint64_t first = 0; first < ROWS; first += part)
            assert_ok(sl_model_predict_rows(parts, data, first, first + part < ROWS ? part : ROWS - first, scores + first, &error));
        for (size_t r = 0; r < ROWS; ++r) assert_bits(scores[r], expected[r]);
        sl_model_free(all);
        sl_model_free(parts);
    }
    sl_dataset_free(data);
}

static void parts_that_are_not_there_are_refused(void** state) {
    static const uint64_t parts[][2] = {{0, 3}, {3, 0}, {1, 2}, {2, 1}, {1, UINT64_MAX}, {UINT64_MAX, 1}, {UINT64_MAX, UINT64_MAX}};
    const int64_t pointers[] = {0, 1, 2};
    const uint32_t indices[] = {1, 2};
    const double labels[] = {1, 5};
    double score = 77;
    sl_dataset* data = NULL;
    sl_model* model = new_model("scale", "none");
    size_t done = 7;
    (void)state;
    assert_ok(sl_dataset_from_csr(2, pointers, indices, NULL, labels, NULL, &data, &error));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        const uint64_t first = parts[k][0], count = parts[k][1];
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_observe_rows(model, data, first, count, &done, &error));
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_feed_rows(model, data, first, count, &done, &error));
        assert_int_equal(done, 0);
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_predict_rows(model, data, first, count, &score, &error));
        assert_true(score == 77);
    }
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed_rows(model, data, 1, 1, &done, &error)); /* its label */
    assert_int_equal(error.row, 1);
    assert_int_equal(done, 0);
    assert_ok(sl_model_feed_rows(model, data, 2, 0, &done, &error));
    assert_ok(sl_model_predict_rows(model, data, 2, 0, NULL, &error));
    sl_dataset_free(data);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_ascend),
        cmocka_unit_test(rows_are_held_as_given),
        cmocka_unit_test(rows_become_canonical),
        cmocka_unit_test(values_left_out_are_ones),
        cmocka_unit_test(no_rows_are_a_data_set),
        cmocka_unit_test(rows_are_copied),
        cmocka_unit_test(reading_a_row_takes_two_calls),
        cmocka_unit_test(bad_rows_are_refused_by_number),
        cmocka_unit_test(a_builder_makes_what_a_matrix_makes),
        cmocka_unit_test(rows_are_shared_whatever_their_labels),
        cmocka_unit_test(parts_of_a_data_set_are_all_of_it),
        cmocka_unit_test(parts_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
