/* Several classes: how they compare with models of two labels, and what comes out. */
#include <math.h>

#include "classes.h"
#include "keeping.h"
#include "memory_limit.h"

static void scores_of(const sl_model* model, const sample* s, size_t r, double* scores, size_t capacity) {
    assert_ok(sl_model_scores(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), scores, capacity, &error));
}

static size_t top_of(const double* scores, size_t classes) {
    size_t top = 0;
    for (size_t k = 1; k < classes; ++k)
        if (scores[k] > scores[top]) top = k;
    return top;
}

/* ------------------------------------------------------------------ one against the rest */

/* `settings`: names and values, the rest NULL. */
static sl_model* with_classes(const char* const* settings, const char* classes) {
    const char* pairs[40] = {"classes", classes, "multiclass", "one_vs_rest"};
    for (size_t i = 0; settings[i]; ++i) pairs[4 + i] = settings[i];
    return model_from(pairs);
}

static void train(sl_model* model, const sample* s, int observed) {
    for (size_t r = 0; observed && r < s->rows; ++r)
        assert_ok(sl_model_observe(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), s->weights[r], &error));
    feed_rows(model, s, 0, s->rows);
}

static void assert_class_is_its_own_model(const sl_model* all, size_t k, const sl_model* one, const sample* s) {
    uint32_t indices[2][64];
    double weights[2][64], bias[2];
    size_t count[2];
    assert_ok(sl_model_class_bias(all, k, &bias[0], &error));
    assert_ok(sl_model_bias(one, &bias[1], &error));
    assert_bits(bias[0], bias[1]);
    assert_ok(sl_model_class_nonzeros(all, k, indices[0], weights[0], 64, &count[0], &error));
    assert_ok(sl_model_nonzeros(one, indices[1], weights[1], 64, &count[1], &error));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(indices[0], indices[1], count[0] * sizeof **indices);
    assert_memory_equal(weights[0], weights[1], count[0] * sizeof **weights);
    for (size_t i = 0; i < count[0]; ++i) {
        double weight = 0;
        assert_ok(sl_model_class_weight(all, k, indices[0][i], &weight, &error));
        assert_bits(weight, weights[0][i]);
    }
    for (size_t r = 0; r < s->rows; ++r) {
        double scores[CLASSES], score = score_of(one, s, r);
        scores_of(all, s, r, scores, CLASSES);
        assert_bits(scores[k], score);
    }
}

static void a_class_against_the_rest_is_a_model_of_two_labels(void** state) {
    static const char* const settings[][20] = {
        {"schedule", "constant", "eta0", "0.1"},
        {"noise", "0"},
        {"noise", "0", "loss", "hinge", "average", "uniform", "average_start", "20"},
        {"noise", "0", "loss", "squared_hinge", "average", "none", "l2", "0.01"},
        {"noise", "0", "l1", "0.01", "sparse_average", "true", "loss", "hinge"},
        {"schedule", "xu", "l2", "0.1", "update", "fobos", "l1", "0.005", "normalize", "l2"},
        {"schedule", "inverse_scaling", "eta0", "0.3", "power", "0.5", "loss", "hinge", "bias", "false"},
        {"schedule", "inverse_lambda", "l2", "0.2", "bias_regularized", "true", "loss", "squared_hinge"},
        {"schedule", "constant", "eta0", "0.2", "update", "truncated_gradient", "gravity", "0.05", "theta", "0.5", "period", "3"},
        {"schedule", "constant", "eta0", "0.2", "update", "rounding", "theta", "0.08", "period", "5", "sparse_average", "true"},
        {"noise", "0", "center", "true", "scale", "rms", "clip_min", "-1.5", "clip_max", "0.5"},
        {"schedule", "xu", "center", "true", "scale", "max_abs", "loss", "hinge", "l2", "0.05"},
        {"noise", "0", "scale", "rms", "average_power", "0.5", "loss", "squared_hinge", "dimension", "60"},
        {"schedule", "adaptive", "noise", "0", "scale", "none", "l1", "0.02", "average", "none"},
        {"noise", "0", "nonnegative", "true", "l1", "0.001"},
        {"noise", "0", "nonnegative", "true", "loss", "squared_hinge", "scale", "rms"},
    };
    sample s;
    (void)state;
    fill_classes(&s, 300, 60, CLASSES, 5);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        for (int dense = 0; dense < 2; ++dense) {
            const char* pairs[24] = {"storage", dense ? "dense" : "hash"};
            int observed = 0;
            double sum = 0, loss = 0;
            for (size_t j = 0; settings[i][j]; ++j) {
                pairs[2 + j] = settings[i][j];
                observed |= strcmp(settings[i][j], "scale") == 0 && strcmp(settings[i][j + 1], "none") != 0;
            }
            sl_model* all = with_classes(pairs, "4");
            train(all, &s, observed);
            for (size_t k = 0; k < CLASSES; ++k) {
                sample against = s;
                sl_model* one = model_from(pairs);
                for (size_t r = 0; r < s.rows; ++r) against.labels[r] = s.labels[r] == (double)k ? 1 : -1;
                train(one, &against, observed);
                assert_class_is_its_own_model(all, k, one, &s);
                assert_ok(sl_model_mean_loss(one, &loss, &error));
                sum += loss;
                sl_model_free(one);
            }
            assert_ok(sl_model_mean_loss(all, &loss, &error));
            assert_near(loss, sum, 1e-12 * sum);
            sl_model_free(all);
        }
}

