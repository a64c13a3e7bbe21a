/* Numbers near the ends of what a double holds: no call says SL_OK and gives what is none. */
#include <math.h>
#include <stdio.h>

#include "helpers.h"

/* A model without a bias whose weights are +size and -size, of a loss that is linear. */
static sl_model* with_weights(const char* loss, const char* size, const char* option, const char* value) {
    sl_model* model =
        new_model("loss", loss, "schedule", "constant", "eta0", size, "l2", "0", "average", "none", "bias", "false", option, value);
    for (uint32_t i = 0; i < 2; ++i) assert_ok(sl_model_feed(model, &i, NULL, 1, i ? -1 : 1, 1, &error));
    return model;
}

/* Rows 0 and 1 have small scores, row 2's is inf - inf, and row 3's is infinite. */
static const int64_t pointers[] = {0, 1, 2, 4, 5};
static const uint32_t indices[] = {0, 1, 0, 1, 0};
static const double values[] = {1, 1, 0.9e154, 0.9e154, 1e154}, labels[] = {1, -1, 1, -1};

static const char* const metrics[] = {"loss", "objective", "error_rate", "auc", "log_loss", "rmse", "mae", "r2"};
enum { METRICS = sizeof metrics / sizeof *metrics };

static sl_dataset* rows_from(size_t rows, const int64_t* row_pointers, const double* row_labels) {
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_from_csr(rows, row_pointers, indices, values, row_labels, NULL, &data, &error));
    return data;
}

/* What is asked of a model that has such weights, in each of its forms. */
static void check_refusals(const sl_model* model) {
    double scores[4] = {7, 7, 7, 7}, value = 7;
    for (int k = 2; k < 4; ++k) {
        const size_t first = (size_t)pointers[k];
        sl_dataset* const data = rows_from(k == 2 ? 3 : 1, k == 2 ? pointers : pointers + 3, labels);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predict(model, indices + first, values + first, k == 2 ? 2 : 1, scores, &error));
        assert_message("score");
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predict_csr(model, 3, pointers + k - 2, indices, values, scores, &error));
        assert_message(k == 2 ? "row 2: the score" : "row 1: the score");
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predict_dataset(model, data, scores, 4, &error));
        assert_message(k == 2 ? "row 2: the score" : "row 0: the score");
        for (size_t m = 0; m < METRICS; ++m) {
            const sl_status status = sl_model_evaluate(model, data, metrics[m], &value, &error);
            if (status == SL_ERROR_STATE) continue; /* of another loss, or no training state */
            assert_int_equal(status, SL_ERROR_INVALID_DATA);
            assert_message(k == 2 ? "row 2: the score" : "row 0: the score");
        }
        sl_dataset_free(data);
    }
    for (int r = 0; r < 4; ++r) assert_true(scores[r] == 7);
    assert_true(value == 7);
    assert_ok(sl_model_predict_csr(model, 2, pointers, indices, values, scores, &error));
}

static void a_score_that_overflows_is_refused(void** state) {
    static const struct {
        const char *loss, *option, *value;
    } cases[] = {{"log", NULL, NULL},        {"hinge", NULL, NULL},        {"absolute", NULL, NULL}, {"absolute", "clip_max", "3"},
                 {"log", "storage", "hash"}, {"log", "normalize", "none"}, {"quantile", NULL, NULL}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        sl_model *model = with_weights(cases[k].loss, "4e158", cases[k].option, cases[k].value), *loaded = NULL;
        char bytes[4096];
        size_t length = 0;
        check_refusals(model);
        assert_ok(sl_model_to_bytes(model, SL_KEEP_PREDICTOR, bytes, sizeof bytes, &length, &error));
        assert_in_range(length, 1, sizeof bytes);
        assert_ok(sl_model_from_bytes(bytes, length, &loaded, &error));
        assert_ok(sl_model_finalize(model, &error));
        check_refusals(model);
        check_refusals(loaded);
        sl_model_free(model);
        sl_model_free(loaded);
    }
}

static double value_of(const sl_model* model, const sl_dataset* data, const char* metric) {
    double value = 0;
    assert_ok(sl_model_evaluate(model, data, metric, &value, &error));
    return value;
}

