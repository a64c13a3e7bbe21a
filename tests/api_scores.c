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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scikit_learns_figures),
        cmocka_unit_test(models_figures),
        cmocka_unit_test(edges),
        cmocka_unit_test(what_is_wrong_is_named_with_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
