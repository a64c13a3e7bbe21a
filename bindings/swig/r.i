/*
 * R: arrays, errors, callbacks and handles for sparselin.i, and the few calls that only R needs. The hand-written functions of the
 * package stand between these calls and the world: what comes in here has the right type, or it is a bug of the package.
 *
 * R leaves C code by long jumps. So nothing here holds memory of its own while R may jump: buffers are R_alloc's, handles are owned by R
 * as soon as they exist, and a callback's jump is caught, the library returns, and the jump is continued where the wrapper ends.
 */
%module sparselin

%begin %{
#include <Rversion.h>
#if R_VERSION >= R_Version(4, 6, 0)
#define SET_S4_OBJECT(x) ((x) = Rf_asS4((x), TRUE, 0)) /* is gone from R, but what SWIG writes calls it */
#endif
%}

%{
#include <setjmp.h>
#include <sparselin.h>
#include "entries.h"

static void slw_stop(const sl_error *error);
%}

// Errors become conditions when all else of the wrapper is done.
%typemap(in, numinputs=0) sl_error *error (sl_error slw_error) %{
  slw_error.status = SL_OK;
  $1 = &slw_error;
%}
%typemap(freearg) sl_error *error %{ if ($1->status != SL_OK) slw_stop($1); %}

%typemap(rtype) slw_result "integer"
%typemap(scoerceout) slw_result ""
%typemap(out) slw_result %{ (void)$1; $result = R_NilValue; %}

// Numbers. Counts are doubles in R.
%define SLW_NUMBER(CTYPE, RTYPE)
%typemap(rtype) CTYPE "RTYPE"
%typemap(scoercein) CTYPE ""
%typemap(scoerceout) CTYPE ""
%typemap(in) CTYPE %{ $1 = ($1_ltype)Rf_asReal($input); %}
%typemap(out) CTYPE %{ $result = Rf_ScalarReal((double)$1); %}
%enddef
SLW_NUMBER(size_t, numeric)
SLW_NUMBER(uint64_t, numeric)
SLW_NUMBER(slw_rows, numeric)
SLW_NUMBER(uint32_t, numeric)
SLW_NUMBER(double, numeric)
SLW_NUMBER(int, numeric)