/* Against the same rows and weights, all made smaller by a power of 2. */
static void errors_of_every_size(void** state) {
    static const char* const same[] = {"rmse", "mae", "r2", "loss", "objective"};
    (void)state;
    for (int exponent = -1060; exponent <= 1020; exponent += 10) {
        const double size = ldexp(1, exponent), small[] = {2, -1, 3, 0.5};
        double scaled[4];
        for (int r = 0; r < 4; ++r) scaled[r] = size * small[r];
        sl_model *model = new_model("loss", "absolute"), *squared = new_model("loss", "squared");
        sl_dataset *large = rows_from(4, pointers, scaled), *plain = rows_from(4, pointers, small);
        for (int k = 0; k < 4; ++k) assert_near(value_of(model, large, same[k]), value_of(model, plain, same[k]) * (k == 2 ? 1 : size), 0);
        assert_bits(value_of(squared, large, "r2"), value_of(squared, plain, "r2"));
        if (exponent >= 520) { /* half the square of such an error is beyond what a double holds */
            double value = 7;
            for (int k = 3; k < 5; ++k) {
                assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(squared, large, same[k], &value, &error));
                assert_message("beyond what a double can hold");
            }
            assert_true(value == 7);
        }
        sl_dataset_free(large);
        sl_dataset_free(plain);
        sl_model_free(model);
        sl_model_free(squared);
    }
}

static void more_steps_than_can_be_counted(void** state) {
    enum { ROWS = 2048 };
    static int64_t ends[ROWS + 1];
    static double ones[ROWS];
    sl_dataset* data = NULL;
    sl_model* model = new_model("epochs", "9007199254740992");
    snapshot before = snapshot_of(model);
    (void)state;
    for (int r = 0; r < ROWS; ++r) ones[r] = r % 2 ? 1 : -1;
    assert_ok(sl_dataset_from_csr(ROWS, ends, NULL, NULL, ones, NULL, &data, &error));
    assert_status(SL_ERROR_INVALID_OPTION, sl_model_fit(model, data, NULL, NULL, &error));
    assert_message("9007199254740992");
    assert_message("2048");
    assert_unchanged(model, &before);
    sl_dataset_free(data);
    data = NULL;
    assert_ok(sl_dataset_from_csr(0, NULL, NULL, NULL, NULL, NULL, &data, &error));
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    sl_dataset_free(data);
    snapshot_free(&before);
    sl_model_free(model);
}

static void the_smallest_numbers_are_read(void** state) {
    static const struct {
        const char* text;
        double value;
    } good[] = {
        {"1e-310", 1e-310}, {"5e-324", 5e-324}, {"2.2250738585072011e-308", 2.2250738585072011e-308}, {"3e-324", 5e-324}, {"0e-400", 0}};
    static const char* const too_small[] = {"1e-400", "-1e-400", "2e-324", "1e-99999999999"};
    static const char* const too_large[] = {"1e400", "-1e400", "1e99999999999"};
    sl_options* options = new_options(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        char line[64], bytes[4096];
        uint32_t index = 0;
        double value = 7;
        size_t length = 0, count = 0;
        sl_dataset* data = NULL;
        sl_model *model = new_model("l2", good[k].text), *loaded = NULL;
        text_source t = {line};
        snprintf(line, sizeof line, "1 1:%s\n", good[k].text);
        assert_ok(sl_dataset_read(give_text, &t, NULL, &data, &error));
        assert_ok(sl_dataset_row(data, 0, &index, &value, 1, &count, NULL, NULL, &error));
        assert_int_equal(count, good[k].value != 0);
        if (count) assert_bits(value, good[k].value);
        sl_dataset_free(data);

        assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes, sizeof bytes, &length, &error));
        assert_in_range(length, 1, sizeof bytes);
        assert_ok(sl_model_from_bytes(bytes, length, &loaded, &error));
        assert_ok(sl_model_option(loaded, "l2", line, sizeof line, &length, &error));
        assert_bits(strtod(line, NULL), good[k].value);
        sl_model_free(model);
        sl_model_free(loaded);
    }
    assert_ok(sl_options_set_number(options, "l2", 1e-310, &error));
    for (size_t k = 0; k < sizeof too_small / sizeof *too_small; ++k) {
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "l2", too_small[k], &error));
        assert_message("too small for a double");
        assert_message(too_small[k]);
    }
    for (size_t k = 0; k < sizeof too_large / sizeof *too_large; ++k) {
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "clip_max", too_large[k], &error));
        assert_message("too large for a double");
    }
    sl_options_free(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_that_overflows_is_refused),
        cmocka_unit_test(errors_of_every_size),
        cmocka_unit_test(more_steps_than_can_be_counted),
        cmocka_unit_test(the_smallest_numbers_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
