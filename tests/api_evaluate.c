/* Figures of merit against values worked out by hand. */
#include <math.h>

#include "helpers.h"

/* A model without a bias whose first weights are as given: one step of size 1 each, from 0. For log and hinge losses at score 0 the slopes
   are 1/2 and 1, for squared loss it is the label. */
static sl_model* crafted(const char* loss, const double* weights, uint32_t count, const char* option, const char* value) {
    sl_model* model =
        new_model("loss", loss, "schedule", "constant", "eta0", "1", "l2", "0", "average", "none", "bias", "false", option, value);
    for (uint32_t i = 0; i < count; ++i) {
        const double w = weights[i], size = strcmp(loss, "log") == 0 ? 2 * fabs(w) : fabs(w);
        double made = 0;
        if (strcmp(loss, "squared") == 0)
            assert_ok(sl_model_feed(model, &i, NULL, 1, w, 1, &error));
        else
            assert_ok(sl_model_feed(model, &i, NULL, 1, w > 0 ? 1 : -1, size, &error));
        assert_ok(sl_model_weight(model, i, &made, &error));
        assert_true(made == w);
    }
    return model;
}

static double value_of(const sl_model* model, const sl_dataset* data, const char* metric) {
    double value = 0;
    assert_ok(sl_model_evaluate(model, data, metric, &value, &error));
    return value;
}

/* Scores 1.5, -0.5, 0.25, -2, -0.5 (a tie), 0 and 1.5, of rows weighted 1, 2, 0.5, 3, 1.5, 1 and 0. The first, second and last are of the
 * larger label. */
static const double weights_of_4[] = {1.5, -0.5, 0.25, -2};
static const int64_t pointers_of_7[] = {0, 1, 2, 3, 4, 5, 5, 7};
static const uint32_t indices_of_7[] = {0, 1, 2, 3, 1, 0, 4000};
static const double weights_of_7[] = {1, 2, 0.5, 3, 1.5, 1, 0};
static const double scores_of_7[] = {1.5, -0.5, 0.25, -2, -0.5, 0, 1.5};

static sl_dataset* seven(double smaller, double larger) {
    const double labels[] = {larger, larger, smaller, smaller, smaller, smaller, larger};
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_from_csr(7, pointers_of_7, indices_of_7, NULL, labels, weights_of_7, &data, &error));
    return data;
}

static void two_labels(void** state) {
    double log_loss = 0, hinge = 0, squared_hinge = 0;
    sl_dataset *data = seven(-1, 1), *zero_one = seven(0, 1);
    sl_model *model = crafted("log", weights_of_4, 4, NULL, NULL), *flat = crafted("hinge", weights_of_4, 4, NULL, NULL),
             *square = crafted("squared_hinge", weights_of_4, 4, NULL, NULL);
    (void)state;
    for (size_t r = 0; r < 7; ++r) {
        const double margin = scores_of_7[r] * (r < 2 || r == 6 ? 1 : -1);
        log_loss += weights_of_7[r] * log(1 + exp(-margin)) / 9;
        hinge += weights_of_7[r] * fmax(0, 1 - margin) / 9;
        squared_hinge += weights_of_7[r] * fmax(0, 1 - margin) * fmax(0, 1 - margin) / 18;
    }
    for (int pass = 0; pass < 2; ++pass) {
        assert_near(value_of(model, data, "loss"), log_loss, 1e-14);
        assert_near(value_of(model, data, "log_loss"), log_loss, 1e-14);
        assert_near(value_of(model, data, "objective"), log_loss, 1e-14);
        assert_near(value_of(flat, data, "loss"), hinge, 1e-14);
        assert_near(value_of(square, data, "loss"), squared_hinge, 1e-14);
        assert_near(value_of(model, data, "error_rate"), 2.5 / 9, 1e-15);
        assert_near(value_of(model, data, "auc"), 0.75, 1e-15);
        assert_near(value_of(flat, data, "auc"), 0.75, 1e-15);
        /* Right and wrong of the larger label: 1 and 2 of the labelled, 1 and 0.5 of the predicted. */
        assert_near(value_of(flat, data, "f1"), 2 / 4.5, 1e-15);
        assert_near(value_of(flat, data, "mcc"), (1 * 5.5 - 0.5 * 2) / sqrt(1.5 * 3 * 6 * 7.5), 1e-15);
        /* At scores 1.5, 0.25 and 0, and -0.5: 1 of 1, then 3 of 6. */
        assert_near(value_of(flat, data, "average_precision"), (1 + 2 * 3 / 6.0) / 3, 1e-15);
        assert_near(value_of(model, data, "rmse"), sqrt(9.90625 / 9), 1e-15);
        assert_near(value_of(model, data, "mae"), 8.875 / 9, 1e-15);
        assert_near(value_of(model, data, "r2"), -0.23828125, 1e-14);
        assert_bits(value_of(model, zero_one, "rmse"), value_of(model, data, "rmse"));
        assert_bits(value_of(model, zero_one, "auc"), value_of(model, data, "auc"));
        assert_ok(sl_model_finalize(model, &error));
    }
    sl_model_free(model);
    sl_model_free(flat);
    sl_model_free(square);
    sl_dataset_free(data);
    sl_dataset_free(zero_one);
}

