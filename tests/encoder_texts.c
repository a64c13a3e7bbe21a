/* Texts: tokens beyond ASCII and of bytes that are no text, long ones, and many at once in threads. */
#include <stdio.h>

#include "encoder.h"

/* The names of a text's features in the order of first sight, with how often each is there: "a:1 b:2". */
static const char* tokens_of(const char* tokens, const char* ngram_min, const char* ngram_max, const char* text, size_t length) {
    static char all[4000];
    sl_encoder* encoder = new_encoder("features", "dictionary", "tokens", tokens, "ngram_min", ngram_min, "ngram_max", ngram_max);
    size_t at = 0;
    all[0] = 0;
    assert_ok(sl_encoder_text(encoder, "", text, length, &error));
    const encoded row = row_of(encoder);
    for (size_t j = 0; j < row.count; ++j)
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s:%g", j ? "|" : "", name_of(encoder, row.indices[j]), row.values[j]);
    assert_in_range(at, 0, sizeof all - 1);
    sl_encoder_free(encoder);
    return all;
}

#define assert_tokens(expected, tokens, ngram_min, ngram_max, text) \
    assert_string_equal(tokens_of(tokens, ngram_min, ngram_max, text, sizeof(text) - 1), expected)

static void words(void** state) {
    (void)state;
    assert_tokens("", "word", "1", "1", "");
    assert_tokens("", "word", "1", "3", " a . b-c ");
    assert_tokens("it:1|isn:1|50:1|_x:1", "word", "1", "1", "It isn't a 50% _x");
    assert_tokens("aa:2|bb:1|aa bb:1|bb aa:1", "word", "1", "2", "aa, bb.\n\taa");
    assert_tokens("aa bb cc:1", "word", "3", "9", "aa\nbb c cc");
    assert_tokens("aa:1", "word", "1", "64", "AA");
    /* Bytes beyond ASCII are letters, whatever they stand for. */
    assert_tokens("\xc3\xa9:1|na\xc3\xafve:1|\xe6\x97\xa5\xe6\x9c\xac:1", "word", "1", "1",
                  "\xc3\xa9 na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac");
    assert_tokens("\xff\xfe:1", "word", "1", "1", "\xff \xff\xfe");
    assert_tokens("ab:1|cd:1", "word", "1", "1", "ab\0cd");
}

static void characters(void** state) {
    (void)state;
    assert_tokens("", "char", "1", "4", "");
    assert_tokens("a:2|b:1|ab:1|ba:1|aba:1", "char", "1", "4", "aBA");
    assert_tokens("", "char", "4", "4", "abc");
    assert_tokens("a :1| b:1", "char", "2", "2", "a  \t b"); /* several blanks are one */
    assert_tokens("a\t:1|\tb:1", "char", "2", "2", "a\tb");  /* one that is none stays as it is */
    assert_tokens(
        "a\x1c:1|\x1c"
        "b:1",
        "char", "2", "2",
        "a\x1c"
        "b");
    assert_tokens("a :1| b:1", "char", "2", "2",
                  "a\x1c\x1f"
                  "b");
    /* Characters of UTF-8 are whole; what is none is bytes. */
    assert_tokens("\xc3\xa9:1|\xe6\x97\xa5:1|\xf0\x9f\x98\x80:1", "char", "1", "1", "\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80");
    assert_tokens("x\xc3\xa9:1|\xc3\xa9y:1", "char", "2", "2", "x\xc3\xa9y");
}

static void characters_that_are_cut_short_are_bytes(void** state) {
    (void)state;
    assert_tokens("\xc3:1|x:1", "char", "1", "1", "\xc3x");
    assert_tokens("\xe6:1|\x97:1", "char", "1", "1", "\xe6\x97");
    assert_tokens("\x80:1|\xff:1|\xc0:1", "char", "1", "1", "\x80\xff\xc0");
    assert_tokens("\xe6:1|\xc3\xa9:1", "char", "1", "1", "\xe6\xc3\xa9");
}

static void characters_of_words(void** state) {
    (void)state;
    assert_tokens("", "char_wb", "1", "4", " \n ");
    assert_tokens(" a:2|ab:1|b :1|a :1", "char_wb", "2", "2", "ab a");
    assert_tokens(" a :1| abc:1|abc :1", "char_wb", "4", "4", "a abc");
    assert_tokens(" a :1", "char_wb", "4", "9", "\ta\n");
    assert_tokens(" \xc3\xa9 :1", "char_wb", "3", "3", "\xc3\xa9");
    assert_tokens(" i:1|it:1|t':1|'s:1|s :1", "char_wb", "2", "2", "It's");
}

