/* The golden vectors, each run as data/VECTORS.md says: its numbers to 1e-9, and the same bits whichever way it is run. `golden FILE`
   writes a line for each model to FILE, a hash of all its bytes: those of two machines differ where the bits do. */
#include "golden_cases.h"
#include "helpers.h"

static size_t cases_run, cases_kept;
static FILE* hashes;

/* The vectors that the case expects of a run with its options, or of one whose average is none. */
typedef enum answer { RETURNED, LAST } answer;

static sl_model* new_case_model(const golden_case* c, answer which, const char* storage) {
    sl_options* options = NULL;
    sl_model* model = NULL;
    assert_ok(sl_options_create(&options, &error));
    for (size_t i = 0; i < c->option_count; ++i)
        if (which == RETURNED || strncmp(c->options[i].name, "average", 7) != 0)
            assert_ok(sl_options_set(options, c->options[i].name, c->options[i].value, &error));
    if (which == LAST) assert_ok(sl_options_set(options, "average", "none", &error));
    if (!golden_option_of(c, "storage")) assert_ok(sl_options_set(options, "storage", storage, &error));
    assert_ok(sl_model_create(options, &model, &error));
    sl_options_free(options);
    if (golden_observes(c)) {
        const golden_rows* x = &c->examples;
        for (size_t r = 0; r < x->count; ++r) {
            const int64_t first = x->pointers[r];
            assert_ok(sl_model_observe(model, x->indices + first, x->values + first, (size_t)(x->pointers[r + 1] - first), x->weights[r],
                                       &error));
        }
    }
    return model;
}

static void feed_single(sl_model* model, const golden_rows* x, size_t row) {
    const int64_t first = x->pointers[row];
    assert_ok(sl_model_feed(model, x->indices + first, x->values + first, (size_t)(x->pointers[row + 1] - first), x->numbers[row],
                            x->weights[row], &error));
}

/* Steps `from` to `to` of the case, where its passes follow one another. */
static void feed_steps(sl_model* model, const golden_case* c, size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) feed_single(model, &c->examples, i % c->examples.count);
}

static size_t steps_of(const golden_case* c) { return c->passes * c->examples.count; }

static sl_model* fed_singly(const golden_case* c, answer which, const char* storage) {
    sl_model* model = new_case_model(c, which, storage);
    feed_steps(model, c, 0, steps_of(c));
    return model;
}

static sl_model* fed_in_batches(const golden_case* c, answer which, const char* storage, size_t batch) {
    const golden_rows* x = &c->examples;
    sl_model* model = new_case_model(c, which, storage);
    for (size_t pass = 0; pass < c->passes; ++pass)
        for (size_t row = 0; row < x->count; row += batch) {
            const size_t rows = x->count - row < batch ? x->count - row : batch;
            size_t done = 0;
            assert_ok(sl_model_feed_csr(model, rows, x->pointers + row, x->indices, x->values, x->numbers + row, x->weights + row, &done,
                                        &error));
            assert_int_equal(done, rows);
        }
    return model;
}

enum { SCORES = GOLDEN_PREDICTIONS * GOLDEN_CLASSES };

/* Of all predictions of the case, `classes` each. */
static void predict_all(const sl_model* model, const golden_case* c, double* scores) {
    const golden_rows* x = &c->predictions;
    for (size_t r = 0; r < x->count; ++r) {
        const int64_t first = x->pointers[r];
        assert_ok(sl_model_scores(model, x->indices + first, x->values + first, (size_t)(x->pointers[r + 1] - first),
                                  scores + r * c->classes, c->classes, &error));
    }
}

/* Looked at and finalized again and again while it learns. */
static sl_model* fed_under_eyes(const golden_case* c, answer which, const char* storage) {
    sl_model* model = new_case_model(c, which, storage);
    double scores[SCORES], again[SCORES];
    for (size_t i = 0; i < steps_of(c); ++i) {
        feed_steps(model, c, i, i + 1);
        if (i % 11 != 3) continue;
        predict_all(model, c, scores);
        assert_ok(sl_model_finalize(model, &error));
        predict_all(model, c, again);
        for (size_t i = 0; i < c->predictions.count * c->classes; ++i) assert_bits(scores[i], again[i]);
    }
    return model;
}

/* Kept in bytes half-way and trained on from there. */
static sl_model* fed_with_a_break(const golden_case* c, answer which, const char* storage) {
    const size_t half = steps_of(c) / 2;
    sl_model *first = new_case_model(c, which, storage), *second = NULL;
    size_t length = 0, again = 0;
    void* bytes;
    feed_steps(first, c, 0, half);
    assert_ok(sl_model_to_bytes(first, SL_KEEP_EVERYTHING, NULL, 0, &length, &error));
    bytes = malloc(length);
    assert_non_null(bytes);
    assert_ok(sl_model_to_bytes(first, SL_KEEP_EVERYTHING, bytes, length, &again, &error));
    assert_int_equal(again, length);
    sl_model_free(first);
    assert_ok(sl_model_from_bytes(bytes, length, &second, &error));
    free(bytes);
    feed_steps(second, c, half, steps_of(c));
    return second;
}

static void check_number(const char* what, uint32_t index, double actual, double expected) {
    const double magnitude = expected < 0 ? -expected : expected;
    if (near(actual, expected, 1e-9 * (magnitude > 1 ? magnitude : 1))) return;
    print_error("%s %lu is %.17g, not %.17g\n", what, (unsigned long)index, actual, expected);
    fail();
}

