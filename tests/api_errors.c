/* Arguments that are refused: NULL, wrong and freed handles, impossible sizes. */
#include <limits.h>

#include "helpers.h"

#define refuses(call) assert_status(SL_ERROR_INVALID_ARGUMENT, call)

/* One of each kind, and the arguments of a good call. */
static sl_options* options;
static sl_model* model;
static sl_dataset* data;
static sl_reader* reader;
static const uint32_t indices[] = {0, 3};
static const double values[] = {1, 2}, labels[] = {-1, 1};
static const int64_t pointers[] = {0, 1, 2};
static char text[64];
static double number;
static uint64_t big;
static size_t length;

static int64_t nothing_to_read(void* user, void* buffer, size_t capacity) {
    (void)user, (void)buffer, (void)capacity;
    return 0;
}

static int setup(void** state) {
    (void)state;
    options = new_options(NULL);
    model = new_model(NULL);
    assert_ok(sl_dataset_from_csr(2, pointers, indices, values, labels, NULL, &data, &error));
    assert_ok(sl_reader_create(nothing_to_read, NULL, NULL, &reader, &error));
    assert_ok(sl_model_feed(model, indices, values, 2, 1, 1, &error));
    return 0;
}

static int teardown(void** state) {
    (void)state;
    sl_options_free(options);
    sl_model_free(model);
    sl_dataset_free(data);
    sl_reader_free(reader);
    return 0;
}

static void null_options(void** state) {
    (void)state;
    refuses(sl_options_create(NULL, &error));
    refuses(sl_options_set(NULL, "l1", "0", &error));
    refuses(sl_options_set(options, NULL, "0", &error));
    refuses(sl_options_set(options, "l1", NULL, &error));
    refuses(sl_options_set_number(NULL, "l1", 0, &error));
    refuses(sl_options_set_number(options, NULL, 0, &error));
    refuses(sl_options_get(NULL, "l1", text, sizeof text, &length, &error));
    refuses(sl_options_get(options, NULL, text, sizeof text, &length, &error));
    refuses(sl_options_get(options, "l1", NULL, 1, &length, &error));
    refuses(sl_options_get(options, "l1", text, sizeof text, NULL, &error));
}

static void null_training(void** state) {
    snapshot before = snapshot_of(model);
    (void)state;
    refuses(sl_model_create(options, NULL, &error));
    refuses(sl_model_take_indices_as_signed(NULL, &error));
    refuses(sl_model_clone(NULL, &(sl_model*){NULL}, &error));
    refuses(sl_model_clone(model, NULL, &error));
    refuses(sl_model_observe(NULL, indices, values, 2, 1, &error));
    refuses(sl_model_observe(model, NULL, values, 2, 1, &error));
    refuses(sl_model_feed(NULL, indices, values, 2, 1, 1, &error));
    refuses(sl_model_feed(model, NULL, values, 2, 1, 1, &error));
    refuses(sl_model_feed(model, NULL, NULL, 1, 1, 1, &error));
    refuses(sl_model_feed_csr(NULL, 2, pointers, indices, values, labels, NULL, &length, &error));
    refuses(sl_model_feed_csr(model, 2, NULL, indices, values, labels, NULL, &length, &error));
    refuses(sl_model_feed_csr(model, 2, pointers, NULL, values, labels, NULL, &length, &error));
    refuses(sl_model_feed_csr(model, 2, pointers, indices, values, NULL, NULL, &length, &error));
    refuses(sl_model_observe_dataset(NULL, data, &length, &error));
    refuses(sl_model_observe_dataset(model, NULL, &length, &error));
    refuses(sl_model_feed_dataset(NULL, data, &length, &error));
    refuses(sl_model_feed_dataset(model, NULL, &length, &error));
    refuses(sl_model_fit(NULL, data, NULL, NULL, &error));
    refuses(sl_model_fit(model, NULL, NULL, NULL, &error));
    refuses(sl_model_finalize(NULL, &error));
    assert_unchanged(model, &before);
    snapshot_free(&before);
}

