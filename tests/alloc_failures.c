/*
 * Memory that runs out at the n-th allocation of a call, for every n and every entry point that allocates, but for those of encoders: the
 * call says SL_ERROR_OUT_OF_MEMORY, nothing has changed, nothing leaks, and training on gives the same bits as if it had never happened.
 */
#include "failing_malloc.h"

#include <dirent.h>
#include <stdio.h>

/* What a call works on, and what it makes. */
static sample first, then;
static sl_options* options;
static sl_model *model, *source, *blank, *made;
static sl_dataset *data, *made_data;
static sl_reader *reader, *made_reader;
static sl_builder *builder, *made_builder;
static sl_options* made_options;
static sl_search *search, *made_search;
static size_t length, text_at;
static double number, numbers[5 * SAMPLE_ROWS];
static unsigned char bytes[200000];
static size_t bytes_length;
static const char path[] = "./././././././././alloc_failures.tmp"; /* a folder too long to be held without memory */
static const char text[] = "1 3:1 70:2\n-1 1:0.5 3:7 2:1 # unsorted\n1\n";

static int64_t give(void* user, void* buffer, size_t capacity) {
    size_t n = sizeof text - 1 - text_at;
    (void)user;
    n = n < capacity ? n : capacity;
    memcpy(buffer, text + text_at, n);
    text_at += n;
    return (int64_t)n;
}

static const uint32_t unsorted[] = {900, 5, 2000, 5, 1};

