/* Kept anywhere and taken up again anywhere, a model gives the bytes of one that was trained straight through. */
#include <math.h>
#ifdef _WIN32
#include <process.h>
#else
#include <sys/wait.h>
#endif

#include "draw_options.h"
#include "keeping.h"

enum { PROGRAMS = 1000 / SL_SHARE };
enum { FEW = 60, MANY = 160 }; /* rows; the automatic start of an average needs more than 100 */

/* The rows of a program, and how many of them are observed first. */
typedef struct program {
    sample rows;
    size_t observed;
} program;

static void draw_program(program* p, const sl_model* model, uint64_t* random) {
    const uint32_t dimensions[] = {12, 40, 64, 20000, 4294967294u};
    char storage[16];
    size_t length = 0;
    assert_ok(sl_model_option(model, "storage", storage, sizeof storage, &length, &error));
    const int widths = strcmp(storage, "dense") == 0 ? 4 : 5; /* an array of 64 GB is not for a test */
    const uint32_t dimension = dimensions[next_random(random) % (uint64_t)widths];
    fill_sample(&p->rows, next_random(random) % 4 ? FEW : MANY, dimension, next_random(random));
    p->observed = next_random(random) % 2 ? next_random(random) % p->rows.rows : 0;
}

/* Call `i` of a program: rows are observed, and then fed. Some are refused; that must be told alike. */
static sl_status call(sl_model* model, const program* p, size_t i) {
    const sample* s = &p->rows;
    if (i >= p->observed) return feed_row(model, s, i - p->observed);
    return sl_model_observe(model, s->indices + s->pointers[i], s->values + s->pointers[i], row_count(s, i), s->weights[i], &error);
}
static size_t calls(const program* p) { return p->observed + p->rows.rows; }

static void look_at(const sl_model* model, uint64_t* random) {
    sample probes;
    double value;
    size_t count;
    fill_sample(&probes, 3, 50, next_random(random));
    for (size_t r = 0; r < probes.rows; ++r) score_of(model, &probes, r);
    assert_ok(sl_model_nonzeros(model, NULL, NULL, 0, &count, &error));
    assert_ok(sl_model_bias(model, &value, &error));
    assert_ok(sl_model_weight(model, (uint32_t)(next_random(random) % 50), &value, &error));
}

/* The model after something that must not be felt later: kept and loaded, copied, looked at, finalized. */
static sl_model* disturbed(sl_model* model, const char* path, uint64_t* random) {
    sl_model* other = NULL;
    bytes kept;
    switch (next_random(random) % 12) {
        case 0:
        case 1:
            kept = bytes_of(model, SL_KEEP_EVERYTHING);
            other = model_of(kept);
            free(kept.data);
            break;
        case 2:
            if (next_random(random) % 64) break; /* the disk is slow */
            assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
            assert_ok(sl_model_load(path, &other, &error));
            break;
        case 3: assert_ok(sl_model_clone(model, &other, &error)); break;
        case 4: assert_ok(sl_model_finalize(model, &error)); break;
        case 5: look_at(model, random); break;
        case 6: free(bytes_of(model, SL_KEEP_PREDICTOR).data); break;
        default: break;
    }
    if (!other) return model;
    sl_model_free(model);
    return other;
}

static void interrupted_or_not_the_bytes_are_the_same(void** state) {
    const folder f = new_folder();
    char path[128];
    size_t learned = 0;
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    for (uint64_t n = 0; n < PROGRAMS; ++n) {
        uint64_t random = n, again = n, chance = ~n, steps = 0;
        program p;
        sl_model *straight = draw_model(&random, NULL), *interrupted = draw_model(&again, NULL);
        draw_program(&p, straight, &random);
        for (size_t i = 0; i < calls(&p); ++i) {
            const sl_status expected = call(straight, &p, i);
            interrupted = disturbed(interrupted, path, &chance);
            const sl_status status = call(interrupted, &p, i);
            if (status != expected) fail_msg("program %u, call %zu: %s", (unsigned)n, i, sl_status_name(status));
        }
        interrupted = disturbed(interrupted, path, &chance);
        bytes a = bytes_of(straight, SL_KEEP_EVERYTHING), b = bytes_of(interrupted, SL_KEEP_EVERYTHING);
        if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) {
            print_error("program %u: ", (unsigned)n);
            print_options(straight);
        }
        assert_same_bytes(a, b);
        assert_same_kept(straight, interrupted);
        assert_ok(sl_model_steps(straight, &steps, &error));
        learned += steps > 0;
        free(a.data);
        free(b.data);
        sl_model_free(straight);
        sl_model_free(interrupted);
    }
    print_message("%zu programs, of which %zu learned something\n", (size_t)PROGRAMS, learned);
    assert_true(learned > PROGRAMS * 6 / 10);
    remove_folder(&f);
}

/* Another process takes up what this one has left in a folder: program n in file n. */
enum { FILES = 30 };

