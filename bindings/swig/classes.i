/*
 * Calls of several classes, for languages whose arrays have a length: included after sparselin.i, with the same typemaps.
 */
%apply (const double *F64, size_t N) { (const double *scores, size_t n_scores) };
%apply (double *F64_OUT, size_t N) { (double *labels_out, size_t n_labels), (double *probabilities_out, size_t n_probabilities),
                                     (double *counts_out, size_t n_counts) };
%inline %{
static uint64_t slw_model_classes(const sl_model *model, sl_error *error) {
    size_t count = 0;
    sl_model_classes(model, &count, error);
    return count;
}
static slw_result slw_model_set_labels(sl_model *model, const double *labels, size_t n_labels, sl_error *error) {
    return sl_model_set_labels(model, labels, n_labels, error);
}
/* How many there are, as slw_model_nonzeros. */
static uint64_t slw_model_class_labels(const sl_model *model, double *labels_out, size_t n_labels, sl_error *error) {
    size_t count = 0;
    sl_model_class_labels(model, labels_out, n_labels, &count, error);
    return count;
}
static slw_result slw_model_scores(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                   double *scores_out, size_t n_scores, sl_error *error) {
    if (!slw_fits(values, n_values, n_indices, "values", "indices", error)) return error->status;
    return sl_model_scores(model, indices, values, n_indices, scores_out, n_scores, error);
}

/* Rows first to first + count, as slw_model_predict_csr. */
static slw_result slw_model_scores_csr(const sl_model *model, const int64_t *pointers, size_t n_pointers, const uint32_t *indices,
                                       size_t n_indices, const double *values, size_t n_values, uint64_t first, uint64_t count,
                                       double *scores_out, size_t n_scores, sl_error *error) {
    size_t classes = 0;
    if (sl_model_classes(model, &classes, error) != SL_OK || !slw_within(pointers, n_pointers, first, count, n_indices, error) ||
        !slw_fits(values, n_values, n_indices, "values", "indices", error) ||
        !slw_fits(scores_out, n_scores, (n_pointers - 1) * classes, "scores", "rows times classes", error))
        return error->status;
    sl_model_scores_csr(model, (size_t)count, pointers + first, indices, values, scores_out + first * classes, (size_t)count * classes,
                        error);
    slw_count_rows_from(first, error);
    return error->status;
}
static slw_result slw_model_scores_dataset(const sl_model *model, const sl_dataset *data, double *scores_out, size_t n_scores,
                                           sl_error *error) {
    return sl_model_scores_dataset(model, data, scores_out, n_scores, error);
}

/* The rows that the scores are those of; 0 if they are not whole rows. */
static size_t slw_rows_of(const sl_model *model, size_t n_scores, sl_error *error) {
    size_t classes = 0;
    if (sl_model_classes(model, &classes, error) != SL_OK) return 0;
    if (n_scores % classes == 0) return n_scores / classes;
    slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "there are %llu scores, but rows have %llu each", (unsigned long long)n_scores,
             (unsigned long long)classes);
    return 0;
}
static slw_result slw_model_probabilities(const sl_model *model, const double *scores, size_t n_scores, double *probabilities_out,
                                          size_t n_probabilities, sl_error *error) {
    const size_t rows = slw_rows_of(model, n_scores, error);
    if (error->status != SL_OK || !slw_fits(probabilities_out, n_probabilities, n_scores, "probabilities", "scores", error))
        return error->status;
    return sl_model_probabilities(model, scores, rows, probabilities_out, error);
}
static slw_result slw_model_predicted_labels(const sl_model *model, const double *scores, size_t n_scores, double *labels_out,
                                             size_t n_labels, sl_error *error) {
    const size_t rows = slw_rows_of(model, n_scores, error);
    if (error->status != SL_OK || !slw_fits(labels_out, n_labels, rows, "labels", "rows", error)) return error->status;
    return sl_model_predicted_labels(model, scores, rows, labels_out, error);
}
static double slw_model_class_bias(const sl_model *model, uint64_t k, sl_error *error) {
    double bias = 0;
    sl_model_class_bias(model, (size_t)k, &bias, error);
    return bias;
}
static double slw_model_class_weight(const sl_model *model, uint64_t k, uint32_t index, sl_error *error) {
    double weight = 0;
    if (slw_not_negative(&index, 1, error)) sl_model_class_weight(model, (size_t)k, index, &weight, error);
    return weight;
}
static uint64_t slw_model_class_nonzeros(const sl_model *model, uint64_t k, uint32_t *indices_out, size_t n_indices, double *values_out,
                                         size_t n_values, sl_error *error) {
    size_t count = 0;
    sl_model_class_nonzeros(model, (size_t)k, indices_out, values_out, n_indices < n_values ? n_indices : n_values, &count, error);
    return count;
}
static slw_result slw_model_confusion(const sl_model *model, const sl_dataset *data, double *counts_out, size_t n_counts, sl_error *error) {
    return sl_model_confusion(model, data, counts_out, n_counts, error);
}
%}