static void check_class(const sl_model* model, size_t k, const golden_predictor* expected) {
    double bias = 0;
    size_t nonzeros = 0, count = 0;
    assert_true(expected->count > 0);
    for (size_t i = 0; i < expected->count; ++i) {
        double weight = 0;
        assert_ok(sl_model_class_weight(model, k, expected->indices[i], &weight, &error));
        check_number("weight", expected->indices[i], weight, expected->weights[i]);
        if (expected->weights[i] == 0) assert_true(weight == 0);
        nonzeros += weight != 0;
    }
    assert_ok(sl_model_class_nonzeros(model, k, NULL, NULL, 0, &count, &error));
    assert_int_equal(count, nonzeros);
    assert_ok(sl_model_class_bias(model, k, &bias, &error));
    check_number("bias of class", (uint32_t)k, bias, expected->bias);
}

static void check_numbers(const sl_model* model, const golden_case* c, answer which) {
    const golden_rows* x = &c->predictions;
    double scores[SCORES], batch[SCORES], mean_loss = 0;
    for (size_t k = 0; k < c->classes; ++k) check_class(model, k, which == RETURNED ? &c->returned[k] : &c->last[k]);
    assert_ok(sl_model_mean_loss(model, &mean_loss, &error));
    if (c->mean_loss >= 0) check_number("mean loss", 0, mean_loss, c->mean_loss);
    if (which == LAST) return;
    assert_true(x->count > 0);
    predict_all(model, c, scores);
    assert_ok(sl_model_scores_csr(model, x->count, x->pointers, x->indices, x->values, batch, SCORES, &error));
    for (size_t i = 0; i < x->count * c->classes; ++i) {
        check_number("score", (uint32_t)i, scores[i], c->scores[i]);
        assert_bits(scores[i], batch[i]);
    }
}

/* Frees `model` once it has been found to have the same bits as `reference`. */
static void check_same(const char* way, const char* storage, sl_model* model, const sl_model* reference, const golden_case* c) {
    double scores[SCORES], expected[SCORES];
    const int same = same_models(reference, model);
    if (!same) print_error("%s, %s storage, differs from feeding one at a time\n", way, storage);
    assert_true(same);
    predict_all(reference, c, expected);
    predict_all(model, c, scores);
    for (size_t i = 0; i < c->predictions.count * c->classes; ++i) assert_bits(scores[i], expected[i]);
    sl_model_free(model);
}

/* FNV-1a, with 64 bits. */
static void write_hash(const sl_model* model, const golden_case* c, answer which) {
    uint64_t hash = 0xcbf29ce484222325u;
    size_t length = 0;
    unsigned char* bytes;
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, NULL, 0, &length, &error));
    bytes = malloc(length);
    assert_non_null(bytes);
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes, length, &length, &error));
    for (size_t i = 0; i < length; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    free(bytes);
    fprintf(hashes, "%016llx %s %s\n", (unsigned long long)hash, which == RETURNED ? "returned" : "last", c->name);
}

static void run_answer(const golden_case* c, answer which) {
    const char* const named = golden_option_of(c, "storage");
    const char* const storages[] = {named ? named : "dense", "hash", "auto"};
    sl_model* reference = fed_singly(c, which, storages[0]);
    check_numbers(reference, c, which);
    if (hashes) write_hash(reference, c, which);
    for (size_t i = 0; i < (named ? 1u : 3u); ++i) {
        const char* storage = storages[i];
        sl_model* kept = fed_with_a_break(c, which, storage);
        if (i > 0) check_same("one at a time", storage, fed_singly(c, which, storage), reference, c);
        check_same("batches of 1", storage, fed_in_batches(c, which, storage, 1), reference, c);
        check_same("batches of 7", storage, fed_in_batches(c, which, storage, 7), reference, c);
        check_same("a batch of all", storage, fed_in_batches(c, which, storage, c->examples.count), reference, c);
        check_same("finalized in between", storage, fed_under_eyes(c, which, storage), reference, c);
        check_same("kept and loaded half-way", storage, kept, reference, c);
        if (which == RETURNED && i == 0) ++cases_kept;
    }
    sl_model_free(reference);
}

static void run_case(void** state) {
    const golden_case* c = *state;
    run_answer(c, RETURNED);
    run_answer(c, LAST);
    ++cases_run;
}

/* Whether all cases of a file pass, of which there are so many. */
static int run_file(const char* path, size_t count) {
    golden_file all = golden_load(path);
    struct CMUnitTest* tests = calloc(all.count, sizeof *tests);
    int failed;
    if (!tests) return 0;
    cases_run = cases_kept = 0;
    for (size_t i = 0; i < all.count; ++i) {
        tests[i].name = all.cases[i]->name;
        tests[i].test_func = run_case;
        tests[i].initial_state = all.cases[i];
    }
    failed = _cmocka_run_group_tests(path, tests, all.count, NULL, NULL);
    printf("%s: %zu of %zu passed; kept half-way and loaded: %zu\n", path, cases_run, all.count, cases_kept);
    free(tests);
    golden_free(&all);
    return failed == 0 && cases_run == count && cases_kept == count;
}

int main(int count, char** words) {
    if (count > 1 && !(hashes = fopen(words[1], "wb"))) return 2;
    const int pair = run_file(SL_TEST_DATA "/golden.txt", 280), classes = run_file(SL_TEST_DATA "/golden_multi.txt", 106);
    if (hashes && fclose(hashes) != 0) return 2;
    return !(pair && classes);
}
