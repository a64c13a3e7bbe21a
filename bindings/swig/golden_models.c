/*
 * golden_models VECTORS FOLDER: trains every golden case in C, one example at a time, and saves it as FOLDER/CASE.slm. The tests of the
 * other languages train the same cases and must come to the same bits, and read and write the same files.
 */
#include <sparselin.h>

#include "golden_cases.h"

static sl_error error;

static void check(sl_status status) {
    if (status == SL_OK) return;
    fprintf(stderr, "%s: %s\n", sl_status_name(status), error.message);
    exit(1);
}

static sl_model* train(const golden_case* c) {
    const golden_rows* x = &c->examples;
    sl_options* options = NULL;
    sl_model* model = NULL;
    check(sl_options_create(&options, &error));
    for (size_t i = 0; i < c->option_count; ++i) check(sl_options_set(options, c->options[i].name, c->options[i].value, &error));
    check(sl_model_create(options, &model, &error));
    sl_options_free(options);
    for (size_t pass = golden_observes(c) ? 0 : 1; pass <= c->passes; ++pass)
        for (size_t r = 0; r < x->count; ++r) {
            const uint32_t* indices = x->indices + x->pointers[r];
            const double* values = x->values + x->pointers[r];
            const size_t count = (size_t)(x->pointers[r + 1] - x->pointers[r]);
            if (pass == 0)
                check(sl_model_observe(model, indices, values, count, x->weights[r], &error));
            else
                check(sl_model_feed(model, indices, values, count, x->numbers[r], x->weights[r], &error));
        }
    return model;
}

int main(int argc, char** argv) {
    golden_file all;
    if (argc != 3) return 2;
    all = golden_load(argv[1]);
    for (size_t i = 0; i < all.count; ++i) {
        char path[4096];
        sl_model* model = train(all.cases[i]);
        snprintf(path, sizeof path, "%s/%s.slm", argv[2], all.cases[i]->name);
        check(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
        sl_model_free(model);
    }
    golden_free(&all);
    return 0;
}
