/* Options one at a time: the table, setting and reading back, what is refused and how. */
#include <math.h>
#include <stdio.h>

#include "helpers.h"

typedef struct row {
    const char *name, *kind, *standard, *help;
} row;

static row table_row(size_t i) {
    row r = {NULL, NULL, NULL, NULL};
    assert_ok(sl_option_describe(i, &r.name, &r.kind, &r.standard, &r.help, &error));
    return r;
}

static int kind_is(const row* r, const char* base) {
    const size_t length = strlen(base);
    return strncmp(r->kind, base, length) == 0 && (r->kind[length] == 0 || strcmp(r->kind + length, "|auto") == 0);
}

static int is_choice(const row* r) { return !kind_is(r, "number") && !kind_is(r, "integer") && !kind_is(r, "boolean"); }

/* The text of an option, in static memory. */
static const char* get(const sl_options* options, const char* name) {
    static char text[256];
    size_t length = 0;
    assert_ok(sl_options_get(options, name, text, sizeof text, &length, &error));
    assert_in_range(length, 1, sizeof text);
    assert_int_equal(length, strlen(text) + 1);
    return text;
}

static void table_is_complete(void** state) {
    static const char documented[] =
        "loss update l1 l2 gravity theta period schedule eta0 power decay average average_power average_start bias bias_regularized "
        "normalize "
        "scale center clip_min clip_max storage dimension epochs sampling seed index_base threads preset huber_delta epsilon quantile ";
    (void)state;
    for (const char* at = documented; *at; at += strcspn(at, " ") + 1) {
        size_t i = 0;
        while (i < sl_option_count() &&
               !(strlen(table_row(i).name) == strcspn(at, " ") && strncmp(table_row(i).name, at, strcspn(at, " ")) == 0))
            ++i;
        if (i == sl_option_count()) fail_msg("no option %.*s", (int)strcspn(at, " "), at);
    }
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        assert_true(*r.name && *r.kind && *r.standard);
        assert_true(strlen(r.help) > 10);
        assert_true(r.kind[strspn(r.kind, "abcdefghijklmnopqrstuvwxyz0123456789_-|")] == 0);
        for (size_t j = 0; j < i; ++j) assert_string_not_equal(r.name, table_row(j).name);
    }
}

static void describe_takes_any_output_and_refuses_other_rows(void** state) {
    const char* name = NULL;
    (void)state;
    assert_ok(sl_option_describe(0, &name, NULL, NULL, NULL, &error));
    assert_string_equal(name, table_row(0).name);
    assert_ok(sl_option_describe(0, NULL, NULL, NULL, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_option_describe(sl_option_count(), &name, NULL, NULL, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_option_describe(SIZE_MAX, &name, NULL, NULL, NULL, &error));
}

static void defaults_are_accepted_and_read_back(void** state) {
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        sl_options* options = new_options(NULL);
        assert_string_equal(get(options, r.name), r.standard);
        assert_ok(sl_options_set(options, r.name, r.standard, &error));
        assert_string_equal(get(options, r.name), r.standard);
        sl_options_free(options);
    }
}

static void documented_defaults(void** state) {
    static const char* const defaults[] = {
        "loss",           "log",   "update",           "sgd",   "l1",       "0",          "schedule",  "adaptive", "eta0",       "auto",
        "average_power",  "3",     "average_start",    "0",     "bias",     "true",       "normalize", "none",     "scale",      "auto",
        "center",         "false", "storage",          "auto",  "average",  "polynomial", "dimension", "0",        "threads",    "1",
        "seed",           "0",     "bias_regularized", "false", "epochs",   "1",          "sampling",  "shuffle",  "index_base", "one",
        "huber_delta",    "1",     "epsilon",          "0.1",   "quantile", "0.5",        "noise",     "auto",     "l2",         "auto",
        "sparse_average", "false"};
    sl_options* options = new_options(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof defaults / sizeof *defaults; k += 2) assert_string_equal(get(options, defaults[k]), defaults[k + 1]);
    sl_options_free(options);
}

/* Calls `visit` with each choice of a kind such as "a|b|c". */
static void each_choice(const row* r, void (*visit)(const char* name, const char* choice)) {
    const char* at = r->kind;
    for (;;) {
        char choice[64];
        const size_t length = strcspn(at, "|");
        assert_in_range(length, 1, sizeof choice - 1);
        memcpy(choice, at, length);
        choice[length] = 0;
        visit(r->name, choice);
        if (!at[length]) return;
        at += length + 1;
    }
}

static void check_choice(const char* name, const char* choice) {
    sl_options* options = new_options(name, choice);
    assert_string_equal(get(options, name), choice);
    sl_options_free(options);
}

static void choices_take_their_names_only(void** state) {
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        if (!is_choice(&r)) continue;
        sl_options* options = new_options(NULL);
        ++found;
        each_choice(&r, check_choice);
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, r.name, "sideways", &error));
        assert_message("sideways");
        assert_message(r.name);
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, r.name, "", &error));
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, r.name, 1, &error));
        assert_message(r.name);
        assert_string_equal(get(options, r.name), r.standard);
        sl_options_free(options);
    }
    assert_in_range(found, 9, 20);
}

