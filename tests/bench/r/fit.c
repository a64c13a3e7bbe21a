/* fit DATA RUNS: processor seconds that C takes to turn the columns of DATA into rows, which are freed again, and to make a model and fit
   it once to these rows: the least of RUNS of each. */
#define _POSIX_C_SOURCE 199309L
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* read_array(FILE* file, size_t count, size_t size) {
    void* array = malloc(count * size);
    if (!array || fread(array, size, count, file) != count) {
        fprintf(stderr, "the data is too short\n");
        exit(1);
    }
    return array;
}

/* A matrix by columns with labels, as cost.R writes it: rows, columns and nonzeros, then column pointers, rows, values and labels. */
typedef struct {
    size_t rows, columns;
    int64_t* pointers;
    uint32_t* row_indices;
    double *values, *labels;
} matrix;

static matrix read_matrix(const char* path) {
    FILE* file = fopen(path, "rb");
    matrix m;
    int32_t *sizes, *narrow;
    if (!file) exit(1);
    sizes = read_array(file, 3, sizeof *sizes);
    m.rows = (size_t)sizes[0], m.columns = (size_t)sizes[1];
    narrow = read_array(file, m.columns + 1, sizeof *narrow);
    m.pointers = malloc((m.columns + 1) * sizeof *m.pointers);
    if (!m.pointers) exit(1);
    for (size_t c = 0; c <= m.columns; ++c) m.pointers[c] = narrow[c];
    m.row_indices = read_array(file, (size_t)sizes[2], sizeof *m.row_indices);
    m.values = read_array(file, (size_t)sizes[2], sizeof *m.values);
    m.labels = read_array(file, m.rows, sizeof *m.labels);
    free(sizes), free(narrow);
    fclose(file);
    return m;
}

static double lesser(double a, double b) { return a < b ? a : b; }

int main(int argc, char** argv) {
    sl_error error;
    double convert = 1e300, fit = 1e300;
    const int runs = argc == 3 ? atoi(argv[2]) : 0;
    if (runs < 1) return 2;
    const matrix m = read_matrix(argv[1]);
    for (int i = 0; i < runs; ++i) {
        sl_dataset* data = NULL;
        sl_model* model = NULL;
        double begin = now(), spent;
        if (sl_dataset_from_csc(m.rows, m.columns, m.pointers, m.row_indices, m.values, m.labels, NULL, &data, &error) != SL_OK)
            goto failed;
        spent = now() - begin;
        begin = now();
        if (sl_model_create(NULL, &model, &error) != SL_OK || sl_model_fit(model, data, NULL, NULL, &error) != SL_OK) goto failed;
        fit = lesser(fit, now() - begin);
        sl_model_free(model);
        begin = now();
        sl_dataset_free(data);
        convert = lesser(convert, spent + now() - begin);
    }
    printf("%.9f %.9f\n", convert, fit);
    free(m.pointers), free(m.row_indices), free(m.values), free(m.labels);
    return 0;
failed:
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
