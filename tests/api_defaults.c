/* Default options on data unlike those that their rules were chosen on: noisy, uneven, of few columns, with labels of any size. */
#include <math.h>

#include "helpers.h"

/* Numbers from 0 to 1, and about normal ones. */
static uint64_t state_of_dice;
static double uniform(void) { return (double)(next_random(&state_of_dice) >> 11) * 0x1p-53; }
static double normal(void) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum - 6;
}

static double evaluated(const sl_model* model, const sl_dataset* data, const char* metric) {
    double value = 0;
    assert_ok(sl_model_evaluate(model, data, metric, &value, &error));
    return value;
}

/* As many rows of categories as asked for, FIELDS of them each, of LEVELS levels, and labels of 30 % positives or so. */
enum { FIELDS = 8, LEVELS = 2000 };
typedef struct rates {
    double positives, truth; /* their share, and the log loss of the true probabilities */
} rates;

static sl_dataset* clicks(size_t rows, rates* is) {
    static double effect[FIELDS * LEVELS];
    int64_t* pointers = calloc(rows + 1, sizeof *pointers);
    uint32_t* indices = calloc(rows * FIELDS, sizeof *indices);
    double* labels = calloc(rows, sizeof *labels);
    sl_dataset* data = NULL;
    assert_true(pointers && indices && labels);
    uint64_t fixed = 7;
    for (size_t k = 0; k < FIELDS * LEVELS; ++k) effect[k] = ((double)(next_random(&fixed) >> 11) * 0x1p-53 - 0.5) * 1.6;
    is->positives = is->truth = 0;
    for (size_t r = 0; r < rows; ++r) {
        double score = -1;
        for (uint32_t f = 0; f < FIELDS; ++f) {
            const double u = uniform();
            const uint32_t level = f * LEVELS + (uint32_t)(u * u * u * LEVELS);
            indices[r * FIELDS + f] = level;
            score += effect[level];
        }
        labels[r] = uniform() < 1 / (1 + exp(-score)) ? 1 : -1;
        is->positives += labels[r] > 0;
        is->truth += log1p(exp(-labels[r] * score));
        pointers[r + 1] = (int64_t)((r + 1) * FIELDS);
    }
    is->positives /= (double)rows;
    is->truth /= (double)rows;
    assert_ok(sl_dataset_from_csr(rows, pointers, indices, NULL, labels, NULL, &data, &error));
    free(pointers);
    free(indices);
    free(labels);
    return data;
}

/* What is left of the way from always answering the base rate to the truth. */
static void noisy_clicks_are_predicted_better_than_by_the_base_rate(void** state) {
    rates seen, is;
    (void)state;
    state_of_dice = 1;
    sl_dataset *train = clicks(100000, &seen), *test = clicks(20000, &is);
    sl_model* model = new_model(NULL);
    assert_ok(sl_model_fit(model, train, NULL, NULL, &error));
    const double base = -is.positives * log(seen.positives) - (1 - is.positives) * log(1 - seen.positives);
    const double loss = evaluated(model, test, "log_loss");
    print_message("log loss of the base rate %.4f, of the model %.4f, of the truth %.4f\n", base, loss, is.truth);
    assert_true(loss < base - (base - is.truth) / 3);
    sl_model_free(model);
    sl_dataset_free(train);
    sl_dataset_free(test);
}

static void rows_without_features_give_the_base_rate(void** state) {
    sl_model* model = new_model(NULL);
    double score, probability;
    (void)state;
    for (int r = 0; r < 100000; ++r) assert_ok(sl_model_feed(model, NULL, NULL, 0, r % 10 == 9 ? 1 : -1, 1, &error));
    assert_ok(sl_model_predict(model, NULL, NULL, 0, &score, &error));
    assert_ok(sl_model_probability(model, score, &probability, &error));
    assert_true(fabs(probability - 0.1) < 0.01);
    sl_model_free(model);
}

static void one_uneven_column_comes_out_on_the_right_side(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        sl_model* model = new_model(NULL);
        const uint32_t index = 0;
        double weight;
        state_of_dice = seed;
        for (int r = 0; r < 1000; ++r) {
            const double label = uniform() < 0.5 ? 1 : -1, value = 1e5 * label + 2e5 * normal();
            assert_ok(sl_model_feed(model, &index, &value, 1, label, 1, &error));
        }
        assert_ok(sl_model_weight(model, index, &weight, &error));
        assert_true(weight > 0);
        sl_model_free(model);
    }
}

