/* The part of C in cross.sh. */
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sl_error error;

static void check(sl_status status) {
    if (status == SL_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

int main(int argc, char** argv) {
    sl_model* model = NULL;
    sl_dataset* data = NULL;
    if (argc == 4 && strcmp(argv[1], "train") == 0) {
        sl_options* options = NULL;
        check(sl_options_create(&options, &error));
        check(sl_options_set(options, "l1", "1e-4", &error));
        check(sl_options_set(options, "epochs", "2", &error));
        check(sl_model_create(options, &model, &error));
        sl_options_free(options);
        check(sl_dataset_load(argv[2], NULL, &data, &error));
        check(sl_model_fit(model, data, NULL, NULL, &error));
        check(sl_model_save(model, SL_KEEP_EVERYTHING, argv[3], &error));
    } else if (argc == 5) {
        uint64_t rows = 0;
        double* scores;
        FILE* out = fopen(argv[4], "wb");
        check(sl_model_load(argv[2], &model, &error));
        check(sl_dataset_load(argv[3], NULL, &data, &error));
        check(sl_dataset_shape(data, &rows, NULL, NULL, &error));
        scores = malloc(rows * sizeof *scores);
        if (!out || !scores) return 1;
        check(sl_model_predict_dataset(model, data, scores, rows, &error));
        if (fwrite(scores, sizeof *scores, rows, out) != rows || fclose(out) != 0) return 1;
        free(scores);
    } else
        return 2;
    sl_dataset_free(data);
    sl_model_free(model);
    return 0;
}
