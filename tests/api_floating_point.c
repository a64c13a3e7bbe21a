/* What a host may do with the floating point unit: unmask exceptions, round another way, take denormals for 0. The numbers are the same,
   and the unit is as it was. And where exceptions are told by flags, the library raises none that tells of a fault. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include <fenv.h>
#include <stdio.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "draw_options.h"
#include "golden_cases.h"

static const int faults = FE_INVALID | FE_DIVBYZERO;

/* Fails the test, after `print` has told what it was about, if an exception was raised since the flags were last cleared. */
#define assert_no_faults(print)                                                                             \
    if (fetestexcept(faults)) {                                                                             \
        print;                                                                                              \
        fail_msg("invalid %d, division by 0 %d", !!fetestexcept(FE_INVALID), !!fetestexcept(FE_DIVBYZERO)); \
    }

static const char* const metrics[] = {"loss", "objective", "error_rate", "auc", "log_loss", "rmse", "mae", "r2"};

/* Counts the bits of a number in a sum of all that was seen; the mode of the unit is no matter to whole numbers. */
static void see(uint64_t* sum, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits += *sum;
    *sum = next_random(&bits);
}

/* Looks at everything that can be seen of a model, in every way. */
static void look_at(uint64_t* sum, sl_model* model, const sl_dataset* data) {
    uint64_t rows = 0;
    snapshot seen = snapshot_of(model);
    for (size_t k = 0; k < seen.classes; ++k) see(sum, seen.biases[k]);
    see(sum, seen.mean_loss);
    for (size_t i = 0; i < seen.count; ++i) see(sum, seen.weights[i]);
    snapshot_free(&seen);
    for (size_t k = 0; k < sizeof metrics / sizeof *metrics; ++k) {
        double value = 0;
        if (sl_model_evaluate(model, data, metrics[k], &value, NULL) == SL_OK) see(sum, value);
    }
    assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
    double* const scores = calloc((size_t)rows + 1, sizeof *scores);
    assert_non_null(scores);
    assert_ok(sl_model_predict_dataset(model, data, scores, (size_t)rows, &error));
    for (size_t r = 0; r < rows; ++r) see(sum, scores[r]);
    free(scores);
}

static sl_model* kept(const sl_model* model, sl_keep keep) {
    sl_model* loaded = NULL;
    size_t length = 0;
    assert_ok(sl_model_to_bytes(model, keep, NULL, 0, &length, &error));
    void* const bytes = malloc(length);
    assert_non_null(bytes);
    assert_ok(sl_model_to_bytes(model, keep, bytes, length, &length, &error));
    assert_ok(sl_model_from_bytes(bytes, length, &loaded, &error));
    free(bytes);
    return loaded;
}

/* The whole life of a model: looked at while it learns, kept, loaded and finalized; or up to a step that is
   refused since it would overflow. The sum of what was seen. */
static uint64_t live(sl_model* model, const golden_rows* x, size_t passes, int observes) {
    sl_dataset* data = NULL;
    sl_status status = SL_OK;
    uint64_t sum = 0;
    assert_ok(sl_dataset_from_csr(x->count, x->pointers, x->indices, x->values, x->numbers, x->weights, &data, &error));
    for (size_t r = 0; observes && r < x->count; ++r)
        assert_ok(sl_model_observe(model, x->indices + x->pointers[r], x->values + x->pointers[r],
                                   (size_t)(x->pointers[r + 1] - x->pointers[r]), x->weights[r], &error));
    for (size_t pass = 0; pass < passes; ++pass)
        for (size_t r = 0; r < x->count && status == SL_OK; ++r) {
            const int64_t first = x->pointers[r];
            status = sl_model_feed(model, x->indices + first, x->values + first, (size_t)(x->pointers[r + 1] - first), x->numbers[r],
                                   x->weights[r], &error);
            if (status == SL_OK && r % 8 == 0) look_at(&sum, model, data);
        }
    if (status == SL_OK) {
        sl_model* const loaded = kept(model, SL_KEEP_EVERYTHING);
        status = sl_model_fit(loaded, data, NULL, NULL, &error);
        if (status == SL_OK) {
            sl_model* const predictor = kept(loaded, SL_KEEP_PREDICTOR);
            look_at(&sum, loaded, data);
            assert_ok(sl_model_finalize(loaded, &error));
            look_at(&sum, loaded, data);
            look_at(&sum, predictor, data);
            sl_model_free(predictor);
        }
        sl_model_free(loaded);
    }
    assert_true(status == SL_OK || status == SL_ERROR_DIVERGED);
    if (status == SL_ERROR_DIVERGED) feclearexcept(faults);
    sl_dataset_free(data);
    return sum;
}

