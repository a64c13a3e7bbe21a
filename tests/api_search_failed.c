/* A search that is refused, fails or is cancelled gives nothing, and says why; one that is watched tells how far it has come. */
#include <math.h>

#include "searching.h"

typedef struct watcher {
    uint64_t calls, stop_at, rows, rows_total, epoch;
} watcher;

static int watch(const sl_progress* progress, void* user) {
    watcher* const w = (watcher*)user;
    assert_true(progress->rows >= w->rows && progress->epoch >= w->epoch && progress->rows <= progress->rows_total);
    w->rows = progress->rows;
    w->rows_total = progress->rows_total;
    w->epoch = progress->epoch;
    return ++w->calls == w->stop_at;
}

static void progress_is_told_and_cancels(void** state) {
    sample s;
    sl_dataset* data = sample_data(&s, 11);
    sl_options* options = new_options("epochs", "3");
    (void)state;
    for (uint32_t threads = 1; threads < 4; ++threads) {
        watcher w = {0, 0, 0, 0, 0}, stopped = {0, 2, 0, 0, 0};
        sl_search* search = NULL;
        assert_ok(sl_search_run(options, "l1=0,0.01", data, NULL, 5, 0, NULL, threads, watch, &w, &search, &error));
        assert_int_equal(w.rows, 2 * 5 * 3 * SAMPLE_ROWS);
        assert_int_equal(w.rows_total, w.rows);
        assert_int_equal(w.epoch, 10);
        sl_search_free(search);
        search = (sl_search*)&s;
        if (w.calls < 3) continue; /* the other threads have left this one nothing to do */
        assert_status(SL_ERROR_CANCELLED, sl_search_run(options, "l1=0,0.01", data, NULL, 5, 0, NULL, 1, watch, &stopped, &search, &error));
        assert_message("cancelled after 0 of 10 fits");
        assert_ptr_equal(search, &s);
        assert_int_equal(stopped.calls, 2);
        stopped = (watcher){0, 1, 0, 0, 0};
        assert_status(SL_ERROR_CANCELLED,
                      sl_search_run(options, "l1=0,0.01", data, NULL, 5, 0, NULL, threads, watch, &stopped, &search, &error));
    }
    sl_options_free(options);
    sl_dataset_free(data);
}

/* The model of which the message tells is the first in the grid that fails, however many are fitted at once. */
static void the_first_failure_is_told(void** state) {
    sample s;
    sl_dataset* data = sample_data(&s, 13);
    sl_options* options = new_options("schedule", "constant", "loss", "squared", "l2", "0");
    sl_search* search = NULL;
    (void)state;
    for (uint32_t threads = 1; threads < 5; ++threads) {
        assert_status(SL_ERROR_DIVERGED, sl_search_run(options, "l1=0,1e-3 eta0=0.01,1e100,1e110,1e120", data, NULL, 4, 0, NULL, threads,
                                                       NULL, NULL, &search, &error));
        assert_message("l1=0 eta0=1e+100");
        assert_null(search);
    }
    sl_options_free(options);
    sl_dataset_free(data);
}

static void what_is_refused(void** state) {
    sample s, two;
    sl_dataset *data = sample_data(&s, 15), *small = NULL;
    sl_options* options = new_options("loss", "hinge");
    sl_search *search = NULL, *found = search_of(NULL, "", data, 2, 1);
    double number;
    (void)state;
    fill_sample(&two, 2, 6, 1);
    small = dataset_of(&two);
#define assert_refused(status, text, ...)                                                  \
    do {                                                                                   \
        assert_status(status, sl_search_run(__VA_ARGS__, 1, NULL, NULL, &search, &error)); \
        assert_message(text);                                                              \
        assert_null(search);                                                               \
    } while (0)
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "of these one alone", NULL, "", data, NULL, 0, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "of these one alone", NULL, "", data, NULL, 5, 0.5, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "of these one alone", NULL, "", data, data, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "folds is 1", NULL, "", data, NULL, 1, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "holdout is 1", NULL, "", data, NULL, 0, 1, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "holdout is -0.5", NULL, "", data, NULL, 0, -0.5, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "holdout is nan", NULL, "", data, NULL, 0, NAN, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "the grid has 'l1'", NULL, "l2=0 l1", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "the grid has 'l1='", NULL, "l1= 5", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "the grid has 'l1=1,'", NULL, "l1=1, 2", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "l1 twice", NULL, "l1=0 l1=1", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_OPTION, "nearest name is 'l1'", NULL, "11=0", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_OPTION, "tokens, which models do not read", NULL, "tokens=word", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_OPTION, "the option l1 is '-1'", NULL, "l1=0,-1", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_OPTION, "the model of loss=log quantile=0.3", NULL, "loss=log quantile=0.3", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "name a metric", NULL, "loss=log,hinge", data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "no metric 'accuracy'", NULL, "l1=0,1", data, NULL, 5, 0, "accuracy");
    assert_refused(SL_ERROR_STATE, "log_loss needs loss log", options, "", data, NULL, 5, 0, "log_loss");
    assert_refused(SL_ERROR_INVALID_DATA, "there are 2 rows of weight above 0, too few for 3 folds", NULL, "", small, NULL, 3, 0, NULL);
    assert_refused(SL_ERROR_INVALID_DATA, "too few for 4294967295 folds", NULL, "", small, NULL, UINT32_MAX, 0, NULL);
    assert_refused(SL_ERROR_INVALID_DATA, "holdout is 0.4, which of 2 rows holds out none", NULL, "", small, NULL, 0, 0.4, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "grid is NULL", NULL, NULL, data, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "data is NULL", NULL, "", NULL, NULL, 5, 0, NULL);
    assert_refused(SL_ERROR_INVALID_ARGUMENT, "65536 models", NULL,
                   "l1=0,1,2,3,4,5,6,7 l2=0,1,2,3,4,5,6,7 seed=0,1,2,3,4,5,6,7 epochs=1,2,3,4,5,6,7,8 eta0=1,2,3,4,5,6,7,8 "
                   "power=0.5,0.6,0.7,0.8",
                   data, NULL, 5, 0, NULL);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_search_model(found, 1, &number, NULL, NULL, &error));
    assert_message("there is no model number 1; the search had 1");
    assert_ok(sl_search_model(found, 0, NULL, NULL, NULL, &error));
    sl_search_free(found);
    sl_search_free(NULL);
    sl_options_free(options);
    sl_dataset_free(small);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_told_and_cancels),
        cmocka_unit_test(the_first_failure_is_told),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