static void booleans_take_true_and_false(void** state) {
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        static const char* const bad[] = {"", "yes", "True", "TRUE ", " true", "truee", "2", "nan"};
        static const double bad_numbers[] = {2, -1, 0.5, NAN, INFINITY};
        const row r = table_row(i);
        if (!kind_is(&r, "boolean")) continue;
        sl_options* options = new_options(NULL);
        ++found;
        assert_ok(sl_options_set(options, r.name, "true", &error));
        assert_string_equal(get(options, r.name), "true");
        assert_ok(sl_options_set(options, r.name, "false", &error));
        assert_string_equal(get(options, r.name), "false");
        assert_ok(sl_options_set_number(options, r.name, 1, &error));
        assert_string_equal(get(options, r.name), "true");
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
            assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, r.name, bad[k], &error));
        for (size_t k = 0; k < sizeof bad_numbers / sizeof *bad_numbers; ++k)
            assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, r.name, bad_numbers[k], &error));
        assert_string_equal(get(options, r.name), "true");
        assert_ok(sl_options_set_number(options, r.name, 0, &error));
        assert_string_equal(get(options, r.name), "false");
        sl_options_free(options);
    }
    assert_int_equal(found, 9);
}

static void integers_refuse_fractions(void** state) {
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        static const char* const bad[] = {"",    " 1",  "1 ", "1x",  "1.5", "1,5", "0x10",
                                          "nan", "inf", "-1", "--1", "+-1", "one", "99999999999999999999"};
        static const double bad_numbers[] = {1.5, -1, 1e300, NAN, INFINITY, -INFINITY};
        const row r = table_row(i);
        if (!kind_is(&r, "integer")) continue;
        sl_options* options = new_options(NULL);
        ++found;
        assert_ok(sl_options_set(options, r.name, "3", &error));
        assert_string_equal(get(options, r.name), "3");
        assert_ok(sl_options_set_number(options, r.name, 4, &error));
        assert_string_equal(get(options, r.name), "4");
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
            assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, r.name, bad[k], &error));
            assert_message(r.name);
            assert_message(bad[k]);
        }
        for (size_t k = 0; k < sizeof bad_numbers / sizeof *bad_numbers; ++k)
            assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, r.name, bad_numbers[k], &error));
        assert_string_equal(get(options, r.name), "4");
        sl_options_free(options);
    }
    assert_in_range(found, 6, 20);
}

static void numbers_keep_every_bit(void** state) {
    static const double numbers[] = {0.5, 0.1, 1.0 / 3.0, 0.9999999999999999, 1e-3};
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        sl_options *options = new_options(NULL), *other = new_options(NULL);
        if (kind_is(&r, "number")) {
            ++found;
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
                char text[64];
                assert_ok(sl_options_set_number(options, r.name, numbers[k], &error));
                assert_bits(strtod(get(options, r.name), NULL), numbers[k]);
                assert_ok(sl_options_set(other, r.name, get(options, r.name), &error));
                assert_bits(strtod(get(other, r.name), NULL), numbers[k]);
                snprintf(text, sizeof text, "%.17e", numbers[k]);
                assert_ok(sl_options_set(other, r.name, text, &error));
                assert_string_equal(get(other, r.name), get(options, r.name));
            }
        }
        sl_options_free(options);
        sl_options_free(other);
    }
    assert_in_range(found, 12, 20);
}