static void null_prediction(void** state) {
    double two[2];
    (void)state;
    refuses(sl_model_predict(NULL, indices, values, 2, &number, &error));
    refuses(sl_model_predict(model, NULL, values, 2, &number, &error));
    refuses(sl_model_predict(model, indices, values, 2, NULL, &error));
    refuses(sl_model_predict_csr(NULL, 2, pointers, indices, values, two, &error));
    refuses(sl_model_predict_csr(model, 2, NULL, indices, values, two, &error));
    refuses(sl_model_predict_csr(model, 2, pointers, NULL, values, two, &error));
    refuses(sl_model_predict_csr(model, 2, pointers, indices, values, NULL, &error));
    refuses(sl_model_predict_dataset(NULL, data, two, 2, &error));
    refuses(sl_model_predict_dataset(model, NULL, two, 2, &error));
    refuses(sl_model_predict_dataset(model, data, NULL, 2, &error));
    refuses(sl_model_predict_dataset(model, data, two, 1, &error));
    refuses(sl_model_probability(NULL, 1, &number, &error));
    refuses(sl_model_probability(model, 1, NULL, &error));
    refuses(sl_model_label(NULL, 1, &number, &error));
    refuses(sl_model_label(model, 1, NULL, &error));
    refuses(sl_model_labels(NULL, two, two + 1, &error));
    refuses(sl_model_labels(model, NULL, two + 1, &error));
    refuses(sl_model_labels(model, two, NULL, &error));
    sl_fit_state fit = SL_FIT_NEW;
    refuses(sl_model_fit_state(NULL, data, &fit, &error));
    refuses(sl_model_fit_state(model, NULL, &fit, &error));
    refuses(sl_model_fit_state(model, data, NULL, &error));
    refuses(sl_model_evaluate(NULL, data, "loss", &number, &error));
    refuses(sl_model_evaluate(model, NULL, "loss", &number, &error));
    refuses(sl_model_evaluate(model, data, NULL, &number, &error));
    refuses(sl_model_evaluate(model, data, "loss", NULL, &error));
}

static void null_looking_inside(void** state) {
    uint32_t index[4];
    double weight[4];
    (void)state;
    refuses(sl_model_dimension(NULL, &big, &error));
    refuses(sl_model_dimension(model, NULL, &error));
    refuses(sl_model_steps(NULL, &big, &error));
    refuses(sl_model_steps(model, NULL, &error));
    refuses(sl_model_mean_loss(NULL, &number, &error));
    refuses(sl_model_mean_loss(model, NULL, &error));
    refuses(sl_model_bias(NULL, &number, &error));
    refuses(sl_model_bias(model, NULL, &error));
    refuses(sl_model_weight(NULL, 0, &number, &error));
    refuses(sl_model_weight(model, 0, NULL, &error));
    refuses(sl_model_nonzeros(NULL, index, weight, 4, &length, &error));
    refuses(sl_model_nonzeros(model, NULL, weight, 4, &length, &error));
    refuses(sl_model_nonzeros(model, index, NULL, 4, &length, &error));
    refuses(sl_model_nonzeros(model, index, weight, 4, NULL, &error));
    refuses(sl_model_option(NULL, "l1", text, sizeof text, &length, &error));
    refuses(sl_model_option(model, NULL, text, sizeof text, &length, &error));
    refuses(sl_model_option(model, "l1", NULL, 1, &length, &error));
    refuses(sl_model_option(model, "l1", text, sizeof text, NULL, &error));
    refuses(sl_model_memory(NULL, &big, &error));
    refuses(sl_model_memory(model, NULL, &error));
}

static void null_keeping(void** state) {
    sl_model* made = NULL;
    (void)state;
    refuses(sl_model_save(NULL, SL_KEEP_EVERYTHING, "unused.model", &error));
    refuses(sl_model_save(model, SL_KEEP_EVERYTHING, NULL, &error));
    refuses(sl_model_load(NULL, &made, &error));
    refuses(sl_model_load("unused.model", NULL, &error));
    refuses(sl_model_to_bytes(NULL, SL_KEEP_EVERYTHING, text, sizeof text, &length, &error));
    refuses(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, NULL, 1, &length, &error));
    refuses(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, text, sizeof text, NULL, &error));
    refuses(sl_model_from_bytes(NULL, 1, &made, &error));
    refuses(sl_model_from_bytes(text, 1, NULL, &error));
    refuses(sl_dataset_save(NULL, "unused.data", &error));
    refuses(sl_dataset_save(data, NULL, &error));
    assert_null(made);
}

