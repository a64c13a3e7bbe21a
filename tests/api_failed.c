/* A call that fails changes nothing: the bytes of the model are as they were, and so are those it comes to later. */
#include <math.h>

#include "draw_options.h"
#include "keeping.h"

enum { ROWS = 40, DIMENSION = 40 };

/* A model that is made to fail, and its twin that is not; both are fed the same rows. */
typedef struct pair {
    sl_model *model, *twin;
} pair;

static void free_pair(pair p) {
    sl_model_free(p.model);
    sl_model_free(p.twin);
}

static void feed_both(pair p, const sample* s, size_t first, size_t last) {
    for (size_t r = first; r < last; ++r) {
        const sl_status status = feed_row(p.model, s, r);
        assert_int_equal(status, feed_row(p.twin, s, r));
    }
}

#define assert_refused(expected, p, call) check_refused((p), (expected), (error.status = SL_OK, (call)), #call, __FILE__, __LINE__)

static void check_refused(pair p, sl_status expected, sl_status status, const char* call, const char* file, int line) {
    check_status(expected, status, call, file, line);
    check_same_kept(p.model, p.twin, file, line);
}

/* `steps`: whether some have been made. */
static void refuse_everything(pair p, const sample* s, int two_labels, int steps) {
    const uint32_t indices[] = {3, 7, 4000000000u};
    const double values[] = {1, 2, 3}, bad_values[] = {1, NAN, 3}, too_large[] = {1e200, 1, 1};
    const int64_t two_rows[] = {0, 2, 3}, descending[] = {2, 1, 3};
    const double bad_labels[] = {INFINITY, 1}, labels[] = {1, 1}, bad_weights[] = {-1, 1};
    sl_model* m = p.model;
    size_t done = 9;
    double scores[2];
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, bad_values, 3, 1, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, too_large, 3, 1, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, values, 3, NAN, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, values, 3, 1, -1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, values, 3, 1, INFINITY, &error));
    assert_refused(SL_ERROR_INVALID_ARGUMENT, p, sl_model_feed(m, NULL, values, 3, 1, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed_csr(m, 2, two_rows, indices, bad_values, labels, NULL, &done, &error));
    assert_int_equal(done, 0);
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed_csr(m, 2, two_rows, indices, values, bad_labels, NULL, &done, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed_csr(m, 2, two_rows, indices, values, labels, bad_weights, &done, &error));
    assert_refused(SL_ERROR_INVALID_ARGUMENT, p, sl_model_feed_csr(m, 2, descending, indices, values, labels, NULL, &done, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_observe(m, indices, bad_values, 3, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_observe(m, indices, values, 3, NAN, &error));
    if (steps) assert_refused(SL_ERROR_STATE, p, sl_model_observe(m, indices, values, 3, 1, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_predict(m, indices, bad_values, 3, scores, &error));
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_predict_csr(m, 2, two_rows, indices, bad_values, scores, &error));
    if (two_labels) {
        sample three = *s;
        assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(m, indices, values, 3, 2, 1, &error));
        for (size_t r = 0; r < 3; ++r) three.labels[r] = (double)r / 2 - 0.5; /* no whole numbers, so no classes */
        sl_dataset* data = dataset_of(&three);
        if (!steps) assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_fit(m, data, NULL, NULL, &error));
        sl_dataset_free(data);
        three.labels[0] = 5;
        data = dataset_of(&three);
        assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_fit(m, data, NULL, NULL, &error));
        sl_dataset_free(data);
    }
}

