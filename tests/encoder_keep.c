/* Encoders kept in files, in bytes and in models: they go on as if nothing had happened, and what is damaged is refused. */
#include <stdio.h>

#include "encoder.h"
#include "seal.h"

static const char path[] = "encoder_keep.tmp";

static const char* const kinds[][9] = {
    {NULL},
    {"hash_bits", "12", "hash_sign", "true", "tokens", "char_wb", "ngram_max", "3"},
    {"hash_bits", "12", "keep_names", "true", "lowercase", "false"},
    {"features", "dictionary", "ngram_max", "2"},
    {"features", "dictionary", "min_count", "2"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void add_record(sl_encoder* encoder, uint64_t* random) {
    char text[100];
    assert_ok(sl_encoder_clear(encoder, &error));
    assert_ok(sl_encoder_number(encoder, "number", next_uniform(random), &error));
    sprintf(text, "value %u", (unsigned)(next_random(random) % 50));
    assert_ok(sl_encoder_category(encoder, "category", text, &error));
    sprintf(text, "Some words %u of text %u", (unsigned)(next_random(random) % 90), (unsigned)(next_random(random) % 20));
    add_text(encoder, "", text);
}

static void assert_same_rows(sl_encoder* a, sl_encoder* b, uint64_t random) {
    for (int r = 0; r < 40; ++r) {
        uint64_t again = random;
        add_record(a, &random);
        add_record(b, &again);
        const encoded x = row_of(a), y = row_of(b);
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.indices, y.indices, x.count * sizeof *x.indices);
        assert_memory_equal(x.values, y.values, x.count * sizeof *x.values);
    }
}

static sl_encoder* taught(const char* const* kind, int frozen) {
    sl_encoder* encoder = encoder_from(kind);
    uint64_t random = 9;
    assert_ok(sl_encoder_cross(encoder, "category", "number", &error));
    assert_ok(sl_encoder_cross(encoder, "", "category", &error));
    for (int r = 0; r < 30; ++r) {
        add_record(encoder, &random);
        (void)row_of(encoder);
    }
    if (frozen) assert_ok(sl_encoder_freeze(encoder, &error));
    return encoder;
}

static void what_is_kept_goes_on_as_before(void** state) {
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; ++k) {
        sl_encoder *encoder = taught(kinds[k / 2], k % 2), *loaded = NULL;
        size_t length = 0;
        unsigned char* bytes = encoder_bytes(encoder, &length);
        sl_encoder* made = encoder_of_bytes(bytes, length);
        assert_ok(sl_encoder_save(encoder, path, &error));
        assert_ok(sl_encoder_load(path, &loaded, &error));
        assert_true(same_encoders(made, encoder));
        assert_true(same_encoders(loaded, encoder));
        assert_same_rows(encoder, made, k);
        assert_status(SL_ERROR_STATE, sl_encoder_cross(loaded, "x", "y", &error));
        uint64_t random = k;
        for (int r = 0; r < 40; ++r) { /* what was learned since is learned after loading too */
            add_record(loaded, &random);
            (void)row_of(loaded);
        }
        assert_true(same_encoders(loaded, encoder));
        assert_true(same_encoders(made, encoder));
        free(bytes);
        sl_encoder_free(encoder);
        sl_encoder_free(made);
        sl_encoder_free(loaded);
    }
    remove(path);
}

