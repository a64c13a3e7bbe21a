/* A function that the library calls may do anything but use the handle of the call that calls it: that is refused, and nothing breaks. */
#include "helpers.h"

typedef struct greedy {
    sl_reader* reader;
    size_t given, refused;
    int frees;
} greedy;

/* A row a call, 40,000 of them, and on the way another look at the reader. */
static int64_t give(void* user, void* buffer, size_t capacity) {
    static const char row[] = "1 1:1 7:2\n";
    greedy* g = user;
    sl_dataset* data = NULL;
    sl_error own;
    if (g->given == 40000 || capacity < sizeof row) return 0;
    if (g->frees && g->given == 10) sl_reader_free(g->reader);
    if (g->given % 1000 == 5 && g->reader) {
        g->refused += sl_reader_next(g->reader, 3, &data, &own) == SL_ERROR_STATE && data == NULL && strstr(own.message, "in use");
    }
    memcpy(buffer, row, sizeof row - 1);
    ++g->given;
    return sizeof row - 1;
}

static void a_read_function_does_not_read_from_its_own_reader(void** state) {
    (void)state;
    for (int threads = 1; threads < 4; threads += 2) {
        sl_options* options = new_options("threads", threads == 1 ? "1" : "3");
        greedy g = {NULL, 0, 0, 0};
        uint64_t rows = 1, all = 0, nonzeros = 0;
        assert_ok(sl_reader_create(give, &g, options, &g.reader, &error));
        while (rows > 0) {
            sl_dataset* data = NULL;
            assert_ok(sl_reader_next(g.reader, 7000, &data, &error));
            assert_ok(sl_dataset_shape(data, &rows, &nonzeros, NULL, &error));
            assert_int_equal(nonzeros, 2 * rows);
            all += rows;
            sl_dataset_free(data);
        }
        assert_int_equal(all, 40000);
        assert_int_equal(g.refused, 40);
        sl_reader_free(g.reader);
        sl_options_free(options);
    }
}

/* It goes when the call that reads has ended. */
static void a_read_function_may_free_its_reader(void** state) {
    greedy g = {NULL, 0, 0, 1};
    sl_dataset* data = NULL;
    uint64_t rows = 0;
    (void)state;
    assert_ok(sl_reader_create(give, &g, NULL, &g.reader, &error));
    assert_ok(sl_reader_next(g.reader, 20000, &data, &error));
    assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
    assert_in_range(rows, 20000, 40000);
    assert_in_range(g.refused, 19, 40);
    sl_dataset_free(data);
}

typedef struct meddler {
    sl_model* model;
    const sl_dataset* data;
    int calls, frees, allowed;
} meddler;

static int meddle(const sl_progress* progress, void* user) {
    meddler* m = user;
    const uint32_t index = 1;
    double number = 0;
    uint64_t count = 0;
    size_t length = 0;
    sl_model* copy = NULL;
    sl_fit_state fit = SL_FIT_NEW;
    (void)progress;
    ++m->calls;
    if (m->frees) sl_model_free(m->model);
    m->allowed += sl_model_feed(m->model, &index, NULL, 1, 1, 1, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_observe(m->model, &index, NULL, 1, 1, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_fit(m->model, m->data, NULL, NULL, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_fit_state(m->model, m->data, &fit, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_finalize(m->model, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_predict(m->model, &index, NULL, 1, &number, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_evaluate(m->model, m->data, "loss", &number, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_steps(m->model, &count, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_clone(m->model, &copy, NULL) != SL_ERROR_STATE;
    m->allowed += sl_model_to_bytes(m->model, SL_KEEP_EVERYTHING, NULL, 0, &length, NULL) != SL_ERROR_STATE;
    m->allowed += sl_dataset_shape(m->data, &count, NULL, NULL, NULL) != SL_OK;
    return copy != NULL;
}

static void a_progress_function_does_not_use_its_model(void** state) {
    static sample rows;
    sl_model *straight = new_model("epochs", "5"), *model = new_model("epochs", "5");
    (void)state;
    fill_sample(&rows, 100, 60, 3);
    sl_dataset* data = dataset_of(&rows);
    meddler m = {model, data, 0, 0, 0};
    assert_ok(sl_model_fit(straight, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(model, data, meddle, &m, &error));
    assert_in_range(m.calls, 5, 1000);
    assert_same_models(straight, model);
    m.frees = 1;
    assert_ok(sl_model_fit(model, data, meddle, &m, &error)); /* and is gone */
    assert_int_equal(m.allowed, 0);
    sl_model_free(straight);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_function_does_not_read_from_its_own_reader),
        cmocka_unit_test(a_read_function_may_free_its_reader),
        cmocka_unit_test(a_progress_function_does_not_use_its_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
