/*
 * The calls that only R needs: matrices, tables and texts as R has them, and work that tells of its progress.
 */
%inline %{
/* Whether more of a metric, which the model knows, is better. */
static int slw_model_more_is_better(const sl_model *model, const char *metric, sl_error *error) {
    size_t length = 0;
    int larger = 0;
    sl_model_metric(model, metric, NULL, 0, &length, &larger, error);
    return larger;
}
%}

%typemap(scoercein) SEXP ""
%apply (int *I32_OUT, size_t N) { (int *pointers_out, size_t n_pointers) };

%{
/* The array of an optional vector of whole or logical numbers, of a length that is given if it is not negative. */
static const int *slw_integers(SEXP vector, R_xlen_t length, const char *name, sl_error *error) {
    if (Rf_isNull(vector)) return NULL;
    if (TYPEOF(vector) == LGLSXP || TYPEOF(vector) == INTSXP) {
        if (XLENGTH(vector) == length) return TYPEOF(vector) == LGLSXP ? LOGICAL(vector) : INTEGER(vector);
        slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "%s has %lld entries, not %lld", name, (long long)XLENGTH(vector), (long long)length);
    } else slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "an array of a matrix is of the wrong type");
    return NULL;
}
%}

%{
/* The strings of a vector in UTF-8, or as they are if they are bytes, in memory of R's; NULL for NA. */
static const char **slw_texts(SEXP strings) {
    const R_xlen_t count = XLENGTH(strings);
    const char **texts = (const char **)R_alloc((size_t)count + 1, sizeof *texts);
    for (R_xlen_t i = 0; i < count; ++i) {
        const SEXP text = STRING_ELT(strings, i);
        texts[i] = text == NA_STRING ? NULL : Rf_getCharCE(text) == CE_BYTES ? CHAR(text) : Rf_translateCharUTF8(text);
    }
    return texts;
}

/* A column of a table: numbers, or texts, or the places of each row's text among them, from 1. */
typedef struct slw_column {
    const double *numbers;
    const int *integers, *codes;
    const char **texts;
    int is_text;
} slw_column;

static sl_status slw_add_field(sl_encoder *encoder, const char *name, const slw_column *column, R_xlen_t row, sl_error *error) {
    const char *text;
    if (column->numbers || column->integers) {
        const double number = column->numbers ? column->numbers[row] : column->integers[row] == NA_INTEGER ? R_NaN : column->integers[row];
        return ISNAN(number) ? SL_OK : sl_encoder_number(encoder, name, number, error);
    }
    if (column->codes) text = column->codes[row] == NA_INTEGER ? NULL : column->texts[column->codes[row] - 1];
    else text = column->texts[row];
    if (!text) return SL_OK;
    return column->is_text ? sl_encoder_text(encoder, name, text, strlen(text), error) : sl_encoder_category(encoder, name, text, error);
}
%}

%inline %{
/* Whether a handle points to something. */
static SEXP slw_is_open(SEXP handle) { return Rf_ScalarLogical(TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle) != NULL); }

/* Frees what a handle points to, now instead of when R collects it. */
static SEXP slw_release(SEXP handle) {
    const SEXP tag = R_ExternalPtrTag(handle);
    if (tag == Rf_install("sl_dataset")) sl_dataset_release(handle);
    else if (tag == Rf_install("sl_model")) sl_model_release(handle);
    else if (tag == Rf_install("sl_encoder")) sl_encoder_release(handle);
    else if (tag == Rf_install("sl_options")) sl_options_release(handle);
    else if (tag == Rf_install("sl_search")) sl_search_release(handle);
    else if (tag == Rf_install("slw_reader")) slw_reader_release(handle);
    return R_NilValue;
}

/* The models are a list of handles; where parts is not 0 the first is what the others were copies of when their round began. */
static sl_model *slw_model_merge(SEXP models, double parts, sl_error *error) {
    const R_xlen_t count = XLENGTH(models);
    const sl_model **handles = (const sl_model **)R_alloc((size_t)count + 1, sizeof *handles);
    sl_model *merged = NULL;
    for (R_xlen_t k = 0; k < count; ++k) handles[k] = (const sl_model *)R_ExternalPtrAddr(VECTOR_ELT(models, k));
    if (parts != 0)
        sl_model_merge_round(handles[0], handles + 1, (size_t)count - 1, parts, &merged, error);
    else
        sl_model_merge(handles, (size_t)count, &merged, error);
    return merged;
}

/* The bytes of a model. Asking for their number costs as much as writing them, so a guess comes first: an
   array has no indices in memory, which take up to half as much again. */
