/* The returned predictor: scores, and looking inside. */
#include <math.h>

#include "helpers.h"

static const char* const configurations[][16] = {
    {NULL},
    {"average", "none", "l1", "0.002", "l2", "0.01", "schedule", "constant", "eta0", "0.3"},
    {"update", "fobos", "l1", "0.002", "loss", "hinge", "average", "uniform", "average_start", "30"},
    {"update", "truncated_gradient", "gravity", "0.01", "period", "3", "theta", "0.2", "schedule", "constant", "eta0", "0.2"},
    {"update", "rounding", "theta", "0.02", "period", "7", "average", "none", "loss", "squared_hinge"},
    {"loss", "squared", "bias_regularized", "true", "average_start", "auto", "l2", "0.1", "schedule", "inverse_lambda"},
    {"loss", "quantile", "quantile", "0.25", "l1", "0.05", "schedule", "inverse_scaling", "eta0", "1", "power", "0.25"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

/* w.x + b from what the model tells of itself. */
static double dot(const sl_model* model, const sample* s, size_t r) {
    double sum = 0, weight = 0;
    assert_ok(sl_model_bias(model, &sum, &error));
    for (int64_t k = s->pointers[r]; k < s->pointers[r + 1]; ++k) {
        assert_ok(sl_model_weight(model, s->indices[k], &weight, &error));
        sum += weight * s->values[k];
    }
    return sum;
}

static void a_score_is_w_x_plus_b(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 300, 60, 1);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model* model = model_from(configurations[c]);
        double largest = 0;
        for (size_t r = 0; r < 300; ++r) {
            assert_near(score_of(model, &s, r), dot(model, &s, r), 1e-12);
            assert_ok(feed_row(model, &s, r));
            largest = fmax(largest, fabs(score_of(model, &s, r)));
        }
        assert_true(largest > 1e-3);
        sl_model_free(model);
    }
}

static void finalizing_changes_no_bit(void** state) {
    sample s;
    (void)state;
    fill_sample(&s, 400, 60, 2);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model *model = model_from(configurations[c]), *never = model_from(configurations[c]);
        assert_ok(sl_model_finalize(model, &error));
        assert_same_models(model, never);
        for (size_t start = 0; start < 400; start += 80) {
            double before[400];
            snapshot inside;
            feed_rows(model, &s, start, start + 80);
            feed_rows(never, &s, start, start + 80);
            assert_same_models(model, never);
            inside = snapshot_of(model);
            for (size_t r = 0; r < 400; ++r) before[r] = score_of(model, &s, r);
            assert_ok(sl_model_finalize(model, &error));
            assert_unchanged(model, &inside);
            for (size_t r = 0; r < 400; ++r) assert_bits(score_of(model, &s, r), before[r]);
            assert_ok(sl_model_finalize(model, &error));
            for (size_t r = 0; r < 400; ++r) assert_bits(score_of(never, &s, r), before[r]);
            snapshot_free(&inside);
        }
        sl_model_free(model);
        sl_model_free(never);
    }
}

static void matrices_and_data_sets_give_the_same_scores(void** state) {
    double all[400], half[200], set[401];
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 400, 60, 3);
    data = dataset_of(&s);
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        sl_model* model = model_from(configurations[c]);
        feed_rows(model, &s, 0, 200);
        for (int pass = 0; pass < 2; ++pass) {
            set[400] = 77;
            assert_ok(sl_model_predict_csr(model, 400, s.pointers, s.indices, s.values, all, &error));
            assert_ok(sl_model_predict_csr(model, 200, s.pointers + 200, s.indices, s.values, half, &error));
            assert_ok(sl_model_predict_dataset(model, data, set, 401, &error));
            for (size_t r = 0; r < 400; ++r) {
                assert_bits(all[r], score_of(model, &s, r));
                assert_bits(set[r], all[r]);
                if (r >= 200) assert_bits(half[r - 200], all[r]);
            }
            assert_true(set[400] == 77);
            assert_ok(sl_model_finalize(model, &error));
        }
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

