/* What is said of a failure: the status' name, and one printable line whatever it is about. */
#include <math.h>
#include <stdio.h>

#include "helpers.h"

static void every_status_has_a_name(void** state) {
    static const char* const names[] = {"SL_OK",
                                        "SL_ERROR_INVALID_ARGUMENT",
                                        "SL_ERROR_INVALID_OPTION",
                                        "SL_ERROR_INVALID_DATA",
                                        "SL_ERROR_STATE",
                                        "SL_ERROR_OUT_OF_MEMORY",
                                        "SL_ERROR_IO",
                                        "SL_ERROR_FORMAT",
                                        "SL_ERROR_VERSION",
                                        "SL_ERROR_DIVERGED",
                                        "SL_ERROR_CANCELLED",
                                        "SL_ERROR_INTERNAL"};
    (void)state;
    for (int status = 0; status < 12; ++status) assert_string_equal(sl_status_name((sl_status)status), names[status]);
    assert_string_equal(sl_status_name((sl_status)12), "SL_ERROR_UNKNOWN");
    assert_string_equal(sl_status_name((sl_status)-1), "SL_ERROR_UNKNOWN");
}

static void the_version_is_the_headers(void** state) {
    char text[32];
    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH);
    assert_string_equal(sl_version(), text);
    assert_int_equal(sl_version_number(), 10000 * SL_VERSION_MAJOR + 100 * SL_VERSION_MINOR + SL_VERSION_PATCH);
}

/* The length of the UTF-8 sequence at `at`, or 0 if there is none. */
static size_t sequence(const unsigned char* at) {
    const size_t length = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 0;
    for (size_t k = 1; k < length; ++k)
        if ((at[k] & 0xc0) != 0x80) return 0;
    if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90)) return 0; /* overlong */
    if ((*at == 0xed && at[1] > 0x9f) || (*at == 0xf4 && at[1] > 0x8f)) return 0; /* surrogates, and beyond U+10FFFF */
    return length;
}

/* Characters that end a line, do something to a terminal, or turn the direction of what follows. */
static const char* const unwanted[] = {"\n",           "\033",         "\x7f",         "\xc2\x80",     "\xc2\x85",
                                       "\xc2\x9f",     "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8",
                                       "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9"};
enum { UNWANTED = sizeof unwanted / sizeof *unwanted };

static void check_line(sl_status expected, sl_status actual) {
    const unsigned char* at = (const unsigned char*)error.message;
    assert_int_equal(actual, expected);
    assert_int_equal(error.status, expected);
    assert_non_null(memchr(error.message, 0, sizeof error.message));
    assert_true(strlen(error.message) > 10);
    while (*at) {
        assert_true(*at >= 0x20);
        for (size_t k = 0; k < UNWANTED; ++k) assert_true(strncmp((const char*)at, unwanted[k], strlen(unwanted[k])) != 0);
        assert_true(sequence(at) > 0);
        at += sequence(at);
    }
    memset(&error, 0x7f, sizeof error);
}

typedef struct line {
    const char* text;
    size_t at;
} line;

static int64_t read_line(void* user, void* buffer, size_t capacity) {
    line* l = user;
    size_t left = strlen(l->text) - l->at;
    left = left < capacity ? left : capacity;
    memcpy(buffer, l->text + l->at, left);
    l->at += left;
    return (int64_t)left;
}

static void messages_are_one_printable_line(void** state) {
    /* What the names are made of, over and over: plain, line ends and escapes, letters of two to four bytes, and bytes that are no UTF-8.
     */
    static const char* const parts[] = {
        "x", "\n", "a\r\nb\t\033[31m", "\x7f", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "x\xc3\xa9", "\xff", "\xc3", "%s%n",
        /* ends of what is allowed, and what is just beyond: surrogates, overlong forms, beyond U+10FFFF */
        "\xc2\xa0", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xe0\x9f\xbf",
        "\xc1\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"};
    static const size_t sizes[] = {1, 100, 200, 10000};
    (void)state;
    for (size_t k = 0; k < sizeof parts / sizeof *parts + UNWANTED; ++k) {
        const char* const part = k < UNWANTED ? unwanted[k] : parts[k - UNWANTED];
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; ++z) {
            char *name = malloc(sizes[z] + 32), text[8];
            size_t length = 0;
            sl_dataset* data = NULL;
            sl_options* options = new_options(NULL);
            sl_model* model = new_model(NULL);
            assert_non_null(name);
            for (*name = 0; length < sizes[z]; length += strlen(part)) strcpy(name + length, part);
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set(options, name, "1", &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set(options, "loss", name, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set(options, "l1", name, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set(options, "seed", name, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set(options, "bias", name, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, name, 1, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_options_get(options, name, text, sizeof text, &length, &error));
            check_line(SL_ERROR_INVALID_OPTION, sl_model_option(model, name, text, sizeof text, &length, &error));
            check_line(SL_ERROR_IO, sl_dataset_load(name, NULL, &data, &error));
            if (*part != '\n') {
                line l = {name, 0};
                check_line(SL_ERROR_FORMAT, sl_dataset_read(read_line, &l, NULL, &data, &error));
            }
            assert_null(data);
            sl_options_free(options);
            sl_model_free(model);
            free(name);
        }
    }
}

/* What may be shown is shown. */
static void letters_of_all_sizes_are_kept(void** state) {
    static const char* const letters[] = {"x",
                                          "\xc2\xa0",
                                          "\xc3\xa9",
                                          "\xe0\xa0\x80",
                                          "\xe2\x82\xac",
                                          "\xed\x9f\xbf",
                                          "\xee\x80\x80",
                                          "\xf0\x90\x80\x80",
                                          "\xf4\x8f\xbf\xbf"};
    sl_options* options = new_options(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof letters / sizeof *letters; ++k) {
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, letters[k], "1", &error));
        assert_message(letters[k]);
    }
    sl_options_free(options);
}

/* assert_status looks at the row of every error; here are those that have none, and what is left of a message without it. */
static void a_reason_is_a_message_without_its_row(void** state) {
    const uint32_t index = 0;
    const int64_t pointers[] = {0, 1, 1}, astray[] = {0, 1, 0};
    const double labels[] = {1, NAN}, good[] = {1, -1};
    sl_error own = {SL_ERROR_IO, -1, "cannot read a: b"};
    sl_model* model = new_model(NULL);
    sl_dataset* data = NULL;
    (void)state;
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed_csr(model, 2, pointers, &index, NULL, labels, NULL, NULL, &error));
    assert_int_equal(error.row, 1);
    assert_string_equal(sl_error_reason(&error), "the label is nan, which is not finite");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, NULL, NULL, 0, NAN, 1, &error));
    assert_int_equal(error.row, -1);
    assert_string_equal(sl_error_reason(&error), "the label is nan, which is not finite");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_from_csr(2, astray, &index, NULL, good, NULL, &data, &error));
    assert_int_equal(error.row, 1);
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_dataset_from_csc(1, 2, astray, &index, NULL, good, NULL, &data, &error));
    assert_message("column 1: ");
    assert_int_equal(error.row, -1);
    assert_string_equal(sl_error_reason(&own), own.message);
    assert_string_equal(sl_error_reason(NULL), "");
    sl_model_free(model);
}

