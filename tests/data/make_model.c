/* Made the golden files of version 1.0, in the folder that is named; README.md says how, and when not to. */
#include <stdio.h>
#include <stdlib.h>

#include "golden_model.h"

static sl_error error;

static void check(sl_status expected, sl_status status) {
    if (status == expected) return;
    fprintf(stderr, "%s: %s\n", sl_status_name(status), error.message);
    exit(1);
}

static const char* path_of(const char* folder, const char* name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int main(int argc, char** argv) {
    const char* folder = argc > 1 ? argv[1] : ".";
    sl_options* options = NULL;
    sl_model* model = NULL;
    FILE* scores;
    check(SL_OK, sl_options_create(&options, &error));
    for (size_t i = 0; i < sizeof golden_options / sizeof *golden_options; ++i)
        check(SL_OK, sl_options_set(options, golden_options[i][0], golden_options[i][1], &error));
    check(SL_OK, sl_model_create(options, &model, &error));
    sl_options_free(options);
    check(SL_ERROR_CANCELLED, golden_begin(model, &error));
    check(SL_OK, sl_model_save(model, SL_KEEP_EVERYTHING, path_of(folder, "model-1.0.slm"), &error));
    check(SL_OK, sl_model_save(model, SL_KEEP_PREDICTOR, path_of(folder, "model-1.0-predictor.slm"), &error));
    scores = fopen(path_of(folder, "model-1.0.scores"), "w");
    if (!scores) return 1;
    for (uint32_t r = 0; r < GOLDEN_PROBES; ++r) {
        double score;
        check(SL_OK, golden_score(model, r, &score, &error));
        fprintf(scores, "%a\n", score);
    }
    if (fclose(scores) != 0) return 1;
    check(SL_OK, golden_go_on(model, &error));
    check(SL_OK, sl_model_save(model, SL_KEEP_EVERYTHING, path_of(folder, "model-1.0-later.slm"), &error));
    sl_model_free(model);
    return 0;
}
