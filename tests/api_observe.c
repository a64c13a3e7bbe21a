/* Statistics for center and scale: who gathers them, when, and what they do. */
#include <math.h>

#include "helpers.h"
#include "keeping.h"

static void observe_row(sl_model* model, const sample* s, size_t r) {
    assert_ok(sl_model_observe(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), s->weights[r], &error));
}

/* Options that need statistics before the first step, and all that may go with them. */
static const char* const needy[][12] = {
    {"scale", "rms"},
    {"scale", "max_abs", "storage", "hash"},
    {"center", "true"},
    {"center", "true", "scale", "rms", "normalize", "l2", "average", "uniform"},
    {"center", "true", "scale", "max_abs", "update", "fobos", "bias_regularized", "true"},
    {"scale", "rms", "l1", "0.01", "normalize", "sqrt_nnz", "average", "none"},
};
enum { NEEDY = sizeof needy / sizeof *needy };

static void feeding_before_observing_is_refused(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 10, 60, 1);
    for (size_t k = 0; k < NEEDY; ++k) {
        size_t done = 7;
        sl_model *model = model_from(needy[k]), *twin = model_from(needy[k]);
        assert_status(SL_ERROR_STATE, feed_row(model, &s, 0));
        assert_message("observe");
        assert_status(SL_ERROR_STATE,
                      sl_model_feed_csr(model, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
        assert_int_equal(done, 0);
        assert_same_models(model, twin);
        assert_ok(sl_model_observe(model, s.indices, s.values, 3, 0, &error));
        assert_status(SL_ERROR_STATE, feed_row(model, &s, 0));
        assert_same_models(model, twin);
        observe_row(model, &s, 0);
        assert_ok(feed_row(model, &s, 0));
        sl_model_free(model);
        sl_model_free(twin);
    }
}

static void observing_after_a_step_is_refused(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 10, 60, 2);
    for (size_t k = 0; k < NEEDY; ++k) {
        sl_model* model = model_from(needy[k]);
        snapshot before;
        for (size_t r = 0; r < 5; ++r) observe_row(model, &s, r);
        assert_ok(feed_row(model, &s, 0));
        before = snapshot_of(model);
        assert_status(SL_ERROR_STATE, sl_model_observe(model, s.indices, s.values, 2, 1, &error));
        assert_unchanged(model, &before);
        snapshot_free(&before);
        sl_model_free(model);
    }
    sl_model* model = new_model(NULL);
    assert_ok(feed_row(model, &s, 0));
    assert_status(SL_ERROR_STATE, sl_model_observe(model, s.indices, s.values, 2, 1, &error));
    sl_model_free(model);
}

static void observing_without_need_is_refused(void** state) {
    const uint32_t index = 3;
    sl_model* model = new_model("scale", "none");
    (void)state;
    assert_status(SL_ERROR_STATE, sl_model_observe(model, &index, NULL, 1, 1, &error));
    sl_model_free(model);
}

static void bad_rows_are_not_observed(void** state) {
    const uint32_t indices[] = {3, 9000};
    static const double bad[][3] = {{NAN, 1, 1}, {1, INFINITY, 1}, {1e200, 1, 1}, {1, 1, -1}, {1, 1, NAN}};
    sample s;
    sl_model *model = new_model("scale", "rms"), *twin = new_model("scale", "rms"), *small = new_model("scale", "rms", "dimension", "100");
    (void)state;
    fill_sample(&s, 50, 60, 3);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        assert_status(SL_ERROR_INVALID_DATA, sl_model_observe(model, indices, bad[k], 2, bad[k][2], &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_observe(small, indices, NULL, 2, 1, &error));
    assert_status(SL_ERROR_STATE, feed_row(model, &s, 0));
    for (size_t r = 0; r < s.rows; ++r) {
        observe_row(model, &s, r);
        observe_row(twin, &s, r);
    }
    feed_rows(model, &s, 0, s.rows);
    feed_rows(twin, &s, 0, s.rows);
    assert_same_models(model, twin);
    sl_model_free(model);
    sl_model_free(twin);
    sl_model_free(small);
}

static void a_fit_observes_first(void** state) {
    sample s;
    static const char* const nothing[] = {NULL}; /* scale auto */
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 200, 60, 4);
    data = dataset_of(&s);
    for (size_t k = 0; k < NEEDY + 1; ++k) {
        const char* const* pairs = k < NEEDY ? needy[k] : nothing;
        sl_options* options = options_from(pairs);
        sl_model *a = NULL, *b = model_from(pairs);
        assert_ok(sl_options_set(options, "sampling", "sequential", &error));
        assert_ok(sl_model_create(options, &a, &error));
        assert_ok(sl_model_fit(a, data, NULL, NULL, &error));
        for (size_t r = 0; r < s.rows; ++r) observe_row(b, &s, r);
        feed_rows(b, &s, 0, s.rows);
        assert_same_models(a, b);
        sl_options_free(options);
        sl_model_free(a);
        sl_model_free(b);
    }
    sl_dataset_free(data);
}

