/*
 * Searching: every number that a search gives is that of the same folds done by hand through the rest of the header, whatever the number of
 * threads.
 */
#include <math.h>

#include "searching.h"

enum { MOST_SPLITS = 8 };

static double value_of(const sl_search* search, size_t i, size_t split) {
    double values[MOST_SPLITS];
    size_t count = 0;
    assert_ok(sl_search_values(search, i, values, MOST_SPLITS, &count, &error));
    assert_in_range(split, 0, count - 1);
    return values[split];
}

/* The rows of `data` but that those in a split, or those in no or another, weigh 0. */
static sl_dataset* part_of(const sl_dataset* data, const sample* s, const uint32_t* splits, uint32_t split, int inside) {
    double weights[SAMPLE_ROWS];
    sl_dataset* part = NULL;
    for (size_t r = 0; r < s->rows; ++r) weights[r] = (splits[r] == split) == inside ? s->weights[r] : 0;
    assert_ok(sl_dataset_with_labels(data, NULL, weights, &part, &error));
    return part;
}

static double nonzeros_of(const sl_model* model) {
    size_t classes = 0, count = 0, sum = 0;
    assert_ok(sl_model_classes(model, &classes, &error));
    for (size_t k = 0; k < classes; ++k) {
        assert_ok(sl_model_class_nonzeros(model, k, NULL, NULL, 0, &count, &error));
        sum += count;
    }
    return (double)sum;
}

/* The value of a model that learns `learned`; adds up its nonzeros. */
static double by_hand(const sl_search* search, size_t i, const double* labels, size_t label_count, const sl_dataset* learned,
                      const sl_dataset* judging, const char* metric, double* nonzeros) {
    sl_options* options = NULL;
    sl_model* model = NULL;
    double value = 0;
    assert_ok(sl_search_options(search, i, &options, &error));
    assert_ok(sl_model_create(options, &model, &error));
    if (label_count) assert_ok(sl_model_set_labels(model, labels, label_count, &error));
    assert_ok(sl_model_fit(model, learned, NULL, NULL, &error));
    assert_ok(sl_model_evaluate(model, judging, metric, &value, &error));
    *nonzeros += nonzeros_of(model);
    sl_options_free(options);
    sl_model_free(model);
    return value;
}

/* Of a search in folds: every value, the summary of each model, and which are chosen. */
static void check_by_hand(const sl_search* search, const sl_dataset* data, const sample* s, const double* labels, size_t label_count,
                          const char* metric, int larger_is_better) {
    uint32_t splits[SAMPLE_ROWS];
    char name[20];
    double means[20], errors[20], counts[20], cost = larger_is_better ? -1 : 1;
    size_t models = 0, folds = 0, best = 0, sparsest = 0, count = 0;
    int larger = -1;
    assert_ok(sl_search_shape(search, &models, &folds, &best, &sparsest, &error));
    assert_ok(sl_search_metric(search, name, sizeof name, &count, &larger, &error));
    assert_string_equal(name, metric);
    assert_int_equal(larger, larger_is_better);
    assert_ok(sl_search_splits(search, splits, SAMPLE_ROWS, &count, &error));
    assert_int_equal(count, s->rows);
    for (size_t i = 0; i < models; ++i) {
        double sum = 0, squares = 0, nonzeros = 0;
        for (uint32_t f = 0; f < folds; ++f) {
            sl_dataset *learned = part_of(data, s, splits, f, 0), *judging = part_of(data, s, splits, f, 1);
            const double value = by_hand(search, i, labels, label_count, learned, judging, metric, &nonzeros);
            assert_bits(value_of(search, i, f), value);
            sum += value;
            sl_dataset_free(learned);
            sl_dataset_free(judging);
        }
        assert_ok(sl_search_model(search, i, &means[i], &errors[i], &counts[i], &error));
        assert_near(means[i], sum / (double)folds, 1e-14);
        for (size_t f = 0; f < folds; ++f) squares += pow(value_of(search, i, f) - means[i], 2);
        assert_near(errors[i], sqrt(squares / (double)(folds - 1) / (double)folds), 1e-14);
        assert_near(counts[i], nonzeros / (double)folds, 1e-9);
    }
    assert_true(counts[best] > 0);
    for (size_t i = 0; i < models; ++i) {
        assert_true(cost * means[best] <= cost * means[i]);
        if (cost * means[i] <= cost * means[best] + errors[best]) assert_true(counts[sparsest] <= counts[i]);
    }
    assert_true(cost * means[sparsest] <= cost * means[best] + errors[best]);
}