static sl_model* model_of(const golden_case* c) {
    sl_options* options = new_options(NULL);
    sl_model* model = NULL;
    for (size_t i = 0; i < c->option_count; ++i) assert_ok(sl_options_set(options, c->options[i].name, c->options[i].value, &error));
    assert_ok(sl_model_create(options, &model, &error));
    sl_options_free(options);
    return model;
}

static uint64_t live_as(const golden_case* c) {
    sl_model* const model = model_of(c);
    const uint64_t sum = live(model, &c->examples, c->passes, golden_observes(c));
    sl_model_free(model);
    return sum;
}

static void golden_cases_raise_nothing(void** state) {
    golden_file all = golden_load(SL_TEST_DATA "/golden.txt");
    (void)state;
    assert_true(all.count > 200);
    for (size_t i = 0; i < all.count; i += SL_SHARE) {
        feclearexcept(faults);
        live_as(all.cases[i]);
        assert_no_faults(print_error("%s: ", all.cases[i]->name));
    }
    golden_free(&all);
}

/* One entry is all the history there is of features that died at once. */
static void random_models_raise_nothing(void** state) {
    static golden_rows x;
    uint64_t random = 5;
    (void)state;
    for (int round = 0; round < 1000 / SL_SHARE; ++round) {
        sample s;
        fill_sample(&s, 20 + next_random(&random) % 60, 40, next_random(&random));
        const size_t nonzeros = (size_t)s.pointers[s.rows];
        assert_true(nonzeros <= GOLDEN_NONZEROS);
        x.count = s.rows;
        memcpy(x.pointers, s.pointers, (s.rows + 1) * sizeof *s.pointers);
        memcpy(x.indices, s.indices, nonzeros * sizeof *s.indices);
        memcpy(x.values, s.values, nonzeros * sizeof *s.values);
        memcpy(x.numbers, s.labels, s.rows * sizeof *s.labels);
        memcpy(x.weights, s.weights, s.rows * sizeof *s.weights);
        sl_model* const model = draw_model(&random, NULL);
        const int observes = sl_model_observe(model, NULL, NULL, 0, 1, NULL) == SL_OK;
        feclearexcept(faults);
        live(model, &x, 1, observes);
        assert_no_faults(print_options(model));
        sl_model_free(model);
    }
}

/* Weights, values and labels of every size that a row may have: what learns them may refuse a step, and raises nothing all the same. */
static void sizes_raise_nothing(void** state) {
    static const double sizes[] = {5e-324, 1e-310, 1e-200, 1e-100, 1, 1e100, 1e150};
    static const char* const losses[] = {"log", "squared", "absolute", "huber", "squared_hinge"};
    enum { SIZES = sizeof sizes / sizeof *sizes, LOSSES = sizeof losses / sizeof *losses };
    (void)state;
    for (int k = 0; k < SIZES * SIZES * SIZES * LOSSES * 2; ++k) {
        const int loss = k / 2 % LOSSES;
        const double value = sizes[k / (2 * LOSSES) % SIZES], weight = sizes[k / (2 * LOSSES * SIZES) % SIZES],
                     label = sizes[k / (2 * LOSSES * SIZES * SIZES)];
        sl_model* const model = new_model("loss", losses[loss], "bias", k % 2 ? "true" : "false");
        feclearexcept(faults);
        for (uint32_t i = 0; i < 3; ++i)
            sl_model_feed(model, &i, &value, 1, strcmp(losses[loss], "log") && loss != 4 ? label : 1, weight, NULL);
        assert_no_faults(print_error("loss %s, value %g, weight %g, label %g: ", losses[loss], value, weight, label));
        sl_model_free(model);
    }
}

static const char rows_of_text[] =
    "1 1:0.1 2:1e-310 3:123456789012345678901234567890e-20 7:1e-400\n-1 2:5e-324 9:0.30000000000000004e-3\n"
    "1 3:179769313486231570000000000000000000000000e100 8:-1.7976931348623157e-300\n";

