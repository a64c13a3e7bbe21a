/*
 * Labelled rows: data sets, builders, and readers of text. Included by sparselin.i, with the same typemaps.
 */
%{
typedef struct slw_reader {
    sl_reader *reader;
    sl_read_fn read; /* of the call that is under way */
    void *user;
} slw_reader;

static int64_t slw_read_on(void *user, void *buffer, size_t capacity) {
    const slw_reader *reader = (const slw_reader *)user;
    return reader->read(reader->user, buffer, capacity);
}

static void slw_reader_free(slw_reader *reader) {
    if (!reader) return;
    sl_reader_free(reader->reader);
    free(reader);
}
%}
void slw_reader_free(slw_reader *reader);

%inline %{
static sl_dataset *slw_dataset_from_csr(const int64_t *pointers, size_t n_pointers, const uint32_t *indices, size_t n_indices,
                                        const double *values, size_t n_values, const double *labels, size_t n_labels, const double *weights,
                                        size_t n_weights, sl_error *error) {
    const size_t rows = n_pointers > 0 ? n_pointers - 1 : 0;
    sl_dataset *data = NULL;
    if (slw_within(pointers, n_pointers, 0, rows, n_indices, error) && slw_fits(values, n_values, n_indices, "values", "indices", error) &&
        slw_fits(labels, n_labels, rows, "labels", "rows", error) && slw_fits(weights, n_weights, rows, "weights", "rows", error) &&
        slw_not_negative(indices, n_indices, error))
        sl_dataset_from_csr(rows, pointers, indices, values, labels, weights, &data, error);
    return data;
}
/* As many rows as labels; the indices are those of rows. */
static sl_dataset *slw_dataset_from_csc(const int64_t *pointers, size_t n_pointers, const uint32_t *indices, size_t n_indices,
                                        const double *values, size_t n_values, const double *labels, size_t n_labels, const double *weights,
                                        size_t n_weights, sl_error *error) {
    const size_t columns = n_pointers > 0 ? n_pointers - 1 : 0;
    sl_dataset *data = NULL;
    if (slw_within(pointers, n_pointers, 0, columns, n_indices, error) &&
        slw_fits(values, n_values, n_indices, "values", "indices", error) &&
        slw_fits(weights, n_weights, n_labels, "weights", "labels", error) &&
        sl_dataset_from_csc(n_labels, columns, pointers, indices, values, labels, weights, &data, error) == SL_ERROR_INVALID_DATA)
        slw_not_negative(indices, n_indices, error); /* which is why it failed: no number of rows exceeds a negative index */
    return data;
}
/* Labels or weights that are absent are those of `data`. */
static sl_dataset *slw_dataset_with_labels(const sl_dataset *data, const double *labels, size_t n_labels, const double *weights,
                                           size_t n_weights, sl_error *error) {
    uint64_t rows = 0;
    sl_dataset *relabelled = NULL;
    if (sl_dataset_shape(data, &rows, NULL, NULL, error) == SL_OK && slw_fits(labels, n_labels, (size_t)rows, "labels", "rows", error) &&
        slw_fits(weights, n_weights, (size_t)rows, "weights", "rows", error))
        sl_dataset_with_labels(data, labels, weights, &relabelled, error);
    return relabelled;
}
static sl_dataset *slw_dataset_load(const char *path, const sl_options *options, sl_error *error) {
    sl_dataset *data = NULL;
    sl_dataset_load(path, options, &data, error);
    return data;
}
static sl_dataset *slw_dataset_read(sl_read_fn read, void *user, const sl_options *options, sl_error *error) {
    sl_dataset *data = NULL;
    sl_dataset_read(read, user, options, &data, error);
    return data;
}
static slw_result slw_dataset_save(const sl_dataset *data, const char *path, sl_error *error) { return sl_dataset_save(data, path, error); }
static void slw_dataset_free(sl_dataset *data) { sl_dataset_free(data); }

static sl_builder *slw_builder_create(uint64_t rows, uint64_t nonzeros, sl_error *error) {
    sl_builder *builder = NULL;
    sl_builder_create(rows, nonzeros, &builder, error);
    return builder;
}
/* The row is entries `from` to before `to` of the arrays. */
static slw_result slw_builder_add(sl_builder *builder, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                  uint64_t from, uint64_t to, double label, double weight, sl_error *error) {
    if (!slw_fits(values, n_values, n_indices, "values", "indices", error)) return error->status;
    if (from > to || to > n_indices)
        return slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "entries %llu to %llu are asked for, but there are %lld", (unsigned long long)from,
                        (unsigned long long)to, (long long)n_indices);
    if (!slw_not_negative(indices + from, (size_t)(to - from), error)) return error->status;
    return sl_builder_add(builder, indices + from, values ? values + from : NULL, (size_t)(to - from), label, weight, error);
}
static sl_dataset *slw_builder_finish(sl_builder *builder, sl_error *error) {
    sl_dataset *data = NULL;
    sl_builder_finish(builder, &data, error);
    return data;
}
static void slw_builder_free(sl_builder *builder) { sl_builder_free(builder); }

/* A reader, whose source is told with each call for rows. */
static slw_reader *slw_reader_create(const sl_options *options, sl_error *error) {
    slw_reader *reader = (slw_reader *)calloc(1, sizeof *reader);
    if (!reader) slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");
    else if (sl_reader_create(slw_read_on, reader, options, &reader->reader, error) == SL_OK) return reader;
    free(reader);
    return NULL;
}
static sl_dataset *slw_reader_next(slw_reader *reader, sl_read_fn read, void *user, uint64_t rows, sl_error *error) {
    sl_dataset *data = NULL;
    if (!reader) slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "the reader is closed");
    else {
        reader->read = read;
        reader->user = user;
        sl_reader_next(reader->reader, rows < SIZE_MAX ? (size_t)rows : SIZE_MAX, &data, error);
    }
    return data;
}

static uint64_t slw_dataset_rows(const sl_dataset *data, sl_error *error) {
    uint64_t rows = 0;
    sl_dataset_shape(data, &rows, NULL, NULL, error);
    return rows;
}
static uint64_t slw_dataset_nonzeros(const sl_dataset *data, sl_error *error) {
    uint64_t nonzeros = 0;
    sl_dataset_shape(data, NULL, &nonzeros, NULL, error);
    return nonzeros;
}
static uint64_t slw_dataset_dimension(const sl_dataset *data, sl_error *error) {
    uint64_t dimension = 0;
    sl_dataset_shape(data, NULL, NULL, &dimension, error);
    return dimension;
}
/* As slw_model_nonzeros. */
static uint64_t slw_dataset_row(const sl_dataset *data, uint64_t row, uint32_t *indices_out, size_t n_indices, double *values_out,
                                size_t n_values, sl_error *error) {
    size_t count = 0;
    sl_dataset_row(data, row, indices_out, values_out, n_indices < n_values ? n_indices : n_values, &count, NULL, NULL, error);
    return count;
}
static double slw_dataset_label(const sl_dataset *data, uint64_t row, sl_error *error) {
    size_t count;
    double label = 0;
    sl_dataset_row(data, row, NULL, NULL, 0, &count, &label, NULL, error);
    return label;
}
static double slw_dataset_weight(const sl_dataset *data, uint64_t row, sl_error *error) {
    size_t count;
    double weight = 0;
    sl_dataset_row(data, row, NULL, NULL, 0, &count, NULL, &weight, error);
    return weight;
}
%}