static SEXP slw_model_as_raw(const sl_model *model, int keep, sl_error *error) {
    uint64_t memory = 0;
    size_t length = 0, capacity;
    void *buffer;
    SEXP bytes;
    if (sl_model_memory(model, &memory, error) != SL_OK) return R_NilValue;
    capacity = (size_t)(memory + memory / 2) + 4096;
    buffer = R_alloc(capacity, 1);
    if (sl_model_to_bytes(model, (sl_keep)keep, buffer, capacity, &length, error) != SL_OK) return R_NilValue;
    bytes = Rf_allocVector(RAWSXP, (R_xlen_t)length);
    if (length <= capacity) memcpy(RAW(bytes), buffer, length);
    else sl_model_to_bytes(model, (sl_keep)keep, RAW(bytes), length, &length, error);
    return bytes;
}

/* The data set of a matrix of any kind: see entries.h. `kind` is 0 by columns, 1 by rows, 2 triplets, 3 dense; `form` has rows, columns, base,
   symmetric, unit and once. Of the arrays those are NULL that the kind does not have. */
static sl_dataset *slw_dataset_from_entries(int kind, SEXP form, SEXP pointers, SEXP row_indices, SEXP column_indices, SEXP values, SEXP to,
                                            const double *labels, size_t n_labels, const double *weights, size_t n_weights, sl_error *error) {
    slw_entries of;
    sl_dataset *data = NULL;
    const int *const f = slw_integers(form, 6, "form", error);
    const SEXP counted = kind == SLW_DENSE ? values : kind == SLW_BY_COLUMNS ? row_indices : column_indices;
    const R_xlen_t count = XLENGTH(counted);
    memset(&of, 0, sizeof of);
    if (!f || kind < SLW_BY_COLUMNS || kind > SLW_DENSE) return NULL;
    of.kind = kind, of.count = (size_t)count, of.rows = (size_t)f[0], of.columns = (size_t)f[1];
    of.base = f[2], of.symmetric = f[3], of.unit = f[4], of.once = f[5];
    of.pointers = slw_integers(pointers, (R_xlen_t)(kind == SLW_BY_ROWS ? of.rows : of.columns) + 1, "p", error);
    of.row_indices = slw_integers(row_indices, count, "i", error);
    of.column_indices = slw_integers(column_indices, count, "j", error);
    of.to = slw_integers(to, (R_xlen_t)of.columns, "to", error);
    if (TYPEOF(values) != REALSXP) of.integers = slw_integers(values, count, "values", error);
    else if (slw_fits(REAL(values), (size_t)XLENGTH(values), (size_t)count, "values", "indices", error)) of.numbers = REAL(values);
    if (kind == SLW_DENSE && of.count != of.rows * of.columns) slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "x is no valid matrix: its values are not rows times columns");
    if (error->status == SL_OK && slw_fits(labels, n_labels, of.rows, "labels", "rows", error) &&
        slw_fits(weights, n_weights, of.rows, "weights", "rows", error))
        slw_dataset_of_entries(&of, labels, weights, &data, error);
    return data;
}

/* Each string as a record of its own; NA is one without features. */
static sl_dataset *slw_encoder_strings(sl_encoder *encoder, const char *name, SEXP strings, sl_error *error) {
    const size_t rows = (size_t)XLENGTH(strings);
    const char **texts = slw_texts(strings);
    sl_dataset *data = NULL;
    for (size_t r = 0; r < rows; ++r)
        if (!texts[r]) texts[r] = "";
    sl_encoder_texts(encoder, name, texts, NULL, rows, NULL, NULL, &data, error);
    return data;
}

/* The rows of a table, whose columns are vectors of numbers, factors, or strings; of which those are texts that are said to be, the others
   categories. NA is no feature. */
static sl_dataset *slw_encoder_table(sl_encoder *encoder, SEXP names, SEXP columns, SEXP is_text, double rows, sl_error *error) {
    const R_xlen_t width = XLENGTH(columns);
    const char **fields = slw_texts(names);
    slw_column *of = (slw_column *)R_alloc((size_t)width + 1, sizeof *of);
    sl_builder *builder = NULL;
    sl_dataset *data = NULL;
    memset(of, 0, (size_t)width * sizeof *of);
    for (R_xlen_t c = 0; c < width; ++c) {
        const SEXP column = VECTOR_ELT(columns, c);
        of[c].is_text = LOGICAL(is_text)[c];
        if (TYPEOF(column) == STRSXP) of[c].texts = slw_texts(column);
        else if (Rf_isFactor(column)) of[c].codes = INTEGER(column), of[c].texts = slw_texts(Rf_getAttrib(column, R_LevelsSymbol));
        else if (TYPEOF(column) == REALSXP) of[c].numbers = REAL(column);
        else of[c].integers = INTEGER(column);
    }
    if (sl_builder_create((uint64_t)rows, 0, &builder, error) != SL_OK) return NULL;
    for (R_xlen_t r = 0; r < rows; ++r) {
        const uint32_t *indices = NULL;
        const double *values = NULL;
        size_t count = 0;
        sl_status status = sl_encoder_clear(encoder, error);
        for (R_xlen_t c = 0; c < width && status == SL_OK; ++c) status = slw_add_field(encoder, fields[c], of + c, r, error);
        if (status == SL_OK) status = sl_encoder_row(encoder, &indices, &values, &count, error);
        if (status == SL_OK) status = sl_builder_add(builder, indices, values, count, 0, 1, error);
        if (status != SL_OK) {
            if (error->row < 0) error->row = r;
            break;
        }
    }
    if (error->status == SL_OK) sl_builder_finish(builder, &data, error);
    sl_builder_free(builder);
    sl_encoder_clear(encoder, error);
    return data;
}

