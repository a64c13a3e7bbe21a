/* Spam from raw text: the lines of the first file, after its heading, are learned, those of the second told apart. */
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>

static sl_error error;
static void check(int ok, const char *why) { if (!ok) { fprintf(stderr, "%s\n", why); exit(1); } }

static sl_dataset *read_mail(sl_encoder *encoder, const char *path) {
    static char lines[5000][1024];
    static double labels[5000];
    const char *texts[5000];
    sl_dataset *data;
    FILE *file = fopen(path, "r");
    size_t rows = 0;
    check(file && fgets(lines[0], sizeof lines[0], file), path);
    for (char *end; rows < 5000 && fgets(lines[rows], sizeof lines[rows], file); texts[rows++] = end) labels[rows] = strtod(lines[rows], &end);
    fclose(file);
    check(sl_encoder_texts(encoder, "", texts, NULL, rows, labels, NULL, &data, &error) == SL_OK, error.message);
    return data;
}

int main(int argc, char **argv) {
    sl_options *options;
    sl_encoder *encoder;
    sl_model *model;
    double wrong;
    check(argc == 3, "usage: mail TRAIN.tsv TEST.tsv");
    check(sl_options_create(&options, &error) == SL_OK && sl_options_set(options, "hash_bits", "20", &error) == SL_OK, error.message);
    check(sl_encoder_create(options, &encoder, &error) == SL_OK && sl_model_create(NULL, &model, &error) == SL_OK, error.message);
    check(sl_model_fit(model, read_mail(encoder, argv[1]), NULL, NULL, &error) == SL_OK, error.message);
    check(sl_model_evaluate(model, read_mail(encoder, argv[2]), "error_rate", &wrong, &error) == SL_OK, error.message);
    printf("%.2f %% wrong\n", 100 * wrong);
}
