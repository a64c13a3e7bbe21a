/* Figures of merit of scores without a model: those of tests/data/scores.txt, which are scikit-learn's, and those of models. */
#include <math.h>

#include "helpers.h"

enum { MOST_ROWS = 200, MOST_CLASSES = 8 };

typedef struct rows {
    size_t count, classes;
    double labels[MOST_ROWS], weights[MOST_ROWS], scores[MOST_ROWS * MOST_CLASSES];
} rows;

static double figure(const char* metric, const rows* r) {
    double value = 0;
    assert_ok(sl_evaluate_scores(metric, r->scores, r->count, r->classes, r->labels, r->weights, &value, &error));
    return value;
}

static void scikit_learns_figures(void** state) {
    FILE* const file = fopen(SL_TEST_DATA "/scores.txt", "r");
    char line[256];
    static rows r, reversed;
    size_t cases = 0, compared = 0;
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        size_t figures = 0;
        if (sscanf(line, "case %zu %zu", &r.count, &r.classes) != 2) continue;
        assert_in_range(r.count, 1, MOST_ROWS);
        assert_in_range(r.classes, 1, MOST_CLASSES);
        ++cases;
        reversed.count = r.count;
        reversed.classes = r.classes;
        for (size_t i = 0; i < r.count; ++i) {
            const size_t last = r.count - 1 - i;
            assert_int_equal(fscanf(file, "%lf %lf", &r.labels[i], &r.weights[i]), 2);
            for (size_t k = 0; k < r.classes; ++k) {
                assert_int_equal(fscanf(file, "%lf", &r.scores[i * r.classes + k]), 1);
                reversed.scores[last * r.classes + k] = r.scores[i * r.classes + k];
            }
            reversed.labels[last] = r.labels[i] == -1 && r.count == 40 && r.classes == 1 ? 0 : r.labels[i]; /* 0 is as -1 */
            reversed.weights[last] = r.weights[i];
        }
        assert_int_equal(fscanf(file, " figures %zu ", &figures), 1);
        for (size_t f = 0; f < figures; ++f) {
            char metric[40];
            double expected = 0;
            assert_int_equal(fscanf(file, "%39s %lf", metric, &expected), 2);
            assert_near(figure(metric, &r), expected, 1e-12);
            if (strcmp(metric, "rmse") != 0 && strcmp(metric, "mae") != 0 && strcmp(metric, "r2") != 0)
                assert_near(figure(metric, &reversed), expected, 1e-12);
            ++compared;
        }
    }
    fclose(file);
    assert_int_equal(cases, 8);
    assert_int_equal(compared, 4 * 11 + 3 * 4 + 3);
}

/* Of its own scores a model's figures are those of the scores, to the bit. */
static void models_figures(void** state) {
    static const char* const of_two[] = {"error_rate", "f1",    "macro_f1",          "mcc",  "auc", "average_precision",
                                         "log_loss",   "brier", "calibration_error", "rmse", "mae", "r2"};
    static const char* const of_five[] = {"error_rate", "macro_f1", "mcc", "log_loss"};
    (void)state;
    for (int five = 0; five < 2; ++five) {
        const char* const* const metrics = five ? of_five : of_two;
        const size_t count = five ? sizeof of_five / sizeof *of_five : sizeof of_two / sizeof *of_two;
        static rows r;
        sample s;
        sl_dataset* data = NULL;
        sl_model* model = NULL;
        fill_sample(&s, 150, 40, 1);
        for (size_t i = 0; five && i < s.rows; ++i) s.labels[i] = (double)(i * i % 5);
        model = five ? new_model("classes", "5") : new_model(NULL);
        data = dataset_of(&s);
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        r.count = s.rows;
        r.classes = five ? 5 : 1;
        assert_ok(sl_model_scores_dataset(model, data, r.scores, sizeof r.scores / sizeof *r.scores, &error));
        memcpy(r.labels, s.labels, s.rows * sizeof *r.labels);
        memcpy(r.weights, s.weights, s.rows * sizeof *r.weights);
        for (size_t m = 0; m < count; ++m) {
            double value = 0;
            assert_ok(sl_model_evaluate(model, data, metrics[m], &value, &error));
            assert_bits(figure(metrics[m], &r), value);
        }
        sl_model_free(model);
        sl_dataset_free(data);
    }
}