static sl_status create_options(void) { return sl_options_create(&made_options, &error); }
static sl_status set_option(void) { return sl_options_set(options, "seed", "12345678901234567890", &error); }
static sl_status set_preset(void) { return sl_options_set(options, "preset", "langford-rounding", &error); }
static sl_status set_number(void) { return sl_options_set_number(options, "l2", 1.0 / 3, &error); }
static sl_status get_option(void) { return sl_options_get(options, "l2", NULL, 0, &length, &error); }
static sl_status create(void) { return sl_model_create(options, &made, &error); }
static sl_status clone(void) { return sl_model_clone(model, &made, &error); }
static sl_status feed(void) { return sl_model_feed(model, unsorted, NULL, 5, 1, 1, &error); }
static sl_status observe(void) { return sl_model_observe(model, unsorted, NULL, 5, 1, &error); }
static sl_status feed_csr(void) {
    length = 0;
    return sl_model_feed_csr(model, then.rows, then.pointers, then.indices, then.values, then.labels, then.weights, &length, &error);
}
static sl_status feed_dataset(void) {
    length = 0;
    return sl_model_feed_dataset(model, data, &length, &error);
}
static sl_status feed_part(void) {
    length = 0;
    return sl_model_feed_rows(model, data, 0, then.rows, &length, &error);
}
static sl_status predict_part(void) { return sl_model_predict_rows(model, data, 1, 3, numbers, &error); }
static sl_status predictor(void) { return sl_model_predictor(model, &made, &error); }
static sl_status merge(void) {
    const sl_model* const parts[] = {model, source, model};
    return sl_model_merge(parts, 3, &made, &error);
}
static sl_status merge_round(void) {
    const sl_model* const parts[] = {model, source, model};
    return sl_model_merge_round(blank, parts, 3, 3, &made, &error);
}
static sl_status start(void) { return sl_model_start(model, source, &error); }
static sl_status relabel(void) { return sl_dataset_with_labels(data, numbers, NULL, &made_data, &error); }
static sl_status create_builder(void) { return sl_builder_create(100, 1000, &made_builder, &error); }
static sl_status build(void) {
    const sl_status status = sl_builder_add(builder, unsorted, NULL, 5, 1, 2, &error);
    return status != SL_OK ? status : sl_builder_finish(builder, &made_data, &error);
}
static sl_status fit(void) { return sl_model_fit(model, data, NULL, NULL, &error); }
static sl_status finalize(void) { return sl_model_finalize(model, &error); }
static sl_status predict(void) { return sl_model_predict(model, unsorted, NULL, 5, &number, &error); }
static sl_status predict_csr(void) { return sl_model_predict_csr(model, then.rows, then.pointers, then.indices, NULL, numbers, &error); }
static sl_status predict_dataset(void) { return sl_model_predict_dataset(model, data, numbers, SAMPLE_ROWS, &error); }
static sl_status evaluate(void) { return sl_model_evaluate(model, data, "auc", &number, &error); }
static sl_status calibration(void) {
    static const double probabilities[] = {0.5, 0.25, 1, 0.5, 0}, labels[] = {1, -1, 1, -1, -1};
    double predicted[3], observed[3];
    return sl_calibration(probabilities, 5, labels, NULL, 3, predicted, observed, NULL, &error);
}
static sl_status evaluate_scores(void) { return sl_evaluate_scores("mae", numbers, SAMPLE_ROWS, 1, then.labels, NULL, &number, &error); }
static sl_status objective(void) { return sl_model_evaluate(model, data, "objective", &number, &error); }
static sl_status nonzeros(void) { return sl_model_nonzeros(model, NULL, NULL, 0, &length, &error); }
static sl_status scores(void) { return sl_model_scores(model, unsorted, NULL, 5, numbers, 5, &error); }
static sl_status scores_csr(void) {
    return sl_model_scores_csr(model, then.rows, then.pointers, then.indices, NULL, numbers, 5 * SAMPLE_ROWS, &error);
}
static sl_status scores_part(void) { return sl_model_scores_rows(model, data, 1, 3, numbers, 15, &error); }
static sl_status scores_dataset(void) { return sl_model_scores_dataset(model, data, numbers, 5 * SAMPLE_ROWS, &error); }
static sl_status class_nonzeros(void) { return sl_model_class_nonzeros(model, 0, NULL, NULL, 0, &length, &error); }
static sl_status confusion(void) { return sl_model_confusion(model, data, numbers, 25, &error); }
static sl_status macro_f1(void) { return sl_model_evaluate(model, data, "macro_f1", &number, &error); }
static sl_status set_labels(void) {
    static const double five[] = {3, 1, 2, -7, 1.5};
    return sl_model_set_labels(model, five, 5, &error);
}
static sl_status model_option(void) { return sl_model_option(model, "average_power", NULL, 0, &length, &error); }
static sl_status save(void) { return sl_model_save(model, SL_KEEP_EVERYTHING, path, &error); }
static sl_status load(void) { return sl_model_load(path, &made, &error); }
static sl_status to_bytes(void) { return sl_model_to_bytes(model, SL_KEEP_PREDICTOR, NULL, 0, &length, &error); }
static sl_status from_bytes(void) { return sl_model_from_bytes(bytes, bytes_length, &made, &error); }
static sl_status from_csr(void) {
    return sl_dataset_from_csr(then.rows, then.pointers, then.indices, NULL, then.labels, then.weights, &made_data, &error);
}
static sl_status from_csc(void) {
    static const int64_t columns[] = {0, 2, 3};
    static const uint32_t rows[] = {1, 0, 1};
    return sl_dataset_from_csc(2, 2, columns, rows, NULL, numbers, NULL, &made_data, &error);
}
static sl_status read_text(void) {
    text_at = 0;
    return sl_dataset_read(give, NULL, options, &made_data, &error);
}
static sl_status load_text(void) { return sl_dataset_load(path, options, &made_data, &error); }
static sl_status save_data(void) { return sl_dataset_save(data, path, &error); }
static sl_status open_reader(void) { return sl_reader_create(give, NULL, options, &made_reader, &error); }
static sl_status next_rows(void) { return sl_reader_next(reader, 2, &made_data, &error); }
static sl_status row(void) { return sl_dataset_row(data, 3, NULL, NULL, 0, &length, NULL, NULL, &error); }