/* Reads numbers from text and from a file of ours, and writes numbers as text; the sum of what was read. */
static uint64_t read_and_write(void) {
    static const char* const options_of_numbers[][2] = {{"l2", "1e-06"}, {"huber_delta", "0.1"}, {"quantile", "0.3"}, {"eta0", "1e-310"}};
    uint64_t sum = 0;
    text_source t = {rows_of_text};
    static const char path[] = "api_floating_point.tmp"; /* in the folder the test runs in */
    sl_dataset *data = NULL, *loaded = NULL;
    sl_options* const options = new_options("loss", "quantile");
    assert_ok(sl_dataset_read(give_text, &t, NULL, &data, &error));
    assert_ok(sl_dataset_save(data, path, &error));
    assert_ok(sl_dataset_load(path, NULL, &loaded, &error));
    remove(path);
    for (uint64_t r = 0; r < 3; ++r) {
        uint32_t indices[4];
        double values[4], label = 0, weight = 0;
        size_t count = 0;
        assert_ok(sl_dataset_row(loaded, r, indices, values, 4, &count, &label, &weight, &error));
        for (size_t j = 0; j < count; ++j) see(&sum, values[j]);
    }
    for (size_t k = 0; k < sizeof options_of_numbers / sizeof *options_of_numbers; ++k) {
        char value[32];
        size_t length = 0;
        assert_ok(sl_options_set(options, options_of_numbers[k][0], options_of_numbers[k][1], &error));
        assert_ok(sl_options_get(options, options_of_numbers[k][0], value, sizeof value, &length, &error));
        assert_string_equal(value, options_of_numbers[k][1]);
    }
    assert_ok(sl_options_set_number(options, "l2", 0.1, &error));
    sl_options_free(options);
    sl_dataset_free(data);
    sl_dataset_free(loaded);
    return sum;
}

static void text_and_files_raise_nothing(void** state) {
    (void)state;
    feclearexcept(faults);
    read_and_write();
    assert_no_faults((void)0);
}

#ifdef _WIN32 /* has no such functions; of the two units 64-bit code computes with SSE's */
static void feenableexcept(int exceptions) { _mm_setcsr(_mm_getcsr() & ~((unsigned)exceptions << 7)); }
static int fegetexcept(void) { return (int)(~_mm_getcsr() >> 7) & FE_ALL_EXCEPT; }
#endif

static void unmask(void) {
    feclearexcept(FE_ALL_EXCEPT); /* of what was raised before, the older unit of x86 would tell now */
    feenableexcept(faults | FE_OVERFLOW);
}
static void round_up(void) { fesetround(FE_UPWARD); }
static void round_down(void) { fesetround(FE_DOWNWARD); }
static void cut(void) { fesetround(FE_TOWARDZERO); }
static void lose_denormals(void) {
#ifdef __SSE__
    if (!SL_MEMCHECK) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

/* Numbers that the mode of the unit would change. */
static void every_mode_gives_the_same_numbers(void** state) {
    static void (*const modes[])(void) = {unmask, round_up, round_down, cut, lose_denormals};
    static const char* const options_above_0[] = {"huber_delta", "quantile", "eta0"};
    golden_file all = golden_load(SL_TEST_DATA "/golden.txt");
    fenv_t standard;
    (void)state;
    assert_int_equal(fegetenv(&standard), 0);
    const uint64_t expected_text = read_and_write();
    for (size_t k = 0; k < sizeof modes / sizeof *modes; ++k)
        for (size_t i = k; i < all.count; i += 10 * SL_SHARE) {
            const uint64_t expected = live_as(all.cases[i]);
            volatile double one = 1, three = 3, tiny = 1e-310;
            modes[k]();
            const int round = fegetround(), traps = fegetexcept();
            const double third = one / three, denormal = tiny * one;
            sl_options* const options = new_options("loss", "huber");
            const double huge = 1e300;
            const uint32_t index = 3;
            sl_model* const model = new_model(NULL);
            const sl_status overflows = sl_model_feed(model, &index, &huge, 1, 1, 1, NULL);
            sl_model_free(model);
            const sl_status refused = sl_options_set(options, options_above_0[i % 3], "0", NULL);
            sl_options_free(options);
            const uint64_t text_read = read_and_write();
            const uint64_t found = live_as(all.cases[i]);
            const int same = fegetround() == round && fegetexcept() == traps && third == one / three && denormal == tiny * one;
            fesetenv(&standard);
            if (found != expected) print_error("mode %zu, %s: ", k, all.cases[i]->name);
            assert_true(same);
            assert_int_equal(overflows, SL_ERROR_INVALID_DATA);
            assert_int_equal(refused, SL_ERROR_INVALID_OPTION);
            assert_true(text_read == expected_text);
            assert_true(found == expected);
        }
    golden_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_cases_raise_nothing),
        cmocka_unit_test(random_models_raise_nothing),
        cmocka_unit_test(sizes_raise_nothing),
        cmocka_unit_test(text_and_files_raise_nothing),
        cmocka_unit_test(every_mode_gives_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