/* A fit that scales, shuffles and goes on is the same for all. */
static void a_class_of_a_fit_is_a_fit_of_two_labels(void** state) {
    static const char* const losses[] = {"log", "hinge", "squared_hinge"};
    sample s;
    (void)state;
    fill_classes(&s, 300, 60, CLASSES, 15);
    sl_dataset* data = dataset_of(&s);
    for (size_t i = 0; i < 3; ++i) {
        const char* pairs[] = {"loss", losses[i], "noise", "0", "epochs", "3", "seed", "5", NULL};
        sl_model* all = with_classes(pairs, "auto");
        assert_ok(sl_model_fit(all, data, NULL, NULL, &error));
        for (size_t k = 0; k < CLASSES; ++k) {
            sample against = s;
            for (size_t r = 0; r < s.rows; ++r) against.labels[r] = s.labels[r] == (double)k ? 1 : -1;
            sl_model* one = model_from(pairs);
            sl_dataset* two = dataset_of(&against);
            assert_ok(sl_model_fit(one, two, NULL, NULL, &error));
            assert_class_is_its_own_model(all, k, one, &s);
            sl_dataset_free(two);
            sl_model_free(one);
        }
        sl_model_free(all);
    }
    sl_dataset_free(data);
}

/* ------------------------------------------------------------------ what comes out */

static void parts_of_a_data_set_have_the_scores_of_all_of_it(void** state) {
    sample s;
    double all[300 * CLASSES], parts[300 * CLASSES];
    sl_model* model = new_model("classes", "4");
    (void)state;
    fill_classes(&s, 300, 60, CLASSES, 6);
    sl_dataset* data = dataset_of(&s);
    feed_rows(model, &s, 0, s.rows);
    assert_ok(sl_model_scores_dataset(model, data, all, 300 * CLASSES, &error));
    for (size_t first = 0; first < 300; first += 70) {
        const size_t count = first + 70 < 300 ? 70 : 300 - first;
        assert_ok(sl_model_scores_rows(model, data, first, count, parts + CLASSES * first, CLASSES * count, &error));
    }
    assert_memory_equal(all, parts, sizeof all);
    assert_ok(sl_model_scores_rows(model, data, 300, 0, NULL, 0, &error));
    sl_model_free(model);
    sl_dataset_free(data);
}