static void go_on_in(const folder* f) {
    for (uint64_t n = 0; n < FILES; ++n) {
        uint64_t random = 5000 + n;
        char name[16];
        program p;
        sl_model *drawn = draw_model(&random, NULL), *model = NULL;
        draw_program(&p, drawn, &random);
        sl_model_free(drawn);
        snprintf(name, sizeof name, "%u", (unsigned)n);
        assert_ok(sl_model_load(path_in(f, name), &model, &error));
        for (size_t i = (size_t)n; i < calls(&p); ++i) (void)call(model, &p, i);
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(f, name), &error));
        sl_model_free(model);
    }
}

static const char* program_path;

/* Runs this program with a word on its command line; its exit code. */
static int run_again(const char* word) {
#ifdef _WIN32
    return (int)_spawnl(_P_WAIT, program_path, program_path, word, (char*)NULL);
#else
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(program_path, program_path, word, (char*)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
#endif
}

static void another_process_goes_on(void** state) {
    const folder f = new_folder();
    sl_model* straight[FILES];
    char name[16];
    (void)state;
    if (SL_EMULATED) skip();
    for (uint64_t n = 0; n < FILES; ++n) {
        uint64_t random = 5000 + n;
        program p;
        straight[n] = draw_model(&random, NULL);
        draw_program(&p, straight[n], &random);
        snprintf(name, sizeof name, "%u", (unsigned)n);
        for (size_t i = 0; i < calls(&p); ++i) {
            if (i == n) assert_ok(sl_model_save(straight[n], SL_KEEP_EVERYTHING, path_in(&f, name), &error));
            (void)call(straight[n], &p, i);
        }
    }
    assert_int_equal(run_again(f.path), 0);
    for (size_t n = 0; n < FILES; ++n) {
        snprintf(name, sizeof name, "%u", (unsigned)n);
        bytes expected = bytes_of(straight[n], SL_KEEP_EVERYTHING), written = read_bytes(path_in(&f, name));
        assert_same_bytes(expected, written);
        free(expected.data);
        free(written.data);
        sl_model_free(straight[n]);
    }
    remove_folder(&f);
}

/* Elastic net with an average keeps a history of 24 bytes a step, until the weights are settled after 16,384 steps. */
static void settling_comes_when_it_would_have_come(void** state) {
    enum { STEPS = 17000 };
    const size_t stops[] = {1, 5000, 16380, 16383, 16384, 16385, 16386, 16900};
    const char* const storages[] = {"dense", "hash", "auto"};
    sample s;
    (void)state;
    fill_sample(&s, SAMPLE_ROWS, 300, 9);
    for (int i = 0; i < 3; ++i) {
        sl_model* straight = new_model("l1", "1e-4", "l2", "1e-5", "storage", storages[i]);
        sl_model* stopped = new_model("l1", "1e-4", "l2", "1e-5", "storage", storages[i]);
        size_t largest = 0;
        for (size_t t = 0, stop = 0; t < STEPS; ++t) {
            assert_ok(feed_row(straight, &s, t * 7 % s.rows));
            if (stop < sizeof stops / sizeof *stops && t == stops[stop]) {
                bytes kept = bytes_of(stopped, SL_KEEP_EVERYTHING);
                if (kept.size > largest) largest = kept.size;
                sl_model_free(stopped);
                stopped = model_of(kept);
                free(kept.data);
                ++stop;
            }
            assert_ok(feed_row(stopped, &s, t * 7 % s.rows));
        }
        assert_same_kept(straight, stopped);
        bytes after = bytes_of(straight, SL_KEEP_EVERYTHING);
        assert_in_range(largest, 24 * 16000, 24 * 17000 + 20000);
        assert_in_range(after.size, 0, 40000); /* the settling lies between */
        free(after.data);
        sl_model_free(straight);
        sl_model_free(stopped);
    }
}

static sl_status feed_extreme(sl_model* model, const sample* s, size_t r) {
    return sl_model_feed(model, s->indices + s->pointers[r], s->values + s->pointers[r], row_count(s, r), s->labels[r], s->weights[r],
                         NULL);
}

/* Numbers at the ends of what a double holds: what was learned of them, if it was, is kept, loaded and gone on from. */
static void whatever_was_learned_can_be_loaded(void** state) {
    (void)state;
    for (uint64_t n = 0; n < PROGRAMS; ++n) {
        uint64_t random = 70000 + n;
        const double exponents = n % 2 ? 300 : 160;
        sample s;
        sl_model *model = draw_model(&random, NULL), *loaded = NULL;
        fill_sample(&s, FEW, 12, n);
        for (int64_t k = 0; k < s.pointers[FEW]; ++k) s.values[k] *= pow(10, exponents * (2 * next_uniform(&random) - 1.3));
        for (size_t r = 0; r < FEW; ++r) {
            s.weights[r] *= pow(10, n % 3 ? 0 : exponents * (next_uniform(&random) - 0.5));
            if (n % 5 == 0) s.labels[r] *= pow(10, exponents * (next_uniform(&random) - 0.8));
            (void)sl_model_observe(model, s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.weights[r], NULL);
        }
        for (size_t r = 0; r < FEW / 2; ++r) (void)feed_extreme(model, &s, r);
        for (int keep = SL_KEEP_PREDICTOR; keep >= SL_KEEP_EVERYTHING; --keep) {
            bytes kept = bytes_of(model, (sl_keep)keep);
            sl_model_free(loaded);
            if (sl_model_from_bytes(kept.data, kept.size, &loaded, &error) != SL_OK) {
                print_options(model);
                fail_msg("program %u, kept as %d: %s", (unsigned)n, keep, error.message);
            }
            free(kept.data);
        }
        for (size_t r = FEW / 2; r < FEW; ++r) assert_int_equal(feed_extreme(loaded, &s, r), feed_extreme(model, &s, r));
        assert_same_kept(model, loaded);
        sl_model_free(model);
        sl_model_free(loaded);
    }
}

/* Weights that grow until a step is refused, which is judged by bounds that steps leave behind: kept before every step. */
static void a_step_is_refused_when_it_would_have_been(void** state) {
    size_t learned = 0, refused_late = 0;
    (void)state;
    for (double value = 1e95; value < 1e100; value *= 1.1) {
        const char* const options[] = {"loss",  "absolute", "schedule", "constant", "eta0", "1e60",     "l2", "5e-61", "bias",
                                       "false", "average",  "none",     "scale",    "none", "clip_max", "0",  NULL,    NULL};
        sl_model *straight = model_from(options), *kept = model_from(options);
        for (int t = 0; t < 25; ++t) {
            bytes b = bytes_of(kept, SL_KEEP_EVERYTHING);
            sl_model_free(kept);
            kept = model_of(b);
            free(b.data);
            const sl_status status = sl_model_feed(straight, &(uint32_t){3}, &value, 1, 1, 1, NULL);
            assert_int_equal(status, sl_model_feed(kept, &(uint32_t){3}, &value, 1, 1, 1, NULL));
            learned += status == SL_OK;
            refused_late += status == SL_ERROR_DIVERGED && t > 0;
        }
        assert_same_kept(straight, kept);
        sl_model_free(straight);
        sl_model_free(kept);
    }
    assert_true(learned > 100 && refused_late > 0);
}

/* The same, whatever the storage was: only the option's own value differs. */
static void storages_keep_the_same_numbers(void** state) {
    (void)state;
    for (uint64_t n = 0; n < 100 / SL_SHARE; ++n) {
        bytes kept[2];
        for (int hash = 0; hash < 2; ++hash) {
            uint64_t random = n, rows = n;
            sample s;
            sl_model *drawn = draw_model(&random, "storage"), *model = NULL;
            sl_options* options = new_options("storage", hash ? "hash" : "auto");
            for (size_t i = 0; i < sl_option_count(); ++i) {
                const char *name, *standard;
                char value[64];
                size_t length;
                assert_ok(sl_option_describe(i, &name, NULL, &standard, NULL, &error));
                assert_ok(sl_model_option(drawn, name, value, sizeof value, &length, &error));
                if (strcmp(name, "storage") != 0 && strcmp(name, "preset") != 0 && strcmp(value, standard) != 0)
                    assert_ok(sl_options_set(options, name, value, &error));
            }
            if (sl_model_create(options, &model, NULL) != SL_OK) model = new_model("storage", hash ? "hash" : "auto");
            fill_sample(&s, FEW, 40, next_random(&rows));
            (void)sl_model_observe(model, s.indices, s.values, row_count(&s, 0), 1, NULL);
            for (size_t r = 0; r < s.rows; ++r) (void)feed_row(model, &s, r);
            kept[hash] = bytes_of(model, SL_KEEP_EVERYTHING);
            sl_options_free(options);
            sl_model_free(drawn);
            sl_model_free(model);
        }
        const size_t size = kept[0].size;
        assert_int_equal(size, kept[1].size); /* "hash" and "auto" are of one length */
        size_t differing = 0;
        for (size_t i = 0; i + 8 < size; ++i) differing += kept[0].data[i] != kept[1].data[i];
        assert_int_equal(differing, 5); /* and only "hash" was asked for */
        free(kept[0].data);
        free(kept[1].data);
    }
}

int main(int argc, char** argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_or_not_the_bytes_are_the_same), cmocka_unit_test(another_process_goes_on),
        cmocka_unit_test(settling_comes_when_it_would_have_come),    cmocka_unit_test(whatever_was_learned_can_be_loaded),
        cmocka_unit_test(a_step_is_refused_when_it_would_have_been), cmocka_unit_test(storages_keep_the_same_numbers),
    };
    program_path = argv[0];
    if (argc == 2) {
        folder f = {""};
        snprintf(f.path, sizeof f.path, "%s", argv[1]);
        go_on_in(&f);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