static void refused_calls_leave_no_trace(void** state) {
    (void)state;
    for (uint64_t n = 0; n < 200 / SL_SHARE; ++n) {
        uint64_t random = n, again = n, steps = 0;
        const pair p = {draw_model(&random, "dimension"), draw_model(&again, "dimension")};
        sample s;
        char loss[32];
        size_t length = 0;
        fill_sample(&s, ROWS, DIMENSION, n);
        assert_ok(sl_model_option(p.model, "loss", loss, sizeof loss, &length, &error));
        const int two_labels = strcmp(loss, "log") == 0 || strstr(loss, "hinge") != NULL;
        refuse_everything(p, &s, two_labels, 0);
        if (n % 2)
            for (size_t r = 0; r < 20; ++r)
                assert_int_equal(sl_model_observe(p.model, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, NULL),
                                 sl_model_observe(p.twin, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), 1, NULL));
        refuse_everything(p, &s, two_labels, 0);
        feed_both(p, &s, 0, 30);
        assert_ok(sl_model_steps(p.model, &steps, &error));
        refuse_everything(p, &s, two_labels, steps > 0);
        feed_both(p, &s, 30, ROWS);
        assert_same_kept(p.model, p.twin);
        free_pair(p);
    }
}

static void indices_beyond_the_dimension_leave_no_trace(void** state) {
    const pair p = {new_model("dimension", "40", "storage", "hash"), new_model("dimension", "40", "storage", "hash")};
    const uint32_t indices[] = {39, 40};
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, ROWS, 40, 3);
    for (size_t r = 0; r < ROWS; r += 10) {
        assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_observe(p.model, indices, NULL, 2, 1, &error));
        assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_feed(p.model, indices, NULL, 2, 1, 1, &error));
        feed_both(p, &s, r, r + 10);
    }
    s.indices[s.pointers[ROWS] - 1] = 40;
    data = dataset_of(&s);
    assert_refused(SL_ERROR_INVALID_DATA, p, sl_model_fit(p.model, data, NULL, NULL, &error));
    sl_dataset_free(data);
    free_pair(p);
}