/* Rows of probability 1/4 (feature 0), 1/2 (none) and 3/4 (feature 1), as many as there are letters: lower case for the smaller label. */
static sl_dataset* quarters(const char* rows, const double* weights) {
    int64_t pointers[41] = {0};
    uint32_t indices[40];
    double labels[40];
    size_t count = 0;
    int64_t end = 0;
    sl_dataset* data = NULL;
    for (; rows[count]; ++count) {
        if (strchr("aA", rows[count])) indices[end++] = 0;
        if (strchr("cC", rows[count])) indices[end++] = 1;
        labels[count] = strchr("ABC", rows[count]) ? 1 : 0;
        pointers[count + 1] = end;
    }
    assert_ok(sl_dataset_from_csr(count, pointers, indices, NULL, labels, weights, &data, &error));
    return data;
}

static void probabilities(void** state) {
    static const struct {
        const char* rows;
        double weights[10], brier, calibration_error;
    } cases[] = {
        /* Ten bins of a row each: 1/4 is right in four; 3/4 is 5/6 in six. Both would be 0 over single rows, or bins by value. */
        {"aAaaCCcCCC", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1.625 / 10, 0.05},
        /* Ten bins of weight 2. A unit of weight is off by -1/4 in the first 3, by 1/2 in the next 2, by -1/4 in the last 15: the bins by
           1/2, 1/4 (1/2 - 1/4), 1/4, and seven times 1/2. */
        {"CaAbbCC", {7.5, 1.5, 1.5, 0.5, 1.5, 6.5, 1}, (1.5 * 0.0625 + 1.5 * 0.5625 + 2 * 0.25 + 15 * 0.0625) / 20, 0.225},
        /* One row fills all bins, and what has no weight none. */
        {"AcC", {3, 0, 0}, 0.5625, 0.75},
        {"B", {1}, 0.25, 0.5},
        {"bBbBbCA", {0.1, 0.7, 1.3, 0.2, 0.6, 0, 0}, 0.25, 0.5 - 0.9 / 2.9},
    };
    const double log_3[] = {-log(3), log(3)};
    sl_model* model = crafted("log", log_3, 2, NULL, NULL);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const size_t count = strlen(cases[k].rows);
        char reversed[11] = {0}, doubled[21] = {0};
        double weights[10], halves[20];
        sl_dataset *data = quarters(cases[k].rows, cases[k].weights), *other_order = NULL, *in_halves = NULL;
        for (size_t r = 0; r < count; ++r) {
            reversed[count - 1 - r] = doubled[r] = doubled[count + r] = cases[k].rows[r];
            weights[count - 1 - r] = cases[k].weights[r];
            halves[r] = halves[count + r] = cases[k].weights[r] / 2;
        }
        other_order = quarters(reversed, weights);
        in_halves = quarters(doubled, halves);
        assert_near(value_of(model, data, "brier"), cases[k].brier, 1e-15);
        assert_near(value_of(model, data, "calibration_error"), cases[k].calibration_error, 1e-15);
        assert_bits(value_of(model, other_order, "calibration_error"), value_of(model, data, "calibration_error"));
        assert_near(value_of(model, in_halves, "calibration_error"), cases[k].calibration_error, 1e-15);
        sl_dataset_free(data);
        sl_dataset_free(other_order);
        sl_dataset_free(in_halves);
    }
    sl_model_free(model);
}

