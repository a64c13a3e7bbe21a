/*
 * Memory that runs out at the n-th allocation of a call on an encoder, or on a model that carries one, for every n and every entry point
 * that allocates: the call says SL_ERROR_OUT_OF_MEMORY, nothing leaks, and the encoder, its record and its names are as they were.
 */
#include "failing_malloc.h"

#include <stdio.h>

#include "encoder.h"

/* What a call works on, and what it makes. */
static sl_encoder *encoder, *made_encoder;
static sl_model* model;
static sl_dataset* made_data;
static size_t length, kept_size;
static unsigned char* kept;                                        /* the encoder's bytes before the call */
static const char path[] = "./././././././././alloc_encoders.tmp"; /* a folder too long to be held without memory */
static const char *const messages[] = {"to be or not to be", "a text of other words"}, *const words = "some more words, and more";

static sl_status create_encoder(void) { return sl_encoder_create(NULL, &made_encoder, &error); }
static sl_status cross(void) { return sl_encoder_cross(made_encoder, "some field", "a field whose name is long", &error); }
static sl_status add_number(void) { return sl_encoder_number(encoder, "a number whose name is long", 2, &error); }
static sl_status add_category(void) { return sl_encoder_category(encoder, "category", "one that nobody has seen before", &error); }
static sl_status add_words(void) { return sl_encoder_text(encoder, "text", words, strlen(words), &error); }
static sl_status encoded_row(void) {
    static const uint32_t* indices;
    static const double* values;
    return sl_encoder_row(encoder, &indices, &values, &length, &error);
}
static sl_status encode_texts(void) { return sl_encoder_texts(encoder, "text", messages, NULL, 2, NULL, NULL, &made_data, &error); }
static sl_status freeze(void) { return sl_encoder_freeze(encoder, &error); }
static sl_status encoder_name(void) { return sl_encoder_name(encoder, 0, NULL, 0, &length, &error); }
static sl_status encoder_option(void) { return sl_encoder_option(encoder, "tokens", NULL, 0, &length, &error); }
static sl_status set_note(void) { return sl_encoder_set_note(encoder, "a note that is too long to be kept in place", &error); }
static sl_status note(void) { return sl_encoder_note(encoder, NULL, 0, &length, &error); }
static sl_status save_encoder(void) { return sl_encoder_save(encoder, path, &error); }
static sl_status load_encoder(void) { return sl_encoder_load(path, &made_encoder, &error); }
static sl_status encoder_to_bytes(void) { return sl_encoder_to_bytes(encoder, NULL, 0, &length, &error); }
static sl_status encoder_from_bytes(void) { return sl_encoder_from_bytes(kept, kept_size, &made_encoder, &error); }
static sl_status set_encoder(void) { return sl_model_set_encoder(model, encoder, &error); }
static sl_status model_encoder(void) { return sl_model_encoder(model, &made_encoder, &error); }

typedef struct scenario {
    const char* name;
    sl_status (*call)(void);
} scenario;

static const scenario scenarios[] = {
    {"encoder_create", create_encoder},
    {"encoder_cross", cross},
    {"encoder_number", add_number},
    {"encoder_category", add_category},
    {"encoder_text", add_words},
    {"encoder_row", encoded_row},
    {"encoder_texts", encode_texts},
    {"encoder_freeze", freeze},
    {"encoder_name", encoder_name},
    {"encoder_option", encoder_option},
    {"encoder_set_note", set_note},
    {"encoder_note", note},
    {"encoder_save", save_encoder},
    {"encoder_load", load_encoder},
    {"encoder_to_bytes", encoder_to_bytes},
    {"encoder_from_bytes", encoder_from_bytes},
    {"model_set_encoder", set_encoder},
    {"model_encoder", model_encoder},
};