/* Of a row whose squares are as good as 0 the norm is taken from its values, wherever they lie. */
static void tiny_rows_are_normalized_in_data_sets(void** state) {
    sl_model* model = new_model("normalize", "l2");
    const int64_t pointers[] = {0, 2, 3};
    const uint32_t indices[] = {0, 3, 3};
    const double values[] = {3e-150, -4e-150, 1}, labels[] = {1, -1};
    double scores[2], score;
    sl_dataset* data = NULL;
    assert_ok(sl_dataset_from_csr(2, pointers, indices, values, labels, NULL, &data, &error));
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    for (int finalized = 0; finalized <= 1; ++finalized) {
        if (finalized) assert_ok(sl_model_finalize(model, &error));
        assert_ok(sl_model_predict_dataset(model, data, scores, 2, &error));
        for (int r = 0; r < 2; ++r) {
            assert_ok(sl_model_predict(model, indices + pointers[r], values + pointers[r], r ? 1 : 2, &score, &error));
            assert_bits(scores[r], score);
        }
    }
    sl_dataset_free(data);
    sl_model_free(model);
    (void)state;
}

static void values_left_out_are_ones(void** state) {
    const uint32_t indices[] = {50, 3, 20};
    const double values[] = {1, 1, 1};
    const int64_t pointers[] = {0, 1, 3};
    double a = 0, b = 0, c[2];
    sample s;
    sl_model* model = new_model(NULL);
    (void)state;
    fill_sample(&s, 100, 60, 4);
    feed_rows(model, &s, 0, s.rows);
    assert_ok(sl_model_predict(model, indices, NULL, 3, &a, &error));
    assert_ok(sl_model_predict(model, indices, values, 3, &b, &error));
    assert_bits(a, b);
    assert_ok(sl_model_predict_csr(model, 2, pointers, indices, NULL, c, &error));
    assert_ok(sl_model_predict(model, indices + 1, NULL, 2, &a, &error));
    assert_bits(c[1], a);
    sl_model_free(model);
}

static void unseen_indices_count_nothing(void** state) {
    const uint32_t unseen[] = {1000, 4294967295u};
    (void)state;
    for (size_t c = 0; c < CONFIGURATIONS; ++c) {
        double score = 0, bias = 0, weight = 7;
        sample s;
        sl_model* model = model_from(configurations[c]);
        fill_sample(&s, 100, 60, 5);
        assert_ok(sl_model_predict(model, unseen, NULL, 2, &score, &error));
        assert_true(score == 0);
        feed_rows(model, &s, 0, s.rows);
        for (int pass = 0; pass < 2; ++pass) {
            assert_ok(sl_model_bias(model, &bias, &error));
            assert_ok(sl_model_predict(model, unseen, NULL, 2, &score, &error));
            assert_bits(score, bias);
            assert_ok(sl_model_predict(model, NULL, NULL, 0, &score, &error));
            assert_bits(score, bias);
            assert_ok(sl_model_weight(model, 4294967295u, &weight, &error));
            assert_true(weight == 0);
            assert_ok(sl_model_finalize(model, &error));
        }
        sl_model_free(model);
    }
}

static void an_index_beyond_the_dimension_is_unseen(void** state) {
    const uint32_t unseen = 10;
    double score = 7, bias = 0;
    sl_model* model = new_model("dimension", "10");
    (void)state;
    assert_ok(sl_model_feed(model, NULL, NULL, 0, 1, 1, &error));
    assert_ok(sl_model_predict(model, &unseen, NULL, 1, &score, &error));
    assert_ok(sl_model_bias(model, &bias, &error));
    assert_bits(score, bias);
    sl_model_free(model);
}

static void bad_rows_give_no_score(void** state) {
    static const double bad[][2] = {{NAN, 1}, {1, INFINITY}, {1e200, 1}, {-INFINITY, INFINITY}};
    const uint32_t indices[] = {3, 4};
    const int64_t pointers[] = {0, 1, 2};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        double scores[2] = {77, 77};
        sl_model* model = new_model(NULL);
        assert_ok(sl_model_feed(model, indices, NULL, 2, 1, 1, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predict(model, indices, bad[k], 2, scores, &error));
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predict_csr(model, 2, pointers, indices, bad[k], scores, &error));
        assert_message(k % 2 ? (k == 1 ? "row 1" : "row 0") : "row 0");
        assert_true(scores[0] == 77 && scores[1] == 77);
        sl_model_free(model);
    }
}

