/*
 * Calls that choose and judge, for languages whose arrays have a length: included after sparselin.i and classes.i, with the same typemaps.
 */
%newobject slw_search_metric;
%newobject slw_search_settings;
%apply (const double *F64, size_t N) { (const double *probabilities, size_t n_probabilities) };
%apply (double *F64_OUT, size_t N) { (double *predicted_out, size_t n_predicted), (double *observed_out, size_t n_observed),
                                     (double *chance_out, size_t n_chance) };

%inline %{
static double slw_evaluate_scores(const char *metric, const double *scores, size_t n_scores, const double *labels, size_t n_labels,
                                  const double *weights, size_t n_weights, sl_error *error) {
    const size_t classes = n_labels > 0 ? n_scores / n_labels : 1;
    double value = 0;
    if (classes * n_labels != n_scores)
        slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "there are %llu scores, which is not a number of times the %llu labels",
                 (unsigned long long)n_scores, (unsigned long long)n_labels);
    else if (slw_fits(weights, n_weights, n_labels, "weights", "labels", error))
        sl_evaluate_scores(metric, scores, n_labels, classes, labels, weights, &value, error);
    return value;
}

/* As many bins as the outputs have numbers. */
static slw_result slw_calibration(const double *probabilities, size_t n_probabilities, const double *labels, size_t n_labels,
                                  const double *weights, size_t n_weights, double *predicted_out, size_t n_predicted, double *observed_out,
                                  size_t n_observed, double *chance_out, size_t n_chance, sl_error *error) {
    if (!slw_fits(labels, n_labels, n_probabilities, "labels", "probabilities", error) ||
        !slw_fits(weights, n_weights, n_probabilities, "weights", "probabilities", error) ||
        !slw_fits(observed_out, n_observed, n_predicted, "observed", "predicted", error) ||
        !slw_fits(chance_out, n_chance, n_predicted, "chance", "predicted", error))
        return error->status;
    return sl_calibration(probabilities, n_probabilities, labels, weights, n_predicted, predicted_out, observed_out, chance_out, error);
}

/* An empty metric is that of the loss. */
static sl_search *slw_search_run(const sl_options *options, const char *grid, const sl_dataset *data, const sl_dataset *test, uint32_t folds,
                                 double holdout, const char *metric, uint32_t threads, sl_progress_fn progress, void *user, sl_error *error) {
    sl_search *search = NULL;
    sl_search_run(options, grid, data, test, folds, holdout, metric && *metric ? metric : NULL, threads, progress, user, &search, error);
    return search;
}
static void slw_search_free(sl_search *search) { sl_search_free(search); }

/* `what` is 0 for the number of models, 1 that of the values that each has, 2 the number of the best model, 3 that of the sparsest, and 4
   whether more of the metric is better. */
static uint64_t slw_search_shape(const sl_search *search, int what, sl_error *error) {
    size_t shape[4] = {0, 0, 0, 0}, length;
    int larger_is_better = 0;
    if (sl_search_shape(search, &shape[0], &shape[1], &shape[2], &shape[3], error) != SL_OK) return 0;
    if (what >= 0 && what < 4) return shape[what];
    sl_search_metric(search, NULL, 0, &length, &larger_is_better, error);
    return larger_is_better != 0;
}
static char *slw_search_metric(const sl_search *search, sl_error *error) {
    SLW_RETURN_TEXT(sl_search_metric(search, text, capacity, &length, NULL, error));
}
static char *slw_search_settings(const sl_search *search, uint64_t i, sl_error *error) {
    SLW_RETURN_TEXT(sl_search_settings(search, (size_t)i, text, capacity, &length, error));
}

/* Mean, standard error and nonzeros of model i. */
static slw_result slw_search_model(const sl_search *search, uint64_t i, double *values_out, size_t n_values, sl_error *error) {
    if (!slw_fits(values_out, n_values, 3, "values", "a model", error)) return error->status;
    return sl_search_model(search, (size_t)i, values_out, values_out + 1, values_out + 2, error);
}
/* These two as slw_model_nonzeros. */
static uint64_t slw_search_values(const sl_search *search, uint64_t i, double *values_out, size_t n_values, sl_error *error) {
    size_t count = 0;
    sl_search_values(search, (size_t)i, values_out, n_values, &count, error);
    return count;
}
static uint64_t slw_search_splits(const sl_search *search, uint32_t *indices_out, size_t n_indices, sl_error *error) {
    size_t count = 0;
    sl_search_splits(search, indices_out, n_indices, &count, error);
    return count;
}
%}
