/* Examples that are refused: what for, with which words, and that the model is as it was. */
#include <math.h>
#include <stdio.h>

#include "helpers.h"

static const char* const configurations[][16] = {
    {NULL},
    {"average", "none", "l1", "0.002", "l2", "0.01", "schedule", "constant", "eta0", "0.3", "storage", "dense"},
    {"update", "fobos", "l1", "0.002", "loss", "hinge", "average", "uniform", "storage", "hash"},
    {"update", "truncated_gradient", "gravity", "0.01", "period", "3", "theta", "0.2", "schedule", "constant", "eta0", "0.2"},
    {"loss", "squared_hinge", "normalize", "l2", "average_start", "auto"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

typedef struct bad_row {
    uint32_t indices[3];
    double values[3];
    size_t count;
    double label, weight;
    const char* message; /* a part of it */
} bad_row;

/* All with indices or magnitudes that would show. */
static const bad_row bad_rows[] = {
    {{1, 2, 9000}, {1, NAN, 1}, 3, 1, 1, "nan"},
    {{1, 2, 9000}, {1, INFINITY, 1}, 3, 1, 1, "inf"},
    {{9000, 2, 1}, {-INFINITY, 3, 1}, 3, -1, 1, "inf"},
    {{1, 2, 9000}, {1, 1e200, 1}, 3, 1, 1, "norm"},
    {{1, 1, 9000}, {1e154, 1e154, 1}, 3, 1, 1, "norm"},
    {{1, 2, 9000}, {1, 2, 3}, 3, NAN, 1, "label"},
    {{1, 2, 9000}, {1, 2, 3}, 3, INFINITY, 1, "label"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 2, 1, "label"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 0.5, 1, "0.5"},
    {{1, 2, 9000}, {1, 2, 3}, 3, -2, 1, "-2"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 1, NAN, "weight"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 1, INFINITY, "weight"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 1, -0.25, "-0.25"},
    {{0}, {0}, 0, 3, 1, "label"},
    {{0}, {0}, 0, 1, -1, "weight"},
    {{1, 2, 9000}, {1, NAN, 1}, 3, 1, 0, "nan"},
    {{1, 2, 9000}, {1, 2, 3}, 3, 3, 0, "label"},
};
enum { BAD_ROWS = sizeof bad_rows / sizeof *bad_rows };

static sl_status feed_bad(sl_model* model, const bad_row* bad) {
    return sl_model_feed(model, bad->indices, bad->values, bad->count, bad->label, bad->weight, &error);
}

static void bad_rows_change_nothing(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 60, 60, 1);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *model = model_from(configurations[c]), *twin = model_from(configurations[c]);
        for (size_t start = 0; start < 60; start += 30) {
            snapshot before = snapshot_of(model);
            for (size_t k = 0; k < BAD_ROWS; ++k) {
                assert_status(SL_ERROR_INVALID_DATA, feed_bad(model, bad_rows + k));
                assert_message(bad_rows[k].message);
                assert_unchanged(model, &before);
            }
            snapshot_free(&before);
            feed_rows(model, &s, start, start + 30);
            feed_rows(twin, &s, start, start + 30);
        }
        assert_same_models(model, twin);
        sl_model_free(model);
        sl_model_free(twin);
    }
}

static void a_refused_first_row_leaves_the_pair_open(void** state) {
    double smaller = 0, larger = 0;
    sl_model* model = new_model(NULL);
    (void)state;
    for (size_t k = 0; k < BAD_ROWS; ++k) assert_status(SL_ERROR_INVALID_DATA, feed_bad(model, bad_rows + k));
    assert_status(SL_ERROR_STATE, sl_model_labels(model, &smaller, &larger, &error));
    sl_model_free(model);
}

/* Puts `bad` in the place of row r; the rows behind it move. */
static void replace_row(sample* s, size_t r, const bad_row* bad) {
    const int64_t shift = (int64_t)bad->count - (int64_t)row_count(s, r);
    const size_t first = (size_t)s->pointers[r], next = (size_t)s->pointers[r + 1], behind = (size_t)s->pointers[s->rows] - next;
    memmove(s->indices + first + bad->count, s->indices + next, behind * sizeof *s->indices);
    memmove(s->values + first + bad->count, s->values + next, behind * sizeof *s->values);
    memcpy(s->indices + first, bad->indices, bad->count * sizeof *s->indices);
    memcpy(s->values + first, bad->values, bad->count * sizeof *s->values);
    for (size_t k = r + 1; k <= s->rows; ++k) s->pointers[k] += shift;
    s->labels[r] = bad->label;
    s->weights[r] = bad->weight;
}