static void a_data_set_is_observed_row_by_row(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_model *a = new_model("center", "true"), *b = new_model("center", "true"), *small = new_model("dimension", "50");
    size_t done = 0;
    (void)state;
    fill_sample(&s, 200, 60, 6);
    data = dataset_of(&s);
    assert_ok(sl_model_observe_dataset(a, data, &done, &error));
    assert_int_equal(done, 200);
    for (size_t r = 0; r < s.rows; ++r) observe_row(b, &s, r);
    assert_same_models(a, b);

    assert_status(SL_ERROR_INVALID_DATA, sl_model_observe_dataset(small, data, &done, &error));
    assert_message("row");
    assert_true(done < 200);
    sl_model_free(b);
    b = new_model("dimension", "50");
    for (size_t r = 0; r < done; ++r) observe_row(b, &s, r);
    assert_same_models(small, b);

    feed_rows(a, &s, 0, 1);
    done = 77;
    assert_status(SL_ERROR_STATE, sl_model_observe_dataset(a, data, &done, &error));
    assert_int_equal(done, 0);
    sl_dataset_free(data);
    sl_model_free(a);
    sl_model_free(b);
    sl_model_free(small);
}

static void what_was_observed_wins_over_the_data_set(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_model *a = new_model("sampling", "sequential"), *b = new_model(NULL), *fit_alone = new_model("sampling", "sequential");
    (void)state;
    fill_sample(&s, 200, 60, 5);
    data = dataset_of(&s);
    for (size_t r = 0; r < 20; ++r) {
        observe_row(a, &s, r);
        observe_row(b, &s, r);
    }
    assert_ok(sl_model_fit(a, data, NULL, NULL, &error));
    feed_rows(b, &s, 0, s.rows);
    assert_same_models(a, b);
    assert_ok(sl_model_fit(fit_alone, data, NULL, NULL, &error));
    assert_true(row_count(&s, 30) > 0);
    assert_false(same_bits(score_of(a, &s, 30), score_of(fit_alone, &s, 30)));
    sl_model_free(a);
    sl_model_free(b);
    sl_model_free(fit_alone);
    sl_dataset_free(data);
}