static void folds_are_those_done_by_hand(void** state) {
    sample s;
    sl_dataset* data = sample_data(&s, 1);
    sl_options* options = new_options("epochs", "2", "balance", "true", "sparse_average", "true");
    sl_search* search = search_of(options, "l1=0,0.001,0.004,0.005  l2=0,1e-3", data, 5, 1);
    const double pair[] = {-1, 1};
    char settings[40];
    size_t models = 0, best = 0, sparsest = 0, length = 0;
    (void)state;
    assert_ok(sl_search_shape(search, &models, NULL, &best, &sparsest, &error));
    assert_int_equal(models, 8);
    assert_true(best != sparsest);
    assert_ok(sl_search_settings(search, 3, settings, sizeof settings, &length, &error));
    assert_string_equal(settings, "l1=0.001 l2=0.001");
    check_by_hand(search, data, &s, pair, 2, "log_loss", 0);
    sl_search_free(search);
    search = NULL;
    assert_ok(sl_search_run(options, "loss=log,hinge", data, NULL, 3, 0, "auc", 1, NULL, NULL, &search, &error));
    check_by_hand(search, data, &s, pair, 2, "auc", 1);
    sl_search_free(search);
    sl_options_free(options);
    sl_dataset_free(data);
}

static void numbers_as_labels_too(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_options* options = new_options("loss", "squared", "scale", "rms");
    sl_search* search = NULL;
    (void)state;
    fill_sample(&s, SAMPLE_ROWS, 60, 1);
    for (size_t r = 0; r < s.rows; ++r) s.labels[r] += 0.01 * (double)(r % 50);
    data = dataset_of(&s);
    search = search_of(options, "l1=0,0.01", data, 4, 1);
    check_by_hand(search, data, &s, NULL, 0, "loss", 0);
    sl_search_free(search);
    sl_options_free(options);
    sl_dataset_free(data);
}

/* A class of a single row is learned by all folds but one, which knows its label all the same. */
static void every_fold_knows_all_classes(void** state) {
    static const double labels[] = {2, 3, 5, 7};
    sample s;
    sl_dataset* data = NULL;
    sl_search* search = NULL;
    (void)state;
    fill_sample(&s, SAMPLE_ROWS, 60, 3);
    for (size_t r = 0; r < s.rows; ++r) s.labels[r] = labels[r % 3];
    s.labels[11] = 7;
    data = dataset_of(&s);
    search = search_of(NULL, "l1=0,0.01", data, 5, 1);
    check_by_hand(search, data, &s, labels, 4, "log_loss", 0);
    sl_search_free(search);
    sl_dataset_free(data);
}

static void any_number_of_threads_gives_the_same_bits(void** state) {
    static const char grid[] = "l1=0,0.01 l2=0,1e-3";
    static const uint32_t threads[] = {2, 3, 50, 0};
    sample s;
    sl_dataset* data = sample_data(&s, 5);
    sl_search* one = search_of(NULL, grid, data, 5, 1);
    (void)state;
    for (size_t t = 0; t < 4; ++t) {
        sl_search* more = search_of(NULL, grid, data, 5, threads[t]);
        for (size_t i = 0; i < 4; ++i) {
            double a[3], b[3];
            for (size_t f = 0; f < 5; ++f) assert_bits(value_of(one, i, f), value_of(more, i, f));
            assert_ok(sl_search_model(one, i, &a[0], &a[1], &a[2], &error));
            assert_ok(sl_search_model(more, i, &b[0], &b[1], &b[2], &error));
            assert_memory_equal(a, b, sizeof a);
        }
        sl_search_free(more);
    }
    sl_search_free(one);
    sl_dataset_free(data);
}

static void averages_are_sparse_where_nobody_says_otherwise(void** state) {
    static const struct {
        const char *name, *value, *grid, *settings;
    } cases[] = {
        {"epochs", "1", "l1=0,0.01", "l1=0 sparse_average=true"},
        {"epochs", "1", "", ""},
        {"sparse_average", "false", "l1=0,0.01", "l1=0"},
        {"average", "polynomial", "l1=0,0.01", "l1=0"},
        {"average", "none", "l1=0,0.01", "l1=0"},
        {"preset", "none", "l1=0,0.01", "l1=0"},
        {"center", "true", "l2=0,0.01", "l2=0"},
        {"epochs", "1", "sparse_average=false", "sparse_average=false"},
        {"epochs", "1", "l2=0,1 center=false,true", "l2=0 center=false"},
    };
    sample s;
    sl_dataset* data = sample_data(&s, 6);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        sl_options *options = new_options(cases[k].name, cases[k].value), *found = NULL;
        sl_search* search = search_of(options, cases[k].grid, data, 2, 1);
        char settings[60], average[8];
        size_t length = 0;
        assert_ok(sl_search_settings(search, 0, settings, sizeof settings, &length, &error));
        assert_string_equal(settings, cases[k].settings);
        assert_ok(sl_search_options(search, 0, &found, &error));
        assert_ok(sl_options_get(found, "sparse_average", average, sizeof average, &length, &error));
        assert_string_equal(average, strstr(settings, "sparse_average=true") ? "true" : "false");
        sl_search_free(search);
        sl_options_free(found);
        sl_options_free(options);
    }
    sl_dataset_free(data);
}