static void numbers_refuse_what_is_none(void** state) {
    static const char* const bad[] = {"",      " 1",     "1 ",  "1x",  "1,5", "nan", "-nan", "NAN",
                                      "1e400", "0x1p-1", "--1", "+-1", ".",   "e5",  "half"};
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        sl_options* options = new_options(NULL);
        /* Infinity is no bound at all, for the options that are bounds. */
        const int clips = strcmp(r.name, "clip_min") == 0 || strcmp(r.name, "clip_max") == 0,
                  bounds = clips || strcmp(r.name, "theta") == 0;
        if (kind_is(&r, "number")) {
            assert_ok(sl_options_set(options, r.name, "0.25", &error));
            for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
                assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, r.name, bad[k], &error));
                assert_message(r.name);
                assert_message(bad[k]);
            }
            assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, r.name, NAN, &error));
            assert_string_equal(get(options, r.name), "0.25");
            assert_int_equal(sl_options_set(options, r.name, "inf", NULL), bounds ? SL_OK : SL_ERROR_INVALID_OPTION);
            assert_string_equal(get(options, r.name), bounds ? "inf" : "0.25");
            assert_int_equal(sl_options_set_number(options, r.name, -INFINITY, NULL), clips ? SL_OK : SL_ERROR_INVALID_OPTION);
            assert_int_equal(sl_options_set_number(options, r.name, INFINITY, NULL), bounds ? SL_OK : SL_ERROR_INVALID_OPTION);
            assert_int_equal(sl_options_set(options, r.name, "-inf", NULL), clips ? SL_OK : SL_ERROR_INVALID_OPTION);
            assert_string_equal(get(options, r.name), clips ? "-inf" : bounds ? "inf" : "0.25");
        }
        sl_options_free(options);
    }
}

static void auto_is_taken_where_the_kind_says_so(void** state) {
    (void)state;
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const row r = table_row(i);
        const int has_auto = strstr(r.kind, "|auto") || strncmp(r.kind, "auto", 4) == 0;
        sl_options* options = new_options(NULL);
        assert_int_equal(sl_options_set(options, r.name, "auto", NULL), has_auto ? SL_OK : SL_ERROR_INVALID_OPTION);
        assert_string_equal(get(options, r.name), has_auto ? "auto" : r.standard);
        sl_options_free(options);
    }
}

static void seed_takes_any_64_bit_number(void** state) {
    sl_options* options = new_options("seed", "18446744073709551615");
    (void)state;
    assert_string_equal(get(options, "seed"), "18446744073709551615");
    assert_ok(sl_options_set(options, "seed", "9007199254740993", &error));
    assert_string_equal(get(options, "seed"), "9007199254740993");
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "seed", "18446744073709551616", &error));
    assert_message("18446744073709551616");
    assert_ok(sl_options_set_number(options, "seed", 9007199254740992.0, &error));
    assert_string_equal(get(options, "seed"), "9007199254740992");
    sl_options_free(options);
}

static void out_of_range_is_an_error_that_names_value_and_range(void** state) {
    /* name, value, and the bounds the message must name. */
    static const char* const bad[][4] = {{"l1", "-1e-3", "0", "0"},
                                         {"l2", "-2", "0", "0"},
                                         {"gravity", "-0.5", "0", "0"},
                                         {"theta", "-3", "0", "0"},
                                         {"period", "0", "1", "1"},
                                         {"huber_delta", "0", "0", "0"},
                                         {"huber_delta", "-2", "0", "0"},
                                         {"epsilon", "-0.25", "0", "0"},
                                         {"quantile", "1.5", "0", "1"},
                                         {"quantile", "-0.5", "0", "1"},
                                         {"average_power", "16.5", "0", "16"},
                                         {"average_power", "-1", "0", "16"},
                                         {"dimension", "4294967297", "0", "4294967296"},
                                         {"eta0", "-1", "0", "0"},
                                         {"power", "-1", "0", "0"},
                                         {"decay", "-1", "0", "0"}};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        sl_options* options = new_options(NULL);
        char before[64];
        snprintf(before, sizeof before, "%s", get(options, bad[k][0]));
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, bad[k][0], bad[k][1], &error));
        for (size_t part = 0; part < 4; ++part) assert_message(bad[k][part]);
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, bad[k][0], strtod(bad[k][1], NULL), &error));
        assert_message(bad[k][0]);
        assert_string_equal(get(options, bad[k][0]), before);
        sl_options_free(options);
    }
}