static void nul_is_a_character_like_another(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary", "tokens", "char", "ngram_max", "3");
    char name[8];
    size_t length = 0;
    (void)state;
    assert_ok(sl_encoder_text(encoder, "", "a\0b", 3, &error));
    assert_row(encoder, 0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1);
    assert_ok(sl_encoder_name(encoder, 5, name, sizeof name, &length, &error));
    assert_int_equal(length, 4);
    assert_memory_equal(name, "a\0b", 4);
    sl_encoder_free(encoder);
}

static void lowercase_can_be_left_alone(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary", "lowercase", "false");
    (void)state;
    add_text(encoder, "", "Aa aA aa AA");
    assert_row(encoder, 0, 1, 1, 1, 2, 1, 3, 1);
    assert_string_equal(name_of(encoder, 1), "aA");
    sl_encoder_free(encoder);
}

/* A megabyte of text, and a word of a megabyte. */
static void long_texts(void** state) {
    enum { LENGTH = 1 << 20 };
    char* text = malloc(LENGTH);
    sl_encoder *encoder = new_encoder("features", "dictionary", "ngram_max", "2"), *hashed = new_encoder("hash_bits", "20");
    (void)state;
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    for (size_t k = 3; k < LENGTH; k += 4) text[k] = ' ';
    assert_ok(sl_encoder_text(encoder, "", text, LENGTH, &error));
    assert_row(encoder, 0, LENGTH / 4, 1, LENGTH / 4 - 1);
    memset(text, 'x', LENGTH);
    assert_ok(sl_encoder_clear(encoder, &error));
    assert_ok(sl_encoder_text(encoder, "", text, LENGTH, &error));
    assert_row(encoder, 2, 1);
    assert_ok(sl_encoder_text(hashed, "", text, LENGTH, &error));
    assert_int_equal(row_of(hashed).count, 1);
    sl_encoder_free(encoder);
    sl_encoder_free(hashed);
    free(text);
}

static void a_text_has_at_most_2_to_the_31_less_one_bytes(void** state) {
    sl_encoder* encoder = new_encoder(NULL);
    (void)state;
    if (SIZE_MAX > UINT32_MAX) {
        assert_status(SL_ERROR_INVALID_DATA, sl_encoder_text(encoder, "a", "not so long", (size_t)INT32_MAX + 1, &error));
        assert_message("2147483648");
    }
    sl_encoder_free(encoder);
}

enum { TEXTS = 3000 };
static char* made[TEXTS];
static size_t lengths[TEXTS];
static double labels[TEXTS], weights[TEXTS];

static void make_texts(void) {
    uint64_t random = 3;
    for (size_t r = 0; r < TEXTS; ++r) {
        const size_t words = next_random(&random) % 30;
        made[r] = malloc(words * 8 + 1);
        assert_non_null(made[r]);
        lengths[r] = 0;
        for (size_t k = 0; k < words; ++k)
            lengths[r] += (size_t)sprintf(made[r] + lengths[r], "w%u ", (unsigned)(next_random(&random) % 1000));
        made[r][lengths[r]] = 0;
        labels[r] = (double)(r % 3);
        weights[r] = (double)(r % 4);
    }
}

static void free_texts(void) {
    for (size_t r = 0; r < TEXTS; ++r) free(made[r]);
}

/* Texts at once are the same rows as one by one, in any number of threads. */
static void texts_at_once_are_the_same_rows(void** state) {
    static const char* const kinds[][7] = {{"hash_bits", "16"},
                                           {"hash_bits", "16", "keep_names", "true"},
                                           {"features", "dictionary"},
                                           {"features", "dictionary", "min_count", "3"},
                                           {"tokens", "char", "ngram_max", "4"}};
    (void)state;
    make_texts();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        sl_encoder* one = encoder_from(kinds[k]);
        for (uint32_t threads = 0; threads < 9; threads += 3) {
            sl_encoder* all = encoder_from(kinds[k]);
            for (int frozen = 0; frozen < 2; ++frozen) {
                sl_dataset* data = NULL;
                uint64_t rows = 0;
                assert_ok(sl_encoder_set_threads(all, threads, &error));
                assert_ok(sl_encoder_texts(all, "text", (const char* const*)made, frozen ? lengths : NULL, TEXTS, labels, weights, &data,
                                           &error));
                assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
                assert_int_equal(rows, TEXTS);
                for (size_t r = 0; r < TEXTS; ++r) {
                    uint32_t indices[500];
                    double values[500], label = -1, weight = -1;
                    size_t count = 0;
                    assert_ok(sl_encoder_clear(one, &error));
                    assert_ok(sl_encoder_text(one, "text", made[r], lengths[r], &error));
                    const encoded row = row_of(one);
                    assert_ok(sl_dataset_row(data, r, indices, values, 500, &count, &label, &weight, &error));
                    assert_int_equal(count, row.count);
                    if (count) assert_memory_equal(indices, row.indices, count * sizeof *indices);
                    if (count) assert_memory_equal(values, row.values, count * sizeof *values);
                    assert_bits(label, labels[r]);
                    assert_bits(weight, weights[r]);
                }
                sl_dataset_free(data);
                if (threads == 0) assert_true(same_encoders(all, one));
                if (threads == 0) assert_ok(sl_encoder_freeze(one, &error));
                assert_ok(sl_encoder_freeze(all, &error));
            }
            assert_true(same_encoders(all, one));
            sl_encoder_free(all);
        }
        sl_encoder_free(one);
    }
    free_texts();
}