static void labels_and_probabilities_of_scores(void** state) {
    static const double rows[][3] = {
        {0, 0, 0},       {1, 2, 2},      {-3, -3, -4}, {1e300, -1e300, 1e300}, {800, -800, 0}, {-800, -800, -800}, {-1e300, -1e300, -1e300},
        {800, 799, 798}, {0.5, -0.25, 2}};
    static const double winners[] = {4, 5.5, 4, 4, 4, 4, 4, 4, 9};
    enum { ROWS = sizeof rows / sizeof *rows };
    const double labels[] = {9, 4, 5.5};
    (void)state;
    for (int softmax = 0; softmax < 2; ++softmax) {
        double predicted[ROWS], shares[ROWS][3];
        sl_model* model = new_model("classes", "3", "multiclass", softmax ? "softmax" : "one_vs_rest");
        assert_status(SL_ERROR_STATE, sl_model_predicted_labels(model, rows[0], ROWS, predicted, &error));
        assert_ok(sl_model_set_labels(model, labels, 3, &error));
        assert_ok(sl_model_predicted_labels(model, rows[0], ROWS, predicted, &error));
        memcpy(shares, rows, sizeof shares); /* in place */
        assert_ok(sl_model_probabilities(model, shares[0], ROWS, shares[0], &error));
        for (size_t r = 0; r < ROWS; ++r) {
            double expected[3], sum = 0;
            assert_bits(predicted[r], winners[r]);
            assert_near(shares[r][0] + shares[r][1] + shares[r][2], 1, 4e-16);
            for (size_t k = 0; k < 3; ++k) {
                const double top = rows[r][top_of(rows[r], 3)];
                expected[k] = softmax ? exp(rows[r][k] - top) : 1 / (1 + exp(-rows[r][k]));
                sum += expected[k];
            }
            for (size_t k = 0; k < 3; ++k) assert_near(shares[r][k], sum > 0 ? expected[k] / sum : 1 / 3.0, 4e-16);
        }
        const double bad[][3] = {{0, 0, 0}, {0, INFINITY, 0}};
        shares[0][0] = 77;
        assert_status(SL_ERROR_INVALID_DATA, sl_model_probabilities(model, bad[0], 2, shares[0], &error));
        assert_message("row 1: ");
        assert_status(SL_ERROR_INVALID_DATA, sl_model_predicted_labels(model, bad[0], 2, shares[0], &error));
        assert_message("row 1: ");
        assert_true(shares[0][0] == 77);
        sl_model_free(model);
    }
    sl_model* hinge = new_model("classes", "3", "loss", "hinge");
    double shares[3];
    assert_status(SL_ERROR_STATE, sl_model_probabilities(hinge, rows[0], 1, shares, &error));
    assert_message("loss log");
    sl_model_free(hinge);
}

static double evaluated(const sl_model* model, const sl_dataset* data, const char* metric) {
    double value = 0;
    assert_ok(sl_model_evaluate(model, data, metric, &value, &error));
    return value;
}

static void metrics_by_hand(void** state) {
    sample s;
    (void)state;
    fill_classes(&s, 300, 60, CLASSES - 1, 8); /* of the last class there is no row */
    sl_dataset* data = dataset_of(&s);
    for (int softmax = 0; softmax < 2; ++softmax) {
        double counts[CLASSES][CLASSES], expected[CLASSES][CLASSES] = {{0}}, total = 0, wrong = 0, log_loss = 0, f1 = 0, occur = 0;
        double scores[CLASSES], shares[CLASSES];
        sl_model* model = new_model("classes", "4", "multiclass", softmax ? "softmax" : "one_vs_rest");
        feed_rows(model, &s, 0, 150);
        for (size_t r = 0; r < s.rows; ++r) {
            const size_t y = (size_t)s.labels[r];
            scores_of(model, &s, r, scores, CLASSES);
            assert_ok(sl_model_probabilities(model, scores, 1, shares, &error));
            total += s.weights[r];
            expected[y][top_of(scores, CLASSES)] += s.weights[r];
            wrong += top_of(scores, CLASSES) == y ? 0 : s.weights[r];
            log_loss -= s.weights[r] * log(shares[y]);
        }
        assert_ok(sl_model_confusion(model, data, counts[0], CLASSES * CLASSES, &error));
        for (size_t k = 0; k < CLASSES; ++k) {
            double either = 0;
            for (size_t j = 0; j < CLASSES; ++j) {
                assert_bits(counts[k][j], expected[k][j]);
                either += expected[k][j] + expected[j][k];
            }
            f1 += either > 0 ? 2 * expected[k][k] / either : 0;
            occur += either > 0;
        }
        assert_true(wrong > 0 && wrong < total / 2 && occur == CLASSES - 1);
        assert_near(evaluated(model, data, "error_rate"), wrong / total, 1e-14);
        assert_near(evaluated(model, data, "macro_f1"), f1 / occur, 1e-14);
        assert_near(evaluated(model, data, "log_loss"), log_loss / total, 1e-13);
        if (softmax) assert_near(evaluated(model, data, "loss"), log_loss / total, 1e-13);
        sl_model_free(model);
    }
    sl_dataset_free(data);
}