/* Weights count in proportion, however small or large: powers of two change no bit. */
static void weights_of_any_size(void** state) {
    static const char* const metrics[] = {"loss",  "error_rate",        "f1",   "macro_f1", "mcc", "auc", "average_precision",
                                          "brier", "calibration_error", "rmse", "mae",      "r2"};
    const double sizes[] = {ldexp(1, -1000), ldexp(1, -600), ldexp(1, 600), ldexp(1, 1021)};
    sl_dataset* data = seven(-1, 1);
    sl_model* model = crafted("log", weights_of_4, 4, NULL, NULL);
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        const double labels[] = {1, 1, -1, -1, -1, -1, 1};
        double weights[7];
        sl_dataset* scaled = NULL;
        for (size_t r = 0; r < 7; ++r) weights[r] = weights_of_7[r] * sizes[k];
        assert_ok(sl_dataset_from_csr(7, pointers_of_7, indices_of_7, NULL, labels, weights, &scaled, &error));
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; ++m)
            assert_bits(value_of(model, scaled, metrics[m]), value_of(model, data, metrics[m]));
        sl_dataset_free(scaled);
    }
    sl_model_free(model);
    sl_dataset_free(data);
}

static void any_label(void** state) {
    /* Residuals p - y of 2, -0.5, 0.05 and -3, weighted 1, 2, 4 and 1. */
    const double weights[] = {3, 1, 0.25, -1}, labels[] = {1, 1.5, 0.2, 2}, importance[] = {1, 2, 4, 1};
    const int64_t pointers[] = {0, 1, 2, 3, 4};
    const uint32_t indices[] = {0, 1, 2, 3};
    static const struct {
        const char *loss, *option, *value;
        double sum;
    } cases[] = {
        {"squared", "l1", "0", 2 + 2 * 0.125 + 4 * 0.00125 + 4.5},
        {"absolute", "l1", "0", 2 + 2 * 0.5 + 4 * 0.05 + 3},
        {"huber", "huber_delta", "1", 1.5 + 2 * 0.125 + 4 * 0.00125 + 2.5},
        {"huber", "huber_delta", "2.5", 2 + 2 * 0.125 + 4 * 0.00125 + 2.5 * 1.75},
        {"epsilon_insensitive", "epsilon", "0.1", 1.9 + 2 * 0.4 + 0 + 2.9},
        {"quantile", "quantile", "0.25", 0.75 * 2 + 2 * 0.25 * 0.5 + 4 * 0.75 * 0.05 + 0.25 * 3},
    };
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_dataset_from_csr(4, pointers, indices, NULL, labels, importance, &data, &error));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        sl_model* model = new_model("loss", cases[k].loss, cases[k].option, cases[k].value, "schedule", "constant", "eta0", "1", "l2", "0",
                                    "average", "none", "bias", "false");
        const double slope = strcmp(cases[k].loss, "quantile") == 0 ? 0.25 : 1, above = strcmp(cases[k].loss, "quantile") == 0 ? 0.75 : 1;
        for (uint32_t i = 0; i < 4; ++i) { /* from 0, a step of size 1 against a slope that the weight makes up to what is wanted */
            const double w = weights[i], full = strcmp(cases[k].loss, "squared") == 0 ? fabs(w) : w > 0 ? slope : above;
            const double label = strcmp(cases[k].loss, "squared") == 0 ? w : w > 0 ? 100 : -100;
            const double huber = strcmp(cases[k].loss, "huber") == 0 ? strtod(cases[k].value, NULL) : 1;
            assert_ok(sl_model_feed(model, &i, NULL, 1, label, fabs(w) / full / huber, &error));
        }
        assert_near(value_of(model, data, "loss"), cases[k].sum / 8, 1e-14);
        assert_near(value_of(model, data, "objective"), cases[k].sum / 8, 1e-14);
        assert_near(value_of(model, data, "rmse"), sqrt((4 + 0.5 + 0.01 + 9) / 8), 1e-14);
        assert_near(value_of(model, data, "mae"), (2 + 1 + 0.2 + 3) / 8, 1e-14);
        /* Labels: mean (1 + 3 + 0.8 + 2) / 8 = 0.85, mean square (1 + 4.5 + 0.16 + 4) / 8 = 1.2075. */
        assert_near(value_of(model, data, "r2"), 1 - (13.51 / 8) / (1.2075 - 0.7225), 1e-13);
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