static void an_encoder_without_records_is_kept_too(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary", "threads", "7");
    size_t length = 0;
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    unsigned char* bytes = encoder_bytes(encoder, &length);
    sl_encoder* made = encoder_of_bytes(bytes, length);
    assert_ok(sl_encoder_cross(made, "a", "c", &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_encoder_cross(made, "b", "a", &error));
    char threads[4];
    assert_ok(sl_encoder_option(made, "threads", threads, sizeof threads, &length, &error));
    assert_string_equal(threads, "1");
    free(bytes);
    sl_encoder_free(encoder);
    sl_encoder_free(made);
}

static void a_model_carries_its_encoder(void** state) {
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; ++k) {
        sl_encoder *encoder = taught(kinds[k / 2], k % 2), *copy = NULL;
        sl_model *model = new_model(NULL), *clone = NULL;
        uint64_t random = 4, plain = 0, with = 0;
        assert_ok(sl_model_memory(model, &plain, &error));
        assert_status(SL_ERROR_STATE, sl_model_encoder(model, &copy, &error));
        assert_message("sl_model_set_encoder");
        for (int r = 0; r < 20; ++r) {
            add_record(encoder, &random);
            const encoded row = row_of(encoder);
            assert_ok(sl_model_feed(model, row.indices, row.values, row.count, r % 2 ? 1 : -1, 1, &error));
        }
        assert_ok(sl_model_set_encoder(model, encoder, &error));
        assert_ok(sl_model_memory(model, &with, &error));
        assert_true(with > plain);
        assert_ok(sl_model_clone(model, &clone, &error));
        for (int keep = 0; keep < 2; ++keep) {
            sl_model* loaded = NULL;
            assert_ok(sl_model_save(keep ? clone : model, keep ? SL_KEEP_PREDICTOR : SL_KEEP_EVERYTHING, path, &error));
            assert_ok(sl_model_load(path, &loaded, &error));
            assert_ok(sl_model_encoder(loaded, &copy, &error));
            assert_true(same_encoders(copy, encoder));
            assert_int_equal(row_of(copy).count, 0); /* the record in progress stays with its encoder */
            sl_model_free(loaded);
            assert_same_rows(copy, encoder, 8);
            sl_encoder_free(copy);
            assert_ok(sl_model_set_encoder(clone, encoder, &error));
        }
        assert_ok(sl_model_set_encoder(model, NULL, &error));
        assert_status(SL_ERROR_STATE, sl_model_encoder(model, &copy, &error));
        sl_encoder_free(encoder);
        assert_ok(sl_model_encoder(clone, &copy, &error)); /* copies are their own */
        sl_encoder_free(copy);
        sl_model_free(model);
        sl_model_free(clone);
    }
    remove(path);
}

static void assert_note(const sl_encoder* encoder, const char* wanted) {
    char note[50];
    size_t length = 0;
    assert_ok(sl_encoder_note(encoder, NULL, 0, &length, &error));
    assert_int_equal(length, strlen(wanted) + 1);
    assert_ok(sl_encoder_note(encoder, note, sizeof note, &length, &error));
    assert_string_equal(note, wanted);
}

static void a_note_goes_where_the_encoder_goes(void** state) {
    static const char text[] = "label,spam\n\"text\",\"message, as sent\"\n";
    sl_encoder *encoder = taught(kinds[3], 0), *copy = NULL;
    sl_model *model = new_model(NULL), *loaded = NULL;
    size_t length = 0;
    (void)state;
    assert_note(encoder, "");
    assert_ok(sl_encoder_set_note(encoder, "another", &error));
    assert_ok(sl_encoder_set_note(encoder, text, &error));
    assert_note(encoder, text);
    unsigned char* bytes = encoder_bytes(encoder, &length);
    sl_encoder* made = encoder_of_bytes(bytes, length);
    assert_note(made, text);
    assert_ok(sl_encoder_freeze(made, &error));
    assert_ok(sl_model_set_encoder(model, made, &error));
    assert_ok(sl_model_save(model, SL_KEEP_PREDICTOR, path, &error));
    assert_ok(sl_model_load(path, &loaded, &error));
    assert_ok(sl_model_encoder(loaded, &copy, &error));
    assert_note(copy, text);
    assert_ok(sl_encoder_set_note(copy, "", &error));
    assert_note(copy, "");
    free(bytes);
    sl_encoder_free(encoder);
    sl_encoder_free(made);
    sl_encoder_free(copy);
    sl_model_free(model);
    sl_model_free(loaded);
    remove(path);
}

