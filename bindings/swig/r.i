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

%include "r_callbacks.i"
%include "r_calls.i"