/* The names of features, NA of those that have none; a NUL in them is shown as `?`. */
static SEXP slw_encoder_names(const sl_encoder *encoder, SEXP features, sl_error *error) {
    const R_xlen_t count = XLENGTH(features);
    size_t capacity = 256;
    char *name = R_alloc(capacity, 1);
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; ++i) {
        size_t length = 0;
        sl_error none;
        sl_status status = sl_encoder_name(encoder, (uint32_t)REAL(features)[i], name, capacity, &length, &none);
        if (status == SL_OK && length > capacity) {
            name = R_alloc(capacity = 2 * length, 1);
            status = sl_encoder_name(encoder, (uint32_t)REAL(features)[i], name, capacity, &length, &none);
        }
        if (status == SL_OK) {
            for (size_t k = 0; k + 1 < length; ++k)
                if (!name[k]) name[k] = '?';
            SET_STRING_ELT(names, i, Rf_mkCharLenCE(name, (int)length - 1, CE_UTF8));
        } else {
            SET_STRING_ELT(names, i, NA_STRING);
            if (status == SL_ERROR_INVALID_ARGUMENT) continue;
            *error = none;
            break;
        }
    }
    UNPROTECT(1);
    return names;
}

/* Who reads an option: 1 models, 2 encoders, 3 both. */
static int slw_option_readers(const char *name, sl_error *error) {
    int model = 0, encoder = 0;
    sl_option_is_for(name, &model, &encoder, error);
    return model + 2 * encoder;
}

/* The place of the first value that is not finite, from 1; 0 if all are. */
static double slw_first_not_finite(const double *values, size_t n_values) {
    size_t i = 0;
    while (i < n_values && R_FINITE(values[i])) ++i;
    return i < n_values ? (double)i + 1 : 0;
}

/* As sl_model_feed_dataset, sl_model_scores_dataset and sl_model_observe_dataset, but they tell of their progress, so
   that an interrupt is seen. */
static slw_rows slw_model_feed_watched(sl_model *model, const sl_dataset *data, sl_progress_fn progress, void *user, sl_error *error) {
    return slw_in_parts(model, data, slw_feed_part, model, progress, user, error);
}
static slw_result slw_model_scores_watched(const sl_model *model, const sl_dataset *data, double *scores_out, size_t n_scores,
                                           sl_progress_fn progress, void *user, sl_error *error) {
    slw_prediction prediction = {model, 0, scores_out};
    uint64_t rows = 0;
    if (sl_model_classes(model, &prediction.classes, error) != SL_OK || sl_dataset_shape(data, &rows, NULL, NULL, error) != SL_OK) return error->status;
    if (n_scores / prediction.classes < rows) return slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "there are more scores than places for them");
    slw_in_parts(model, data, slw_predict_part, &prediction, progress, user, error);
    return error->status;
}
static slw_rows slw_model_observe_watched(sl_model *model, const sl_dataset *data, sl_progress_fn progress, void *user, sl_error *error) {
    return slw_in_parts(model, data, slw_observe_part, model, progress, user, error);
}

/* All rows of a data set, as the parts of a dgRMatrix: pointers_out has one entry more than rows. */
static slw_result slw_dataset_to_csr(const sl_dataset *data, int *pointers_out, size_t n_pointers, uint32_t *indices_out, size_t n_indices,
                                     double *values_out, size_t n_values, double *labels_out, size_t n_labels, sl_error *error) {
    size_t done = 0;
    pointers_out[0] = 0;
    for (size_t r = 0; r < n_labels && r + 1 < n_pointers; ++r) {
        size_t count = 0;
        if (sl_dataset_row(data, r, indices_out + done, values_out + done, n_indices - done, &count, labels_out + r, NULL, error) != SL_OK)
            return error->status;
        done += count;
        if (done > n_indices || done > n_values) return slw_fail(error, SL_ERROR_INVALID_ARGUMENT, "the arrays are too short");
        pointers_out[r + 1] = (int)done;
    }
    return SL_OK;
}
%}