static sl_status run_search(void) {
    return sl_search_run(options, "seed=1,2", data, NULL, 2, 0, NULL, 1, NULL, NULL, &made_search, &error);
}
static sl_status search_options(void) { return sl_search_options(search, 0, &made_options, &error); }

enum { ONCE = 1, BY_ROWS = 2, ON_TEXT_FILE = 4, ON_MODEL_FILE = 8, FRESH = 16, NOTHING = 32, ON_DATA_FILE = 64, OF_ONE = 128 };
typedef struct scenario {
    const char* name;
    sl_status (*call)(void);
    int how; /* ONCE: not to be repeated; BY_ROWS: rows before the failure are learned; FRESH: on a model not fed yet; NOTHING: may do
                without memory; OF_ONE: for models of one score */
} scenario;

static const scenario scenarios[] = {
    {"options_create", create_options, 0},
    {"options_set", set_option, 0},
    {"options_set preset", set_preset, 0},
    {"options_set_number", set_number, 0},
    {"options_get", get_option, NOTHING},
    {"model_create", create, 0},
    {"clone", clone, 0},
    {"feed", feed, 0},
    {"feed, first", feed, FRESH},
    {"feed_csr", feed_csr, BY_ROWS},
    {"feed_dataset", feed_dataset, BY_ROWS},
    {"feed_dataset, first", feed_dataset, BY_ROWS | FRESH},
    {"feed_rows", feed_part, BY_ROWS},
    {"predict_rows", predict_part, NOTHING | OF_ONE},
    {"predictor", predictor, 0},
    {"merge", merge, 0},
    {"merge_round", merge_round, 0},
    {"start", start, FRESH | ONCE},
    {"dataset_with_labels", relabel, 0},
    {"builder_create", create_builder, 0},
    {"builder_add and builder_finish", build, ONCE},
    {"fit", fit, BY_ROWS},
    {"fit, first", fit, BY_ROWS | FRESH},
    {"finalize", finalize, 0},
    {"predict", predict, OF_ONE},
    {"predict_csr", predict_csr, OF_ONE},
    {"predict_dataset", predict_dataset, NOTHING | OF_ONE},
    {"evaluate auc", evaluate, OF_ONE},
    {"evaluate_scores", evaluate_scores, 0},
    {"calibration", calibration, 0},
    {"evaluate objective", objective, NOTHING},
    {"evaluate macro_f1", macro_f1, NOTHING},
    {"confusion", confusion, 0},
    {"nonzeros", nonzeros, NOTHING | OF_ONE},
    {"class_nonzeros", class_nonzeros, NOTHING},
    {"scores", scores, 0},
    {"scores_csr", scores_csr, 0},
    {"scores_dataset", scores_dataset, NOTHING},
    {"scores_rows", scores_part, NOTHING},
    {"set_labels", set_labels, FRESH | ONCE},
    {"model_option", model_option, NOTHING},
    {"save", save, 0},
    {"load", load, ON_MODEL_FILE},
    {"to_bytes", to_bytes, 0},
    {"from_bytes", from_bytes, 0},
    {"dataset_from_csr", from_csr, 0},
    {"dataset_from_csc", from_csc, 0},
    {"dataset_read", read_text, 0},
    {"dataset_load", load_text, ON_TEXT_FILE},
    {"dataset_save", save_data, 0},
    {"dataset_load, binary", load_text, ON_DATA_FILE},
    {"reader_create", open_reader, 0},
    {"reader_next", next_rows, ONCE},
    {"dataset_row", row, NOTHING},
    {"search_run", run_search, 0},
    {"search_options", search_options, 0},
};

