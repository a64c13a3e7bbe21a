/* Rounds of training in parts: what all began with counts once, and rare features go on through the parts' mean. */
#include <math.h>

#include "keeping.h"

enum { FEATURES = 40, BEGUN = 40, PARTS = 3 };
static const size_t ends[PARTS + 1] = {BEGUN, 60, 110, 200}; /* part p learns the rows from ends[p] on */
static sample rows;

/* A model that has observed all rows and learned the first of them, and copies of it that have each learned a part of the others. */
typedef struct {
    sl_model *begin, *parts[PARTS];
} round_of;

static void observe_rows(sl_model* model, size_t first, size_t last, double weight) {
    for (size_t r = first; r < last; ++r)
        assert_ok(sl_model_observe(model, rows.indices + rows.pointers[r], rows.values + rows.pointers[r], row_count(&rows, r),
                                   weight * rows.weights[r], &error));
}

static round_of trained_of(const char* const* pairs, double observed_weight) {
    round_of round = {model_from(pairs), {NULL}};
    observe_rows(round.begin, 0, rows.rows, observed_weight);
    feed_rows(round.begin, &rows, 0, BEGUN);
    for (size_t p = 0; p < PARTS; ++p) {
        assert_ok(sl_model_clone(round.begin, &round.parts[p], &error));
        feed_rows(round.parts[p], &rows, ends[p], ends[p + 1]);
    }
    return round;
}

static round_of trained(const char* const* pairs) { return trained_of(pairs, 1); }

static sl_model* merged_of(const sl_model* begin, sl_model* const* models, size_t count, double parts) {
    sl_model* merged = NULL;
    assert_ok(sl_model_merge_round(begin, (const sl_model* const*)models, count, parts, &merged, &error));
    return merged;
}

static void free_round(round_of round) {
    sl_model_free(round.begin);
    for (size_t p = 0; p < PARTS; ++p) sl_model_free(round.parts[p]);
}

static double weight_of(const sl_model* model, uint32_t j) {
    double weight = 0;
    assert_ok(sl_model_weight(model, j, &weight, &error));
    return weight;
}

static double weight_sum(size_t first, size_t last) {
    double sum = 0;
    for (size_t r = first; r < last; ++r) sum += rows.weights[r];
    return sum;
}

static double mean_of(const round_of* round, uint32_t j) {
    double sum = 0;
    for (size_t p = 0; p < PARTS; ++p)
        sum += weight_sum(ends[p], ends[p + 1]) / weight_sum(BEGUN, rows.rows) * weight_of(round->parts[p], j);
    return sum;
}

/* Shares are of what was learned since, weights of one part more are the mean, and steps and loss are all that were made. */
static void what_it_began_with_counts_once(void** state) {
    static const char* const sets[][7] = {
        {NULL}, {"average", "none", NULL}, {"scale", "none", NULL}, {"center", "true", "scale", "rms", "l2", "0.01", NULL}};
    (void)state;
    for (size_t c = 0; c < 4; ++c) {
        const round_of round = trained(c == 2 ? sets[1] : sets[c]);
        sl_model* merged = merged_of(round.begin, round.parts, PARTS, 1);
        double loss = 0, expected = 0, bias = 0, mean_bias = 0;
        uint64_t steps = 0;
        for (uint32_t j = 0; j < FEATURES; ++j) assert_near(weight_of(merged, j), mean_of(&round, j), 1e-12);
        for (size_t p = 0; p < PARTS; ++p) {
            assert_ok(sl_model_bias(round.parts[p], &bias, &error));
            mean_bias += weight_sum(ends[p], ends[p + 1]) / weight_sum(BEGUN, rows.rows) * bias;
            assert_ok(sl_model_mean_loss(round.parts[p], &loss, &error));
            expected += loss * (weight_sum(0, BEGUN) + weight_sum(ends[p], ends[p + 1]));
        }
        assert_ok(sl_model_bias(merged, &bias, &error));
        assert_near(bias, mean_bias, 1e-12);
        assert_ok(sl_model_mean_loss(round.begin, &loss, &error));
        expected -= (PARTS - 1) * loss * weight_sum(0, BEGUN);
        assert_ok(sl_model_mean_loss(merged, &loss, &error));
        assert_near(loss, expected / weight_sum(0, rows.rows), 1e-12);
        assert_ok(sl_model_steps(merged, &steps, &error));
        assert_int_equal(steps, rows.rows);
        free_round(round);
        sl_model_free(merged);
    }
}

