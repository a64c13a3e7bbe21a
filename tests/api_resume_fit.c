/* A fit that is cancelled, kept, loaded and fitted on gives the bytes of a fit that was never stopped. */
#include <time.h>

#include "draw_options.h"
#include "keeping.h"

/* The library's clock in this program: every look at it is a second later, so that the progress function is called whenever the
   library considers it, after every 2^16 nonzeros or so, and the same rows are reached in every run. */
int clock_gettime(clockid_t clock, struct timespec* now) {
    static time_t seconds;
    (void)clock;
    now->tv_sec = ++seconds;
    now->tv_nsec = 0;
    return 0;
}

enum { ROWS = 32, DIMENSION = 8192, SETS = 6 };

/* Rows of up to 8192 nonzeros, so that a pass has two to three calls of the progress function, at other rows in each pass. */
static sl_dataset* new_large(uint64_t seed) {
    int64_t pointers[ROWS + 1] = {0};
    double labels[ROWS], weights[ROWS];
    uint32_t* indices = malloc(sizeof *indices * ROWS * DIMENSION);
    double* values = malloc(sizeof *values * ROWS * DIMENSION);
    sl_dataset* data = NULL;
    int64_t end = 0;
    assert_true(indices && values);
    for (size_t r = 0; r < ROWS; ++r) {
        const uint32_t stride = 1 + (uint32_t)(next_random(&seed) % 7);
        for (uint32_t j = (uint32_t)(next_random(&seed) % stride); j < DIMENSION; j += stride, ++end) {
            indices[end] = j;
            values[end] = (2 * next_uniform(&seed) - 1) / 64;
        }
        pointers[r + 1] = end;
        labels[r] = next_random(&seed) % 2 ? 1 : -1;
        weights[r] = 0.5 * (double)(next_random(&seed) % 4);
    }
    assert_ok(sl_dataset_from_csr(ROWS, pointers, indices, values, labels, weights, &data, &error));
    free(indices);
    free(values);
    return data;
}

/* Stops every other time, and counts where. */
typedef struct stopper {
    uint64_t random;
    size_t within_passes, after_passes, while_observing;
} stopper;

static int perhaps_stop(const sl_progress* progress, void* user) {
    stopper* s = user;
    if (next_random(&s->random) % 2) return 0;
    if (progress->rows == 0)
        ++s->while_observing;
    else if (progress->rows % ROWS == 0)
        ++s->after_passes;
    else
        ++s->within_passes;
    return 1;
}

/* What may happen between a cancelled fit and the next call, without being felt. */
static sl_model* disturbed(sl_model* model, uint64_t* random) {
    sl_model* other = NULL;
    bytes kept;
    switch (next_random(random) % 5) {
        case 0: assert_ok(sl_model_clone(model, &other, &error)); break;
        case 1: assert_ok(sl_model_finalize(model, &error)); break;
        default:
            kept = bytes_of(model, SL_KEEP_EVERYTHING);
            other = model_of(kept);
            free(kept.data);
            break;
    }
    if (!other) return model;
    sl_model_free(model);
    return other;
}

/* Fits, however often it is stopped. */
static sl_model* fit_with_stops(sl_model* model, const sl_dataset* data, stopper* s, sl_status* status) {
    while ((*status = sl_model_fit(model, data, perhaps_stop, s, NULL)) == SL_ERROR_CANCELLED) model = disturbed(model, &s->random);
    return model;
}

static void stopped_or_not_the_bytes_are_the_same(void** state) {
    sl_dataset* sets[SETS];
    stopper s = {7, 0, 0, 0};
    size_t fitted = 0;
    (void)state;
    for (uint64_t i = 0; i < SETS; ++i) sets[i] = new_large(i);
    for (uint64_t n = 0; n < 100; ++n) {
        uint64_t random = 900 + n, again = 900 + n;
        sl_model *straight = draw_model(&random, "dimension"), *stopped = draw_model(&again, "dimension");
        const sl_dataset *first = sets[n % SETS], *second = sets[(n * 7 + n / SETS) % SETS]; /* now and then the same */
        sl_status expected = sl_model_fit(straight, first, NULL, NULL, NULL), status;
        stopped = fit_with_stops(stopped, first, &s, &status);
        assert_int_equal(status, expected);
        fitted += status == SL_OK;
        expected = sl_model_fit(straight, second, NULL, NULL, NULL);
        stopped = fit_with_stops(stopped, second, &s, &status);
        assert_int_equal(status, expected);
        bytes a = bytes_of(straight, SL_KEEP_EVERYTHING), b = bytes_of(stopped, SL_KEEP_EVERYTHING);
        if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) {
            print_error("program %u: ", (unsigned)n);
            print_options(straight);
        }
        assert_same_bytes(a, b);
        free(a.data);
        free(b.data);
        sl_model_free(straight);
        sl_model_free(stopped);
    }
    print_message("%zu of 100 programs fitted; stopped %zu times within a pass, %zu times after one, %zu times while observing\n", fitted,
                  s.within_passes, s.after_passes, s.while_observing);
    assert_true(fitted > 80 && s.within_passes > 100 && s.after_passes > 100 && s.while_observing > 25);
    for (int i = 0; i < SETS; ++i) sl_dataset_free(sets[i]);
}

