/* Fitting a data set: passes, orders, progress and cancelling. */
#include <math.h>
#include <time.h>

#include "helpers.h"

static sl_model* fitted(const char* const* pairs, const sl_dataset* data) {
    sl_model* model = model_from(pairs);
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    return model;
}
#define new_fitted(data, ...) fitted((const char* const[]){__VA_ARGS__, NULL, NULL}, data)

typedef struct watch {
    sl_progress last;
    size_t calls, ends_of_passes;
    uint64_t rows;       /* of the data set */
    uint64_t stop_epoch; /* stop when that many passes are complete; 0: never */
    int within_a_pass;   /* stop at the first call between the ends of passes */
    int wrong;
} watch;

static int look(const sl_progress* progress, void* user) {
    watch* w = user;
    w->wrong |= w->calls && (progress->rows < w->last.rows || progress->epoch < w->last.epoch || progress->steps < w->last.steps);
    w->wrong |= progress->rows > progress->rows_total || progress->epoch != progress->rows / w->rows;
    w->wrong |= !(progress->mean_loss >= 0);
    w->ends_of_passes += progress->rows == progress->epoch * w->rows && (!w->calls || progress->epoch > w->last.epoch);
    w->last = *progress;
    ++w->calls;
    if (w->within_a_pass) return progress->rows % w->rows != 0;
    return w->stop_epoch && progress->epoch >= w->stop_epoch ? -1 : 0;
}

static void passes_in_sequence_are_feeding(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_model *a = NULL, *b = new_model("l1", "1e-4");
    (void)state;
    fill_sample(&s, 300, 60, 1);
    data = dataset_of(&s);
    a = new_fitted(data, "l1", "1e-4", "scale", "none", "sampling", "sequential", "epochs", "3");
    for (int pass = 0; pass < 3; ++pass) feed_rows(b, &s, 0, s.rows);
    assert_same_models(a, b);
    sl_model_free(a);
    sl_model_free(b);
    sl_dataset_free(data);
}

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

static void progress_counts_add_up(void** state) {
    sample s;
    watch w = {.rows = 200};
    double loss = 0;
    sl_dataset* data = NULL;
    sl_model* model = new_model("epochs", "4");
    (void)state;
    fill_sample(&s, 200, 60, 4);
    s.weights[17] = 0;
    data = dataset_of(&s);
    assert_ok(sl_model_fit(model, data, look, &w, &error));
    assert_false(w.wrong);
    assert_int_equal(w.ends_of_passes, 4);
    assert_int_equal(w.last.epoch, 4);
    assert_int_equal(w.last.rows, 800);
    assert_int_equal(w.last.rows_total, 800);
    assert_int_equal(w.last.steps, 4 * 199);
    assert_ok(sl_model_mean_loss(model, &loss, &error));
    assert_bits(w.last.mean_loss, loss);
    memset(&w, 0, sizeof w);
    w.rows = 200;
    assert_ok(sl_model_fit(model, data, look, &w, &error));
    assert_int_equal(w.last.rows, 800);
    assert_int_equal(w.last.steps, 8 * 199);
    sl_model_free(model);
    sl_dataset_free(data);
}

static const char* const samplings[] = {"shuffle", "sequential", "with_replacement"};