static void unknown_metrics_are_told_in_one_line(void** state) {
    const int64_t pointers[] = {0, 0};
    const double label = 1;
    double value = 0;
    char name[10001];
    sl_dataset* data = NULL;
    sl_model* model = new_model(NULL);
    (void)state;
    memset(name, 'y', sizeof name - 1);
    name[sizeof name - 1] = 0;
    name[5] = '\n';
    assert_ok(sl_dataset_from_csr(1, pointers, NULL, NULL, &label, NULL, &data, &error));
    check_line(SL_ERROR_INVALID_ARGUMENT, sl_model_evaluate(model, data, name, &value, &error));
    sl_dataset_free(data);
    sl_model_free(model);
}

static void success_leaves_the_error_alone(void** state) {
    const uint32_t index = 3;
    double score = 0;
    uint64_t steps = 0;
    char text[16];
    size_t length = 0;
    sl_error mine, same;
    sl_options* options = NULL;
    sl_model* model = NULL;
    (void)state;
    memset(&mine, 0x5a, sizeof mine);
    memset(&same, 0x5a, sizeof same);
    assert_int_equal(sl_options_create(&options, &mine), SL_OK);
    assert_int_equal(sl_options_set(options, "l1", "0.1", &mine), SL_OK);
    assert_int_equal(sl_options_set_number(options, "l2", 0.1, &mine), SL_OK);
    assert_int_equal(sl_options_get(options, "l2", text, sizeof text, &length, &mine), SL_OK);
    assert_int_equal(sl_option_describe(0, NULL, NULL, NULL, NULL, &mine), SL_OK);
    assert_int_equal(sl_model_create(options, &model, &mine), SL_OK);
    assert_int_equal(sl_model_feed(model, &index, NULL, 1, 1, 1, &mine), SL_OK);
    assert_int_equal(sl_model_predict(model, &index, NULL, 1, &score, &mine), SL_OK);
    assert_int_equal(sl_model_finalize(model, &mine), SL_OK);
    assert_int_equal(sl_model_steps(model, &steps, &mine), SL_OK);
    assert_memory_equal(&mine, &same, sizeof mine);
    sl_options_free(options);
    sl_model_free(model);
}

static void the_error_may_be_null(void** state) {
    const uint32_t index = 3;
    double value = 0;
    sl_options* options = NULL;
    sl_model* model = NULL;
    sl_dataset* data = NULL;
    (void)state;
    assert_int_equal(sl_options_create(&options, NULL), SL_OK);
    assert_int_equal(sl_options_set(options, "l3", "0.1", NULL), SL_ERROR_INVALID_OPTION);
    assert_int_equal(sl_options_set(NULL, "l3", "0.1", NULL), SL_ERROR_INVALID_ARGUMENT);
    assert_int_equal(sl_options_set(options, "schedule", "inverse_lambda", NULL), SL_OK);
    assert_int_equal(sl_options_set(options, "l2", "0", NULL), SL_OK);
    assert_int_equal(sl_model_create(options, &model, NULL), SL_ERROR_INVALID_OPTION);
    assert_int_equal(sl_model_create(NULL, &model, NULL), SL_OK);
    assert_int_equal(sl_model_feed(model, &index, NULL, 1, 7, 1, NULL), SL_ERROR_INVALID_DATA);
    assert_int_equal(sl_model_mean_loss(model, &value, NULL), SL_ERROR_STATE);
    assert_int_equal(sl_dataset_load("no/such/file", NULL, &data, NULL), SL_ERROR_IO);
    sl_options_free(options);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(the_version_is_the_headers),
        cmocka_unit_test(messages_are_one_printable_line),
        cmocka_unit_test(a_reason_is_a_message_without_its_row),
        cmocka_unit_test(unknown_metrics_are_told_in_one_line),
        cmocka_unit_test(letters_of_all_sizes_are_kept),
        cmocka_unit_test(success_leaves_the_error_alone),
        cmocka_unit_test(the_error_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