static void edges(void** state) {
    const double scores[] = {-1, -2, -3, 0}, mixed[] = {1, -1, 1, -1}, larger[] = {1, 1, 1, 1}, smaller[] = {-1, -1, 0, -1},
                 weightless[] = {0, 0, 0, 0}, high[] = {1, 2, 3, 4};
    double value = 7;
    (void)state;
    /* All predicted to be of one label: no correlation, no F1. */
    assert_ok(sl_evaluate_scores("mcc", scores, 4, 1, mixed, NULL, &value, &error));
    assert_true(value == 0);
    assert_ok(sl_evaluate_scores("f1", scores, 4, 1, mixed, NULL, &value, &error));
    assert_true(value == 0);
    assert_ok(sl_evaluate_scores("mcc", high, 4, 1, larger, NULL, &value, &error));
    assert_true(value == 0);
    assert_ok(sl_evaluate_scores("average_precision", scores, 4, 1, larger, NULL, &value, &error));
    assert_true(value == 1);
    assert_ok(sl_evaluate_scores("f1", high, 4, 1, larger, NULL, &value, &error));
    assert_true(value == 1);
    value = 7;
    assert_status(SL_ERROR_INVALID_DATA, sl_evaluate_scores("average_precision", scores, 4, 1, smaller, NULL, &value, &error));
    assert_message("no row that counts has the larger label");
    assert_status(SL_ERROR_INVALID_DATA, sl_evaluate_scores("f1", scores, 4, 1, smaller, NULL, &value, &error));
    assert_message("f1 is undefined");
    assert_status(SL_ERROR_INVALID_DATA, sl_evaluate_scores("f1", scores, 4, 1, mixed, weightless, &value, &error));
    assert_message("no rows of weight above 0");
    assert_status(SL_ERROR_INVALID_DATA, sl_evaluate_scores("mae", NULL, 0, 1, NULL, NULL, &value, &error));
    assert_true(value == 7);
}

static void what_is_wrong_is_named_with_its_row(void** state) {
    const double scores[] = {1, -1, 2, 0, 3, 1}, labels[] = {1, 0, -1, 1, 1, 1}, classes[] = {0, 2}, fraction[] = {0, 0.5},
                 beyond[] = {0, 3};
    const double third[] = {1, 0, 2, 1, 1, 1}, not_finite[] = {1, -1, NAN, 0, 3, 1}, infinite[] = {1, -1, 2, 0, 3, -INFINITY};
    const double negative[] = {1, 1, 1, 1, -1, 1}, endless[] = {1, 0, -1, INFINITY, 1, 1};
    double value = 7;
    (void)state;
#define refuses(status, text, ...)                                              \
    do {                                                                        \
        assert_status(status, sl_evaluate_scores(__VA_ARGS__, &value, &error)); \
        assert_message(text);                                                   \
    } while (0)
    refuses(SL_ERROR_INVALID_DATA, "row 2: the label is 2, but for auc it is -1 (or 0) or 1", "auc", scores, 6, 1, third, NULL);
    refuses(SL_ERROR_INVALID_DATA, "row 2: the score is nan", "auc", not_finite, 6, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the score of class 2 is -inf", "mcc", infinite, 2, 3, classes, NULL);
    refuses(SL_ERROR_INVALID_DATA, "row 4", "mae", scores, 6, 1, labels, negative);
    refuses(SL_ERROR_INVALID_DATA, "row 3", "mae", scores, 6, 1, endless, NULL);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the label is 0.5, but of 3 classes it is a whole number from 0 to 2", "mcc", scores, 2, 3,
            fraction, NULL);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the label is 3", "mcc", scores, 2, 3, beyond, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "classes is 2", "mcc", scores, 3, 2, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "classes is 0", "mcc", scores, 3, 0, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "auc is not defined for 3 classes; there is error_rate, macro_f1, mcc, log_loss", "auc", scores, 2,
            3, classes, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "no metric 'loss' of scores; it is one of error_rate, f1", "loss", scores, 6, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "'auk'", "auk", scores, 6, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "scores", "auc", NULL, 6, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "labels", "auc", scores, 6, 1, NULL, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "metric", NULL, scores, 6, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "rows", "auc", scores, SIZE_MAX, 1, labels, NULL);
    refuses(SL_ERROR_INVALID_ARGUMENT, "rows * classes", "mcc", scores, SIZE_MAX / 16, 3, labels, NULL);
#undef refuses
    assert_true(value == 7);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_evaluate_scores("auc", scores, 6, 1, labels, NULL, NULL, &error));
    assert_ok(sl_evaluate_scores("mae", scores, 6, 1, third, NULL, &value, &error));
}

