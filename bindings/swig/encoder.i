/*
 * Calls of encoders, for languages whose arrays have a length: included after sparselin.i, with the same typemaps. Typemaps on top:
 *   sl_encoder *
 *       a handle
 */
%newobject slw_encoder_option;
%inline %{
static sl_encoder *slw_encoder_create(const sl_options *options, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_create(options, &encoder, error);
    return encoder;
}
static void slw_encoder_free(sl_encoder *encoder) { sl_encoder_free(encoder); }
static slw_result slw_encoder_cross(sl_encoder *encoder, const char *first, const char *second, sl_error *error) {
    return sl_encoder_cross(encoder, first, second, error);
}
static slw_result slw_encoder_clear(sl_encoder *encoder, sl_error *error) { return sl_encoder_clear(encoder, error); }
static slw_result slw_encoder_number(sl_encoder *encoder, const char *name, double number, sl_error *error) {
    return sl_encoder_number(encoder, name, number, error);
}
static slw_result slw_encoder_category(sl_encoder *encoder, const char *name, const char *value, sl_error *error) {
    return sl_encoder_category(encoder, name, value, error);
}
static slw_result slw_encoder_text(sl_encoder *encoder, const char *name, const uint8_t *bytes, size_t n_bytes, sl_error *error) {
    return sl_encoder_text(encoder, name, (const char *)bytes, n_bytes, error);
}
/* As slw_model_nonzeros. */
static uint64_t slw_encoder_row(sl_encoder *encoder, uint32_t *indices_out, size_t n_indices, double *values_out, size_t n_values,
                                sl_error *error) {
    const uint32_t *indices = NULL;
    const double *values = NULL;
    size_t count = 0;
    if (sl_encoder_row(encoder, &indices, &values, &count, error) != SL_OK) return 0;
    if (count > 0 && indices[count - 1] > INT32_MAX)
        return slw_fail(error, SL_ERROR_INVALID_DATA, "feature %lu is beyond 2^31, which arrays of int cannot hold: set hash_bits to 31 or less",
                        (unsigned long)indices[count - 1]);
    if (count > 0 && count <= n_indices && count <= n_values) {
        memcpy(indices_out, indices, count * sizeof *indices);
        memcpy(values_out, values, count * sizeof *values);
    }
    return count;
}
/* The texts follow one another in bytes; text i ends before pointers[i + 1]. */
static sl_dataset *slw_encoder_texts(sl_encoder *encoder, const char *name, const uint8_t *bytes, size_t n_bytes, const int64_t *pointers,
                                     size_t n_pointers, const double *labels, size_t n_labels, const double *weights, size_t n_weights,
                                     sl_error *error) {
    const size_t rows = n_pointers > 0 ? n_pointers - 1 : 0;
    const char **texts;
    size_t *lengths;
    sl_dataset *data = NULL;
    if (!slw_within(pointers, n_pointers, 0, rows, n_bytes, error) || !slw_fits(labels, n_labels, rows, "labels", "texts", error) ||
        !slw_fits(weights, n_weights, rows, "weights", "texts", error))
        return NULL;
    texts = (const char **)malloc((rows + 1) * sizeof *texts);
    lengths = (size_t *)malloc((rows + 1) * sizeof *lengths);
    if (!texts || !lengths) slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory");
    else {
        for (size_t r = 0; r < rows; ++r) {
            texts[r] = n_bytes ? (const char *)bytes + pointers[r] : "";
            lengths[r] = (size_t)(pointers[r + 1] - pointers[r]);
        }
        sl_encoder_texts(encoder, name, texts, lengths, rows, labels, weights, &data, error);
    }
    free(texts);
    free(lengths);
    return data;
}
static slw_result slw_encoder_set_threads(sl_encoder *encoder, uint32_t threads, sl_error *error) {
    return sl_encoder_set_threads(encoder, threads, error);
}
static slw_result slw_encoder_freeze(sl_encoder *encoder, sl_error *error) { return sl_encoder_freeze(encoder, error); }
static uint64_t slw_encoder_dimension(const sl_encoder *encoder, sl_error *error) {
    uint64_t dimension = 0;
    sl_encoder_dimension(encoder, &dimension, error);
    return dimension;
}
/* The length needed, with the closing NUL. */
static uint64_t slw_encoder_name(const sl_encoder *encoder, uint32_t index, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_encoder_name(encoder, index, (char *)bytes_out, n_bytes, &length, error);
    return length;
}
static char *slw_encoder_option(const sl_encoder *encoder, const char *name, sl_error *error) {
    SLW_RETURN_TEXT(sl_encoder_option(encoder, name, text, capacity, &length, error));
}
static uint64_t slw_encoder_to_bytes(const sl_encoder *encoder, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_encoder_to_bytes(encoder, bytes_out, n_bytes, &length, error);
    return length;
}
static sl_encoder *slw_encoder_from_bytes(const uint8_t *bytes, size_t n_bytes, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_from_bytes(bytes, n_bytes, &encoder, error);
    return encoder;
}
static slw_result slw_encoder_save(const sl_encoder *encoder, const char *path, sl_error *error) {
    return sl_encoder_save(encoder, path, error);
}
static sl_encoder *slw_encoder_load(const char *path, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_encoder_load(path, &encoder, error);
    return encoder;
}
static slw_result slw_model_set_encoder(sl_model *model, const sl_encoder *encoder, sl_error *error) {
    return sl_model_set_encoder(model, encoder, error);
}
static sl_encoder *slw_model_encoder(const sl_model *model, sl_error *error) {
    sl_encoder *encoder = NULL;
    sl_model_encoder(model, &encoder, error);
    return encoder;
}
%}