static sl_encoder* learning_encoder(const char* const* pairs) {
    sl_encoder* made = encoder_from(pairs);
    assert_ok(sl_encoder_cross(made, "n", "text", &error));
    for (int r = 0; r < 3; ++r) {
        assert_ok(sl_encoder_clear(made, &error));
        assert_ok(sl_encoder_number(made, "n", 2.5, &error));
        add_text(made, "text", messages[0]);
        if (r == 2) break; /* row_of() has not seen the last record */
        row_of(made);
        add_text(made, "text", messages[1]);
    }
    return made;
}

static void clean_up(void) {
    free(kept);
    sl_encoder_free(encoder);
    sl_encoder_free(made_encoder);
    sl_model_free(model);
    sl_dataset_free(made_data);
    kept = NULL;
    encoder = made_encoder = NULL;
    model = NULL;
    made_data = NULL;
    remove(path);
}

/* The encoder after a call that failed, against what it was, and against one that never had the call. */
static void check_encoder(const scenario* s, const char* const* pairs) {
    size_t size = 0;
    unsigned char* after = encoder_bytes(encoder, &size);
    sl_encoder* twin = learning_encoder(pairs);
    encoded row, twin_row;
    assert_int_equal(size, kept_size);
    assert_memory_equal(after, kept, size);
    free(after);
    if (s->call == cross) assert_ok(s->call()); /* not made already */
    row = row_of(encoder);
    twin_row = row_of(twin);
    assert_int_equal(row.count, twin_row.count);
    assert_memory_equal(row.indices, twin_row.indices, row.count * sizeof *row.indices);
    assert_memory_equal(row.values, twin_row.values, row.count * sizeof *row.values);
    assert_true(same_encoders(encoder, twin));
    sl_encoder_free(twin);
}

/* One call with the n-th allocation failing, from preparing to freeing. Returns whether one has failed. */
static int fails_well(const scenario* s, const char* const* pairs, size_t n, int on) {
    const long live_before = live;
    size_t failed = 0;
    sl_status status = SL_OK;
    encoder = learning_encoder(pairs);
    model = new_model(NULL);
    if (s->call == model_encoder) assert_ok(sl_model_set_encoder(model, encoder, &error));
    if (s->call == cross) assert_ok(sl_encoder_create(NULL, &made_encoder, &error));
    if (s->call == load_encoder) assert_ok(sl_encoder_save(encoder, path, &error));
    kept = encoder_bytes(encoder, &kept_size);
    length = 77;
    arm(n, on);
    status = s->call();
    failed = refusals;
    arm(0, 0);
    if (status != SL_OK) {
        if (status != SL_ERROR_OUT_OF_MEMORY || failed == 0)
            fail_msg("%s, allocation %zu: %s, %s", s->name, n, sl_status_name(status), error.message);
        if (made_data || (made_encoder && s->call != cross)) fail_msg("%s, allocation %zu: something is made all the same", s->name, n);
        assert_int_equal(length, 77);
        check_encoder(s, pairs);
    }
    clean_up();
    if (n > 0 && live != live_before) fail_msg("%s, allocation %zu: %ld are left", s->name, n, live - live_before);
    return failed > 0;
}

static void every_allocation_of_every_encoding_call(void** state) {
    static const char* const kinds[][7] = {
        {"features", "dictionary"},
        {"features", "dictionary", "min_count", "2"},
        {"keep_names", "true", "tokens", "char", "ngram_max", "3"},
        {"threads", "2", "hash_bits", "20", "hash_sign", "true"},
    };
    (void)state;
    need_failing_malloc();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        for (size_t c = 0; c < sizeof scenarios / sizeof *scenarios; ++c) {
            if (scenarios[c].call == encoder_name && k > 1) continue; /* no feature has the index 0 */
            (void)fails_well(scenarios + c, kinds[k], 0, 0);          /* makes what is made only once in a process */
            for (int on = 0; on < 2; ++on) {
                size_t n = 1;
                while (fails_well(scenarios + c, kinds[k], n, on)) n += SL_SHARE;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_every_encoding_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
