/* Training one example or one matrix at a time: what counts as an example, and what is the same example. */
#include "helpers.h"

/* Models that go different ways through the learner. The first is all defaults. */
static const char* const configurations[][16] = {
    {NULL},
    {"average", "none", "l1", "0.002", "l2", "0.01", "schedule", "constant", "eta0", "0.3"},
    {"update", "fobos", "l1", "0.002", "loss", "hinge", "average", "uniform", "storage", "hash"},
    {"update", "truncated_gradient", "gravity", "0.01", "period", "3", "theta", "0.2", "schedule", "constant", "eta0", "0.2"},
    {"update", "rounding", "theta", "0.02", "period", "7", "average", "none", "loss", "squared_hinge"},
    {"loss", "squared", "normalize", "l2", "bias_regularized", "true", "average_start", "auto"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

static void two_steps_by_hand(void** state) {
    const uint32_t indices[] = {0, 2};
    const double values[] = {1, 2};
    double weight = 0, score = 0, loss = 0, bias = 0;
    sl_model* model = new_model("loss", "squared", "schedule", "constant", "eta0", "0.1", "l2", "0", "average", "none");
    (void)state;
    /* p = 0, g = -1. */
    assert_ok(sl_model_feed(model, indices, values, 2, 1, 1, &error));
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_near(weight, 0.1, 1e-16);
    assert_ok(sl_model_weight(model, 1, &weight, &error));
    assert_true(weight == 0);
    assert_ok(sl_model_weight(model, 2, &weight, &error));
    assert_near(weight, 0.2, 1e-16);
    assert_ok(sl_model_bias(model, &bias, &error));
    assert_near(bias, 0.1, 1e-16);
    assert_ok(sl_model_predict(model, indices, values, 2, &score, &error));
    assert_near(score, 0.6, 1e-15);
    /* p = 0.6 and weight 2, so g = -0.8. */
    assert_ok(sl_model_feed(model, indices, values, 2, 1, 2, &error));
    assert_ok(sl_model_weight(model, 2, &weight, &error));
    assert_near(weight, 0.36, 1e-15);
    assert_ok(sl_model_mean_loss(model, &loss, &error));
    assert_near(loss, (0.5 + 2 * 0.08) / 3, 1e-15);
    sl_model_free(model);
}

static void a_penalized_step_by_hand(void** state) {
    const uint32_t index = 5;
    double weight = 0, bias = 0;
    sl_model* model = new_model("loss", "absolute", "schedule", "constant", "eta0", "0.5", "l1", "0.1", "l2", "0.2", "average", "none");
    (void)state;
    /* g = -1 twice; S(0.5) = 0.9 * 0.5 - 0.05 before the second gradient. */
    assert_ok(sl_model_feed(model, &index, NULL, 1, 10, 1, &error));
    assert_ok(sl_model_feed(model, &index, NULL, 1, 10, 1, &error));
    assert_ok(sl_model_weight(model, 5, &weight, &error));
    assert_near(weight, 0.9, 1e-15);
    assert_ok(sl_model_bias(model, &bias, &error));
    assert_near(bias, 1, 1e-15);
    sl_model_free(model);
}

static void csr_is_feeding_row_by_row(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 300, 60, 2);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *one = model_from(configurations[c]), *all = model_from(configurations[c]), *set = model_from(configurations[c]);
        sl_dataset* data = dataset_of(&s);
        size_t done = 0;
        feed_rows(one, &s, 0, s.rows);
        assert_ok(sl_model_feed_csr(all, 100, s.pointers, s.indices, s.values, s.labels, s.weights, &done, &error));
        assert_int_equal(done, 100);
        assert_ok(sl_model_feed_csr(all, 200, s.pointers + 100, s.indices, s.values, s.labels + 100, s.weights + 100, NULL, &error));
        assert_ok(sl_model_feed_dataset(set, data, &done, &error));
        assert_int_equal(done, 300);
        assert_same_models(one, all);
        assert_same_models(one, set);
        sl_dataset_free(data);
        sl_model_free(one);
        sl_model_free(all);
        sl_model_free(set);
    }
}

static void no_rows_are_fine(void** state) {
    const int64_t pointers[] = {3};
    size_t done = 7;
    sl_model* model = new_model(NULL);
    snapshot before = snapshot_of(model);
    (void)state;
    assert_ok(sl_model_feed_csr(model, 0, pointers, NULL, NULL, NULL, NULL, &done, &error));
    assert_int_equal(done, 0);
    assert_unchanged(model, &before);
    snapshot_free(&before);
    sl_model_free(model);
}