static void the_objective_adds_the_penalties(void** state) {
    const uint32_t index = 3;
    const double rms = 4;
    (void)state;
    for (int scaled = 0; scaled < 2; ++scaled) {
        for (int regularized = 0; regularized < 2; ++regularized) {
            double expected = 0, bias = 0, scaled_weight = 0;
            sample s;
            sl_dataset* data = NULL;
            sl_model* model = new_model("l1", "0.01", "l2", "0.3", "bias_regularized", regularized ? "true" : "false", "scale",
                                        scaled ? "rms" : "none", "average", "uniform", "eta0", "0.5");
            fill_sample(&s, 200, 60, 1);
            data = dataset_of(&s);
            if (scaled) assert_ok(sl_model_observe(model, &index, &rms, 1, 1, &error));
            feed_rows(model, &s, 0, s.rows);
            expected = value_of(model, data, "loss");
            assert_ok(sl_model_bias(model, &bias, &error));
            for (uint32_t i = 0; i < 60; ++i) {
                assert_ok(sl_model_weight(model, i, &scaled_weight, &error));
                if (scaled && i == index) scaled_weight *= rms;
                expected += 0.01 * fabs(scaled_weight) + 0.15 * scaled_weight * scaled_weight;
            }
            if (regularized) expected += 0.15 * bias * bias;
            assert_true(expected - value_of(model, data, "loss") > 1e-4);
            assert_near(value_of(model, data, "objective"), expected, 1e-13);
            sl_model_free(model);
            sl_dataset_free(data);
        }
    }
}

static void clipped_scores_are_what_counts(void** state) {
    sl_dataset* data = seven(-1, 1);
    sl_model* model = crafted("squared", weights_of_4, 4, "clip_max", "0.5");
    (void)state;
    /* Row 0: (0.5 - 1)^2 = 0.25, as before clipping; row 1: 2 * 2.25; then 0.78125, 3, 0.375 and 1. */
    assert_near(value_of(model, data, "rmse"), sqrt((0.25 + 4.5 + 0.78125 + 3 + 0.375 + 1) / 9), 1e-15);
    assert_near(value_of(model, data, "loss"), (0.25 + 4.5 + 0.78125 + 3 + 0.375 + 1) / 18, 1e-15);
    sl_model_free(model);
    model = crafted("squared", weights_of_4, 4, "clip_min", "-1");
    /* Row 3 is now right. */
    assert_near(value_of(model, data, "loss"), (0.25 + 4.5 + 0.78125 + 0 + 0.375 + 1) / 18, 1e-15);
    sl_model_free(model);
    sl_dataset_free(data);
}

static void undefined_figures_are_refused(void** state) {
    static const char* const all[] = {"loss",     "objective", "error_rate",        "f1",   "macro_f1", "mcc", "auc", "average_precision",
                                      "log_loss", "brier",     "calibration_error", "rmse", "mae",      "r2"};
    const int64_t pointers[] = {0, 0, 0};
    const double zeros[] = {0, 0}, both[] = {-1, 1}, same[] = {1, 1}, weighted_one[] = {1, 0}, other[] = {1, 2};
    double value = 7;
    sl_dataset *empty = NULL, *weightless = NULL, *one_class = NULL, *one_counted = NULL, *outside = NULL;
    sl_model* model = crafted("log", weights_of_4, 4, NULL, NULL);
    (void)state;
    assert_ok(sl_dataset_from_csr(0, pointers, NULL, NULL, NULL, NULL, &empty, &error));
    assert_ok(sl_dataset_from_csr(2, pointers, NULL, NULL, both, zeros, &weightless, &error));
    assert_ok(sl_dataset_from_csr(2, pointers, NULL, NULL, same, NULL, &one_class, &error));
    assert_ok(sl_dataset_from_csr(2, pointers, NULL, NULL, both, weighted_one, &one_counted, &error));
    assert_ok(sl_dataset_from_csr(2, pointers, NULL, NULL, other, NULL, &outside, &error));
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, empty, all[k], &value, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, weightless, all[k], &value, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, outside, all[k], &value, &error));
    }
    assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, one_class, "auc", &value, &error));
    assert_message("auc");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, one_class, "r2", &value, &error));
    assert_message("r2");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, one_counted, "auc", &value, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_evaluate(model, one_counted, "r2", &value, &error));
    assert_true(value == 7);
    assert_true(value_of(model, one_class, "error_rate") == 1); /* scores of 0 */
    assert_true(value_of(model, one_class, "mae") == 1);
    sl_model_free(model);
    sl_dataset_free(empty);
    sl_dataset_free(weightless);
    sl_dataset_free(one_class);
    sl_dataset_free(one_counted);
    sl_dataset_free(outside);
}