static void rows_are_dealt_out_by_label(void** state) {
    sample s;
    sl_dataset* data = sample_data(&s, 7);
    uint32_t splits[3][SAMPLE_ROWS];
    size_t count = 0, weightless = 0;
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        sl_options* options = new_options("seed", k < 2 ? "4" : "5");
        sl_search* search = search_of(options, "", data, 5, 1);
        assert_ok(sl_search_splits(search, NULL, 0, &count, &error));
        assert_int_equal(count, SAMPLE_ROWS);
        assert_ok(sl_search_splits(search, splits[k], SAMPLE_ROWS, &count, &error));
        sl_search_free(search);
        sl_options_free(options);
    }
    assert_memory_equal(splits[0], splits[1], sizeof splits[0]);
    assert_memory_not_equal(splits[0], splits[2], sizeof splits[0]);
    for (double label = -1; label <= 1; label += 2) {
        size_t sizes[6] = {0}, all = 0;
        for (size_t r = 0; r < s.rows; ++r) {
            assert_int_equal(splits[0][r] == 5, s.weights[r] == 0);
            if (s.weights[r] == 0) ++weightless;
            if (s.weights[r] == 0 || s.labels[r] != label) continue;
            ++sizes[splits[0][r]];
            ++all;
        }
        for (size_t f = 0; f < 5; ++f) assert_in_range(sizes[f], all / 5, all / 5 + 1);
    }
    assert_true(weightless > 0);
    sl_dataset_free(data);
}

static void a_part_held_out_and_a_test_set(void** state) {
    sample s, other;
    sl_dataset *data = sample_data(&s, 9), *test = sample_data(&other, 10), *learned = NULL, *judging = NULL;
    sl_search* search = NULL;
    const double pair[] = {-1, 1};
    uint32_t splits[SAMPLE_ROWS];
    size_t count = 0, held_out = 0, rows = 0, folds = 0;
    double mean = -1, standard_error = -1, nonzeros = -1, expected = 0;
    (void)state;
    assert_ok(sl_search_run(NULL, "l1=0,0.01", data, NULL, 0, 0.25, NULL, 2, NULL, NULL, &search, &error));
    assert_ok(sl_search_shape(search, NULL, &folds, NULL, NULL, &error));
    assert_int_equal(folds, 1);
    assert_ok(sl_search_splits(search, splits, SAMPLE_ROWS, &count, &error));
    for (size_t r = 0; r < s.rows; ++r) {
        rows += s.weights[r] > 0;
        held_out += splits[r] == 0;
        if (s.weights[r] == 0) assert_int_equal(splits[r], 1);
    }
    assert_int_equal(held_out, rows / 4);
    learned = part_of(data, &s, splits, 0, 0);
    judging = part_of(data, &s, splits, 0, 1);
    assert_bits(value_of(search, 1, 0), by_hand(search, 1, pair, 2, learned, judging, "log_loss", &expected));
    assert_ok(sl_search_model(search, 1, &mean, &standard_error, &nonzeros, &error));
    assert_bits(mean, value_of(search, 1, 0));
    assert_bits(standard_error, 0);
    assert_bits(nonzeros, expected);
    sl_search_free(search);
    sl_dataset_free(learned);
    sl_dataset_free(judging);

    assert_ok(sl_search_run(NULL, "l1=0,0.01", data, test, 0, 0, "error_rate", 2, NULL, NULL, &search, &error));
    assert_bits(value_of(search, 0, 0), by_hand(search, 0, NULL, 0, data, test, "error_rate", &expected));
    assert_ok(sl_search_splits(search, NULL, 0, &count, &error));
    assert_int_equal(count, 0);
    sl_search_free(search);
    sl_dataset_free(data);
    sl_dataset_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_those_done_by_hand),
        cmocka_unit_test(numbers_as_labels_too),
        cmocka_unit_test(every_fold_knows_all_classes),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(averages_are_sparse_where_nobody_says_otherwise),
        cmocka_unit_test(rows_are_dealt_out_by_label),
        cmocka_unit_test(a_part_held_out_and_a_test_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
