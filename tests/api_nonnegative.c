/* Weights that may not be negative. That each step is the dense recursion's, random_programs shows. */
#include <math.h>

#include "draw_options.h"

static void assert_none_negative(const sl_model* model) {
    snapshot s = snapshot_of(model);
    for (size_t i = 0; i < s.count; ++i) assert_true(s.weights[i] > 0);
    snapshot_free(&s);
}

/* Steps of size 1 on squared loss, from 0: what goes below 0 stops there, and begins there anew. */
static void by_hand(void** state) {
    const uint32_t both[] = {0, 1};
    double weight = 7, bias = 0;
    sl_model* model =
        new_model("loss", "squared", "schedule", "constant", "eta0", "0.5", "l2", "0", "average", "none", "nonnegative", "true");
    (void)state;
    assert_ok(sl_model_feed(model, both, NULL, 1, -3, 1, &error)); /* w = max(0, -1.5), b = -1.5 */
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_true(weight == 0);
    assert_ok(sl_model_bias(model, &bias, &error));
    assert_true(bias == -1.5);
    assert_ok(sl_model_feed(model, both, NULL, 2, 2.5, 1, &error));  /* slope -4: both 2, b = 0.5 */
    assert_ok(sl_model_feed(model, both, NULL, 1, -7.5, 1, &error)); /* slope 10: w_0 = max(0, 2 - 5), b = -4.5 */
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_true(weight == 0);
    assert_ok(sl_model_weight(model, 1, &weight, &error));
    assert_true(weight == 2);
    assert_ok(sl_model_feed(model, both, NULL, 1, -3.5, 1, &error)); /* slope -1: from 0, not from -3 */
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_true(weight == 0.5);
    sl_model_free(model);
}

/* Whatever the other options: after every step, of copies, of files and of what was merged. */
static void none_is_negative(void** state) {
    uint64_t random = 5;
    size_t weights = 0;
    (void)state;
    for (int round = 0; round < 40 / SL_SHARE + 2; ++round) {
        sample s;
        sl_model* drawn = draw_model(&random, "nonnegative");
        sl_options* options = options_of(drawn, "center");
        sl_model *model = NULL, *merged = NULL, *other = NULL;
        sl_model_free(drawn);
        assert_ok(sl_options_set(options, "nonnegative", "true", &error));
        if (sl_model_create(options, &model, NULL) != SL_OK) { /* what only center made sense of */
            sl_options_free(options);
            continue;
        }
        assert_ok(sl_model_create(options, &other, &error));
        sl_options_free(options);
        fill_sample(&s, 150, 40, next_random(&random));
        sl_dataset* data = dataset_of(&s);
        (void)sl_model_observe_dataset(model, data, NULL, NULL);
        (void)sl_model_observe_dataset(other, data, NULL, NULL);
        sl_status status = SL_OK;
        for (size_t r = 0; r < s.rows && status == SL_OK; ++r) {
            const int64_t begin = s.pointers[r];
            status = sl_model_feed(model, s.indices + begin, s.values + begin, row_count(&s, r), s.labels[r], s.weights[r], NULL);
            if (status == SL_OK && r % 7 == 0) assert_none_negative(model);
        }
        assert_none_negative(model);
        if (status == SL_OK && sl_model_feed_rows(other, data, 50, 60, NULL, NULL) == SL_OK) {
            const sl_model* const both[] = {model, other};
            assert_ok(sl_model_merge(both, 2, &merged, &error));
            assert_none_negative(merged);
            sl_model_free(merged);
        }
        snapshot end = snapshot_of(model);
        weights += end.count;
        snapshot_free(&end);
        sl_model_free(model);
        sl_model_free(other);
        sl_dataset_free(data);
    }
    assert_true(weights > 40);
}

static void several_classes(void** state) {
    sample s;
    size_t positive = 0;
    sl_model* model = new_model("nonnegative", "true", "classes", "5", "epochs", "3");
    (void)state;
    fill_sample(&s, 150, 40, 3);
    for (size_t r = 0; r < s.rows; ++r) s.labels[r] = (double)(r % 5);
    sl_dataset* data = dataset_of(&s);
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    assert_none_negative(model);
    for (size_t k = 0; k < 5; ++k) {
        size_t count = 0;
        assert_ok(sl_model_class_nonzeros(model, k, NULL, NULL, 0, &count, &error));
        positive += count > 0;
    }
    assert_int_equal(positive, 5);
    sl_model_free(model);
    sl_dataset_free(data);
}

static void what_cannot_be_is_refused(void** state) {
    const uint32_t index = 3;
    sl_options* options = new_options("nonnegative", "true", "center", "true");
    sl_model *model = NULL, *negative = new_model(NULL);
    (void)state;
    assert_status(SL_ERROR_INVALID_OPTION, sl_model_create(options, &model, &error));
    assert_message("center = true and nonnegative = true exclude each other");
    sl_options_free(options);
    model = new_model("nonnegative", "true");
    assert_ok(sl_model_feed(negative, &index, NULL, 1, -1, 1, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_start(model, negative, &error));
    assert_message("of index 3");
    assert_message("nonnegative");
    sl_model_free(model);
    sl_model_free(negative);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(none_is_negative),
        cmocka_unit_test(several_classes),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