static void csr_stops_at_the_bad_row_and_names_it(void** state) {
    (void)state;
    for (size_t k = 0; k < BAD_ROWS; ++k) {
        sample s;
        size_t done = 99;
        sl_model *model = new_model(NULL), *twin = new_model(NULL);
        fill_sample(&s, 50, 60, 2);
        replace_row(&s, 37, bad_rows + k);
        assert_status(SL_ERROR_INVALID_DATA,
                      sl_model_feed_csr(model, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
        assert_int_equal(done, 37);
        assert_message("row 37: ");
        assert_int_equal(error.row, 37);
        assert_message(bad_rows[k].message);
        feed_rows(twin, &s, 0, 37);
        assert_same_models(model, twin);
        assert_int_equal(sl_model_feed_csr(model, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, NULL, NULL),
                         SL_ERROR_INVALID_DATA);
        sl_model_free(model);
        sl_model_free(twin);
    }
}

static void regression_takes_any_finite_label(void** state) {
    static const char* const losses[] = {"squared", "absolute", "huber", "epsilon_insensitive", "quantile"};
    (void)state;
    for (size_t k = 0; k < sizeof losses / sizeof *losses; ++k) {
        const uint32_t index = 3;
        double label = 0;
        sl_model* model = new_model("loss", losses[k]);
        assert_ok(sl_model_feed(model, &index, NULL, 1, -123.5, 1, &error));
        assert_ok(sl_model_feed(model, &index, NULL, 1, 0.25, 1, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, NAN, 1, &error));
        assert_status(SL_ERROR_STATE, sl_model_label(model, 1, &label, &error));
        sl_model_free(model);
    }
}

static void indices_beyond_the_dimension_are_refused(void** state) {
    const uint32_t indices[] = {3, 9}, beyond[] = {3, 10}, front[] = {4294967295u, 3};
    uint64_t dimension = 0;
    sl_model* model = new_model("dimension", "10");
    snapshot before;
    (void)state;
    assert_ok(sl_model_dimension(model, &dimension, &error));
    assert_int_equal(dimension, 0);
    assert_ok(sl_model_feed(model, indices, NULL, 1, 1, 1, &error));
    assert_ok(sl_model_dimension(model, &dimension, &error));
    assert_int_equal(dimension, 4);
    assert_ok(sl_model_feed(model, indices, NULL, 2, 1, 1, &error));
    before = snapshot_of(model);
    assert_int_equal(before.dimension, 10);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, beyond, NULL, 2, 1, 1, &error));
    assert_message("10");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, front, NULL, 2, 1, 1, &error));
    assert_message("4294967295");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, beyond, NULL, 2, 1, 0, &error));
    assert_unchanged(model, &before);
    snapshot_free(&before);
    sl_model_free(model);
}

static void the_first_index_out_of_bounds_is_named(void** state) {
    const uint32_t ascending[] = {2, 12, 13}, mixed[] = {12, 2, 13, 2};
    const double values[] = {1, 0, 1, 1};
    const uint32_t negative[] = {4, 4294967291u, 7, 4294967295u};
    const int64_t pointers[] = {0, 1, 3};
    const double labels[] = {1, -1};
    size_t done = 0;
    double score = 0;
    sl_dataset* data = NULL;
    sl_model *model = new_model("dimension", "10"), *wide = new_model(NULL), *clone = NULL;
    (void)state;
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, ascending, NULL, 3, 1, 1, &error));
    assert_message("index 12 is not below the option dimension, 10");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, ascending, values, 2, 1, 1, &error)); /* though its value is 0 */
    assert_message("index 12 ");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, mixed, values, 4, 1, 1, &error));
    assert_message("index 12 ");
    assert_ok(sl_model_feed(wide, negative, NULL, 4, 1, 1, &error));

    assert_ok(sl_model_take_indices_as_signed(model, &error));
    assert_ok(sl_model_take_indices_as_signed(wide, &error));
    assert_ok(sl_model_clone(wide, &clone, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, negative, NULL, 4, 1, 1, &error));
    assert_message("an index is -5, below 0");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, mixed, values, 4, 1, 1, &error));
    assert_message("index 12 ");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(clone, negative, NULL, 2, 1, 1, &error));
    assert_message("an index is -5, below 0");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_predict(wide, negative, NULL, 4, &score, &error));
    assert_message("an index is -5, below 0");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed_csr(wide, 2, pointers, negative, NULL, labels, NULL, &done, &error));
    assert_message("row 1: an index is -5, below 0");
    assert_int_equal(done, 1);
    /* What a data set holds came from elsewhere. */
    assert_ok(sl_dataset_from_csr(2, pointers, negative, NULL, labels, NULL, &data, &error));
    assert_ok(sl_model_feed_dataset(wide, data, NULL, &error));
    sl_dataset_free(data);
    sl_model_free(model);
    sl_model_free(wide);
    sl_model_free(clone);
}

static void huge_values_that_cancel_out_are_nothing(void** state) {
    const uint32_t indices[] = {5, 5, 7};
    const double values[] = {1e200, -1e200, 1};
    sl_model *a = new_model(NULL), *b = new_model(NULL);
    (void)state;
    assert_ok(sl_model_feed(a, indices, values, 3, 1, 1, &error));
    assert_ok(sl_model_feed(b, indices + 2, values + 2, 1, 1, 1, &error));
    assert_same_models(a, b);
    sl_model_free(a);
    sl_model_free(b);
}

