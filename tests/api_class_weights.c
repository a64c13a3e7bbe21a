/* What rows of each class count: positive_weight and balance. Both are as if the rows had come with other weights, to the bit. */
#include <math.h>

#include "draw_options.h"

static sl_dataset* reweighted(const sl_dataset* data, const sample* s, const double* factors) {
    double weights[SAMPLE_ROWS];
    sl_dataset* other = NULL;
    for (size_t r = 0; r < s->rows; ++r) weights[r] = s->weights[r] * factors[s->labels[r] < 0 ? 0 : (size_t)s->labels[r]];
    assert_ok(sl_dataset_with_labels(data, NULL, weights, &other, &error));
    return other;
}

/* Models of random options for two labels, fitted with an option and without it to other weights. */
static void of_two_labels(void** state) {
    uint64_t random = 25;
    size_t fitted = 0;
    (void)state;
    while (fitted < 60 / SL_SHARE + 2) {
        const int balance = (int)(next_random(&random) % 2);
        double sums[2] = {0, 0}, factors[2] = {1, 2.5};
        sample s;
        sl_dataset *data, *other;
        sl_model *with = NULL, *without = draw_model(&random, "positive_weight");
        sl_options* options = options_of(without, "");
        char dimension[32];
        size_t length;
        assert_ok(sl_options_get(options, "dimension", dimension, sizeof dimension, &length, &error));
        if (sl_options_set(options, balance ? "balance" : "positive_weight", balance ? "true" : "2.5", &error) == SL_OK)
            (void)sl_model_create(options, &with, NULL);
        sl_options_free(options);
        if (!with) { /* a loss without labels */
            assert_status(SL_ERROR_STATE, sl_model_metric(without, "error_rate", NULL, 0, &length, NULL, &error));
            sl_model_free(without);
            continue;
        }
        fill_sample(&s, 120, strcmp(dimension, "40") == 0 ? 40 : 60, next_random(&random));
        for (size_t r = 0; r < s.rows; ++r) {
            if (r % 4) s.labels[r] = -1;
            sums[s.labels[r] > 0] += s.weights[r]; /* of halves: exact */
        }
        for (size_t k = 0; balance && k < 2; ++k) factors[k] = (sums[0] + sums[1]) / (2 * sums[k]);
        data = dataset_of(&s);
        other = reweighted(data, &s, factors);
        /* Statistics are of the weights that the rows come with. */
        if (sl_model_observe_dataset(without, data, NULL, NULL) == SL_OK) assert_ok(sl_model_observe_dataset(with, data, NULL, &error));
        const sl_status status = sl_model_fit(without, other, NULL, NULL, NULL);
        assert_int_equal(sl_model_fit(with, data, NULL, NULL, NULL), status);
        assert_same_models(without, with);
        if (!balance) { /* streams too */
            for (size_t r = 0; r < 20; ++r) {
                const int64_t begin = s.pointers[r];
                const double weight = s.weights[r] * (s.labels[r] > 0 ? 2.5 : 1);
                const sl_status fed =
                    sl_model_feed(without, s.indices + begin, s.values + begin, row_count(&s, r), s.labels[r], weight, NULL);
                assert_int_equal(
                    sl_model_feed(with, s.indices + begin, s.values + begin, row_count(&s, r), s.labels[r], s.weights[r], NULL), fed);
            }
            assert_same_models(without, with);
        }
        ++fitted;
        sl_model_free(with);
        sl_model_free(without);
        sl_dataset_free(data);
        sl_dataset_free(other);
    }
}

static int stop_later(const sl_progress* progress, void* user) {
    (void)user;
    return progress->epoch == 1;
}

/* Five classes, one of them without a row; and a fit that is cancelled, saved, loaded and taken up again. */
static void of_several_classes(void** state) {
    static const double labels[] = {0, 1, 2, 3, 4};
    (void)state;
    for (int one_vs_rest = 0; one_vs_rest < 2; ++one_vs_rest) {
        const char* const multiclass = one_vs_rest ? "one_vs_rest" : "softmax";
        double sums[5] = {0, 0, 0, 0, 0}, factors[5] = {0}, total = 0;
        unsigned char* bytes;
        size_t length = 0;
        sample s;
        fill_sample(&s, 120, 60, 7);
        for (size_t r = 0; r < s.rows; ++r) {
            const double label = (double)(r * r % 5); /* 0, 1 and 4 */
            s.labels[r] = label == 1 && r % 3 ? 3 : label;
            sums[(size_t)s.labels[r]] += s.weights[r];
            total += s.weights[r];
        }
        for (size_t k = 0; k < 5; ++k) factors[k] = sums[k] > 0 ? total / (4 * sums[k]) : 0;
        sl_dataset *data = dataset_of(&s), *other = reweighted(data, &s, factors);
        sl_model *with = new_model("balance", "true", "epochs", "2", "multiclass", multiclass),
                 *without = new_model("epochs", "2", "multiclass", multiclass), *loaded = NULL;
        assert_ok(sl_model_set_labels(with, labels, 5, &error));
        assert_ok(sl_model_set_labels(without, labels, 5, &error));
        assert_ok(sl_model_observe_dataset(with, data, NULL, &error));
        assert_ok(sl_model_observe_dataset(without, data, NULL, &error));
        assert_ok(sl_model_fit(without, other, NULL, NULL, &error));
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(with, data, stop_later, NULL, &error));
        assert_ok(sl_model_to_bytes(with, SL_KEEP_EVERYTHING, NULL, 0, &length, &error));
        bytes = malloc(length);
        assert_non_null(bytes);
        assert_ok(sl_model_to_bytes(with, SL_KEEP_EVERYTHING, bytes, length, &length, &error));
        assert_ok(sl_model_from_bytes(bytes, length, &loaded, &error));
        free(bytes);
        assert_ok(sl_model_fit(loaded, data, NULL, NULL, &error));
        assert_same_models(without, loaded);
        sl_model_free(with);
        sl_model_free(without);
        sl_model_free(loaded);
        sl_dataset_free(data);
        sl_dataset_free(other);
    }
}