typedef struct stop_at {
    int calls;
} stop_at;

static int count_down(const sl_progress* progress, void* user) {
    stop_at* s = user;
    (void)progress;
    return s->calls-- == 0;
}

/* Where a fit stopped is kept, whichever way it goes on: with its own data, with other data, with feeding in between. */
static void a_kept_model_knows_where_its_fit_stopped(void** state) {
    const char* const samplings[] = {"shuffle", "sequential", "with_replacement"};
    sl_dataset *own = new_large(50), *other = new_large(51), *same_again = new_large(50);
    (void)state;
    for (int i = 0; i < 9; ++i) {
        sl_model *stopped = new_model("sampling", samplings[i % 3], "epochs", "2", "l1", "1e-4", "scale", "none"), *loaded = NULL;
        sl_model* straight = new_model("sampling", samplings[i % 3], "epochs", "2", "l1", "1e-4", "scale", "none");
        stop_at s = {1};
        uint64_t steps = 0, all = 0;
        assert_ok(sl_model_fit(straight, own, NULL, NULL, &error));
        assert_ok(sl_model_steps(straight, &all, &error));
        assert_status(SL_ERROR_CANCELLED, sl_model_fit(stopped, own, count_down, &s, &error));
        assert_ok(sl_model_steps(stopped, &steps, &error));
        assert_in_range(steps, 1, all - 1);
        bytes kept = bytes_of(stopped, SL_KEEP_EVERYTHING);
        loaded = model_of(kept);
        free(kept.data);
        if (i / 3 == 1) {
            assert_ok(sl_model_feed(stopped, NULL, NULL, 0, 1, 1, &error));
            assert_ok(sl_model_feed(loaded, NULL, NULL, 0, 1, 1, &error));
        }
        assert_ok(sl_model_fit(stopped, i / 3 == 2 ? other : own, NULL, NULL, &error));
        assert_ok(sl_model_fit(loaded, i / 3 == 2 ? other : same_again, NULL, NULL, &error));
        assert_same_kept(stopped, loaded);
        if (i / 3 == 0) assert_same_kept(straight, loaded);
        sl_model_free(straight);
        sl_model_free(stopped);
        sl_model_free(loaded);
    }
    sl_dataset_free(own);
    sl_dataset_free(other);
    sl_dataset_free(same_again);
}

static int always_stop(const sl_progress* progress, void* user) {
    (void)user;
    return progress->rows < progress->rows_total;
}

/* Stopped each time that it is asked, a fit gets through its statistics all the same. */
static void gathering_goes_on_where_it_stopped(void** state) {
    sl_dataset *data = new_large(60), *other = new_large(61);
    sl_model *straight = new_model(NULL), *stopped = new_model(NULL);
    sl_status status = SL_ERROR_CANCELLED;
    uint64_t memory[2], steps = 0;
    int calls = 0;
    (void)state;
    assert_ok(sl_model_fit(straight, data, NULL, NULL, &error));
    assert_ok(sl_model_memory(stopped, &memory[0], &error));
    assert_status(SL_ERROR_CANCELLED, sl_model_fit(stopped, other, always_stop, NULL, &error)); /* which is not what comes next */
    assert_ok(sl_model_memory(stopped, &memory[1], &error));
    assert_true(memory[1] > memory[0] + 8 * DIMENSION);
    for (; status == SL_ERROR_CANCELLED && calls < 100; ++calls) {
        status = sl_model_fit(stopped, data, always_stop, NULL, &error);
        if (calls == 0) { /* nothing is learned or observed yet */
            assert_ok(sl_model_steps(stopped, &steps, &error));
            assert_int_equal(steps, 0);
        }
    }
    assert_int_equal(status, SL_OK);
    assert_in_range(calls, 3, 99);
    assert_same_kept(straight, stopped);
    sl_model_free(straight);
    sl_model_free(stopped);
    sl_dataset_free(data);
    sl_dataset_free(other);
}

