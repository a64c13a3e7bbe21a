/* The pair of labels: what fixes it, what is refused, what a score says. */
#include <math.h>

#include "helpers.h"

/* A data set of the sample's rows whose labels -1, +1 are replaced by `smaller` and `larger`. */
static sl_dataset* relabelled(const sample* s, double smaller, double larger) {
    sample copy = *s;
    for (size_t r = 0; r < copy.rows; ++r) copy.labels[r] = s->labels[r] > 0 ? larger : smaller;
    return dataset_of(&copy);
}

static void assert_pair(const sl_model* model, double smaller, double larger) {
    double pair[2] = {77, 77};
    assert_ok(sl_model_labels(model, &pair[0], &pair[1], &error));
    assert_true(pair[0] == smaller && pair[1] == larger);
    assert_ok(sl_model_label(model, 1e-300, &pair[0], &error));
    assert_true(pair[0] == larger);
    assert_ok(sl_model_label(model, 0, &pair[0], &error));
    assert_true(pair[0] == smaller);
    assert_ok(sl_model_label(model, -3, &pair[0], &error));
    assert_true(pair[0] == smaller);
}

static const char* const two_label_losses[] = {"log", "hinge", "squared_hinge"};

static void a_data_set_fixes_its_pair(void** state) {
    static const double pairs[][2] = {{-1, 1}, {0, 1}, {1, 2}, {-7.5, 1e10}, {3, 3.5}, {-1, 0}};
    sample s;
    (void)state;
    fill_sample(&s, 150, 60, 1);
    for (size_t k = 0; k < 3; ++k) {
        sl_model* first = NULL;
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; ++p) {
            double rate = 1;
            sl_dataset* data = relabelled(&s, pairs[p][0], pairs[p][1]);
            sl_model* model = new_model("loss", two_label_losses[k]);
            assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
            assert_pair(model, pairs[p][0], pairs[p][1]);
            assert_ok(sl_model_evaluate(model, data, "error_rate", &rate, &error));
            assert_true(rate < 0.4);
            if (!first) {
                first = model;
            } else {
                assert_same_models(first, model);
                sl_model_free(model);
            }
            sl_dataset_free(data);
        }
        sl_model_free(first);
    }
}

static void feeding_fixes_minus_1_and_plus_1(void** state) {
    const uint32_t index = 4;
    double smaller = 0, larger = 0, label = 0;
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        sl_model* model = new_model("loss", two_label_losses[k]);
        assert_status(SL_ERROR_STATE, sl_model_labels(model, &smaller, &larger, &error));
        assert_status(SL_ERROR_STATE, sl_model_label(model, 1, &label, &error));
        assert_ok(sl_model_feed(model, &index, NULL, 1, 1, 1, &error));
        assert_pair(model, -1, 1);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_label(model, NAN, &label, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 2, 1, &error));
        assert_pair(model, -1, 1);
        sl_model_free(model);
    }
}

static void the_pair_is_fixed_for_good(void** state) {
    const uint32_t index = 4;
    sample s;
    sl_dataset *zero_one = NULL, *one_two = NULL, *minus_plus = NULL, *only_two = NULL;
    sl_model *model = new_model(NULL), *fed = new_model(NULL);
    snapshot before;
    (void)state;
    fill_sample(&s, 100, 60, 2);
    zero_one = relabelled(&s, 0, 1);
    one_two = relabelled(&s, 1, 2);
    minus_plus = relabelled(&s, -1, 1);
    only_two = relabelled(&s, 2, 2);
    assert_ok(sl_model_fit(model, one_two, NULL, NULL, &error));
    before = snapshot_of(model);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, zero_one, NULL, NULL, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, minus_plus, NULL, NULL, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, -1, 1, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 0, 1, &error));
    assert_unchanged(model, &before);
    assert_pair(model, 1, 2);
    assert_ok(sl_model_feed(model, &index, NULL, 1, 2, 1, &error));
    assert_ok(sl_model_feed(model, &index, NULL, 1, 1, 1, &error));
    assert_ok(sl_model_fit(model, only_two, NULL, NULL, &error));
    assert_pair(model, 1, 2);

    assert_ok(sl_model_feed(fed, &index, NULL, 1, 1, 1, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(fed, one_two, NULL, NULL, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(fed, only_two, NULL, NULL, &error));
    assert_ok(sl_model_fit(fed, minus_plus, NULL, NULL, &error));
    assert_ok(sl_model_fit(fed, zero_one, NULL, NULL, &error));
    assert_pair(fed, -1, 1);
    snapshot_free(&before);
    sl_model_free(model);
    sl_model_free(fed);
    sl_dataset_free(zero_one);
    sl_dataset_free(one_two);
    sl_dataset_free(minus_plus);
    sl_dataset_free(only_two);
}

static void one_label_alone_has_to_be_known(void** state) {
    static const double known[] = {-1, 0, 1}, unknown[] = {2, 0.5, -3};
    sample s;
    (void)state;
    fill_sample(&s, 50, 60, 3);
    for (size_t k = 0; k < 3; ++k) {
        double score = 0, smaller = 0, larger = 0;
        uint64_t steps = 7;
        sl_dataset* data = relabelled(&s, known[k], known[k]);
        sl_model* model = new_model(NULL);
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_ok(sl_model_predict(model, NULL, NULL, 0, &score, &error));
        assert_true(known[k] > 0 ? score > 0 : score < 0);
        sl_dataset_free(data);
        sl_model_free(model);

        data = relabelled(&s, unknown[k], unknown[k]);
        model = new_model(NULL);
        assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, data, NULL, NULL, &error));
        assert_message("label");
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_int_equal(steps, 0);
        assert_status(SL_ERROR_STATE, sl_model_labels(model, &smaller, &larger, &error));
        sl_dataset_free(data);
        sl_model_free(model);
    }
}