static void bounds_themselves_are_in_range(void** state) {
    sl_options* options = new_options("period", "9007199254740992", "seed", "18446744073709551615");
    (void)state;
    /* One more is no double of its own, and all the same too much. */
    assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, "period", "9007199254740993", &error));
    assert_message("9007199254740993");
    sl_options_free(options);
    sl_options_free(
        new_options("average_power", "0", "average_power", "16", "dimension", "4294967296", "l1", "0", "l2", "0", "epsilon", "0"));
}

static void unknown_names_suggest_the_nearest(void** state) {
    static const char* const names[][2] = {{"l3", "l1"},
                                           {"epoch", "epochs"},
                                           {"Loss", "loss"},
                                           {"average_pwer", "average_power"},
                                           {"clipmin", "clip_min"},
                                           {"learning_rate", "eta0"},
                                           {"lerning_rate", "eta0"},
                                           {"", ""},
                                           {"averagestart", "average_start"}};
    sl_options* options = new_options(NULL);
    sl_model* model = new_model(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        char text[8], message[sizeof error.message];
        size_t length = 77, suggested = 0;
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set(options, names[k][0], "1", &error));
        assert_message(names[k][0]);
        assert_message(names[k][1]);
        strcpy(message, error.message);
        for (size_t i = 0; i < sl_option_count(); ++i) {
            char quoted[64];
            snprintf(quoted, sizeof quoted, "'%s'", table_row(i).name);
            suggested += strstr(message, quoted) != NULL;
        }
        assert_int_equal(suggested, 1);
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_set_number(options, names[k][0], 1, &error));
        assert_status(SL_ERROR_INVALID_OPTION, sl_options_get(options, names[k][0], text, sizeof text, &length, &error));
        assert_status(SL_ERROR_INVALID_OPTION, sl_model_option(model, names[k][0], text, sizeof text, &length, &error));
        assert_int_equal(length, 77);
    }
    sl_model_free(model);
    sl_options_free(options);
}

static void reading_takes_two_calls(void** state) {
    char text[16] = "untouched";
    size_t length = 0;
    sl_options* options = new_options("loss", "squared");
    sl_model* model = new_model("loss", "squared");
    (void)state;
    assert_ok(sl_options_get(options, "loss", NULL, 0, &length, &error));
    assert_int_equal(length, sizeof "squared");
    length = 0;
    assert_ok(sl_options_get(options, "loss", text, sizeof "squared" - 1, &length, &error));
    assert_int_equal(length, sizeof "squared");
    assert_string_equal(text, "untouched");
    assert_ok(sl_model_option(model, "loss", text, sizeof "squared" - 1, &length, &error));
    assert_int_equal(length, sizeof "squared");
    assert_string_equal(text, "untouched");
    assert_ok(sl_options_get(options, "loss", text, sizeof "squared", &length, &error));
    assert_string_equal(text, "squared");
    text[0] = 0;
    assert_ok(sl_model_option(model, "loss", text, sizeof text, &length, &error));
    assert_string_equal(text, "squared");
    sl_model_free(model);
    sl_options_free(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_complete),
        cmocka_unit_test(describe_takes_any_output_and_refuses_other_rows),
        cmocka_unit_test(defaults_are_accepted_and_read_back),
        cmocka_unit_test(documented_defaults),
        cmocka_unit_test(choices_take_their_names_only),
        cmocka_unit_test(booleans_take_true_and_false),
        cmocka_unit_test(integers_refuse_fractions),
        cmocka_unit_test(numbers_keep_every_bit),
        cmocka_unit_test(numbers_refuse_what_is_none),
        cmocka_unit_test(auto_is_taken_where_the_kind_says_so),
        cmocka_unit_test(seed_takes_any_64_bit_number),
        cmocka_unit_test(out_of_range_is_an_error_that_names_value_and_range),
        cmocka_unit_test(bounds_themselves_are_in_range),
        cmocka_unit_test(unknown_names_suggest_the_nearest),
        cmocka_unit_test(reading_takes_two_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