/* What the header says of weights: on from where they began through the mean, the rarer the farther, but not past 0. */
static double farther(double begin, double mean, uint32_t j, double parts) {
    double squares = 0, of_feature = 0;
    for (size_t r = 0; r < rows.rows; ++r)
        for (int64_t k = rows.pointers[r]; k < rows.pointers[r + 1]; ++k) { /* scaled, the weighted mean of a feature's squares is 1 */
            squares += rows.weights[r];
            of_feature += rows.indices[k] == j ? rows.weights[r] : 0;
        }
    const double passes = weight_sum(BEGUN, rows.rows) / weight_sum(0, rows.rows);
    const double a = passes * of_feature / (squares / weight_sum(0, rows.rows) + 1);
    const double weight = begin + sqrt((parts + a) / (1 + a)) * (mean - begin);
    return weight * mean > 0 ? weight : 0;
}

static void rare_features_go_farther(void** state) {
    static const char* const last[] = {"average", "none", "l1", "1e-3", NULL};
    static const char* const averaged[] = {"l1", "1e-3", NULL};
    size_t stopped = 0, moved = 0;
    (void)state;
    const round_of of_last = trained(last), of_average = trained(averaged);
    sl_model *merged = merged_of(of_last.begin, of_last.parts, PARTS, 9),
             *average = merged_of(of_average.begin, of_average.parts, PARTS, 9);
    for (uint32_t j = 0; j < FEATURES; ++j) {
        const double mean = mean_of(&of_last, j), weight = farther(weight_of(of_last.begin, j), mean, j, 9);
        assert_near(weight_of(merged, j), weight, 1e-12);
        const double mean_average = mean_of(&of_average, j), with = mean_average + weight - mean;
        assert_near(weight_of(average, j), with * mean_average > 0 ? with : 0, 1e-12);
        stopped += mean != 0 && weight == 0;
        moved += fabs(weight - mean) > 0.01;
    }
    assert_true(stopped > 0);
    assert_true(moved > FEATURES / 2);
    free_round(of_last);
    free_round(of_average);
    sl_model_free(merged);
    sl_model_free(average);
}

/* Where no statistics say how rare a feature is, and where rows have every feature. */
static void elsewhere_parts_change_nothing(void** state) {
    static const char* const sets[][5] = {{"scale", "max_abs", NULL}, {"scale", "rms", "center", "true", NULL}};
    (void)state;
    for (size_t c = 0; c < 2; ++c) {
        const round_of round = trained(sets[c]);
        sl_model *mean = merged_of(round.begin, round.parts, PARTS, 1), *merged = merged_of(round.begin, round.parts, PARTS, 3);
        assert_same_kept(mean, merged);
        free_round(round);
        sl_model_free(mean);
        sl_model_free(merged);
    }
}

/* So do models of several classes, which begin untrained; what comes of it is kept, and goes on. */
static void a_tree_is_flat(void** state) {
    static const char* const pairs[] = {"classes", "3", "l1", "1e-4", NULL};
    static sample three;
    (void)state;
    fill_sample(&three, 120, FEATURES, 3);
    for (size_t r = 0; r < three.rows; ++r) three.labels[r] = (double)(r % 3);
    sl_dataset* data = dataset_of(&three);
    sl_model *begin = model_from(pairs), *parts[4], *groups[2];
    assert_ok(sl_model_observe_dataset(begin, data, NULL, &error));
    for (size_t p = 0; p < 4; ++p) {
        assert_ok(sl_model_clone(begin, &parts[p], &error));
        feed_rows(parts[p], &three, p * 30, (p + 1) * 30);
    }
    for (size_t g = 0; g < 2; ++g) groups[g] = merged_of(begin, parts + 2 * g, 2, 1);
    sl_model *flat = merged_of(begin, parts, 4, 4), *tree = merged_of(begin, groups, 2, 4), *mean = merged_of(begin, parts, 4, 1);
    double weights[3], farthest = 0;
    for (size_t k = 0; k < 3; ++k)
        for (uint32_t j = 0; j < FEATURES; ++j) {
            assert_ok(sl_model_class_weight(flat, k, j, &weights[0], &error));
            assert_ok(sl_model_class_weight(tree, k, j, &weights[1], &error));
            assert_ok(sl_model_class_weight(mean, k, j, &weights[2], &error));
            assert_near(weights[0], weights[1], 1e-12);
            farthest = fmax(farthest, fabs(weights[0] - weights[2]));
        }
    assert_true(farthest > 0.01);
    const bytes kept = bytes_of(flat, SL_KEEP_EVERYTHING);
    sl_model* again = model_of(kept);
    free(kept.data);
    feed_rows(flat, &three, 0, three.rows);
    feed_rows(again, &three, 0, three.rows);
    assert_same_kept(flat, again);
    sl_model* alone = merged_of(begin, parts, 1, 1);
    assert_same_kept(alone, parts[0]);
    sl_model* const made[] = {begin, parts[0], parts[1], parts[2], parts[3], groups[0], groups[1], flat, tree, mean, again, alone};
    for (size_t m = 0; m < sizeof made / sizeof *made; ++m) sl_model_free(made[m]);
    sl_dataset_free(data);
}

