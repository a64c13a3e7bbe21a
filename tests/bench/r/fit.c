/* fit DATA RUNS: processor seconds that C takes to make a model and fit it once to the rows of DATA, the least of RUNS. */
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

/* The data as cost.R writes it: rows and nonzeros, then row pointers, columns, values and labels. */
static sl_status read_data(const char* path, sl_dataset** data, sl_error* error) {
    FILE* file = fopen(path, "rb");
    int32_t *sizes, *narrow;
    uint32_t* columns;
    int64_t* pointers;
    double *values, *labels;
    sl_status status;
    if (!file) exit(1);
    sizes = read_array(file, 2, sizeof *sizes);
    narrow = read_array(file, (size_t)sizes[0] + 1, sizeof *narrow);
    columns = read_array(file, (size_t)sizes[1], sizeof *columns);
    values = read_array(file, (size_t)sizes[1], sizeof *values);
    labels = read_array(file, (size_t)sizes[0], sizeof *labels);
    pointers = malloc(((size_t)sizes[0] + 1) * sizeof *pointers);
    if (!pointers) exit(1);
    for (int32_t r = 0; r <= sizes[0]; ++r) pointers[r] = narrow[r];
    status = sl_dataset_from_csr((size_t)sizes[0], pointers, columns, values, labels, NULL, data, error);
    free(sizes), free(narrow), free(columns), free(values), free(labels), free(pointers);
    fclose(file);
    return status;
}

int main(int argc, char** argv) {
    sl_dataset* data = NULL;
    sl_error error;
    double least = 1e300;
    const int runs = argc == 3 ? atoi(argv[2]) : 0;
    if (runs < 1) return 2;
    if (read_data(argv[1], &data, &error) != SL_OK) goto failed;
    for (int i = 0; i < runs; ++i) {
        const double begin = now();
        sl_model* model = NULL;
        if (sl_model_create(NULL, &model, &error) != SL_OK || sl_model_fit(model, data, NULL, NULL, &error) != SL_OK) goto failed;
        if (now() - begin < least) least = now() - begin;
        sl_model_free(model);
    }
    printf("%.9f\n", least);
    sl_dataset_free(data);
    return 0;
failed:
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