static void prepare(const char* const* pairs, int how) {
    FILE* file = NULL;
    options = options_from(pairs);
    model = model_from(pairs);
    source = model_from(pairs);
    blank = model_from(pairs);
    feed_rows(source, &first, 0, 40);
    data = dataset_of(&then);
    text_at = 0;
    assert_ok(sl_reader_create(give, NULL, NULL, &reader, &error));
    assert_ok(sl_builder_create(0, 0, &builder, &error));
    assert_ok(sl_search_run(options, "", data, NULL, 2, 0, NULL, 1, NULL, NULL, &search, &error));
    if (!(how & FRESH)) feed_rows(model, &first, 0, first.rows);
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes, sizeof bytes, &bytes_length, &error));
    assert_in_range(bytes_length, 1, sizeof bytes);
    if (how & ON_DATA_FILE) assert_ok(sl_dataset_save(data, path, &error));
    if (!(how & (ON_TEXT_FILE | ON_MODEL_FILE))) return;
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fwrite(how & ON_TEXT_FILE ? (const void*)text : bytes, 1, how & ON_TEXT_FILE ? sizeof text - 1 : bytes_length, file) > 0);
    assert_int_equal(fclose(file), 0);
}

/* Files whose names begin as that of the file above does. */
static size_t files(void) {
    size_t count = 0;
    DIR* folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent* entry = readdir(folder); entry; entry = readdir(folder))
        count += strncmp(entry->d_name, "alloc_failures.tmp", strlen("alloc_failures.tmp")) == 0;
    closedir(folder);
    return count;
}

static void clean_up(void) {
    sl_options_free(made_options);
    sl_model_free(made);
    sl_dataset_free(made_data);
    sl_reader_free(made_reader);
    sl_builder_free(made_builder);
    sl_search_free(made_search);
    made_search = NULL;
    made_options = NULL;
    made = NULL;
    made_data = NULL;
    made_reader = NULL;
    made_builder = NULL;
    sl_options_free(options);
    sl_model_free(model);
    sl_model_free(source);
    sl_model_free(blank);
    sl_dataset_free(data);
    sl_reader_free(reader);
    sl_builder_free(builder);
    sl_search_free(search);
    remove(path);
}

/* The failed call on `model` against one that has learned as many rows and never failed, and both from there. */
static void check_model(const char* const* pairs, int how, const snapshot* before) {
    sl_model* twin = model_from(pairs);
    uint64_t steps = 0;
    assert_ok(sl_model_steps(model, &steps, &error));
    if (!(how & FRESH)) feed_rows(twin, &first, 0, first.rows);
    if (steps == before->steps) {
        static unsigned char after[sizeof bytes];
        size_t after_length = 0;
        assert_unchanged(model, before);
        assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, after, sizeof after, &after_length, &error));
        assert_int_equal(after_length, bytes_length);
        assert_memory_equal(after, bytes, bytes_length);
    }
    if (steps > before->steps) {
        assert_true(how & BY_ROWS);
        feed_rows(twin, &then, 0, (size_t)(steps - before->steps));
        assert_same_models(model, twin);
    }
    feed_rows(model, &first, 0, 150);
    feed_rows(twin, &first, 0, 150);
    assert_same_models(model, twin);
    sl_model_free(twin);
}