static void clipping_bounds_the_score_and_the_slope(void** state) {
    const uint32_t index = 0;
    double weight = 0, score = 0, scores[1], loss = 0;
    const int64_t pointers[] = {0, 1};
    sl_model* model = new_model("loss", "squared", "schedule", "constant", "eta0", "1", "l2", "0", "average", "none", "bias", "false",
                                "clip_max", "2", "clip_min", "-0.5");
    (void)state;
    /* Label 10: slope -10, then p = 10 clipped to 2 and slope -8; label -4 from there: slope 6, and a loss of 18. */
    assert_ok(sl_model_feed(model, &index, NULL, 1, 10, 1, &error));
    assert_ok(sl_model_feed(model, &index, NULL, 1, 10, 1, &error));
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_near(weight, 18, 1e-14);
    assert_ok(sl_model_feed(model, &index, NULL, 1, -4, 1, &error));
    assert_ok(sl_model_weight(model, 0, &weight, &error));
    assert_near(weight, 12, 1e-14);
    assert_ok(sl_model_mean_loss(model, &loss, &error));
    assert_near(loss, (50 + 32 + 18) / 3.0, 1e-13);
    for (int pass = 0; pass < 2; ++pass) {
        const double minus = -1;
        assert_ok(sl_model_predict(model, &index, NULL, 1, &score, &error));
        assert_true(score == 2);
        assert_ok(sl_model_predict(model, &index, &minus, 1, &score, &error));
        assert_true(score == -0.5);
        assert_ok(sl_model_predict_csr(model, 1, pointers, &index, &minus, scores, &error));
        assert_true(scores[0] == -0.5);
        assert_ok(sl_model_finalize(model, &error));
    }
    sl_model_free(model);
}

static void probabilities_are_of_the_larger_label(void** state) {
    const double scores[] = {0, 1, -1, 40, -40, 800, -800, -1e308};
    double p = 7, q = 7;
    sl_model *model = new_model(NULL), *hinge = new_model("loss", "hinge");
    (void)state;
    for (size_t k = 0; k < sizeof scores / sizeof *scores; ++k) {
        assert_ok(sl_model_probability(model, scores[k], &p, &error));
        assert_true(p >= 0 && p <= 1);
        if (fabs(scores[k]) <= 40) assert_near(p / (1 / (1 + exp(-scores[k]))), 1, 1e-14);
        assert_ok(sl_model_probability(model, -scores[k], &q, &error));
        assert_near(p + q, 1, 1e-15);
    }
    q = 7;
    assert_status(SL_ERROR_STATE, sl_model_probability(hinge, 1, &q, &error));
    assert_message("log");
    assert_true(q == 7);
    sl_model_free(model);
    sl_model_free(hinge);
}

static void nonzeros_come_by_index_and_take_two_calls(void** state) {
    (void)state;
    for (int hash = 0; hash < 2; ++hash) {
        uint32_t indices[64] = {77}, previous = 0;
        double weights[64] = {77}, weight = 0;
        size_t count = 0, again = 0, zeros = 0;
        sample s;
        sl_model* model = new_model("storage", hash ? "hash" : "dense", "l1", "0.02", "average", "none");
        fill_sample(&s, 300, 60, 6);
        feed_rows(model, &s, 0, s.rows);
        assert_ok(sl_model_nonzeros(model, NULL, NULL, 0, &count, &error));
        assert_in_range(count, 3, 59); /* l1 makes zeros */
        assert_ok(sl_model_nonzeros(model, indices, weights, count - 1, &again, &error));
        assert_int_equal(again, count);
        assert_true(indices[0] == 77 && weights[0] == 77);
        assert_ok(sl_model_nonzeros(model, indices, weights, count, &again, &error));
        for (size_t k = 0; k < count; ++k) {
            assert_true(k == 0 || indices[k] > previous);
            previous = indices[k];
            assert_ok(sl_model_weight(model, indices[k], &weight, &error));
            assert_bits(weight, weights[k]);
            assert_true(weight != 0);
        }
        for (uint32_t i = 0; i < 60; ++i) {
            assert_ok(sl_model_weight(model, i, &weight, &error));
            zeros += weight == 0;
        }
        assert_int_equal(zeros + count, 60);
        sl_model_free(model);
    }
}