/* Without features log loss leaves the share of the larger label, which the header says how to come back to. */
static void probabilities(void** state) {
    double labels[300], score = 0;
    const int64_t pointers[301] = {0};
    sl_dataset* data = NULL;
    (void)state;
    for (size_t r = 0; r < 300; ++r) labels[r] = r % 10 ? -1 : 1;
    assert_ok(sl_dataset_from_csr(300, pointers, NULL, NULL, labels, NULL, &data, &error));
    for (int balance = 0; balance < 2; ++balance) {
        sl_model* model = new_model(balance ? "balance" : "positive_weight", balance ? "true" : "4", "epochs", "200", "l2", "0");
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_ok(sl_model_predict(model, NULL, NULL, 0, &score, &error));
        assert_near(score, log(balance ? 1 : 4.0 / 9), 0.02);
        assert_near(score + log(balance ? 1.0 / 9 : 1.0 / 4), log(1.0 / 9), 0.02);
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

static void what_makes_no_sense_is_refused(void** state) {
    static const char* const pairs[][4] = {{"balance", "true", "positive_weight", "2"},
                                           {"positive_weight", "2", "classes", "3"},
                                           {"balance", "true", "loss", "squared"},
                                           {"positive_weight", "2", "loss", "huber"}};
    const double three[] = {0, 1, 2}, huge[] = {1e300, 1, 1};
    const int64_t pointers[] = {0, 0, 0, 0};
    const uint32_t index = 3;
    sl_model* model = NULL;
    sl_dataset *classes = NULL, *heavy = NULL;
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        sl_options* options = new_options(pairs[k][0], pairs[k][1], pairs[k][2], pairs[k][3]);
        assert_status(SL_ERROR_INVALID_OPTION, sl_model_create(options, &model, &error));
        assert_message(pairs[k][0]);
        assert_message(pairs[k][2]);
        sl_options_free(options);
    }
    sl_options* options = new_options(NULL);
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "positive_weight", "0", &error));
    assert_message("above 0");
    sl_options_free(options);
    assert_ok(sl_dataset_from_csr(3, pointers, NULL, NULL, three, NULL, &classes, &error));
    assert_ok(sl_dataset_from_csr(3, pointers, NULL, NULL, (const double[]){1, 0, 0}, huge, &heavy, &error));
    model = new_model("positive_weight", "1e10");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, classes, NULL, NULL, &error));
    assert_message("positive_weight is for two labels");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_set_labels(model, three, 3, &error));
    assert_message("positive_weight");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 1, 1e300, &error));
    assert_message("times 1e+10");
    assert_ok(sl_model_feed(model, &index, NULL, 1, -1, 1, &error));
    sl_model_free(model);
    model = new_model("positive_weight", "1e10", "sampling", "sequential");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, heavy, NULL, NULL, &error));
    assert_message("row 0: the weight");
    sl_model_free(model);
    model = new_model("balance", "true");
    assert_status(SL_ERROR_STATE, sl_model_feed(model, &index, NULL, 1, 1, 1, &error));
    assert_message("balance");
    assert_status(SL_ERROR_STATE, sl_model_feed_dataset(model, heavy, NULL, &error));
    assert_message("balance");
    sl_model_free(model);
    sl_dataset_free(classes);
    sl_dataset_free(heavy);
}

/* A row whose weight comes to 0 is one of weight 0, fitted as fed. */
static void weights_too_small_are_0(void** state) {
    static const int64_t pointers[] = {0, 1, 2};
    static const uint32_t indices[] = {0, 1};
    static const double labels[] = {1, -1}, weights[] = {1e-300, 1};
    sl_dataset* data = NULL;
    sl_model *fed = new_model("positive_weight", "1e-300"), *fitted = new_model("positive_weight", "1e-300", "sampling", "sequential");
    uint64_t steps = 0;
    double weight = 7;
    (void)state;
    assert_ok(sl_dataset_from_csr(2, pointers, indices, NULL, labels, weights, &data, &error));
    assert_ok(sl_model_fit(fitted, data, NULL, NULL, &error));
    assert_ok(sl_model_feed_dataset(fed, data, NULL, &error));
    for (size_t i = 0; i < 2; ++i) {
        const sl_model* const model = i ? fed : fitted;
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_int_equal(steps, 1);
        assert_ok(sl_model_weight(model, 0, &weight, &error));
        assert_true(weight == 0);
        sl_model_free(i ? fed : fitted);
    }
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_labels),           cmocka_unit_test(of_several_classes),
        cmocka_unit_test(probabilities),           cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(weights_too_small_are_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