/* Rows of a quarter of the weight each; those of one probability are parted. A row of weight 0 is not there. */
static void calibration_by_hand(void** state) {
    static const double p[] = {0.5, 0.125, 0.75, 0.5, 1}, labels[] = {1, -1, 1, 0, 1}, weights[] = {2, 1, 3, 2, 0};
    static const double expected_p[] = {0.3125, 0.5, 0.625, 0.75}, expected[] = {0.25, 0.5, 0.75, 1};
    double predicted[4], observed[4], chance[4], value = 0, scores[5], error_of_bins = 0;
    (void)state;
    assert_ok(sl_calibration(p, 5, labels, weights, 4, predicted, observed, chance, &error));
    for (size_t k = 0; k < 4; ++k) {
        assert_near(predicted[k], expected_p[k], 1e-15);
        assert_near(observed[k], expected[k], 1e-15);
    }
    /* The first bin has all of row 1, and a quarter of what rows 0 and 3 have. */
    assert_near(chance[0], sqrt(0.125 * 0.875 + (4 + 4) * 0.25 / 4) / 2, 1e-15);
    assert_ok(sl_calibration(p, 5, labels, weights, 1, predicted, observed, NULL, &error));
    assert_near(predicted[0], (0.125 + 4 * 0.5 + 3 * 0.75) / 8, 1e-15);
    assert_near(observed[0], 5.0 / 8, 1e-15);
    /* Of ten bins it is the metric. */
    double ten_p[10], ten[10];
    for (size_t r = 0; r < 4; ++r) scores[r] = log(p[r] / (1 - p[r]));
    assert_ok(sl_calibration(p, 4, labels, weights, 10, ten_p, ten, NULL, &error));
    for (size_t k = 0; k < 10; ++k) error_of_bins += fabs(ten_p[k] - ten[k]) / 10;
    assert_ok(sl_evaluate_scores("calibration_error", scores, 4, 1, labels, weights, &value, &error));
    assert_near(error_of_bins, value, 1e-14);
}

static void no_calibration_of_what_is_none(void** state) {
    static const double p[] = {0.5, 1.5}, labels[] = {1, 2}, weights[] = {0, -1}, right[] = {0.5, 0.5}, none[] = {0, 0}, nan[] = {0.5, NAN};
    double predicted = 7, observed = 7;
    (void)state;
#define refuses(status, words, ...)                                                              \
    do {                                                                                         \
        assert_status(status, sl_calibration(__VA_ARGS__, &predicted, &observed, NULL, &error)); \
        assert_message(words);                                                                   \
    } while (0)
    refuses(SL_ERROR_INVALID_DATA, "row 1: the probability is 1.5, but must be from 0 to 1", p, 2, none, NULL, 1);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the probability is nan", nan, 2, none, NULL, 1);
    refuses(SL_ERROR_INVALID_DATA, "row 0: the label is 0.5, but for calibration it is -1 (or 0) or 1", right, 1, right, NULL, 1);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the label is 2", right, 2, labels, NULL, 1);
    refuses(SL_ERROR_INVALID_DATA, "row 1: the weight is -1", right, 2, none, weights, 1);
    refuses(SL_ERROR_INVALID_DATA, "calibration is undefined: there are no rows of weight above 0", right, 2, none, none, 1);
    refuses(SL_ERROR_INVALID_DATA, "there are no rows", NULL, 0, NULL, NULL, 1);
    refuses(SL_ERROR_INVALID_ARGUMENT, "bins is 0, but must be from 1 to 1048576", right, 2, none, NULL, 0);
    refuses(SL_ERROR_INVALID_ARGUMENT, "bins is 1048577", right, 2, none, NULL, 1048577);
    refuses(SL_ERROR_INVALID_ARGUMENT, "probabilities", NULL, 2, none, NULL, 1);
    refuses(SL_ERROR_INVALID_ARGUMENT, "labels", right, 2, NULL, NULL, 1);
#undef refuses
    assert_true(predicted == 7 && observed == 7);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_calibration(right, 2, none, NULL, 1, NULL, &observed, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_calibration(right, 2, none, NULL, 1, &predicted, NULL, NULL, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scikit_learns_figures),
        cmocka_unit_test(models_figures),
        cmocka_unit_test(edges),
        cmocka_unit_test(what_is_wrong_is_named_with_its_row),
        cmocka_unit_test(calibration_by_hand),
        cmocka_unit_test(no_calibration_of_what_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
