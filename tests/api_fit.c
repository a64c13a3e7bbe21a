/* Fitting a data set: passes, progress and cancelling. */
#include <time.h>

#include "fitting.h"

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
    const uint32_t last = SANITIZED ? 30000 : 600000 / SL_SHARE;
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