/* A round that began with `begin`, which is freed, is refused. */
static void refused(sl_status status, sl_model* begin, sl_model* const* models, double parts, const char* words) {
    const bytes before = bytes_of(models[0], SL_KEEP_EVERYTHING);
    sl_model* merged = begin;
    assert_status(status, sl_model_merge_round(begin, (const sl_model* const*)models, 2, parts, &merged, &error));
    assert_message(words);
    assert_ptr_equal(merged, begin);
    const bytes after = bytes_of(models[0], SL_KEEP_EVERYTHING);
    assert_same_bytes(before, after);
    free(before.data);
    free(after.data);
    sl_model_free(begin);
}

/* How often features occur is a share of what was observed, however little that weighs. */
static void what_was_observed_may_weigh_next_to_nothing(void** state) {
    static const char* const last[] = {"average", "none", NULL};
    (void)state;
    const round_of round = trained(last), light = trained_of(last, 1e-308);
    sl_model *merged = merged_of(round.begin, round.parts, PARTS, 9), *light_merged = merged_of(light.begin, light.parts, PARTS, 9);
    for (uint32_t j = 0; j < FEATURES; ++j) assert_near(weight_of(light_merged, j), weight_of(merged, j), 1e-6);
    free_round(round);
    free_round(light);
    sl_model_free(merged);
    sl_model_free(light_merged);
}

/* Parts that have each observed their own rows add up what they observed. */
static void a_round_that_began_with_nothing_is_a_merge(void** state) {
    sl_model *begin = new_model(NULL), *parts[PARTS], *merged = NULL;
    (void)state;
    for (size_t p = 0; p < PARTS; ++p) {
        assert_ok(sl_model_clone(begin, &parts[p], &error));
        observe_rows(parts[p], ends[p], ends[p + 1], 1);
        feed_rows(parts[p], &rows, ends[p], ends[p + 1]);
    }
    sl_model* round = merged_of(begin, parts, PARTS, 1);
    assert_ok(sl_model_merge((const sl_model* const*)parts, PARTS, &merged, &error));
    assert_same_kept(round, merged);
    for (size_t p = 0; p < PARTS; ++p) sl_model_free(parts[p]);
    sl_model_free(begin);
    sl_model_free(round);
    sl_model_free(merged);
}

static void what_was_no_round_says_why(void** state) {
    static const char* const plain[] = {NULL};
    static const double pair[] = {3, 4};
    (void)state;
    const round_of round = trained(plain);
    sl_model *begin = NULL, *predictor = NULL, *merged = NULL, *started = new_model(NULL);
    assert_ok(sl_model_clone(round.begin, &begin, &error));
    refused(
        SL_ERROR_INVALID_ARGUMENT, begin, (sl_model* const[]){round.parts[0], round.begin}, 2,
        "model number 1, of 40 steps, is no copy of the model that the round began with, of 40 steps, that has learned something since");
    for (size_t c = 0; c < 3; ++c) {
        assert_ok(sl_model_clone(round.begin, &begin, &error));
        refused(SL_ERROR_INVALID_ARGUMENT, begin, round.parts, (const double[]){0.5, NAN, INFINITY}[c],
                "but must be a finite number of at least 1");
    }
    refused(SL_ERROR_INVALID_ARGUMENT, new_model("l2", "0.5"), round.parts, 2,
            "the model that the round began with has the option l2 at 0.5, and model number 0 at auto");
    begin = new_model(NULL);
    assert_ok(sl_model_set_labels(begin, pair, 2, &error));
    refused(SL_ERROR_INVALID_ARGUMENT, begin, round.parts, 2, "has other labels (3 and 4) than model number 0 (-1 and 1)");
    assert_ok(sl_model_predictor(round.begin, &predictor, &error));
    refused(SL_ERROR_STATE, predictor, round.parts, 2, "the model that the round began with was saved as a predictor");
    assert_ok(sl_model_start(started, round.begin, &error));
    refused(SL_ERROR_STATE, started, round.parts, 2, "starts from another model and has learned nothing yet");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge_round(NULL, (const sl_model* const*)round.parts, 2, 2, &merged, &error));
    assert_message("begin is NULL");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge_round(round.begin, NULL, 0, 1, &merged, &error));
    assert_message("there is no model to merge");
    assert_null(merged);
    free_round(round);
}

static int fill(void** state) {
    (void)state;
    fill_sample(&rows, 200, FEATURES, 1);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_began_with_counts_once),
        cmocka_unit_test(rare_features_go_farther),
        cmocka_unit_test(elsewhere_parts_change_nothing),
        cmocka_unit_test(a_tree_is_flat),
        cmocka_unit_test(what_was_observed_may_weigh_next_to_nothing),
        cmocka_unit_test(a_round_that_began_with_nothing_is_a_merge),
        cmocka_unit_test(what_was_no_round_says_why),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