static void a_cancelled_fit_goes_on(void** state) {
    sample s;
    sl_dataset* data = NULL;
    (void)state;
    fill_sample(&s, 300, 60, 5);
    data = dataset_of(&s);
    for (size_t k = 0; k < 3; ++k) {
        uint64_t steps = 0;
        double score = 0;
        sl_model* straight = new_fitted(data, "epochs", "4", "sampling", samplings[k], "seed", "9");
        sl_model *stopped = new_model("epochs", "4", "sampling", samplings[k], "seed", "9"), *copy = NULL;
        watch w = {.rows = 300, .stop_epoch = 1};
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(stopped, data, look, &w, &error));
        assert_ok(sl_model_steps(stopped, &steps, &error));
        assert_int_equal(steps, w.last.steps);
        assert_int_equal(w.last.rows, 300);
        assert_ok(sl_model_predict(stopped, s.indices, s.values, 3, &score, &error));
        assert_ok(sl_model_clone(stopped, &copy, &error));
        w.stop_epoch = 3;
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(stopped, data, look, &w, &error));
        assert_int_equal(w.last.rows, 900);
        assert_false(w.wrong);
        w.stop_epoch = 0;
        assert_ok(sl_model_fit(stopped, data, look, &w, &error));
        assert_int_equal(w.last.rows, 1200);
        assert_int_equal(w.last.epoch, 4);
        assert_false(w.wrong);
        assert_same_models(straight, stopped);
        assert_ok(sl_model_fit(copy, data, NULL, NULL, &error));
        assert_same_models(straight, copy);
        /* Done: from here on a fit is a new one. */
        assert_ok(sl_model_fit(stopped, data, NULL, NULL, &error));
        assert_ok(sl_model_fit(straight, data, NULL, NULL, &error));
        assert_same_models(straight, stopped);
        assert_ok(sl_model_steps(stopped, &steps, &error));
        assert_int_equal(steps, 2400);
        sl_model_free(straight);
        sl_model_free(stopped);
        sl_model_free(copy);
    }
    sl_dataset_free(data);
}

static void cancelling_the_last_call_leaves_nothing_to_do(void** state) {
    sample s;
    uint64_t steps = 0;
    watch w = {.rows = 100, .stop_epoch = 2};
    sl_dataset* data = NULL;
    sl_model* model = new_model("epochs", "2");
    (void)state;
    fill_sample(&s, 100, 60, 6);
    data = dataset_of(&s);
    (void)sl_model_fit(model, data, look, &w, NULL);
    assert_ok(sl_model_steps(model, &steps, &error));
    assert_int_equal(steps, 200);
    sl_model_free(model);
    sl_dataset_free(data);
}

static void other_data_starts_anew(void** state) {
    for (size_t change = 0; change < 4; ++change) {
        sample s, other;
        watch w = {.rows = 100, .stop_epoch = 1};
        sl_dataset *data = NULL, *next = NULL;
        sl_model *a = new_model("epochs", "3", "sampling", "sequential", "scale", "none"), *b = new_model("scale", "none");
        (void)state;
        fill_sample(&s, 100, 60, 7);
        other = s;
        if (change == 0) other.labels[99] = -other.labels[99];
        if (change == 1) other.values[5] += 1;
        if (change == 2) other.weights[50] = 2;
        if (change == 3) other.indices[other.pointers[100] - 1] = 77;
        data = dataset_of(&s);
        next = dataset_of(&other);
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(a, data, look, &w, &error));
        w.calls = w.stop_epoch = 0;
        assert_ok(sl_model_fit(a, next, look, &w, &error));
        assert_int_equal(w.last.rows, 300);
        feed_rows(b, &s, 0, 100);
        for (int pass = 0; pass < 3; ++pass) feed_rows(b, &other, 0, 100);
        assert_same_models(a, b);
        sl_model_free(a);
        sl_model_free(b);
        sl_dataset_free(data);
        sl_dataset_free(next);
    }
}

/* Rows that take long: a strong l2 settles every few dozen steps, which costs O(features). */
static void cancelling_within_a_pass(void** state) {
    enum { ROWS = 3000 };
    const uint32_t last = SANITIZED ? 30000 : 600000;
    static int64_t pointers[ROWS + 1];
    static uint32_t indices[ROWS];
    static double labels[ROWS];
    const char* const slow[] = {"schedule", "constant", "eta0", "0.9",    "l2", "0.9", "storage",
                                "dense",    "scale",    "none", "epochs", "2",  NULL,  NULL};
    sl_dataset* data = NULL;
    sl_model *straight = NULL, *stopped = model_from(slow);
    watch w = {.rows = ROWS, .within_a_pass = 1};
    clock_t start;
    double seconds = 0;
    sl_status status = SL_OK;
    (void)state;
    for (uint32_t r = 0; r < ROWS; ++r) {
        pointers[r + 1] = (int64_t)r + 1;
        indices[r] = r % 2 ? r : last;
        labels[r] = r % 3 ? 1 : -1;
    }
    assert_ok(sl_dataset_from_csr(ROWS, pointers, indices, NULL, labels, NULL, &data, &error));
    start = clock();
    straight = fitted(slow, data);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    status = sl_model_fit(stopped, data, look, &w, NULL);
    if (status == SL_OK && seconds < 0.5) {
        print_message("the fit took %g s: too fast to be asked within a pass\n", seconds);
    } else {
        assert_int_equal(status, SL_ERROR_CANCELLED);
        assert_true(w.last.rows % ROWS != 0);
        w.within_a_pass = 0;
        assert_ok(sl_model_fit(stopped, data, look, &w, &error));
        assert_false(w.wrong);
        assert_int_equal(w.last.rows, 2 * ROWS);
    }
    assert_same_models(straight, stopped);
    sl_model_free(straight);
    sl_model_free(stopped);
    sl_dataset_free(data);
}