static int count_calls(const sl_progress* progress, void* user) {
    (void)progress;
    ++*(int*)user;
    return 0;
}

/* Bringing all weights current is work, too: here 100,000 of them every 20 steps, of one nonzero each. */
static void progress_is_told_while_weights_are_settled(void** state) {
    enum { STEPS = 2000 };
    static int64_t pointers[STEPS + 1];
    static uint32_t indices[STEPS];
    static double labels[STEPS];
    sl_model* model = new_model("storage", "dense", "schedule", "constant", "eta0", "0.5", "l2", "1", "scale", "none");
    sl_dataset* data = NULL;
    int calls = 0;
    (void)state;
    for (int r = 0; r < STEPS; ++r) {
        pointers[r + 1] = r + 1;
        indices[r] = r % 2 ? 99999 : 7;
        labels[r] = r % 3 ? 1 : -1;
    }
    assert_ok(sl_dataset_from_csr(STEPS, pointers, indices, NULL, labels, NULL, &data, &error));
    assert_ok(sl_model_fit(model, data, count_calls, &calls, &error));
    assert_in_range(calls, STEPS / 40, STEPS);
    sl_model_free(model);
    sl_dataset_free(data);
}

#define assert_fit_state(expected, model, data) check_fit_state(expected, model, data, __FILE__, __LINE__)
static void check_fit_state(sl_fit_state expected, const sl_model* model, const sl_dataset* data, const char* file, int line) {
    bytes kept = bytes_of(model, SL_KEEP_EVERYTHING);
    sl_model *loaded = model_of(kept), *copy = NULL;
    sl_fit_state states[3];
    assert_ok(sl_model_clone(model, &copy, &error));
    assert_ok(sl_model_fit_state(model, data, &states[0], &error));
    assert_ok(sl_model_fit_state(loaded, data, &states[1], &error));
    assert_ok(sl_model_fit_state(copy, data, &states[2], &error));
    for (int i = 0; i < 3; ++i) {
        if (states[i] == expected) continue;
        print_error("state %d is %d, not %d\n", i, (int)states[i], (int)expected);
        _fail(file, line);
    }
    free(kept.data);
    sl_model_free(loaded);
    sl_model_free(copy);
}

/* A checkpoint can be told from a model that is finished, saved and copied too. */
static void a_model_tells_what_fit_would_do(void** state) {
    sl_dataset *own = new_large(70), *other = new_large(71), *empty = NULL;
    sl_model* model = new_model("epochs", "2", "scale", "none");
    stop_at s = {1};
    (void)state;
    assert_ok(sl_dataset_from_csr(0, NULL, NULL, NULL, NULL, NULL, &empty, &error));
    assert_fit_state(SL_FIT_NEW, model, own);
    assert_fit_state(SL_FIT_NEW, model, empty);
    assert_status(SL_ERROR_CANCELLED, sl_model_fit(model, own, count_down, &s, &error));
    assert_fit_state(SL_FIT_STOPPED, model, own);
    assert_fit_state(SL_FIT_NEW, model, other);
    assert_ok(sl_model_fit(model, own, NULL, NULL, &error));
    assert_fit_state(SL_FIT_DONE, model, own);
    assert_fit_state(SL_FIT_NEW, model, other);
    assert_ok(sl_model_fit(model, other, NULL, NULL, &error));
    assert_fit_state(SL_FIT_NEW, model, own);
    assert_fit_state(SL_FIT_DONE, model, other);
    s.calls = 0;
    assert_status(SL_ERROR_CANCELLED, sl_model_fit(model, other, count_down, &s, &error));
    assert_fit_state(SL_FIT_STOPPED, model, other);
    sl_model_free(model);
    sl_dataset_free(own);
    sl_dataset_free(other);
    sl_dataset_free(empty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathering_goes_on_where_it_stopped),       cmocka_unit_test(progress_is_told_while_weights_are_settled),
        cmocka_unit_test(a_model_tells_what_fit_would_do),          cmocka_unit_test(stopped_or_not_the_bytes_are_the_same),
        cmocka_unit_test(a_kept_model_knows_where_its_fit_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