static void missing_values_and_weights_are_ones(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 200, 60, 3);
    for (size_t i = 0; i < (size_t)s.pointers[s.rows]; ++i) s.values[i] = 1;
    for (size_t r = 0; r < s.rows; ++r) s.weights[r] = 1;
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *a = model_from(configurations[c]), *b = model_from(configurations[c]), *d = model_from(configurations[c]);
        feed_rows(a, &s, 0, s.rows);
        assert_ok(sl_model_feed_csr(b, s.rows, s.pointers, s.indices, NULL, s.labels, NULL, NULL, &error));
        for (size_t r = 0; r < s.rows; ++r)
            assert_ok(sl_model_feed(d, s.indices + s.pointers[r], NULL, row_count(&s, r), s.labels[r], 1, &error));
        assert_same_models(a, b);
        assert_same_models(a, d);
        sl_model_free(a);
        sl_model_free(b);
        sl_model_free(d);
    }
}

static void zero_weight_does_nothing(void** state) {
    const uint32_t far = 100000;
    double smaller = 0, larger = 0;
    sample s;
    (void)state;
    fill_sample(&s, 100, 60, 4);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *a = model_from(configurations[c]), *b = model_from(configurations[c]);
        assert_ok(sl_model_feed(a, &far, NULL, 1, 1, 0, &error));
        assert_same_models(a, b);
        assert_status(SL_ERROR_STATE, sl_model_labels(a, &smaller, &larger, &error));
        for (size_t r = 0; r < s.rows; ++r) {
            assert_ok(feed_row(a, &s, r));
            assert_ok(feed_row(b, &s, r));
            assert_ok(sl_model_feed(a, &far, NULL, 1, -1, 0, &error));
        }
        assert_same_models(a, b);
        sl_model_free(a);
        sl_model_free(b);
    }
}

static void zero_weight_leaves_the_pair_open(void** state) {
    const uint32_t index = 1;
    const int64_t pointers[] = {0, 1, 2};
    const uint32_t indices[] = {0, 1};
    const double labels[] = {1, 2};
    double smaller = 0, larger = 0;
    sl_model* model = new_model("loss", "hinge");
    sl_dataset* data = NULL;
    (void)state;
    assert_ok(sl_model_feed(model, &index, NULL, 1, -1, 0, &error));
    assert_ok(sl_dataset_from_csr(2, pointers, indices, NULL, labels, NULL, &data, &error));
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    assert_ok(sl_model_labels(model, &smaller, &larger, &error));
    assert_true(smaller == 1 && larger == 2);
    sl_dataset_free(data);
    sl_model_free(model);
}

static void an_empty_example_moves_the_bias(void** state) {
    double bias = 0;
    (void)state;
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model* model = model_from(configurations[c]);
        uint64_t steps = 0, dimension = 7;
        assert_ok(sl_model_feed(model, NULL, NULL, 0, 1, 1, &error));
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_ok(sl_model_dimension(model, &dimension, &error));
        assert_ok(sl_model_bias(model, &bias, &error));
        assert_int_equal(steps, 1);
        assert_int_equal(dimension, 0);
        assert_true(bias > 0);
        sl_model_free(model);
    }
}

static void without_a_bias_it_stays_zero(void** state) {
    double bias = 7;
    sample s;
    sl_model* model = new_model("bias", "false");
    (void)state;
    fill_sample(&s, 100, 60, 5);
    feed_rows(model, &s, 0, s.rows);
    assert_ok(sl_model_bias(model, &bias, &error));
    assert_true(bias == 0);
    sl_model_free(model);
}

/* Feeds `s` to both models; in `b` each row is written differently but means the same. */
enum { MERGED, REVERSED, WITH_ZEROS };

