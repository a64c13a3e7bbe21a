/* The orders in which a fit goes through its rows: what a permutation is, what draws are, and what the seed fixes. */
#include <math.h>

#include "fitting.h"

/* Row i is feature i alone. With squared loss, no bias and steps of 1/2 a weight is 1 - 2^-n after n visits. */
enum { ONES = 64 };

static sl_dataset* ones(double label) {
    int64_t pointers[ONES + 1];
    uint32_t indices[ONES];
    double labels[ONES];
    sl_dataset* data = NULL;
    for (size_t r = 0; r <= ONES; ++r) pointers[r] = (int64_t)r;
    for (uint32_t r = 0; r < ONES; ++r) {
        indices[r] = r;
        labels[r] = label;
    }
    assert_ok(sl_dataset_from_csr(ONES, pointers, indices, NULL, labels, NULL, &data, &error));
    return data;
}

static double visits(const sl_model* model, uint32_t row) {
    double weight = 0;
    assert_ok(sl_model_weight(model, row, &weight, &error));
    return -log2(1 - weight);
}

#define visiting "loss", "squared", "schedule", "constant", "eta0", "0.5", "l2", "0", "average", "none", "bias", "false"

static void a_shuffled_pass_visits_each_row_once(void** state) {
    sl_dataset* data = ones(1);
    sl_model* model = new_fitted(data, visiting, "epochs", "5", "seed", "3");
    (void)state;
    for (uint32_t r = 0; r < ONES; ++r) assert_true(visits(model, r) == 5);
    sl_model_free(model);
    sl_dataset_free(data);
}

static void with_replacement_draws_rows(void** state) {
    double sum = 0, most = 0, least = 1e9;
    sl_dataset* data = ones(1);
    sl_model* model = new_fitted(data, visiting, "epochs", "5", "sampling", "with_replacement");
    (void)state;
    for (uint32_t r = 0; r < ONES; ++r) {
        const double n = visits(model, r);
        sum += n;
        most = n > most ? n : most;
        least = n < least ? n : least;
    }
    assert_true(sum == 5 * ONES);
    assert_true(least < 5 && most > 5 && most < 20);
    sl_model_free(model);
    sl_dataset_free(data);
}

static void the_seed_fixes_the_order(void** state) {
    static const char* const samplings[] = {"shuffle", "with_replacement"};
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 300, 60, 2);
    data = dataset_of(&s);
    for (size_t k = 0; k < 2; ++k) {
        sl_model *a = new_fitted(data, "sampling", samplings[k], "seed", "18446744073709551615"),
                 *b = new_fitted(data, "sampling", samplings[k], "seed", "1");
        sl_model* again = new_fitted(data, "sampling", samplings[k], "seed", "18446744073709551615");
        sl_model* sequential = new_fitted(data, "sampling", "sequential");
        double bias[3];
        assert_same_models(a, again);
        assert_ok(sl_model_bias(a, &bias[0], &error));
        assert_ok(sl_model_bias(b, &bias[1], &error));
        assert_ok(sl_model_bias(sequential, &bias[2], &error));
        assert_true(bias[0] != bias[1] && bias[0] != bias[2] && bias[1] != bias[2]);
        sl_model_free(a);
        sl_model_free(b);
        sl_model_free(again);
        sl_model_free(sequential);
    }
    sl_dataset_free(data);
}

/* The order of the last pass, from weights that gain 1/2 at each visit and are halved at each step. */
#define halving "loss", "absolute", "schedule", "constant", "eta0", "0.5", "l2", "1", "average", "none", "bias", "false", "scale", "none"

static void read_order(const sl_model* model, uint32_t order[ONES]) {
    int seen[ONES] = {0};
    for (uint32_t r = 0; r < ONES; ++r) {
        double weight = 0, ago = 0;
        assert_ok(sl_model_weight(model, r, &weight, &error));
        ago = ceil(-log2(2 * weight) - 1e-6);
        assert_true(ago >= 0 && ago < ONES);
        order[ONES - 1 - (size_t)ago] = r;
        ++seen[(size_t)ago];
    }
    for (size_t k = 0; k < ONES; ++k) assert_int_equal(seen[k], 1);
}

static void each_pass_has_an_order_of_its_own(void** state) {
    uint32_t orders[3][ONES], in_sequence[ONES];
    sl_dataset* data = ones(1e9);
    sl_model* model = new_model(halving, "epochs", "3");
    sl_model* sequential = new_fitted(data, halving, "sampling", "sequential", "epochs", "2");
    (void)state;
    for (uint64_t pass = 0; pass < 3; ++pass) {
        watch w = {.rows = ONES, .stop_epoch = pass + 1};
        (void)sl_model_fit(model, data, look, &w, NULL);
        assert_int_equal(w.last.rows, (pass + 1) * ONES);
        read_order(model, orders[pass]);
    }
    assert_memory_not_equal(orders[0], orders[1], sizeof orders[0]);
    assert_memory_not_equal(orders[0], orders[2], sizeof orders[0]);
    assert_memory_not_equal(orders[1], orders[2], sizeof orders[0]);
    read_order(sequential, in_sequence);
    for (uint32_t r = 0; r < ONES; ++r) assert_int_equal(in_sequence[r], r);
    sl_model_free(model);
    sl_model_free(sequential);
    sl_dataset_free(data);
}

/* What a seed gives is kept for good, on every platform. */
static void the_order_of_a_seed_is_frozen(void** state) {
    static const uint32_t first_of_seed_7[] = {63, 14, 27, 44, 52, 45, 24, 12, 50, 2, 54, 28};
    uint32_t order[ONES];
    sl_dataset* data = ones(1e9);
    sl_model* model = new_fitted(data, halving, "seed", "7");
    (void)state;
    read_order(model, order);
    assert_memory_equal(order, first_of_seed_7, sizeof first_of_seed_7);
    sl_model_free(model);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shuffled_pass_visits_each_row_once),
        cmocka_unit_test(with_replacement_draws_rows),
        cmocka_unit_test(the_seed_fixes_the_order),
        cmocka_unit_test(each_pass_has_an_order_of_its_own),
        cmocka_unit_test(the_order_of_a_seed_is_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