static void three_labels_are_refused_and_nothing_learned(void** state) {
    double smaller = 0, larger = 0;
    sample s;
    sl_dataset *three = NULL, *one_two = NULL;
    sl_model *model = new_model("sampling", "sequential"), *fresh = new_model("sampling", "sequential");
    (void)state;
    fill_sample(&s, 100, 60, 4);
    s.labels[99] = 0.5;
    three = dataset_of(&s);
    one_two = relabelled(&s, 1, 2);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, three, NULL, NULL, &error));
    assert_message("label");
    assert_same_models(model, fresh);
    assert_status(SL_ERROR_STATE, sl_model_labels(model, &smaller, &larger, &error));
    assert_ok(sl_model_fit(model, one_two, NULL, NULL, &error));
    assert_ok(sl_model_fit(fresh, one_two, NULL, NULL, &error));
    assert_same_models(model, fresh);
    assert_pair(model, 1, 2);
    sl_model_free(model);
    sl_model_free(fresh);
    sl_dataset_free(three);
    sl_dataset_free(one_two);
}

static void feeding_a_data_set_is_feeding(void** state) {
    sample s;
    size_t done = 99;
    sl_dataset *one_two = NULL, *zero_one = NULL;
    sl_model* model = new_model(NULL);
    (void)state;
    fill_sample(&s, 100, 60, 5);
    s.labels[0] = -1;
    s.labels[1] = 1;
    one_two = relabelled(&s, 1, 2);
    zero_one = relabelled(&s, 0, 1);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed_dataset(model, one_two, &done, &error));
    assert_int_equal(done, 1);
    assert_message("row 1");
    assert_pair(model, -1, 1);
    assert_ok(sl_model_feed_dataset(model, zero_one, &done, &error));
    assert_int_equal(done, 100);
    sl_model_free(model);
    sl_dataset_free(one_two);
    sl_dataset_free(zero_one);
}

static void regression_has_no_pair(void** state) {
    static const char* const losses[] = {"squared", "absolute", "huber", "epsilon_insensitive", "quantile"};
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 100, 60, 6);
    data = dataset_of(&s);
    for (size_t k = 0; k < sizeof losses / sizeof *losses; ++k) {
        double smaller = 7, larger = 7;
        sl_model* model = new_model("loss", losses[k]);
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_status(SL_ERROR_STATE, sl_model_labels(model, &smaller, &larger, &error));
        assert_status(SL_ERROR_STATE, sl_model_label(model, 1, &smaller, &error));
        assert_true(smaller == 7 && larger == 7);
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_data_set_fixes_its_pair),
        cmocka_unit_test(feeding_fixes_minus_1_and_plus_1),
        cmocka_unit_test(the_pair_is_fixed_for_good),
        cmocka_unit_test(one_label_alone_has_to_be_known),
        cmocka_unit_test(three_labels_are_refused_and_nothing_learned),
        cmocka_unit_test(feeding_a_data_set_is_feeding),
        cmocka_unit_test(regression_has_no_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
