/*
 * Memory that runs out while a data set is observed, by itself or at the beginning of a fit: rows before the failure are observed and no
 * others, a fit has observed nothing before it has learned a row, and nothing leaks.
 */
#include "failing_malloc.h"

#include "keeping.h"

static sl_dataset* sample_data(sample* s) {
    fill_sample(s, 60, 3000, 2);
    return dataset_of(s);
}

static void observing_a_data_set_fails_row_by_row(void** state) {
    static const char* const storages[][3] = {{"storage", "dense"}, {"storage", "hash"}};
    (void)state;
    need_failing_malloc();
    sample s;
    sl_dataset* data = sample_data(&s);
    for (size_t k = 0; k < 2; ++k) {
        sl_status status = SL_ERROR_OUT_OF_MEMORY;
        size_t failures = 0;
        for (size_t n = 1; status != SL_OK; ++n) {
            const long live_before = live;
            size_t done = 77;
            sl_model *model = model_from(storages[k]), *twin = model_from(storages[k]);
            arm(n, 1);
            status =
                k ? sl_model_observe_rows(model, data, 0, s.rows, &done, &error) : sl_model_observe_dataset(model, data, &done, &error);
            arm(0, 0);
            if (status != SL_OK) assert_int_equal(status, SL_ERROR_OUT_OF_MEMORY);
            failures += status != SL_OK;
            for (size_t r = 0; r < done; ++r)
                assert_ok(
                    sl_model_observe(twin, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.weights[r], &error));
            assert_same_kept(model, twin);
            sl_model_free(model);
            sl_model_free(twin);
            assert_int_equal(live, live_before);
        }
        assert_true(failures > 0);
    }
    sl_dataset_free(data);
}

/* Statistics count as learned only with the first row. */
static void a_fit_that_learned_nothing_observed_nothing(void** state) {
    sl_status status = SL_ERROR_OUT_OF_MEMORY;
    (void)state;
    need_failing_malloc();
    sample s;
    sl_dataset* data = sample_data(&s);
    for (size_t n = 1; status != SL_OK; ++n) {
        const long live_before = live;
        sl_model* model = new_model(NULL); /* shuffled, with statistics */
        snapshot before = snapshot_of(model);
        arm(n, 1);
        status = sl_model_fit(model, data, NULL, NULL, &error);
        arm(0, 0);
        if (status != SL_OK) {
            snapshot after = snapshot_of(model);
            assert_int_equal(status, SL_ERROR_OUT_OF_MEMORY);
            if (after.steps == 0) assert_unchanged(model, &before);
            snapshot_free(&after);
        }
        snapshot_free(&before);
        sl_model_free(model);
        assert_int_equal(live, live_before);
    }
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observing_a_data_set_fails_row_by_row),
        cmocka_unit_test(a_fit_that_learned_nothing_observed_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