/* ------------------------------------------------------------------ keeping */

static sl_model* kept(const sl_model* model, sl_keep keep) {
    const folder f = new_folder();
    sl_model* loaded = NULL;
    assert_ok(sl_model_save(model, keep, path_in(&f, "model"), &error));
    assert_ok(sl_model_load(path_in(&f, "model"), &loaded, &error));
    remove_folder(&f);
    return loaded;
}

static void assert_same_scores(const sl_model* a, const sl_model* b, const sample* s) {
    double scores[2][CLASSES];
    for (size_t r = 0; r < s->rows; ++r) {
        scores_of(a, s, r, scores[0], CLASSES);
        scores_of(b, s, r, scores[1], CLASSES);
        assert_memory_equal(scores[0], scores[1], sizeof *scores);
    }
}

static int stop_at_once(const sl_progress* progress, void* user) {
    (void)user;
    return progress->rows > 0;
}

static void kept_half_way_it_goes_on_to_the_bit(void** state) {
    static const char* const settings[][10] = {{"storage", "hash", "l1", "0.001"},
                                               {"storage", "dense", "loss", "hinge", "average_start", "auto"},
                                               {"multiclass", "one_vs_rest", "center", "true"},
                                               {"average", "none", "storage", "dense"}};
    sample s;
    (void)state;
    fill_classes(&s, 400, 60, CLASSES, 9);
    sl_dataset* data = dataset_of(&s);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
        const char* pairs[14] = {"classes", "4"};
        for (size_t j = 0; settings[i][j]; ++j) pairs[2 + j] = settings[i][j];
        sl_model *straight = model_from(pairs), *half = model_from(pairs), *copy = NULL, *predictor = NULL;
        if (strstr(settings[i][2], "center")) {
            assert_ok(sl_model_observe_dataset(straight, data, NULL, &error));
            assert_ok(sl_model_observe_dataset(half, data, NULL, &error));
        }
        feed_rows(straight, &s, 0, 400);
        feed_rows(half, &s, 0, 170);
        assert_ok(sl_model_clone(half, &copy, &error));
        sl_model* loaded = kept(half, SL_KEEP_EVERYTHING);
        assert_same_models(half, loaded);
        sl_model* small = kept(half, SL_KEEP_PREDICTOR);
        assert_ok(sl_model_predictor(half, &predictor, &error));
        assert_same_models(small, half);
        assert_same_models(predictor, half);
        assert_same_scores(small, half, &s);
        assert_same_scores(predictor, half, &s);
        assert_labels(small, (const double[]){0, 1, 2, 3}, 4);
        assert_status(SL_ERROR_STATE, feed_row(small, &s, 0));
        feed_rows(copy, &s, 170, 400);
        feed_rows(loaded, &s, 170, 400);
        assert_same_models(straight, copy);
        assert_same_models(straight, loaded);
        assert_same_scores(straight, loaded, &s);
        for (sl_model** m = (sl_model*[]){straight, half, copy, loaded, small, predictor, NULL}; *m; ++m) sl_model_free(*m);
    }
    /* A fit that finds its classes, is stopped, kept, and goes on. */
    for (int keep = 0; keep < 2; ++keep) {
        sl_model *straight = new_model("epochs", "3"), *stopped = new_model("epochs", "3");
        assert_ok(sl_model_fit(straight, data, NULL, NULL, &error));
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(stopped, data, stop_at_once, NULL, &error));
        assert_int_equal(classes_of(stopped), CLASSES);
        if (keep) {
            sl_model* loaded = kept(stopped, SL_KEEP_EVERYTHING);
            sl_model_free(stopped);
            stopped = loaded;
        }
        assert_ok(sl_model_fit(stopped, data, NULL, NULL, &error));
        assert_same_models(straight, stopped);
        sl_model_free(straight);
        sl_model_free(stopped);
    }
    sl_dataset_free(data);
}