/* Columns like spambase's last three: averages of 5, 52 and 283, largest values of 1102, 9989 and 15841. */
static void fill_unscaled(sample* s) {
    static const double largest[] = {1102.5, 9989, 15841};
    uint64_t seed = 57;
    s->rows = SAMPLE_ROWS;
    s->pointers[0] = 0;
    for (size_t r = 0; r < s->rows; ++r) {
        for (size_t k = 0; k < 3; ++k) {
            s->indices[3 * r + k] = (uint32_t)(54 + k);
            s->values[3 * r + k] = 1 + floor(largest[k] * pow(next_uniform(&seed), 8));
        }
        s->values[3 * r + 2] = r % 40 ? s->values[3 * r + 2] : 15841;
        s->pointers[r + 1] = (int64_t)(3 * (r + 1));
        s->labels[r] = next_uniform(&seed) < 0.4 ? 1 : -1;
        s->weights[r] = 1;
    }
}

static void check_divergence(const char* const* pairs) {
    const uint32_t other = 3;
    double score = 0, after = 0;
    size_t r = 0, done = 0;
    sample s;
    snapshot before = {0};
    sl_status status = SL_OK;
    sl_model *model = model_from(pairs), *all = model_from(pairs), *twin = model_from(pairs);
    char row[32];
    fill_unscaled(&s);
    for (; r < s.rows; ++r) {
        before = snapshot_of(model);
        status = feed_row(model, &s, r);
        if (status != SL_OK) break;
        snapshot_free(&before);
    }
    assert_int_equal(status, SL_ERROR_DIVERGED);
    assert_message("eta0");
    assert_message("normaliz");
    assert_unchanged(model, &before);
    assert_true(isfinite(before.biases[0]) && isfinite(before.mean_loss));
    for (size_t i = 0; i < before.count; ++i) assert_true(isfinite(before.weights[i]));

    assert_status(SL_ERROR_DIVERGED, feed_row(model, &s, r));
    assert_unchanged(model, &before);
    snapshot_free(&before);
    assert_status(SL_ERROR_DIVERGED, sl_model_feed_csr(all, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
    assert_int_equal(done, r);
    snprintf(row, sizeof row, "row %zu", r);
    assert_message(row);
    assert_same_models(all, model);

    /* A row without the features that have run away is learned as ever. */
    feed_rows(twin, &s, 0, r);
    assert_ok(sl_model_predict(model, &other, NULL, 1, &score, &error));
    assert_ok(sl_model_feed(model, &other, NULL, 1, 1, 1, &error));
    assert_ok(sl_model_feed(twin, &other, NULL, 1, 1, 1, &error));
    assert_ok(sl_model_predict(model, &other, NULL, 1, &after, &error));
    assert_true(score == 0 && after > 0);
    assert_same_models(model, twin);
    sl_model_free(model);
    sl_model_free(all);
    sl_model_free(twin);
}

static void divergence_is_refused(void** state) {
    static const char* const diverging[][16] = {
        {"loss", "squared", "schedule", "constant", "eta0", "0.5", "bias", "false", "average", "none"},
        {"loss", "squared", "schedule", "constant", "eta0", "100", "bias", "false", "average", "polynomial"},
        {"loss", "squared", "schedule", "constant", "eta0", "0.5", "bias", "false", "average", "uniform", "l1", "0.1", "storage", "hash"},
        {"loss", "squared", "schedule", "constant", "eta0", "0.5", "bias", "false", "update", "fobos", "l1", "0.1", "average_start",
         "auto"},
        {"loss", "squared", "schedule", "constant", "eta0", "0.5", "bias", "false", "update", "truncated_gradient", "gravity", "0.1"},
        {"loss", "squared_hinge", "schedule", "constant", "eta0", "1e150", "bias", "false", "l2", "0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof diverging / sizeof *diverging; ++k) check_divergence(diverging[k]);
}

static void scaling_or_a_small_step_is_the_cure(void** state) {
    sample s;
    sl_model* model = new_model("loss", "squared", "schedule", "constant", "eta0", "0.5", "normalize", "l2");
    sl_model* small = new_model("loss", "squared", "schedule", "constant", "eta0", "1e-9");
    (void)state;
    fill_unscaled(&s);
    feed_rows(model, &s, 0, s.rows);
    feed_rows(small, &s, 0, s.rows);
    sl_model_free(model);
    sl_model_free(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_rows_change_nothing),
        cmocka_unit_test(a_refused_first_row_leaves_the_pair_open),
        cmocka_unit_test(csr_stops_at_the_bad_row_and_names_it),
        cmocka_unit_test(regression_takes_any_finite_label),
        cmocka_unit_test(indices_beyond_the_dimension_are_refused),
        cmocka_unit_test(the_first_index_out_of_bounds_is_named),
        cmocka_unit_test(huge_values_that_cancel_out_are_nothing),
        cmocka_unit_test(divergence_is_refused),
        cmocka_unit_test(scaling_or_a_small_step_is_the_cure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