/* One call with the n-th allocation failing, from preparing to freeing. Returns whether one has failed. */
static int fails_well(const scenario* s, const char* const* pairs, size_t n, int on) {
    const long live_before = live;
    snapshot before;
    sl_status status = SL_OK;
    size_t failed = 0, files_before = 0;
    prepare(pairs, s->how);
    before = snapshot_of(model);
    files_before = files();
    length = 77;
    error.status = SL_OK;
    error.message[0] = 0;
    arm(n, on);
    status = s->call();
    failed = refusals;
    arm(0, 0);
    if (status != SL_OK) {
        if (status != SL_ERROR_OUT_OF_MEMORY || error.status != status || !error.message[0])
            fail_msg("%s, allocation %zu: %s, %s", s->name, n, sl_status_name(status), error.message);
        if (failed == 0) fail_msg("%s: out of memory, though no allocation failed", s->name);
        if (made || made_data || made_options || made_reader || made_builder || made_search)
            fail_msg("%s, allocation %zu: something is made all the same", s->name, n);
        if (!(s->how & BY_ROWS)) assert_int_equal(length, 77);
        if (files() != files_before) fail_msg("%s, allocation %zu: a file is left", s->name, n);
        check_model(pairs, s->how, &before);
        if (!(s->how & ONCE)) assert_ok(s->call());
    } else {
        assert_true(n == 0 || failed == 0 || !on); /* some can do without: one that fails once may not matter */
    }
    snapshot_free(&before);
    clean_up();
    if (n > 0 && live != live_before) fail_msg("%s, allocation %zu: %ld are left", s->name, n, live - live_before);
    return failed > 0;
}

static const char* const configurations[][18] = {
    {"storage", "dense", "average", "uniform", "l1", "0.001", "l2", "0.5", "schedule", "constant", "eta0", "1", "sampling", "sequential",
     "scale", "none"},
    {"storage", "hash", "average", "none", "l1", "0.001", "update", "fobos", "sampling", "sequential", "scale", "none"},
    {"average_start", "auto", "sampling", "sequential", "scale", "none"},
};

static void every_allocation_of(const scenario* s, const char* const* pairs) {
    (void)fails_well(s, pairs, 0, 0); /* makes what is made only once in a process */
    for (int on = 0; on < 2; ++on) {
        size_t n = 1;
        while (fails_well(s, pairs, n, on)) n += SL_SHARE;
        if (n == 1 && !(s->how & NOTHING)) fail_msg("%s allocates nothing, or not through here", s->name);
    }
}

static void every_allocation_of_every_call(void** state) {
    (void)state;
    need_failing_malloc();
    fill_sample(&first, 200, 60, 1);
    fill_sample(&then, 60, 3000, 2);
    for (size_t c = 0; c < sizeof configurations / sizeof *configurations; ++c) {
        for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; ++k) every_allocation_of(scenarios + k, configurations[c]);
    }
}

/* Labels 0 to 4, which the rows' first index decides. */
static void label_classes(sample* s) {
    for (size_t r = 0; r < s->rows; ++r) s->labels[r] = row_count(s, r) ? (double)(s->indices[s->pointers[r]] % 5) : 0;
}

static void every_allocation_of_every_call_with_classes(void** state) {
    static const char* const of_classes[][14] = {
        {"classes", "5", "storage", "hash", "l1", "0.001", "l2", "0.5", "schedule", "constant", "eta0", "1", NULL},
        {"classes", "5", "storage", "dense", "average_start", "auto", "loss", "hinge", NULL},
    };
    (void)state;
    need_failing_malloc();
    fill_sample(&first, 200, 60, 1);
    fill_sample(&then, 60, 3000, 2);
    label_classes(&first);
    label_classes(&then);
    for (size_t c = 0; c < 2; ++c)
        for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; ++k) {
            const char* pairs[20] = {"sampling", "sequential", "scale", "none"};
            if (scenarios[k].how & OF_ONE) continue;
            memcpy(pairs + 4, of_classes[c], sizeof of_classes[c]);
            every_allocation_of(scenarios + k, pairs);
        }
}

static void every_allocation_of_observing(void** state) {
    static const scenario observing = {"observe", observe, FRESH | ONCE};
    static const char* const storages[][3] = {{"storage", "dense"}, {"storage", "hash"}};
    (void)state;
    need_failing_malloc();
    fill_sample(&first, 200, 60, 1);
    fill_sample(&then, 60, 3000, 2);
    for (size_t s = 0; s < 2; ++s) every_allocation_of(&observing, storages[s]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_every_call),
        cmocka_unit_test(every_allocation_of_every_call_with_classes),
        cmocka_unit_test(every_allocation_of_observing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