static void rewrite(const sample* s, size_t r, int how, uint32_t* indices, double* values, size_t* count) {
    const size_t first = (size_t)s->pointers[r], n = row_count(s, r);
    *count = 0;
    for (size_t k = 0; k < n; ++k) {
        const size_t from = first + (how == REVERSED ? n - 1 - k : k);
        if (how == MERGED) { /* 3/4 + 1/4 of a value of few bits is exact in any order */
            indices[*count] = s->indices[from];
            values[(*count)++] = s->values[from] * 0.75;
        } else if (how == WITH_ZEROS) {
            indices[*count] = s->indices[from] ? s->indices[from] - 1 : 4000000000u;
            values[(*count)++] = k % 2 ? 0.0 : -0.0;
        }
        indices[*count] = s->indices[from];
        values[(*count)++] = how == MERGED ? s->values[from] * 0.25 : s->values[from];
    }
    if (how == MERGED) {
        for (size_t k = 0; k + 3 < *count; k += 4) { /* parts of a pair apart from each other */
            const uint32_t index = indices[k];
            const double value = values[k];
            indices[k] = indices[k + 3];
            values[k] = values[k + 3];
            indices[k + 3] = index;
            values[k + 3] = value;
        }
    }
    if (how == WITH_ZEROS) { /* two that cancel out, where nothing else is */
        indices[*count] = indices[*count + 1] = 3999999999u;
        values[*count] = 2.5;
        values[*count + 1] = -2.5;
        *count += 2;
    }
}

static void check_rewritten(int how) {
    sample s;
    fill_sample(&s, 200, 60, 6);
    for (size_t i = 0; i < (size_t)s.pointers[s.rows]; ++i) s.values[i] = (double)(int)(s.values[i] * 256) / 256;
    for (size_t i = 0; i < (size_t)s.pointers[s.rows]; ++i) s.values[i] += s.values[i] == 0;
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *a = model_from(configurations[c]), *b = model_from(configurations[c]);
        for (size_t r = 0; r < s.rows; ++r) {
            uint32_t indices[2 * SAMPLE_WIDTH + 2];
            double values[2 * SAMPLE_WIDTH + 2], score = 0;
            size_t count = 0;
            rewrite(&s, r, how, indices, values, &count);
            assert_ok(sl_model_predict(b, indices, values, count, &score, &error));
            assert_bits(score, score_of(a, &s, r));
            assert_ok(feed_row(a, &s, r));
            assert_ok(sl_model_feed(b, indices, values, count, s.labels[r], s.weights[r], &error));
        }
        assert_same_models(a, b);
        sl_model_free(a);
        sl_model_free(b);
    }
}

static void repeated_indices_add_up(void** state) {
    (void)state;
    check_rewritten(MERGED);
}

static void any_order_gives_the_same_bits(void** state) {
    (void)state;
    check_rewritten(REVERSED);
}

static void zeros_are_as_nothing(void** state) {
    (void)state;
    check_rewritten(WITH_ZEROS);
}

static void label_0_counts_as_minus_1(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 200, 60, 7);
    for (size_t c = 0; c < 4; ++c) {
        double smaller = 0, larger = 0;
        sl_model *a = model_from(configurations[c]), *b = model_from(configurations[c]);
        feed_rows(a, &s, 0, s.rows);
        for (size_t r = 0; r < s.rows; ++r)
            assert_ok(sl_model_feed(b, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.labels[r] > 0 ? 1 : 0,
                                    s.weights[r], &error));
        assert_same_models(a, b);
        assert_ok(sl_model_labels(b, &smaller, &larger, &error));
        assert_true(smaller == -1 && larger == 1);
        sl_model_free(a);
        sl_model_free(b);
    }
}

static void a_clone_goes_its_own_way(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 300, 60, 8);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *a = model_from(configurations[c]), *b = NULL;
        snapshot before;
        feed_rows(a, &s, 0, 150);
        before = snapshot_of(a);
        assert_ok(sl_model_clone(a, &b, &error));
        assert_same_models(a, b);
        feed_rows(b, &s, 150, 300);
        assert_unchanged(a, &before);
        feed_rows(a, &s, 150, 300);
        assert_same_models(a, b);
        snapshot_free(&before);
        sl_model_free(a);
        feed_rows(b, &s, 0, 10);
        sl_model_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_steps_by_hand),
        cmocka_unit_test(a_penalized_step_by_hand),
        cmocka_unit_test(csr_is_feeding_row_by_row),
        cmocka_unit_test(no_rows_are_fine),
        cmocka_unit_test(missing_values_and_weights_are_ones),
        cmocka_unit_test(zero_weight_does_nothing),
        cmocka_unit_test(zero_weight_leaves_the_pair_open),
        cmocka_unit_test(an_empty_example_moves_the_bias),
        cmocka_unit_test(without_a_bias_it_stays_zero),
        cmocka_unit_test(repeated_indices_add_up),
        cmocka_unit_test(any_order_gives_the_same_bits),
        cmocka_unit_test(zeros_are_as_nothing),
        cmocka_unit_test(label_0_counts_as_minus_1),
        cmocka_unit_test(a_clone_goes_its_own_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
