/* Memory that runs out at every allocation of a stream of rows, each time before the row is learned after all. */
#include "failing_malloc.h"

static sample first, then;

static const char* const configurations[][18] = {
    {"storage", "dense", "average", "uniform", "l1", "0.001", "l2", "0.5", "schedule", "constant", "eta0", "1", "scale", "none"},
    {"storage", "hash", "average", "none", "l1", "0.001", "update", "fobos"},
    {"average_start", "auto"},
    {"storage", "hash", "update", "truncated_gradient", "gravity", "0.05", "theta", "0.5", "period", "3", "eta0", "0.5"},
    {"storage", "hash", "l1", "0.05", "l2", "0.5", "schedule", "constant", "eta0", "1", "average", "uniform"},
    {"storage", "auto", "update", "rounding", "theta", "0.1", "period", "5", "average", "none"},
};
static const char* const observed[][10] = {
    {"scale", "rms", "storage", "dense"}, {"scale", "max_abs", "storage", "hash", "l1", "0.01"}, {"center", "true"}};

/* Every allocation fails once alone and once with all that follow: in the middle of growing, of settling, of gathering statistics. */
static void check_stream(const char* const* pairs, int observe) {
    const long live_before = live;
    sl_model *twin = model_from(pairs), *tried = model_from(pairs);
    size_t failed = 0;
    for (size_t r = 0; r < 800; ++r) {
        const sample* s = r % 400 < 200 ? &first : &then;
        const size_t i = r % (s == &first ? 200 : 60);
        const uint32_t* indices = s->indices + s->pointers[i];
        const double *values = s->values + s->pointers[i], label = s->labels[i];
        snapshot before = snapshot_of(tried);
        sl_status status = SL_ERROR_OUT_OF_MEMORY;
        for (size_t n = 2; status != SL_OK; ++n) {
            if (status != SL_ERROR_OUT_OF_MEMORY) fail_msg("row %zu: %s", r, error.message);
            arm(n / 2, n % 2);
            if (observe && r < 400)
                status = sl_model_observe(tried, indices, values, row_count(s, i), 1, &error);
            else
                status = sl_model_feed(tried, indices, values, row_count(s, i), label, 1, &error);
            arm(0, 0);
            failed += status != SL_OK;
            if (status != SL_OK) assert_unchanged(tried, &before);
        }
        snapshot_free(&before);
        if (observe && r < 400)
            assert_ok(sl_model_observe(twin, indices, values, row_count(s, i), 1, &error));
        else
            assert_ok(sl_model_feed(twin, indices, values, row_count(s, i), label, 1, &error));
    }
    assert_same_models(tried, twin);
    assert_true(failed > 10);
    sl_model_free(tried);
    sl_model_free(twin);
    assert_int_equal(live, live_before);
}

static void every_allocation_of_a_stream(void** state) {
    (void)state;
    need_failing_malloc();
    fill_sample(&first, 200, 60, 1);
    fill_sample(&then, 60, 60000, 2);
    for (size_t c = 0; c < sizeof configurations / sizeof *configurations; ++c) check_stream(configurations[c], 0);
    for (size_t c = 0; c < sizeof observed / sizeof *observed; ++c) check_stream(observed[c], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