static void counts_of_a_model(void** state) {
    const uint32_t index = 41;
    uint64_t dimension = 7, steps = 7;
    double loss = 7;
    sl_model* model = new_model("loss", "absolute");
    (void)state;
    assert_ok(sl_model_dimension(model, &dimension, &error));
    assert_ok(sl_model_steps(model, &steps, &error));
    assert_true(dimension == 0 && steps == 0);
    assert_status(SL_ERROR_STATE, sl_model_mean_loss(model, &loss, &error));
    assert_true(loss == 7);
    assert_ok(sl_model_observe(model, &index, NULL, 1, 1, &error));
    assert_ok(sl_model_dimension(model, &dimension, &error));
    assert_int_equal(dimension, 42);
    assert_ok(sl_model_feed(model, NULL, NULL, 0, -3, 0.5, &error));
    assert_ok(sl_model_steps(model, &steps, &error));
    assert_int_equal(steps, 1);
    assert_ok(sl_model_mean_loss(model, &loss, &error));
    assert_true(loss == 3);
    sl_model_free(model);
}

/* The predictor of a model is what saving and loading makes of it, and goes on as it is. */
static void a_predictor_is_what_loading_makes(void** state) {
    static const char* const storages[] = {"auto", "dense", "hash"};
    sample s;
    (void)state;
    fill_sample(&s, 400, 60, 2);
    for (size_t c = 0; c < 3 * CONFIGURATIONS; ++c)
        for (int finalized = 0; finalized < 2; ++finalized) {
            unsigned char kept[20000], again[20000];
            size_t length = 0, same = 0;
            double scores[400];
            uint64_t memory = 0, loaded_memory = 0;
            sl_options* options = options_from(configurations[c / 3]);
            sl_model *model = NULL, *predictor = NULL, *loaded = NULL, *next = NULL;
            assert_ok(sl_options_set(options, "storage", storages[c % 3], &error));
            assert_ok(sl_model_create(options, &model, &error));
            assert_ok(sl_model_observe(model, s.indices, s.values, 2, 1, &error));
            feed_rows(model, &s, 0, 200);
            if (finalized) assert_ok(sl_model_finalize(model, &error));
            assert_ok(sl_model_predictor(model, &predictor, &error));
            assert_ok(sl_model_to_bytes(model, SL_KEEP_PREDICTOR, kept, sizeof kept, &length, &error));
            assert_ok(sl_model_from_bytes(kept, length, &loaded, &error));
            for (size_t r = 0; r < 400; ++r) scores[r] = score_of(model, &s, r);
            feed_rows(model, &s, 200, 400);
            for (size_t r = 0; r < 400; ++r) assert_bits(score_of(predictor, &s, r), scores[r]);
            assert_same_models(predictor, loaded);
            assert_ok(sl_model_to_bytes(predictor, SL_KEEP_PREDICTOR, again, sizeof again, &same, &error));
            assert_int_equal(same, length);
            assert_memory_equal(again, kept, length);
            assert_ok(sl_model_memory(predictor, &memory, &error));
            assert_ok(sl_model_memory(loaded, &loaded_memory, &error));
            assert_int_equal(memory, loaded_memory);
            assert_status(SL_ERROR_STATE, sl_model_feed(predictor, s.indices, NULL, 1, 1, 1, &error));
            assert_ok(sl_model_predictor(predictor, &next, &error));
            assert_same_models(predictor, next);
            sl_options_free(options);
            sl_model_free(model);
            sl_model_free(predictor);
            sl_model_free(loaded);
            sl_model_free(next);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_is_w_x_plus_b),
        cmocka_unit_test(a_predictor_is_what_loading_makes),
        cmocka_unit_test(finalizing_changes_no_bit),
        cmocka_unit_test(matrices_and_data_sets_give_the_same_scores),
        cmocka_unit_test(tiny_rows_are_normalized_in_data_sets),
        cmocka_unit_test(values_left_out_are_ones),
        cmocka_unit_test(unseen_indices_count_nothing),
        cmocka_unit_test(an_index_beyond_the_dimension_is_unseen),
        cmocka_unit_test(bad_rows_give_no_score),
        cmocka_unit_test(clipping_bounds_the_score_and_the_slope),
        cmocka_unit_test(probabilities_are_of_the_larger_label),
        cmocka_unit_test(nonzeros_come_by_index_and_take_two_calls),
        cmocka_unit_test(counts_of_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