static void a_metric_is_named_and_has_a_better_side(void** state) {
    static const char* const losses[][2] = {
        {"log", "log_loss"}, {"hinge", "error_rate"}, {"squared_hinge", "error_rate"}, {"squared", "loss"}};
    static const char* const smaller[] = {"loss", "objective", "error_rate", "log_loss", "brier", "calibration_error", "rmse", "mae"};
    static const char* const larger[] = {"f1", "macro_f1", "mcc", "auc", "average_precision", "r2"};
    char name[20];
    size_t length = 0;
    (void)state;
    for (size_t l = 0; l < 4; ++l) {
        sl_model* model = new_model("loss", losses[l][0]);
        assert_ok(sl_model_metric(model, NULL, name, sizeof name, &length, NULL, &error));
        assert_string_equal(name, losses[l][1]);
        assert_int_equal(length, strlen(losses[l][1]) + 1);
        sl_model_free(model);
    }
    sl_model *model = new_model(NULL), *regression = new_model("loss", "squared");
    for (size_t k = 0; k < 14; ++k) {
        const char* metric = k < 8 ? smaller[k] : larger[k - 8];
        int is_larger = 7;
        assert_ok(sl_model_metric(model, metric, name, sizeof name, &length, &is_larger, &error));
        assert_string_equal(name, metric);
        assert_int_equal(is_larger, k >= 8);
    }
    length = 7;
    assert_status(SL_ERROR_STATE, sl_model_metric(regression, "auc", name, sizeof name, &length, NULL, &error));
    assert_message("auc needs loss log, hinge or squared_hinge; this model's is squared");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_metric(model, "auk", name, sizeof name, &length, NULL, &error));
    assert_message("there is no metric 'auk'");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_metric(NULL, NULL, name, sizeof name, &length, NULL, &error));
    assert_int_equal(length, 7);
    sl_model_free(model);
    sl_model_free(regression);
}

static void figures_of_other_losses_are_refused(void** state) {
    static const char* const unknown[] = {"accuracy", "", "AUC", "loss ", "rms"};
    static const char* const of_probabilities[] = {"log_loss", "brier", "calibration_error"};
    double value = 7;
    sl_dataset* data = seven(-1, 1);
    sl_model *regression = crafted("squared", weights_of_4, 4, NULL, NULL), *hinge = crafted("hinge", weights_of_4, 4, NULL, NULL);
    (void)state;
    assert_status(SL_ERROR_STATE, sl_model_evaluate(regression, data, "error_rate", &value, &error));
    assert_message("error_rate");
    assert_status(SL_ERROR_STATE, sl_model_evaluate(regression, data, "auc", &value, &error));
    assert_status(SL_ERROR_STATE, sl_model_evaluate(regression, data, "log_loss", &value, &error));
    for (size_t k = 0; k < sizeof of_probabilities / sizeof *of_probabilities; ++k) {
        assert_status(SL_ERROR_STATE, sl_model_evaluate(hinge, data, of_probabilities[k], &value, &error));
        assert_message(of_probabilities[k]);
    }
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; ++k) {
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_evaluate(hinge, data, unknown[k], &value, &error));
        assert_message(unknown[k]);
        assert_message(
            "loss, objective, error_rate, f1, macro_f1, mcc, auc, average_precision, log_loss, brier, calibration_error, rmse, mae, r2");
    }
    assert_true(value == 7);
    sl_model_free(regression);
    sl_model_free(hinge);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_labels),
        cmocka_unit_test(probabilities),
        cmocka_unit_test(weights_of_any_size),
        cmocka_unit_test(any_label),
        cmocka_unit_test(the_objective_adds_the_penalties),
        cmocka_unit_test(clipped_scores_are_what_counts),
        cmocka_unit_test(undefined_figures_are_refused),
        cmocka_unit_test(a_metric_is_named_and_has_a_better_side),
        cmocka_unit_test(figures_of_other_losses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
