/*
 * A spam filter in C: reads the project's mail (through gzip, to show that rows can come from anywhere), trains on it in one pass, and
 * says how good it is and what it thinks of a message.
 *
 *     cc -std=c99 spam_filter.c -lsparselin -o spam_filter && ./spam_filter ../data
 */
#define _POSIX_C_SOURCE 200809L
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>

static void check(sl_status status, const sl_error *error)
{
    if (status == SL_OK) return;
    fprintf(stderr, "%s: %s\n", sl_status_name(status), error->message);
    exit(1);
}

static int64_t read_pipe(void *pipe, void *buffer, size_t capacity)
{
    size_t got = fread(buffer, 1, capacity, pipe);
    return ferror(pipe) ? -1 : (int64_t)got;
}

static sl_dataset *read_mail(const char *folder, const char *name)
{
    char command[4096];
    sl_dataset *data = NULL;
    sl_error error;
    snprintf(command, sizeof command, "gzip -dc '%s/%s'", folder, name);
    FILE *pipe = popen(command, "r");
    if (!pipe) {
        perror(command);
        exit(1);
    }
    check(sl_dataset_read(read_pipe, pipe, NULL, &data, &error), &error);
    if (pclose(pipe) != 0) exit(1); /* gzip has said why */
    return data;
}

static int show(const sl_progress *progress, void *user)
{
    (void)user;
    fprintf(stderr, "%llu of %llu messages\n", (unsigned long long)progress->rows, (unsigned long long)progress->rows_total);
    return 0;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "examples/data";
    sl_dataset *train = read_mail(folder, "spam.train.svm.gz"), *test = read_mail(folder, "spam.test.svm.gz");
    sl_model *model = NULL;
    sl_error error;
    double wrong, auc, score, probability;
    uint32_t words[1024];
    double values[1024];
    size_t count;

    check(sl_model_create(NULL, &model, &error), &error);
    check(sl_model_fit(model, train, show, NULL, &error), &error);
    check(sl_model_finalize(model, &error), &error);
    check(sl_model_evaluate(model, test, "error_rate", &wrong, &error), &error);
    check(sl_model_evaluate(model, test, "auc", &auc, &error), &error);
    printf("%.2f %% of the test messages are judged wrongly; the area under the ROC curve is %.4f\n", 100 * wrong, auc);

    check(sl_dataset_row(test, 0, words, values, 1024, &count, NULL, NULL, &error), &error);
    check(sl_model_predict(model, words, values, count < 1024 ? count : 0, &score, &error), &error);
    check(sl_model_probability(model, score, &probability, &error), &error);
    printf("The first of them, of %zu words, is spam with probability %.4f\n", count, probability);

    sl_model_free(model);
    sl_dataset_free(train);
    sl_dataset_free(test);
    return 0;
}
