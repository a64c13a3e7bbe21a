/* Random models: every option of the table at its default or at a drawn value, whatever the combination, as long as the library takes it.
 */
#ifndef SPARSELIN_TESTS_DRAW_OPTIONS_H
#define SPARSELIN_TESTS_DRAW_OPTIONS_H

#include "helpers.h"

/* Values of the options that hold numbers; those that are not here say nothing about training. */
static const struct {
    const char *name, *values[4];
} drawn_numbers[] = {
    {"positive_weight", {"1", "3", "0.2", "1"}},
    {"classes", {"auto", "auto", "auto", "2"}},
    {"huber_delta", {"0.3", "2", "0.05", "1"}},
    {"epsilon", {"0", "0.01", "0.5", "0.2"}},
    {"quantile", {"0.1", "0.5", "0.75", "0.99"}},
    {"l1", {"0", "1e-4", "1e-2", "0.1"}},
    {"l2", {"auto", "1e-4", "1e-2", "0.5"}},
    {"gravity", {"0", "1e-3", "1e-2", "0.2"}},
    {"theta", {"1e-3", "0.05", "0.3", "inf"}},
    {"period", {"1", "2", "7", "10"}},
    {"eta0", {"auto", "0.01", "0.2", "1.5"}},
    {"power", {"auto", "0.25", "0.5", "1"}},
    {"decay", {"auto", "0", "0.1", "2"}},
    {"noise", {"auto", "0", "1e-3", "2"}},
    {"average_start", {"auto", "0", "5", "40"}},
    {"average_power", {"0", "1", "3", "16"}},
    {"clip_min", {"-inf", "-2", "-0.5", "-0.1"}},
    {"clip_max", {"inf", "2", "0.5", "0.1"}},
    {"dimension", {"0", "40", "4294967296", "64"}},
    {"epochs", {"1", "2", "3", "4"}},
    {"seed", {"0", "1", "18446744073709551615", "42"}},
};

static inline void draw_option(sl_options* options, size_t i, uint64_t* random) {
    const char *name, *kind;
    char choices[256], *choice = choices;
    assert_ok(sl_option_describe(i, &name, &kind, NULL, NULL, &error));
    for (size_t k = 0; k < sizeof drawn_numbers / sizeof *drawn_numbers; ++k)
        if (strcmp(name, drawn_numbers[k].name) == 0) {
            assert_ok(sl_options_set(options, name, drawn_numbers[k].values[next_random(random) % 4], &error));
            return;
        }
    if (strcmp(name, "balance") == 0) return; /* it is for fit alone */
    if (strcmp(kind, "boolean") == 0) assert_ok(sl_options_set(options, name, next_random(random) % 2 ? "true" : "false", &error));
    if (strcmp(kind, "integer") == 0 || strcmp(kind, "boolean") == 0) return;
    assert_true(strchr(kind, '|') && strlen(kind) < sizeof choices);
    strcpy(choices, kind);
    size_t count = 1;
    for (const char* c = kind; *c; ++c) count += *c == '|';
    for (size_t skipped = next_random(random) % count; skipped > 0; --skipped) choice = strchr(choice, '|') + 1;
    if (strchr(choice, '|')) *strchr(choice, '|') = 0;
    assert_ok(sl_options_set(options, name, choice, &error));
}

/* What a model was made with, but for one option. */
static inline sl_options* options_of(const sl_model* model, const char* without) {
    sl_options* options = new_options(NULL);
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char* name;
        char value[64];
        size_t length;
        assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
        if (!is_for_models(name) || strcmp(name, without) == 0) continue;
        assert_ok(sl_model_option(model, name, value, sizeof value, &length, &error));
        assert_ok(sl_options_set(options, name, value, &error));
    }
    return options;
}

/* The model that these random numbers stand for. `without`: an option that is left alone, or NULL. */
static inline sl_model* draw_model(uint64_t* random, const char* without) {
    for (;;) {
        sl_options* options = new_options(NULL);
        sl_model* model = NULL;
        for (size_t i = 0; i < sl_option_count(); ++i) { /* `preset` is the first, so that the others have a say */
            const char* name;
            assert_ok(sl_option_describe(i, &name, NULL, NULL, NULL, &error));
            if (is_for_models(name) && next_random(random) % 3 && !(without && strcmp(name, without) == 0)) draw_option(options, i, random);
        }
        const sl_status status = sl_model_create(options, &model, &error);
        sl_options_free(options);
        if (status == SL_OK) return model;
        assert_int_equal(status, SL_ERROR_INVALID_OPTION);
    }
}

/* Prints a model's options that are not at their defaults: what a failure was about. */
static inline void print_options(const sl_model* model) {
    for (size_t i = 0; i < sl_option_count(); ++i) {
        const char *name, *standard;
        char value[64];
        size_t length;
        if (sl_option_describe(i, &name, NULL, &standard, NULL, NULL) != SL_OK) continue;
        if (sl_model_option(model, name, value, sizeof value, &length, NULL) != SL_OK || length > sizeof value) continue;
        if (strcmp(value, standard) != 0) print_error("%s=%s ", name, value);
    }
    print_error("\n");
}

#endif
