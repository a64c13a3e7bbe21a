/*
 * Centering: adding a constant to every entry of every row changes no prediction (SPEC section 6; Dekel 2017, section 4).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sparselin.h"

enum { FEATURES = 24, ROWS = 400, TESTS = 50 };

static double rows[ROWS + TESTS][FEATURES], labels[ROWS];
static uint32_t indices[FEATURES];

static double draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static int make_rows(void** unused) {
    uint64_t state = 7;
    double truth[FEATURES];
    (void)unused;
    for (uint32_t j = 0; j < FEATURES; ++j) {
        indices[j] = 3 * j;
        truth[j] = draw(&state);
    }
    for (size_t r = 0; r < ROWS + TESTS; ++r) {
        double sum = 0;
        for (size_t j = 0; j < FEATURES; ++j) {
            const double value = draw(&state);
            rows[r][j] = draw(&state) < 0 ? 0 : value; /* zeros become c as the others do */
            sum += truth[j] * rows[r][j];
        }
        if (r < ROWS) labels[r] = sum + 0.3 * draw(&state) > 0 ? 1 : -1;
    }
    return 0;
}

static void check(sl_status status, const sl_error* error) {
    if (status != SL_OK) fail_msg("%s: %s", sl_status_name(status), error->message);
}

static sl_model* new_model(const char* const (*settings)[2], size_t count) {
    sl_options* options = NULL;
    sl_model* model = NULL;
    sl_error error;
    check(sl_options_create(&options, &error), &error);
    check(sl_options_set(options, "center", "true", &error), &error);
    for (size_t i = 0; i < count; ++i)
        if (settings[i][0]) check(sl_options_set(options, settings[i][0], settings[i][1], &error), &error);
    check(sl_model_create(options, &model, &error), &error);
    sl_options_free(options);
    return model;
}

static void shifted(const double* row, double c, double* values) {
    for (size_t j = 0; j < FEATURES; ++j) values[j] = row[j] + c;
}

/* The test rows' predictions of a model that was trained on rows to which c was added. */
static void predictions(const char* const (*settings)[2], size_t count, double c, int fits, double* scores) {
    sl_model* model = new_model(settings, count);
    sl_error error;
    double values[FEATURES];
    if (fits) {
        static double all[ROWS][FEATURES];
        static uint32_t all_indices[ROWS * FEATURES];
        int64_t pointers[ROWS + 1];
        sl_dataset* data = NULL;
        for (size_t r = 0; r <= ROWS; ++r) pointers[r] = (int64_t)(r * FEATURES);
        for (size_t r = 0; r < ROWS; ++r) {
            shifted(rows[r], c, all[r]);
            for (size_t j = 0; j < FEATURES; ++j) all_indices[r * FEATURES + j] = indices[j];
        }
        check(sl_dataset_from_csr(ROWS, pointers, all_indices, all[0], labels, NULL, &data, &error), &error);
        check(sl_model_fit(model, data, NULL, NULL, &error), &error);
        sl_dataset_free(data);
    } else {
        for (size_t r = 0; r < ROWS; ++r) {
            shifted(rows[r], c, values);
            check(sl_model_observe(model, indices, values, FEATURES, 1, &error), &error);
        }
        for (size_t r = 0; r < ROWS; ++r) {
            shifted(rows[r], c, values);
            check(sl_model_feed(model, indices, values, FEATURES, labels[r], 1, &error), &error);
        }
    }
    for (size_t r = 0; r < TESTS; ++r) {
        shifted(rows[ROWS + r], c, values);
        check(sl_model_predict(model, indices, values, FEATURES, &scores[r], &error), &error);
    }
    sl_model_free(model);
}

static void a_shift_changes_no_prediction(void** unused) {
    static const char* const settings[][4][2] = {
        {{"loss", "log"}},
        {{"loss", "hinge"}, {"average", "uniform"}, {"schedule", "inverse_lambda"}, {"l2", "0.01"}},
        {{"loss", "squared"}, {"update", "fobos"}, {"l2", "0.1"}, {"bias_regularized", "true"}},
        {{"loss", "squared_hinge"}, {"average", "none"}, {"schedule", "constant"}, {"eta0", "0.01"}},
        {{"loss", "huber"}, {"average_start", "100"}, {"bias", "false"}, {"epochs", "3"}},
        {{"preset", "dekel-casgd"}, {"l2", "0.05"}},
        {{"average_start", "auto"}, {"loss", "log"}},
        {{"loss", "hinge"}, {"average", "polynomial"}, {"schedule", "inverse_lambda"}, {"l2", "0.001"}},
        {{"loss", "log"}, {"schedule", "constant"}, {"eta0", "0.1"}, {"l2", "4"}}, /* the weights settle every 28 steps */
    };
    static const double shifts[] = {1e-3, 1, 30, 1e3, -1e3};
    double worst = 0;
    (void)unused;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; ++s)
        for (int fits = 0; fits < 2; ++fits) {
            double plain[TESTS], moved[TESTS];
            predictions(settings[s], 4, 0, fits, plain);
            for (size_t k = 0; k < sizeof shifts / sizeof *shifts; ++k) {
                const double allowed = 1e-10 * (1 + fabs(shifts[k]));
                predictions(settings[s], 4, shifts[k], fits, moved);
                for (size_t r = 0; r < TESTS; ++r) {
                    const double error = fabs(moved[r] - plain[r]) / fmax(1, fabs(plain[r]));
                    worst = fmax(worst, error / allowed);
                    if (!(error <= allowed))
                        fail_msg("case %zu, shift %g, row %zu: %.17g became %.17g", s, shifts[k], r, plain[r], moved[r]);
                }
            }
        }
    printf("worst change: %.3g of what is allowed\n", worst);
}

/* Without centering the same shift does change them: the test above can fail. */
static void without_centering_it_does(void** unused) {
    static const char* const settings[][2] = {{"center", "false"}, {"scale", "none"}};
    double plain[TESTS], moved[TESTS];
    (void)unused;
    predictions(settings, 1, 0, 1, plain);
    predictions(settings, 1, 30, 1, moved);
    assert_true(fabs(moved[0] - plain[0]) > 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_changes_no_prediction),
        cmocka_unit_test(without_centering_it_does),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
