/* Which classes a model has: labels that are set, or that a data set has, and what functions of one score say of several. */
#include <math.h>

#include "classes.h"

static void labels_that_are_set(void** state) {
    static const double mixed[] = {7, -2.5, 1e10, -0.0}, ordered[] = {-2.5, 0, 7, 1e10};
    const double twice[] = {3, 1, 2, 3}, infinite[] = {1, 2, INFINITY}, none[] = {1, NAN, 2};
    const uint32_t index = 3;
    (void)state;
    for (int how = 0; how < 2; ++how) { /* classes auto and 4 */
        sl_model* model = how ? new_model("classes", "4") : new_model(NULL);
        assert_int_equal(classes_of(model), how ? 4 : 1);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_set_labels(model, twice, 4, &error));
        assert_message("the label 3 is there twice");
        assert_status(how ? SL_ERROR_INVALID_ARGUMENT : SL_ERROR_INVALID_DATA, sl_model_set_labels(model, infinite, 3, &error));
        assert_message(how ? "the option classes is 4" : "label number 2 is inf");
        if (!how) {
            assert_status(SL_ERROR_INVALID_DATA, sl_model_set_labels(model, none, 3, &error));
            assert_message("label number 1 is nan");
        }
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_set_labels(model, mixed, 1, &error));
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_set_labels(model, mixed, WIDEST + 1, &error));
        assert_message("65536");
        assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_set_labels(model, NULL, 4, &error));
        assert_int_equal(classes_of(model), how ? 4 : 1);
        assert_ok(sl_model_set_labels(model, mixed, 4, &error));
        assert_labels(model, ordered, 4);
        assert_int_equal(classes_of(model), 4);
        assert_status(SL_ERROR_STATE, sl_model_set_labels(model, mixed, 4, &error));
        assert_message("fixed already");
        assert_ok(sl_model_feed(model, &index, NULL, 1, 1e10, 1, &error));
        snapshot before = snapshot_of(model);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 3, 1, &error));
        assert_message("the label is 3");
        assert_unchanged(model, &before);
        snapshot_free(&before);
        sl_model_free(model);
    }
    sl_model* two = new_model(NULL);
    assert_ok(sl_model_set_labels(two, mixed, 2, &error));
    assert_labels(two, (const double[]){-2.5, 7}, 2);
    assert_int_equal(classes_of(two), 1);
    sl_model_free(two);
    two = new_model(NULL);
    assert_ok(sl_model_feed(two, &index, NULL, 1, 1, 1, &error));
    assert_status(SL_ERROR_STATE, sl_model_set_labels(two, mixed, 4, &error));
    sl_model_free(two);
    two = new_model("loss", "squared");
    assert_status(SL_ERROR_STATE, sl_model_set_labels(two, mixed, 4, &error));
    assert_message("squared");
    sl_model_free(two);
}

/* Rows of one entry each, labelled `first`, `first` + `step`, ... */
static sl_dataset* counted(size_t rows, double first, double step) {
    int64_t* pointers = malloc((rows + 1) * sizeof *pointers);
    uint32_t* indices = malloc(rows * sizeof *indices);
    double* labels = malloc(rows * sizeof *labels);
    sl_dataset* data = NULL;
    assert_true(pointers && indices && labels);
    for (size_t r = 0; r <= rows; ++r) pointers[r] = (int64_t)r;
    for (size_t r = 0; r < rows; ++r) {
        indices[r] = (uint32_t)r % 7;
        labels[r] = first + step * (double)r;
    }
    assert_ok(sl_dataset_from_csr(rows, pointers, indices, NULL, labels, NULL, &data, &error));
    free(pointers);
    free(indices);
    free(labels);
    return data;
}