/* Dense rows: label = size * (sum of columns' effects + noise) + offset. */
enum { COLUMNS = 100 };
static sl_dataset* dense(size_t rows, size_t columns, double size, double noise, double offset) {
    double w[COLUMNS];
    uint64_t fixed = 3;
    int64_t* pointers = calloc(rows + 1, sizeof *pointers);
    uint32_t* indices = calloc(rows * columns, sizeof *indices);
    double *values = calloc(rows * columns, sizeof *values), *labels = calloc(rows, sizeof *labels);
    sl_dataset* data = NULL;
    assert_true(pointers && indices && values && labels);
    for (size_t j = 0; j < columns; ++j) w[j] = (double)(next_random(&fixed) >> 11) * 0x1p-53 - 0.5;
    for (size_t r = 0; r < rows; ++r) {
        labels[r] = noise * normal();
        for (size_t j = 0; j < columns; ++j) {
            const size_t k = r * columns + j;
            indices[k] = (uint32_t)j;
            values[k] = normal();
            labels[r] += w[j] * values[k];
        }
        labels[r] = size * labels[r] + offset;
        pointers[r + 1] = (int64_t)((r + 1) * columns);
    }
    assert_ok(sl_dataset_from_csr(rows, pointers, indices, values, labels, NULL, &data, &error));
    free(pointers);
    free(indices);
    free(values);
    free(labels);
    return data;
}

static void robust_losses_learn_clean_columns(void** state) {
    static const char* const losses[] = {"absolute", "quantile", "huber"};
    (void)state;
    state_of_dice = 5;
    sl_dataset *train = dense(10000, COLUMNS, 1, 0, 0), *test = dense(1000, COLUMNS, 1, 0, 0);
    for (size_t k = 0; k < sizeof losses / sizeof *losses; ++k) {
        sl_model* model = new_model("loss", losses[k]);
        assert_ok(sl_model_fit(model, train, NULL, NULL, &error));
        assert_true(evaluated(model, test, "mae") < 0.002); /* labels deviate by 2.9 */
        sl_model_free(model);
    }
    sl_dataset_free(train);
    sl_dataset_free(test);
}

/* 0.1 of the labels is noise, so no r2 is above 0.994. */
static void labels_may_have_any_size(void** state) {
    static const char* const losses[] = {"squared", "absolute", "quantile", "huber", "epsilon_insensitive"};
    static const double sizes[] = {1e-3, 1, 1e3, 1e6};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int offset = 0; offset <= 10; offset += 10) {
            state_of_dice = 9;
            sl_dataset *train = dense(10000, 20, sizes[i], 0.1, offset * sizes[i]),
                       *test = dense(1000, 20, sizes[i], 0.1, offset * sizes[i]);
            for (size_t k = 0; k < sizeof losses / sizeof *losses; ++k) {
                sl_model* model;
                if (strcmp(losses[k], "epsilon_insensitive") == 0 && sizes[i] < 1) continue; /* labels below epsilon */
                model = new_model("loss", losses[k]);
                assert_ok(sl_model_fit(model, train, NULL, NULL, &error));
                assert_true(evaluated(model, test, "r2") > 0.993);
                sl_model_free(model);
            }
            sl_dataset_free(train);
            sl_dataset_free(test);
        }
}

/* A default that depends on the loss is 0 where a slope does not grow with the labels. */
static void the_default_l2_suits_the_loss(void** state) {
    (void)state;
    state_of_dice = 11;
    sl_dataset* data = dense(500, 5, 1e6, 0.1, 0);
    sl_model *automatic = new_model("loss", "absolute"), *none = new_model("loss", "absolute", "l2", "0");
    sl_model *squared = new_model("loss", "squared"), *given = new_model("loss", "squared", "l2", "1e-6");
    sl_model* all[] = {automatic, none, squared, given};
    for (size_t k = 0; k < 4; ++k) assert_ok(sl_model_fit(all[k], data, NULL, NULL, &error));
    assert_true(same_models(automatic, none));
    assert_true(same_models(squared, given));
    for (size_t k = 0; k < 4; ++k) sl_model_free(all[k]);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noisy_clicks_are_predicted_better_than_by_the_base_rate),
        cmocka_unit_test(rows_without_features_give_the_base_rate),
        cmocka_unit_test(one_uneven_column_comes_out_on_the_right_side),
        cmocka_unit_test(robust_losses_learn_clean_columns),
        cmocka_unit_test(labels_may_have_any_size),
        cmocka_unit_test(the_default_l2_suits_the_loss),
    };
    return cmocka_run_group_tests_name("defaults", tests, NULL, NULL);
}