static void feeding_before_observing_leaves_no_trace(void** state) {
    const char* const needing[][2] = {{"center", "true"}, {"scale", "rms"}, {"scale", "max_abs"}};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        const pair p = {new_model(needing[i][0], needing[i][1]), new_model(needing[i][0], needing[i][1])};
        sample s;
        size_t done = 9;
        fill_sample(&s, ROWS, DIMENSION, 3);
        assert_refused(SL_ERROR_STATE, p, feed_row(p.model, &s, 0));
        assert_refused(SL_ERROR_STATE, p,
                       sl_model_feed_csr(p.model, s.rows, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
        assert_int_equal(done, 0);
        free_pair(p);
    }
}

/* A step that would overflow: the first one, with statistics just observed, and a later one. */
static void a_step_too_far_leaves_no_trace(void** state) {
    const char* const scales[] = {"none", "rms", "max_abs", "auto"};
    const char* const averages[] = {"none", "uniform", "polynomial"};
    (void)state;
    for (int i = 0; i < 48; ++i) {
        const char *scale = scales[i % 4], *average = averages[i / 4 % 3], *storage = i / 12 % 2 ? "hash" : "dense";
        const char* center = i / 24 ? "true" : "false";
        const char* const options[] = {"loss", "squared", "schedule", "constant", "eta0",  "0.1",    "l2",   "1e-3", "scale",
                                       scale,  "average", average,    "storage",  storage, "center", center, NULL,   NULL};
        const pair p = {model_from(options), model_from(options)};
        const uint32_t far[] = {5, 900};
        sample s;
        fill_sample(&s, ROWS, DIMENSION, 3);
        if (i % 4)
            for (size_t r = 0; r < ROWS; ++r) {
                const uint32_t* indices = s.indices + s.pointers[r];
                const double* values = s.values + s.pointers[r];
                assert_ok(sl_model_observe(p.model, indices, values, row_count(&s, r), 1, &error));
                assert_ok(sl_model_observe(p.twin, indices, values, row_count(&s, r), 1, &error));
            }
        else if (i / 24) {
            assert_ok(sl_model_observe(p.model, NULL, NULL, 0, 1, &error));
            assert_ok(sl_model_observe(p.twin, NULL, NULL, 0, 1, &error));
        }
        assert_refused(SL_ERROR_DIVERGED, p, sl_model_feed(p.model, far, NULL, 2, 1e306, 1, &error));
        feed_both(p, &s, 0, 20);
        assert_refused(SL_ERROR_DIVERGED, p, sl_model_feed(p.model, far, NULL, 2, -1e306, 1, &error));
        feed_both(p, &s, 20, ROWS);
        assert_same_kept(p.model, p.twin);
        free_pair(p);
    }
}

/* The same in a fit: whatever the first row of it did not learn, the model does not know. */
static void a_fit_that_learns_nothing_leaves_no_trace(void** state) {
    const char* const scales[] = {"none", "rms", "auto"};
    (void)state;
    for (int i = 0; i < 6; ++i) {
        const char* const options[] = {"loss",     "squared",    "schedule", "constant",    "eta0", "0.1",
                                       "sampling", "sequential", "scale",    scales[i % 3], NULL,   NULL};
        const pair p = {model_from(options), model_from(options)};
        sample s;
        sl_dataset *data = NULL, *good = NULL;
        fill_sample(&s, ROWS, DIMENSION, 3);
        good = dataset_of(&s);
        s.labels[0] = 1e306;
        data = dataset_of(&s);
        if (i / 3) {
            assert_ok(sl_model_fit(p.model, good, NULL, NULL, &error));
            assert_ok(sl_model_fit(p.twin, good, NULL, NULL, &error));
        }
        assert_status(SL_ERROR_DIVERGED, sl_model_fit(p.model, data, NULL, NULL, &error));
        assert_message("row 0");
        assert_same_kept(p.model, p.twin);
        sl_dataset_free(data);
        assert_ok(sl_model_fit(p.model, good, NULL, NULL, &error));
        assert_ok(sl_model_fit(p.twin, good, NULL, NULL, &error));
        assert_same_kept(p.model, p.twin);
        sl_dataset_free(good);
        free_pair(p);
    }
}

static int stop(const sl_progress* progress, void* user) {
    (void)progress;
    (void)user;
    return 1;
}

/* Nor does a fit that is refused make the model forget where an earlier one was cancelled. */
static void a_refused_fit_keeps_the_place_of_a_cancelled_one(void** state) {
    (void)state;
    for (int i = 0; i < 3; ++i) {
        const char* const options[] = {"loss", i == 0 ? "log" : "squared", "epochs", "3", "schedule", "constant", "eta0", "0.1", NULL,
                                       NULL};
        const pair p = {model_from(options), model_from(options)};
        sample s;
        sl_dataset *data = NULL, *bad = NULL;
        fill_sample(&s, ROWS, DIMENSION, 3);
        data = dataset_of(&s);
        for (size_t r = 0; r < ROWS; ++r) s.labels[r] = i == 0 ? (double)r : 1e306;
        bad = dataset_of(&s);
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(p.model, data, stop, NULL, &error));
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(p.twin, data, stop, NULL, &error));
        assert_refused(i == 0 ? SL_ERROR_INVALID_DATA : SL_ERROR_DIVERGED, p, sl_model_fit(p.model, bad, NULL, NULL, &error));
        assert_ok(sl_model_fit(p.model, data, NULL, NULL, &error));
        assert_ok(sl_model_fit(p.twin, data, NULL, NULL, &error));
        assert_same_kept(p.model, p.twin);
        sl_dataset_free(data);
        sl_dataset_free(bad);
        free_pair(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_calls_leave_no_trace),
        cmocka_unit_test(indices_beyond_the_dimension_leave_no_trace),
        cmocka_unit_test(feeding_before_observing_leaves_no_trace),
        cmocka_unit_test(a_step_too_far_leaves_no_trace),
        cmocka_unit_test(a_fit_that_learns_nothing_leaves_no_trace),
        cmocka_unit_test(a_refused_fit_keeps_the_place_of_a_cancelled_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