static void labels_that_a_data_set_has(void** state) {
    static const struct {
        const char* classes; /* the option */
        size_t rows;
        double first, step;
        size_t found; /* 0: refused, with these words */
        const char* words[3];
    } cases[] = {
        {"auto", 3, 5, 2, 3, {0}},
        {"auto", 1000, -500, 1, 1000, {0}},
        {"auto", 1001, 0, 1, 0, {"row 1000: the label 1000 ", "loss squared", "option classes"}},
        {"auto", 5, 2, 0.5, 0, {"row 1: the label 2.5", "loss squared", "option classes"}},
        {"1001", 1001, 9, 1, 1001, {0}},
        {"5", 5, 2, 0.5, 5, {0}},
        {"5", 4, 0, 1, 5, {0}},
        {"5", 6, 0, 1, 0, {"row 5: the label 5 is one more", "option classes says, 5", "auto"}},
        {"2", 3, 0, 1, 0, {"row 2: the label 2 is one more", "option classes says, 2", "auto"}},
        {"5", 4, 3, 1, 0, {"row 2: the label is 5", "5 classes", "sl_model_set_labels"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sl_model* model = new_model("classes", cases[i].classes);
        sl_dataset* data = counted(cases[i].rows, cases[i].first, cases[i].step);
        snapshot before = snapshot_of(model);
        if (cases[i].found) {
            double label = 77;
            assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
            assert_int_equal(classes_of(model), cases[i].found);
            double* scores = calloc(cases[i].found, sizeof *scores);
            assert_non_null(scores);
            scores[1] = 1;
            assert_ok(sl_model_predicted_labels(model, scores, 1, &label, &error));
            assert_bits(label, cases[i].first + cases[i].step);
            free(scores);
        } else {
            assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, data, NULL, NULL, &error));
            for (size_t w = 0; w < 3; ++w) assert_message(cases[i].words[w]);
            assert_unchanged(model, &before);
        }
        snapshot_free(&before);
        sl_dataset_free(data);
        sl_model_free(model);
    }
    /* Classes that a trained model does not know. */
    sl_model* model = new_model(NULL);
    sl_dataset *three = counted(3, 0, 1), *four = counted(4, 0, 1);
    assert_ok(sl_model_fit(model, three, NULL, NULL, &error));
    snapshot before = snapshot_of(model);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, four, NULL, NULL, &error));
    assert_message("row 3: the label is 3");
    assert_unchanged(model, &before);
    snapshot_free(&before);
    sl_dataset_free(three);
    sl_dataset_free(four);
    sl_model_free(model);
}

static void functions_of_one_score_name_the_one_to_use(void** state) {
    sample s;
    double a = 0, b = 0, scores[300 * CLASSES];
    size_t count = 0;
    sl_model* model = new_model("classes", "4");
    (void)state;
    fill_classes(&s, 300, 60, CLASSES, 6);
    sl_dataset* data = dataset_of(&s);
    feed_rows(model, &s, 0, s.rows);
    const uint32_t* const x = s.indices;
#define assert_refused(name, call)              \
    do {                                        \
        assert_status(SL_ERROR_STATE, call);    \
        assert_message("4 classes");            \
        assert_message("; use sl_model_" name); \
    } while (0)
    assert_refused("scores", sl_model_predict(model, x, s.values, 1, &a, &error));
    assert_refused("scores_csr", sl_model_predict_csr(model, 3, s.pointers, x, s.values, scores, &error));
    assert_refused("scores_dataset", sl_model_predict_dataset(model, data, scores, 300, &error));
    assert_refused("scores_rows", sl_model_predict_rows(model, data, 0, 1, scores, &error));
    assert_refused("probabilities", sl_model_probability(model, 1, &a, &error));
    assert_refused("predicted_labels", sl_model_label(model, 1, &a, &error));
    assert_refused("class_labels", sl_model_labels(model, &a, &b, &error));
    assert_refused("class_bias", sl_model_bias(model, &a, &error));
    assert_refused("class_weight", sl_model_weight(model, 1, &a, &error));
    assert_refused("class_nonzeros", sl_model_nonzeros(model, NULL, NULL, 0, &count, &error));
    for (const char* const* metric = (const char* const[]){"auc", "brier", "calibration_error", "rmse", "r2", NULL}; *metric; ++metric) {
        assert_status(SL_ERROR_STATE, sl_model_evaluate(model, data, *metric, &a, &error));
        assert_message("macro_f1");
    }
    /* Classes that there are none of, and room that is too small: nothing is written. */
    a = 77;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_class_bias(model, 4, &a, &error));
    assert_message("no class number 4");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_class_weight(model, SIZE_MAX, 1, &a, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_class_nonzeros(model, 4, NULL, NULL, 0, &count, &error));
    for (size_t i = 0; i < 300 * CLASSES; ++i) scores[i] = 77;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_scores(model, x, s.values, 1, scores, 3, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_scores_csr(model, 300, s.pointers, x, s.values, scores, 300 * CLASSES - 1, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_scores_dataset(model, data, scores, 300 * CLASSES - 1, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_scores_rows(model, data, 7, 2, scores, 2 * CLASSES - 1, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_scores_rows(model, data, 299, 2, scores, 2 * CLASSES, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_confusion(model, data, scores, CLASSES * CLASSES - 1, &error));
    for (size_t i = 0; i < 300 * CLASSES; ++i) assert_true(scores[i] == 77);
    assert_true(a == 77);
    sl_model_free(model);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_that_are_set),
        cmocka_unit_test(labels_that_a_data_set_has),
        cmocka_unit_test(functions_of_one_score_name_the_one_to_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