static void texts_without_labels_are_rows_to_predict(void** state) {
    static const char* const two[] = {"free money", ""};
    sl_encoder* encoder = new_encoder(NULL);
    sl_dataset* data = NULL;
    double label = 7, weight = 7;
    size_t count = 77;
    uint64_t rows = 77;
    (void)state;
    assert_ok(sl_encoder_texts(encoder, "", two, NULL, 2, NULL, NULL, &data, &error));
    assert_ok(sl_dataset_row(data, 1, NULL, NULL, 0, &count, &label, &weight, &error));
    assert_int_equal(count, 0);
    assert_bits(label, 0);
    assert_bits(weight, 1);
    sl_dataset_free(data);
    assert_ok(sl_encoder_texts(encoder, "", NULL, NULL, 0, NULL, NULL, &data, &error));
    assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
    assert_int_equal(rows, 0);
    sl_dataset_free(data);
    sl_encoder_free(encoder);
}

/* What fails is told by the first row that does, and nothing has been learned. The record in progress is another matter. */
static void texts_that_fail_leave_nothing(void** state) {
    static const char* const kinds[][5] = {{"features", "dictionary", "min_count", "2"}, {"threads", "4"}};
    (void)state;
    make_texts();
    for (size_t k = 0; k < 2; ++k) {
        sl_encoder *encoder = encoder_from(kinds[k]), *twin = encoder_from(kinds[k]);
        sl_dataset* data = NULL;
        for (int e = 0; e < 2; ++e) {
            add_text(e ? twin : encoder, "text", "w1 w2 w3");
            (void)row_of(e ? twin : encoder);
        }
        char *const at_700 = made[700], *const at_2000 = made[2000];
        made[700] = made[2000] = NULL;
        assert_status(SL_ERROR_INVALID_ARGUMENT,
                      sl_encoder_texts(encoder, "text", (const char* const*)made, lengths, TEXTS, labels, NULL, &data, &error));
        assert_message("row 700: the text is NULL");
        made[700] = at_700;
        made[2000] = at_2000;
        weights[900] = -1;
        assert_status(SL_ERROR_INVALID_DATA,
                      sl_encoder_texts(encoder, "text", (const char* const*)made, NULL, TEXTS, labels, weights, &data, &error));
        assert_message("row 900: the weight is -1");
        assert_null(data);
        assert_true(same_encoders(encoder, twin));
        weights[900] = 1;
        for (int e = 0; e < 2; ++e) {
            assert_ok(sl_encoder_texts(e ? twin : encoder, "text", (const char* const*)made, NULL, TEXTS, labels, weights, &data, &error));
            sl_dataset_free(data);
            data = NULL;
            assert_int_equal(row_of(e ? twin : encoder).count, 3);
        }
        assert_true(same_encoders(encoder, twin));
        sl_encoder_free(encoder);
        sl_encoder_free(twin);
    }
    free_texts();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(characters),
        cmocka_unit_test(characters_that_are_cut_short_are_bytes),
        cmocka_unit_test(characters_of_words),
        cmocka_unit_test(nul_is_a_character_like_another),
        cmocka_unit_test(lowercase_can_be_left_alone),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(a_text_has_at_most_2_to_the_31_less_one_bytes),
        cmocka_unit_test(texts_at_once_are_the_same_rows),
        cmocka_unit_test(texts_without_labels_are_rows_to_predict),
        cmocka_unit_test(texts_that_fail_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