static void an_empty_data_set_is_fine(void** state) {
    const int64_t pointers[] = {0};
    uint64_t steps = 7;
    sl_dataset* data = NULL;
    sl_model* model = new_model("epochs", "3");
    (void)state;
    assert_ok(sl_dataset_from_csr(0, pointers, NULL, NULL, NULL, NULL, &data, &error));
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    assert_ok(sl_model_steps(model, &steps, &error));
    assert_int_equal(steps, 0);
    sl_model_free(model);
    sl_dataset_free(data);
}

/* Alone, when nothing says which labels there are, and among others. */
static void rows_of_weight_0_are_passed_over(void** state) {
    static const int64_t pointers[] = {0, 1, 2, 3, 4};
    static const uint32_t indices[] = {0, 1, 2, 3};
    static const double labels[] = {1, -1, -1, 1}, none[] = {0, 0, 0, 0}, some[] = {1, 0, 2, 0};
    static const char* const losses[] = {"log", "hinge", "squared"};
    (void)state;
    for (size_t i = 0; i < 3; ++i) {
        uint64_t steps = 7;
        sl_dataset* data = NULL;
        sl_model* model = new_model("loss", losses[i]);
        assert_ok(sl_dataset_from_csr(4, pointers, indices, NULL, labels, none, &data, &error));
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_int_equal(steps, 0);
        sl_dataset_free(data);
        assert_ok(sl_dataset_from_csr(4, pointers, indices, NULL, labels, some, &data, &error));
        assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
        assert_ok(sl_model_steps(model, &steps, &error));
        assert_int_equal(steps, 2);
        sl_model_free(model);
        sl_dataset_free(data);
    }
}

static void rows_outside_the_dimension_are_refused_by_number(void** state) {
    sample s;
    sl_dataset* data = NULL;
    sl_model* model = new_model("dimension", "60", "sampling", "sequential");
    (void)state;
    fill_sample(&s, 100, 60, 8);
    assert_true(row_count(&s, 53) > 0);
    s.indices[s.pointers[53]] = 60;
    data = dataset_of(&s);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_fit(model, data, NULL, NULL, &error));
    assert_message("60");
    assert_message("row 53");
    sl_model_free(model);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_in_sequence_are_feeding),
        cmocka_unit_test(a_shuffled_pass_visits_each_row_once),
        cmocka_unit_test(with_replacement_draws_rows),
        cmocka_unit_test(the_seed_fixes_the_order),
        cmocka_unit_test(each_pass_has_an_order_of_its_own),
        cmocka_unit_test(the_order_of_a_seed_is_frozen),
        cmocka_unit_test(progress_counts_add_up),
        cmocka_unit_test(a_cancelled_fit_goes_on),
        cmocka_unit_test(cancelling_the_last_call_leaves_nothing_to_do),
        cmocka_unit_test(other_data_starts_anew),
        cmocka_unit_test(cancelling_within_a_pass),
        cmocka_unit_test(an_empty_data_set_is_fine),
        cmocka_unit_test(rows_of_weight_0_are_passed_over),
        cmocka_unit_test(rows_outside_the_dimension_are_refused_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