static void null_data(void** state) {
    const int64_t columns[] = {0, 2};
    const uint32_t rows[] = {0, 1};
    sl_dataset* made = NULL;
    sl_reader* opened = NULL;
    (void)state;
    refuses(sl_dataset_from_csr(2, NULL, indices, values, labels, NULL, &made, &error));
    refuses(sl_dataset_from_csr(2, pointers, NULL, values, labels, NULL, &made, &error));
    refuses(sl_dataset_from_csr(2, pointers, indices, values, NULL, NULL, &made, &error));
    refuses(sl_dataset_from_csr(2, pointers, indices, values, labels, NULL, NULL, &error));
    refuses(sl_dataset_from_csc(2, 1, NULL, rows, values, labels, NULL, &made, &error));
    refuses(sl_dataset_from_csc(2, 1, columns, NULL, values, labels, NULL, &made, &error));
    refuses(sl_dataset_from_csc(2, 1, columns, rows, values, NULL, NULL, &made, &error));
    refuses(sl_dataset_from_csc(2, 1, columns, rows, values, labels, NULL, NULL, &error));
    refuses(sl_dataset_load(NULL, NULL, &made, &error));
    refuses(sl_dataset_load("unused.svm", NULL, NULL, &error));
    refuses(sl_dataset_read(NULL, NULL, NULL, &made, &error));
    refuses(sl_dataset_read(nothing_to_read, NULL, NULL, NULL, &error));
    refuses(sl_reader_create(NULL, NULL, NULL, &opened, &error));
    refuses(sl_reader_create(nothing_to_read, NULL, NULL, NULL, &error));
    refuses(sl_reader_next(NULL, 1, &made, &error));
    refuses(sl_reader_next(reader, 0, &made, &error));
    refuses(sl_reader_next(reader, 1, NULL, &error));
    refuses(sl_dataset_shape(NULL, &big, NULL, NULL, &error));
    refuses(sl_dataset_row(NULL, 0, NULL, NULL, 0, &length, NULL, NULL, &error));
    refuses(sl_dataset_row(data, 0, NULL, NULL, 0, NULL, NULL, NULL, &error));
    refuses(sl_dataset_row(data, 0, NULL, &number, 1, &length, NULL, NULL, &error));
    refuses(sl_dataset_row(data, 0, (uint32_t[]){0}, NULL, 1, &length, NULL, NULL, &error));
    refuses(sl_dataset_row(data, 2, NULL, NULL, 0, &length, NULL, NULL, &error));
    refuses(sl_dataset_row(data, UINT64_MAX, NULL, NULL, 0, &length, NULL, NULL, &error));
    assert_true(made == NULL && opened == NULL);
}

static void freeing_null_is_nothing(void** state) {
    (void)state;
    sl_options_free(NULL);
    sl_model_free(NULL);
    sl_dataset_free(NULL);
    sl_reader_free(NULL);
}

/* Calls one function of each kind of handle with `handle` and expects those to refuse it that are not of kind `own`. */
static void check_foreign(void* handle, const void* own) {
    sl_dataset* made = NULL;
    sl_model* copy = NULL;
    if (own != options) {
        refuses(sl_options_set(handle, "l1", "0", &error));
        refuses(sl_options_get(handle, "l1", text, sizeof text, &length, &error));
        refuses(sl_model_create(handle, &copy, &error));
        refuses(sl_dataset_read(nothing_to_read, NULL, handle, &made, &error));
    }
    if (own != model) {
        refuses(sl_model_feed(handle, indices, values, 2, 1, 1, &error));
        refuses(sl_model_fit(handle, data, NULL, NULL, &error));
        refuses(sl_model_predict(handle, indices, values, 2, &number, &error));
        refuses(sl_model_take_indices_as_signed(handle, &error));
        refuses(sl_model_clone(handle, &copy, &error));
        refuses(sl_model_memory(handle, &big, &error));
        refuses(sl_model_finalize(handle, &error));
    }
    if (own != data) {
        refuses(sl_model_fit(model, handle, NULL, NULL, &error));
        refuses(sl_model_evaluate(model, handle, "loss", &number, &error));
        refuses(sl_dataset_shape(handle, &big, NULL, NULL, &error));
    }
    if (own != reader) refuses(sl_reader_next(handle, 1, &made, &error));
    assert_true(made == NULL && copy == NULL);
}

static void handles_of_another_kind_are_refused(void** state) {
    static uint64_t zeros[512], ones[512];
    (void)state;
    memset(ones, 0xff, sizeof ones);
    check_foreign(options, options);
    check_foreign(model, model);
    check_foreign(data, data);
    check_foreign(reader, reader);
    check_foreign(zeros, NULL);
    check_foreign(ones, NULL);
}

