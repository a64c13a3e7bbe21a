/* The decimal point is a point, in a locale that has a comma too. */
#include <locale.h>
#include <stdio.h>

#include "helpers.h"

/* Chosen before any test; the library must neither mind nor change it. */
static int comma;

static int choose_locale(void** state) {
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "ru_RU.UTF-8", "German_Germany.1252"};
    (void)state;
    /* Windows may know none of the names with UTF-8, and has its own for the last. */
    for (size_t k = 0; k < sizeof names / sizeof *names && !comma; ++k)
        comma = setlocale(LC_ALL, names[k]) && strcmp(localeconv()->decimal_point, ",") == 0;
    if (comma) return 0;
    print_message("no locale with a decimal comma: install one (`locales`, then localedef -i de_DE -f UTF-8 de_DE.UTF-8)\n");
    return getenv("LOCPATH") ? -1 : 0; /* where a locale has been made for this test it has to be found */
}

#define need_comma() \
    if (!comma) skip()

static void it_is_a_comma_here(void** state) {
    char text[16];
    (void)state;
    need_comma();
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
}

static const char* get(const sl_options* options, const char* name) {
    static char text[64];
    size_t length = 0;
    assert_ok(sl_options_get(options, name, text, sizeof text, &length, &error));
    assert_in_range(length, 1, sizeof text);
    return text;
}

static void options_have_points(void** state) {
    sl_options* options = NULL;
    (void)state;
    need_comma();
    options = new_options("l1", "0.25", "eta0", "1.5e-1", "clip_min", "-0.5");
    assert_string_equal(get(options, "l1"), "0.25");
    assert_string_equal(get(options, "eta0"), "0.15");
    assert_string_equal(get(options, "clip_min"), "-0.5");
    assert_string_equal(get(options, "quantile"), "0.5");
    assert_ok(sl_options_set_number(options, "l2", 0.125, &error));
    assert_string_equal(get(options, "l2"), "0.125");
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "l1", "0,5", &error));
    assert_message("0,5");
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, "average_power", 16.5, &error));
    assert_message("16.5");
    assert_string_equal(get(options, "l1"), "0.25");
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char *name = NULL, *standard = NULL;
        sl_options* fresh = new_options(NULL);
        assert_ok(sl_option_describe(i, &name, NULL, &standard, NULL, &error));
        assert_null(strchr(standard, ','));
        assert_ok(sl_options_set(fresh, name, standard, &error));
        sl_options_free(fresh);
    }
    sl_options_free(options);
}

static void messages_have_points(void** state) {
    const uint32_t index = 3;
    sl_model* model = NULL;
    (void)state;
    need_comma();
    model = new_model(NULL);
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 2.5, 1, &error));
    assert_message("2.5");
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, NULL, 1, 1, -0.75, &error));
    assert_message("-0.75");
    sl_model_free(model);
}

static void reasons_are_english(void** state) {
    sl_model* model = NULL;
    (void)state;
    need_comma();
    assert_status(SL_ERROR_IO, sl_model_load("no such/file", &model, &error));
    assert_message("No such file or directory");
    if (!strstr(strerror(2), "No such file")) return;
    print_message("the C library knows no other language here (install `libc-l10n`)\n");
}

typedef struct text {
    const char* at;
} text;

static int64_t give(void* user, void* buffer, size_t capacity) {
    text* t = user;
    size_t n = strlen(t->at);
    n = n < capacity ? n : capacity;
    memcpy(buffer, t->at, n);
    t->at += n;
    return (int64_t)n;
}

static void text_has_points(void** state) {
    static const char* const bad[] = {"1 1:0,5\n", "1,5 1:1\n", "1 1:1.0,5\n"};
    text t = {"-1.5 1:0.25 3:-2.5e-1\n"};
    uint32_t indices[2];
    double values[2], label = 0;
    size_t count = 0;
    sl_dataset* data = NULL;
    (void)state;
    need_comma();
    assert_ok(sl_dataset_read(give, &t, NULL, &data, &error));
    assert_ok(sl_dataset_row(data, 0, indices, values, 2, &count, &label, NULL, &error));
    assert_true(count == 2 && label == -1.5 && values[0] == 0.25 && values[1] == -0.25);
    sl_dataset_free(data);
    data = NULL;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        t.at = bad[k];
        assert_status(SL_ERROR_FORMAT, sl_dataset_read(give, &t, NULL, &data, &error));
        assert_message("line 1");
    }
    assert_null(data);
}

static void training_gives_the_same_bits(void** state) {
    sample s;
    char here[64], there[64];
    sl_model *a = NULL, *b = NULL;
    sl_dataset* data = NULL;
    const char* name = setlocale(LC_ALL, NULL);
    (void)state;
    need_comma();
    snprintf(here, sizeof here, "%s", name);
    fill_sample(&s, 200, 60, 1);
    data = dataset_of(&s);
    a = new_model("l1", "1.5e-3", "eta0", "0.75");
    assert_ok(sl_model_fit(a, data, NULL, NULL, &error));
    assert_string_equal(setlocale(LC_ALL, NULL), here); /* nobody has changed it */
    snprintf(there, sizeof there, "%s", setlocale(LC_ALL, "C"));
    b = new_model("l1", "1.5e-3", "eta0", "0.75");
    assert_ok(sl_model_fit(b, data, NULL, NULL, &error));
    assert_non_null(setlocale(LC_ALL, here));
    assert_same_models(a, b);
    sl_model_free(a);
    sl_model_free(b);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_comma_here), cmocka_unit_test(options_have_points),          cmocka_unit_test(messages_have_points),
        cmocka_unit_test(text_has_points),    cmocka_unit_test(training_gives_the_same_bits), cmocka_unit_test(reasons_are_english),
    };
    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