/* ------------------------------------------------------------------ many */

static void as_many_classes_as_there_can_be(void** state) {
    const uint32_t indices[] = {1, 5, 4000000000u};
    double* const scores = malloc(WIDEST * sizeof *scores);
    double weight = 0, label = 0;
    sl_model* model = new_model("classes", "65536", "storage", "hash");
    sl_options* options = new_options(NULL);
    (void)state;
    assert_non_null(scores);
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "classes", "65537", &error));
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "classes", "1", &error));
    sl_options_free(options);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, indices, NULL, 3, 65536, 1, &error));
    assert_ok(sl_model_feed(model, indices, NULL, 3, 65535, 1, &error));
    assert_ok(sl_model_feed(model, indices, NULL, 2, 7, 1, &error));
    assert_ok(sl_model_scores(model, indices, NULL, 2, scores, WIDEST, &error));
    assert_ok(sl_model_predicted_labels(model, scores, 1, &label, &error));
    assert_true(label == 7 || label == 65535);
    assert_ok(sl_model_class_weight(model, 65535, 4000000000u, &weight, &error));
    assert_true(weight > 0);
    assert_ok(sl_model_class_weight(model, 3, 4000000000u, &weight, &error));
    assert_true(weight < 0);
    sl_model_free(model);
    free(scores);
}

/* 1000 features of a megabyte each, where there is half of it. */
static void more_memory_than_there_is_is_refused_in_bytes(void** state) {
    enum { FEATURES = 1000 };
    uint32_t indices[FEATURES];
    const char* const storages[] = {"hash", "dense"};
    (void)state;
    if (!HAS_MEMORY_LIMIT || WATCHED || SL_EMULATED || sizeof(void*) == 4) skip(); /* of an emulated process there is no limit */
    for (uint32_t i = 0; i < FEATURES; ++i) indices[i] = i;
    for (int i = 0; i < 2; ++i) {
        sl_model* model = new_model("classes", "65536", "storage", storages[i]);
        assert_ok(sl_model_feed(model, indices, NULL, 2, 1, 1, &error));
        snapshot kept = snapshot_of(model);
        const uint64_t before = memory_limit();
        set_memory_limit(500 << 20);
        const sl_status status = sl_model_feed(model, indices, NULL, FEATURES, 1, 1, &error);
        set_memory_limit(before);
        assert_int_equal(status, SL_ERROR_OUT_OF_MEMORY);
        assert_message("1000 features of 1048576 bytes each, 1048576000 in all");
        assert_unchanged(model, &kept);
        assert_ok(sl_model_feed(model, indices, NULL, 3, 1, 1, &error));
        snapshot_free(&kept);
        sl_model_free(model);
    }
}

/* The weights of the three classes are -1e100 / 3 twice and 2e100 / 3. */
static void a_step_that_overflows_is_refused_with_the_score_furthest_from_0(void** state) {
    const uint32_t index = 0;
    const double one = 1, far = -1e150;
    (void)state;
    sl_model* model = new_model("classes", "3", "scale", "none", "schedule", "constant", "eta0", "1e100", "l2", "0");
    assert_ok(sl_model_feed(model, &index, &one, 1, 2, 1, &error));
    snapshot before = snapshot_of(model);
    assert_status(SL_ERROR_DIVERGED, sl_model_feed(model, &index, &far, 1, 0, 1, &error));
    assert_message("step 2 would overflow: its prediction is -6.66666666");
    assert_unchanged(model, &before);
    snapshot_free(&before);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_against_the_rest_is_a_model_of_two_labels),
        cmocka_unit_test(a_class_of_a_fit_is_a_fit_of_two_labels),
        cmocka_unit_test(parts_of_a_data_set_have_the_scores_of_all_of_it),
        cmocka_unit_test(labels_and_probabilities_of_scores),
        cmocka_unit_test(metrics_by_hand),
        cmocka_unit_test(kept_half_way_it_goes_on_to_the_bit),
        cmocka_unit_test(as_many_classes_as_there_can_be),
        cmocka_unit_test(more_memory_than_there_is_is_refused_in_bytes),
        cmocka_unit_test(a_step_that_overflows_is_refused_with_the_score_furthest_from_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