/* That a handle is freed can be told while its memory is not used for anything else. */
static void freed_handles_are_refused(void** state) {
#if WATCHED
    (void)state;
    skip();
#else
    sl_model* volatile freed_model = new_model(NULL);
    sl_options* volatile freed_options = new_options(NULL);
    (void)state;
    sl_model_free(freed_model);
    refuses(sl_model_feed(freed_model, indices, values, 2, 1, 1, &error));
    refuses(sl_model_steps(freed_model, &big, &error));
    sl_options_free(freed_options);
    refuses(sl_options_set(freed_options, "l1", "0", &error));
#endif
}

static void row_pointers_have_to_ascend(void** state) {
    static const int64_t bad[][3] = {{0, 2, 1}, {-1, 0, 1}, {1, 0, 2}, {0, -5, -5}, {INT64_MIN, 0, 1}, {0, INT64_MIN, 2}};
    double scores[2] = {77, 77};
    sl_dataset* made = NULL;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        uint64_t before = 0, after = 0;
        size_t done = 99;
        assert_ok(sl_model_steps(model, &before, &error));
        refuses(sl_model_feed_csr(model, 2, bad[k], indices, values, labels, NULL, &done, &error));
        assert_ok(sl_model_steps(model, &after, &error));
        assert_int_equal(after - before, done);
        refuses(sl_model_predict_csr(model, 2, bad[k], indices, values, scores, &error));
        refuses(sl_dataset_from_csr(2, bad[k], indices, values, labels, NULL, &made, &error));
        refuses(sl_dataset_from_csc(4, 2, bad[k], indices, values, (double[]){1, 1, 1, 1}, NULL, &made, &error));
        assert_true(scores[0] == 77 && scores[1] == 77 && made == NULL);
    }
}

static void too_large(sl_status status) { assert_true(status == SL_ERROR_INVALID_ARGUMENT || status == SL_ERROR_OUT_OF_MEMORY); }

static void impossible_sizes_are_refused(void** state) {
    const int64_t endless[] = {0, INT64_MAX}, beyond[] = {INT64_MAX - 1, INT64_MAX};
    double score = 77;
    sl_dataset* made = NULL;
    snapshot before = snapshot_of(model);
    (void)state;
    too_large(sl_model_feed(model, indices, values, SIZE_MAX, 1, 1, &error));
    too_large(sl_model_feed(model, indices, NULL, SIZE_MAX / 2, 1, 1, &error));
    too_large(sl_model_observe(model, indices, values, SIZE_MAX, 1, &error));
    too_large(sl_model_predict(model, indices, values, SIZE_MAX / 2, &score, &error));
    too_large(sl_model_feed_csr(model, SIZE_MAX, pointers, indices, values, labels, NULL, NULL, &error));
    too_large(sl_model_predict_csr(model, SIZE_MAX, pointers, indices, values, &score, &error));
    too_large(sl_dataset_from_csr(SIZE_MAX, pointers, indices, values, labels, NULL, &made, &error));
    too_large(sl_dataset_from_csc(SIZE_MAX, 1, pointers, indices, values, labels, NULL, &made, &error));
    too_large(sl_dataset_from_csc(2, SIZE_MAX, pointers, indices, values, labels, NULL, &made, &error));
#if SIZE_MAX > UINT32_MAX
    too_large(sl_dataset_from_csc(2, 4294967297u, pointers, indices, values, labels, NULL, &made, &error));
#endif
    too_large(sl_model_feed_csr(model, 1, endless, indices, values, labels, NULL, NULL, &error));
    too_large(sl_model_feed_csr(model, 1, beyond, indices, values, labels, NULL, NULL, &error));
    too_large(sl_model_predict_csr(model, 1, endless, indices, values, &score, &error));
    too_large(sl_dataset_from_csr(1, endless, indices, values, labels, NULL, &made, &error));
    too_large(sl_dataset_from_csc(2, 1, endless, indices, values, labels, NULL, &made, &error));
    assert_true(score == 77 && made == NULL);
    assert_unchanged(model, &before);
    snapshot_free(&before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_options),
        cmocka_unit_test(null_training),
        cmocka_unit_test(null_prediction),
        cmocka_unit_test(null_looking_inside),
        cmocka_unit_test(null_keeping),
        cmocka_unit_test(null_data),
        cmocka_unit_test(freeing_null_is_nothing),
        cmocka_unit_test(handles_of_another_kind_are_refused),
        cmocka_unit_test(freed_handles_are_refused),
        cmocka_unit_test(row_pointers_have_to_ascend),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