static void files_that_are_no_encoder_are_refused(void** state) {
    sl_encoder* encoder = NULL;
    sl_model* model = new_model(NULL);
    (void)state;
    assert_status(SL_ERROR_IO, sl_encoder_load("no/such/file", &encoder, &error));
    assert_message("no/such/file");
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_status(SL_ERROR_FORMAT, sl_encoder_load(path, &encoder, &error));
    assert_message("not an encoder");
    sl_encoder* some = new_encoder(NULL);
    assert_ok(sl_encoder_save(some, path, &error));
    sl_model* none = NULL;
    assert_status(SL_ERROR_FORMAT, sl_model_load(path, &none, &error));
    assert_status(SL_ERROR_FORMAT, sl_encoder_from_bytes("", 0, &encoder, &error));
    assert_null(encoder);
    sl_encoder_free(some);
    sl_model_free(model);
    remove(path);
}

/* Loads, or is refused; what loads is used and kept again. */
static int survives(const unsigned char* bytes, size_t length) {
    sl_encoder* encoder = NULL;
    const sl_status status = sl_encoder_from_bytes(bytes, length, &encoder, &error);
    if (status != SL_OK) {
        assert_true(status == SL_ERROR_FORMAT || status == SL_ERROR_VERSION);
        assert_null(encoder);
        return 0;
    }
    uint64_t random = 1;
    size_t again_length = 0;
    unsigned char* again = encoder_bytes(encoder, &again_length);
    sl_encoder_free(encoder_of_bytes(again, again_length));
    free(again);
    for (int r = 0; r < 3; ++r) {
        const uint32_t* indices;
        const double* values;
        size_t count;
        add_record(encoder, &random);
        assert_ok(sl_encoder_row(encoder, &indices, &values, &count, &error));
    }
    sl_encoder_free(encoder);
    return 1;
}

/* Two or three bits of every byte: as it is the checksum tells, and with one that fits what is inside is looked at. */
static void flipped_bits(void** state) {
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; ++k) {
        sl_encoder* encoder = taught(kinds[k / 2], k % 2);
        size_t length = 0, loaded = 0;
        unsigned char* bytes = encoder_bytes(encoder, &length);
        for (size_t i = 0; i < length; ++i) {
            for (int bit = (int)(i % 3); bit < 8; bit += 3 * SL_SHARE) {
                bytes[i] ^= (unsigned char)(1 << bit);
                assert_false(survives(bytes, length));
                if (i + 8 < length && (i + (size_t)bit) % 5 == 0) {
                    seal_bytes(bytes, length);
                    loaded += (size_t)survives(bytes, length);
                    bytes[i] ^= (unsigned char)(1 << bit);
                    seal_bytes(bytes, length);
                } else {
                    bytes[i] ^= (unsigned char)(1 << bit);
                }
            }
        }
        assert_true(survives(bytes, length));
        for (size_t cut = 0; cut < length; ++cut) assert_false(survives(bytes, cut));
        if (kinds[k / 2][0]) assert_true(loaded > 0);
        free(bytes);
        sl_encoder_free(encoder);
    }
}

/* Lengths and counts that nothing stands behind are refused before memory is asked for. */
static void hostile_lengths(void** state) {
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; ++k) {
        sl_encoder* encoder = taught(kinds[k / 2], k % 2);
        size_t length = 0;
        unsigned char *bytes = encoder_bytes(encoder, &length), was[4];
        for (size_t i = BODY_AT; i + 4 + 8 <= length; i += SL_SHARE) {
            memcpy(was, bytes + i, 4);
            memset(bytes + i, 0xff, 4);
            if (i % 2) bytes[i + 3] = 0x7f;
            seal_bytes(bytes, length);
            (void)survives(bytes, length);
            memcpy(bytes + i, was, 4);
        }
        free(bytes);
        sl_encoder_free(encoder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_goes_on_as_before),
        cmocka_unit_test(an_encoder_without_records_is_kept_too),
        cmocka_unit_test(a_model_carries_its_encoder),
        cmocka_unit_test(a_note_goes_where_the_encoder_goes),
        cmocka_unit_test(files_that_are_no_encoder_are_refused),
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(hostile_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