// Handles are external pointers that know what they point to. One that is closed, or was read from a file, is NULL.
%define SLW_HANDLE(CTYPE)
%{
static void CTYPE##_release(SEXP handle) {
    CTYPE##_free((CTYPE *)R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}
%}
%typemap(rtype) CTYPE * "externalptr"
%typemap(scoercein) CTYPE * ""
%typemap(scoerceout) CTYPE * ""
%typemap(in) CTYPE * %{
  if (TYPEOF($input) != EXTPTRSXP || R_ExternalPtrTag($input) != Rf_install("CTYPE")) Rf_error("'%s' is not of type CTYPE", "$1_name");
  $1 = ($1_ltype)R_ExternalPtrAddr($input);
%}
%typemap(out) CTYPE * %{
  $result = R_NilValue;
  if ($1) {
    $result = PROTECT(R_MakeExternalPtr((void *)$1, Rf_install("CTYPE"), R_NilValue));
    R_RegisterCFinalizerEx($result, CTYPE##_release, TRUE);
    UNPROTECT(1);
  }
%}
%typemap(freearg) CTYPE * ""
%apply CTYPE * { const CTYPE * };
%enddef
SLW_HANDLE(sl_options)
SLW_HANDLE(sl_model)
SLW_HANDLE(sl_dataset)
SLW_HANDLE(sl_encoder)
SLW_HANDLE(sl_search)
%{
typedef struct slw_reader slw_reader;
static void slw_reader_free(slw_reader *reader);
%}
SLW_HANDLE(slw_reader)

// Text.
%typemap(rtype) const char * "character"
%typemap(scoercein) const char * ""
%typemap(scoerceout) const char * ""
%typemap(in) const char * %{
  if (TYPEOF($input) != STRSXP || LENGTH($input) != 1) Rf_error("'%s' must be one string", "$1_name");
  $1 = ($1_ltype)Rf_translateCharUTF8(STRING_ELT($input, 0));
%}
%typemap(in) const char *path %{
  if (TYPEOF($input) != STRSXP || LENGTH($input) != 1) Rf_error("'%s' must be one string", "$1_name");
  $1 = ($1_ltype)Rf_translateChar(STRING_ELT($input, 0));
%}
%typemap(freearg) const char * ""
%typemap(out) const char * %{ $result = $1 ? Rf_ScalarString(Rf_mkCharCE($1, CE_UTF8)) : R_NilValue; %}
%apply const char * { char * };

// Arrays, used where R has them. NULL is an absent one.
%define SLW_ARRAY(PATTERN, RTYPE, RNAME, DATA)
%typemap(rtype) PATTERN "RNAME"
%typemap(scoercein) PATTERN ""
%typemap(in) PATTERN %{
  if (!Rf_isNull($input) && TYPEOF($input) != RTYPE) Rf_error("'%s' must be of type RNAME", "$1_name");
  $1 = Rf_isNull($input) ? NULL : ($1_ltype)DATA($input);
  $2 = Rf_isNull($input) ? 0 : (size_t)XLENGTH($input);
%}
%typemap(freearg) PATTERN ""
%enddef
SLW_ARRAY(%arg((const uint32_t *U32, size_t N)), INTSXP, integer, INTEGER)
SLW_ARRAY(%arg((const double *F64, size_t N)), REALSXP, numeric, REAL)
SLW_ARRAY(%arg((const uint8_t *BYTES, size_t N)), RAWSXP, raw, RAW)
SLW_ARRAY(%arg((uint32_t *U32_OUT, size_t N)), INTSXP, integer, INTEGER)
SLW_ARRAY(%arg((double *F64_OUT, size_t N)), REALSXP, numeric, REAL)
SLW_ARRAY(%arg((uint8_t *BYTES_OUT, size_t N)), RAWSXP, raw, RAW)
SLW_ARRAY(%arg((int *I32_OUT, size_t N)), INTSXP, integer, INTEGER)

// Row pointers are 32 bits wide in R.
%typemap(rtype) (const int64_t *I64, size_t N) "integer"
%typemap(scoercein) (const int64_t *I64, size_t N) ""
%typemap(in) (const int64_t *I64, size_t N) {
  int64_t *wide;
  R_xlen_t i;
  if (TYPEOF($input) != INTSXP) Rf_error("'%s' must be of type integer", "$1_name");
  wide = (int64_t *)R_alloc((size_t)XLENGTH($input) + 1, sizeof *wide);
  for (i = 0; i < XLENGTH($input); ++i) wide[i] = INTEGER($input)[i];
  $1 = wide;
  $2 = (size_t)XLENGTH($input);
}
%typemap(freearg) (const int64_t *I64, size_t N) ""

// Callbacks: an R function, or NULL.
%define SLW_CALLBACK(PATTERN, FUNCTION)
%typemap(rtype) PATTERN "function"
%typemap(scoercein) PATTERN ""
%typemap(in) PATTERN (slw_callback callback) %{
  callback.function = $input;
  callback.token = PROTECT(R_MakeUnwindCont());
  callback.jumped = 0;
  $1 = FUNCTION;
  $2 = &callback;
%}
%typemap(freearg) PATTERN %{
  if (callback$argnum.jumped) R_ContinueUnwind(callback$argnum.token);
  UNPROTECT(1);
%}
%enddef
SLW_CALLBACK(%arg((sl_progress_fn progress, void *user)), slw_progress)
SLW_CALLBACK(%arg((sl_read_fn read, void *user)), slw_read)

%{
typedef struct slw_callback {
    SEXP function, token;
    SEXP call;
    jmp_buf before;
    int jumped;
} slw_callback;

static int slw_progress(const sl_progress *progress, void *user);
static int64_t slw_read(void *user, void *buffer, size_t capacity);
%}

// R frees handles by slw_release.
%ignore slw_options_free;
%ignore slw_model_free;
%ignore slw_dataset_free;
%ignore slw_reader_free;
%ignore slw_dataset_with_labels;
%ignore slw_builder_free;
%ignore slw_builder_create;
%ignore slw_builder_add;
%ignore slw_builder_finish; // core.cpp builds

%ignore slw_encoder_free;
%ignore slw_encoder_texts;
%ignore slw_search_free;

%typemap(in) const sl_dataset *test %{ $1 = Rf_isNull($input) ? NULL : ($1_ltype)R_ExternalPtrAddr($input); %}

%include "sparselin.i"
%include "classes.i"
%include "encoder.i"
%include "search.i"

%inline %{
/* Whether more of a metric, which the model knows, is better. */
static int slw_model_more_is_better(const sl_model *model, const char *metric, sl_error *error) {
    size_t length = 0;
    int larger = 0;
    sl_model_metric(model, metric, NULL, 0, &length, &larger, error);
    return larger;
}
%}

%{
/* Calls .stop(status, row, reason) of the package, which signals the condition and so does not return. */
static void slw_stop(const sl_error *error) {
    SEXP name = PROTECT(Rf_mkString("sparselin"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP status = PROTECT(Rf_mkString(sl_status_name(error->status)));
    SEXP row = PROTECT(Rf_ScalarReal((double)error->row));
    SEXP reason = PROTECT(Rf_ScalarString(Rf_mkCharCE(sl_error_reason(error), CE_UTF8)));
    Rf_eval(PROTECT(Rf_lang4(Rf_install(".stop"), status, row, reason)), space);
    Rf_error("%s", error->message);
}

static SEXP slw_evaluate(void *callback) {
    SEXP call = ((slw_callback *)callback)->call;
    R_CheckUserInterrupt();
    return Rf_isNull(call) ? R_NilValue : Rf_eval(call, R_GlobalEnv);
}

static void slw_caught(void *callback, Rboolean jump) {
    slw_callback *back = (slw_callback *)callback;
    if (!jump) return;
    back->jumped = 1;
    longjmp(back->before, 1);
}

/* Evaluates back->call. If it leaves by a jump (an interrupt, an error, whatever R knows), the result is NULL, and the wrapper goes on
   with the jump when the library is done. */
static SEXP slw_call(slw_callback *back) {
    if (setjmp(back->before)) return NULL;
    return R_UnwindProtect(slw_evaluate, back, slw_caught, back, back->token);
}

static int slw_progress(const sl_progress *progress, void *user) {
    slw_callback *back = (slw_callback *)user;
    int stop;
    back->call = R_NilValue;
    if (!Rf_isNull(back->function)) {
        SEXP report = PROTECT(Rf_allocVector(REALSXP, 5));
        REAL(report)[0] = (double)progress->steps;
        REAL(report)[1] = (double)progress->rows;
        REAL(report)[2] = (double)progress->rows_total;
        REAL(report)[3] = progress->mean_loss;
        REAL(report)[4] = (double)progress->epoch;
        back->call = Rf_lang2(back->function, report);
        UNPROTECT(1);
    }
    PROTECT(back->call);
    stop = slw_call(back) == NULL;
    if (!stop) UNPROTECT(1);
    return stop;
}

static int64_t slw_read(void *user, void *buffer, size_t capacity) {
    slw_callback *back = (slw_callback *)user;
    SEXP bytes;
    back->call = PROTECT(Rf_lang2(back->function, PROTECT(Rf_ScalarReal((double)capacity))));
    bytes = slw_call(back);
    if (!bytes) return -1;
    UNPROTECT(2);
    if (TYPEOF(bytes) != RAWSXP || (size_t)XLENGTH(bytes) > capacity) return -1;
    memcpy(buffer, RAW(bytes), (size_t)XLENGTH(bytes));
    return (int64_t)XLENGTH(bytes);
}

/* A call over some rows of a data set, of which `done` is the first that is not done. */
typedef sl_status (*slw_part)(void *what, const sl_dataset *data, uint64_t first, uint64_t count, uint64_t *done, sl_error *error);

static sl_status slw_feed_part(void *model, const sl_dataset *data, uint64_t first, uint64_t count, uint64_t *done, sl_error *error) {
    *done = slw_model_feed_rows((sl_model *)model, data, first, count, error);
    return error->status;
}

static sl_status slw_observe_part(void *model, const sl_dataset *data, uint64_t first, uint64_t count, uint64_t *done, sl_error *error) {
    *done = slw_model_observe_rows((sl_model *)model, data, first, count, error);
    return error->status;
}

typedef struct slw_prediction {
    const sl_model *model;
    size_t classes;
    double *scores;
} slw_prediction;

static sl_status slw_predict_part(void *prediction, const sl_dataset *data, uint64_t first, uint64_t count, uint64_t *done, sl_error *error) {
    const slw_prediction *to = (const slw_prediction *)prediction;
    *done = first + count;
    return sl_model_scores_rows(to->model, data, first, count, to->scores + first * to->classes, (size_t)count * to->classes, error);
}

/* Does all rows in parts of about 2^20 nonzeros, after each of which it tells of the progress of `model`. The result is
   the rows that are done. */
static uint64_t slw_in_parts(const sl_model *model, const sl_dataset *data, slw_part part, void *what, sl_progress_fn progress, void *user,
                             sl_error *error) {
    sl_progress report;
    uint64_t nonzeros = 0, most;
    memset(&report, 0, sizeof report);
    if (sl_dataset_shape(data, &report.rows_total, &nonzeros, NULL, error) != SL_OK) return 0;
    most = (uint64_t)((double)report.rows_total * (1 << 20) / ((double)nonzeros + (double)report.rows_total + 1)) + 1;
    while (report.rows < report.rows_total) {
        const uint64_t left = report.rows_total - report.rows;
        if (part(what, data, report.rows, left < most ? left : most, &report.rows, error) != SL_OK) return report.rows;
        report.mean_loss = R_NaN;
        sl_model_steps(model, &report.steps, NULL);
        sl_model_mean_loss(model, &report.mean_loss, NULL);
        if (progress(&report, user) == 0) continue;
        slw_fail(error, SL_ERROR_CANCELLED, "stopped");
        return report.rows;
    }
    return report.rows;
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