static void auto_scales_only_what_was_observed(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_model *bare = new_model(NULL), *none = new_model("scale", "none");
    sl_model *fit = new_model(NULL), *rms = new_model("scale", "rms"), *fit_none = new_model("scale", "none");
    sl_model *centered = new_model("center", "true"), *centered_none = new_model("center", "true", "scale", "none");
    (void)state;
    fill_sample(&s, 200, 60, 6);
    data = dataset_of(&s);
    feed_rows(bare, &s, 0, s.rows);
    feed_rows(none, &s, 0, s.rows);
    assert_same_models(bare, none);
    /* Once a step is made the statistics stay as they are: there are none. */
    assert_ok(sl_model_fit(bare, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(none, data, NULL, NULL, &error));
    assert_same_models(bare, none);

    assert_ok(sl_model_fit(fit, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(rms, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(fit_none, data, NULL, NULL, &error));
    assert_same_models(fit, rms);
    assert_false(same_bits(score_of(fit, &s, 1), score_of(fit_none, &s, 1)));

    assert_ok(sl_model_fit(centered, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(centered_none, data, NULL, NULL, &error));
    assert_same_models(centered, centered_none);
    sl_model_free(bare);
    sl_model_free(none);
    sl_model_free(fit);
    sl_model_free(rms);
    sl_model_free(fit_none);
    sl_model_free(centered);
    sl_model_free(centered_none);
    sl_dataset_free(data);
}

static void a_scaled_step_by_hand(void** state) {
    const uint32_t index = 2;
    const double values[] = {1, 7, -3};
    double weight = 0, score = 0;
    (void)state;
    for (int max_abs = 0; max_abs < 2; ++max_abs) {
        /* The divisor: rms of 1, 7, -3 weighted 1, 1, 2, or the largest magnitude. A row of 2 then gives a step of 1/2 in 2/divisor. */
        const double divisor = max_abs ? 7 : sqrt((1 + 49 + 2 * 9) / 4.0), value = 2;
        sl_model* model = new_model("scale", max_abs ? "max_abs" : "rms", "loss", "squared", "schedule", "constant", "eta0", "0.5", "l2",
                                    "0", "average", "none", "bias", "false");
        for (size_t k = 0; k < 3; ++k) assert_ok(sl_model_observe(model, &index, values + k, 1, k == 2 ? 2 : 1, &error));
        assert_ok(sl_model_observe(model, NULL, NULL, 0, 1, &error)); /* nothing there is not a value */
        assert_ok(sl_model_feed(model, &index, &value, 1, 1, 1, &error));
        assert_ok(sl_model_weight(model, index, &weight, &error));
        assert_near(weight, 0.5 * 2 / divisor / divisor, 1e-15);
        assert_ok(sl_model_predict(model, &index, &value, 1, &score, &error));
        assert_near(score, 2 * weight, 1e-15);
        sl_model_free(model);
    }
}

static void centering_forgets_a_constant(void** state) {
    enum { WIDTH = 5 };
    const double constants[] = {1, -30, 1000};
    sample s;
    (void)state;
    fill_sample(&s, 300, 6, 7);
    for (size_t k = 0; k < 3; ++k) {
        sl_model *a = new_model("center", "true"), *b = new_model("center", "true");
        double x[WIDTH], y[WIDTH], scores[2];
        const uint32_t indices[WIDTH] = {0, 1, 2, 3, 4};
        for (int pass = 0; pass < 2; ++pass) {
            for (size_t r = 0; r < s.rows; ++r) {
                for (size_t j = 0; j < WIDTH; ++j) x[j] = j < row_count(&s, r) ? s.values[s.pointers[r] + (int64_t)j] : 0;
                for (size_t j = 0; j < WIDTH; ++j) y[j] = x[j] + constants[k];
                if (pass == 0) {
                    assert_ok(sl_model_observe(a, indices, x, WIDTH, s.weights[r], &error));
                    assert_ok(sl_model_observe(b, indices, y, WIDTH, s.weights[r], &error));
                } else {
                    assert_ok(sl_model_feed(a, indices, x, WIDTH, s.labels[r], 1, &error));
                    assert_ok(sl_model_feed(b, indices, y, WIDTH, s.labels[r], 1, &error));
                    assert_ok(sl_model_predict(a, indices, x, WIDTH, &scores[0], &error));
                    assert_ok(sl_model_predict(b, indices, y, WIDTH, &scores[1], &error));
                    assert_near(scores[0], scores[1], 1e-10 * (1 + fabs(constants[k])));
                }
            }
        }
        assert_true(fabs(scores[0]) > 1e-3);
        sl_model_free(a);
        sl_model_free(b);
    }
}

/* What finalize has laid out does not outlive what it was laid out of. */
static void observing_after_finalizing_counts(void** state) {
    const uint32_t indices[] = {7};
    unsigned char room[4096];
    size_t length = 0;
    uint64_t dimension = 0;
    sl_model *model = new_model("scale", "rms"), *loaded = NULL;
    (void)state;
    assert_ok(sl_model_finalize(model, &error));
    assert_ok(sl_model_observe(model, indices, NULL, 1, 1, &error));
    assert_ok(sl_model_to_bytes(model, SL_KEEP_PREDICTOR, room, sizeof room, &length, &error));
    assert_ok(sl_model_from_bytes(room, length, &loaded, &error));
    assert_ok(sl_model_dimension(loaded, &dimension, &error));
    assert_int_equal(dimension, 8);
    sl_model_free(model);
    sl_model_free(loaded);
}

/* A sum that overflows is refused; others that are as large are not, whatever has been large before. */
static void statistics_that_overflow_are_refused(void** state) {
    static const struct {
        const char* options[7];
        double value, weight; /* of which two rows are too much, and one is not */
    } cases[] = {
        {{"scale", "rms"}, 1e154, 1},
        {{"scale", "rms", "storage", "hash"}, -1e153, 100},
        {{"scale", "max_abs", "center", "true"}, -1e20, 1e288},
        {{"scale", "none", "center", "true", "normalize", "l2"}, 3, 1e308},
        {{"scale", "max_abs"}, 1e10, 1e308}, /* the weights themselves */
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const uint32_t many[] = {1, 2, 3};
        const double value = cases[k].value, weight = cases[k].weight;
        unsigned char bytes[4096];
        size_t length = 0;
        sl_model *model = model_from(cases[k].options), *again = NULL;
        snapshot before;
        assert_ok(sl_model_observe(model, many, &value, 1, weight, &error));
        if (k < 2) assert_ok(sl_model_observe(model, many + 1, &value, 1, weight / 4, &error));
        before = snapshot_of(model);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_observe(model, many, &value, 1, weight, &error));
        assert_message("the statistics of the features overflow; scale the values or the weights down");
        assert_unchanged(model, &before);
        assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes, sizeof bytes, &length, &error));
        assert_ok(sl_model_from_bytes(bytes, length, &again, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_observe(again, many, &value, 1, weight, &error));
        assert_ok(sl_model_observe(again, many + 2, &value, 1, weight / 1e10, &error));
        snapshot_free(&before);
        sl_model_free(model);
        sl_model_free(again);
    }
}

/* Values that are all 1 or -1 have the size 1, whatever the rows weigh, and are not looked up to be scaled: the bits are those of a model
   that does not scale, but for noise, which counts the features that were observed. A model that was kept half-way knows that too, and
   that values are scaled where one feature differs. */
static void values_of_size_1_stay_as_they_are(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 40, 60, 12);
    for (size_t differs = 0; differs < 2; ++differs) {
        const char* const scaled[] = {"scale", "max_abs", "noise", "0", NULL};
        const char* const rms[] = {"scale", "rms", "storage", "hash", "noise", "0", NULL};
        const char* const plain[] = {"scale", "none", "noise", "0", NULL};
        sl_model* models[] = {model_from(scaled), model_from(rms), model_from(plain)};
        for (int64_t at = 0; at < s.pointers[s.rows]; ++at) s.values[at] = s.values[at] < 0 ? -1 : 1;
        if (differs) s.values[s.pointers[20]] = 3;
        for (size_t k = 0; k < 3; ++k) {
            for (size_t r = 0; r < s.rows && k < 2; ++r) observe_row(models[k], &s, r);
            feed_rows(models[k], &s, 0, 20);
            const bytes kept = bytes_of(models[k], SL_KEEP_EVERYTHING);
            sl_model_free(models[k]);
            models[k] = model_of(kept);
            free(kept.data);
            feed_rows(models[k], &s, 20, s.rows);
        }
        for (size_t k = 0; k < 2; ++k) {
            int same = 1;
            for (size_t r = 0; r < s.rows; ++r) same &= same_bits(score_of(models[k], &s, r), score_of(models[2], &s, r));
            assert_int_equal(same, !differs);
        }
        for (size_t k = 0; k < 3; ++k) sl_model_free(models[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feeding_before_observing_is_refused),
        cmocka_unit_test(observing_after_a_step_is_refused),
        cmocka_unit_test(observing_without_need_is_refused),
        cmocka_unit_test(bad_rows_are_not_observed),
        cmocka_unit_test(a_fit_observes_first),
        cmocka_unit_test(a_data_set_is_observed_row_by_row),
        cmocka_unit_test(what_was_observed_wins_over_the_data_set),
        cmocka_unit_test(auto_scales_only_what_was_observed),
        cmocka_unit_test(a_scaled_step_by_hand),
        cmocka_unit_test(centering_forgets_a_constant),
        cmocka_unit_test(observing_after_finalizing_counts),
        cmocka_unit_test(statistics_that_overflow_are_refused),
        cmocka_unit_test(values_of_size_1_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
