/*
 * Java: arrays, errors and callbacks for sparselin.i. The hand-written classes of org.sparselin stand between these calls and the
 * world: they see to closed handles, threads and required arrays.
 *
 * The order in a generated function: locals of all parameters (arginit), arrays found or copied (in), long arrays pinned (check), the
 * call, its result (out), arrays released (freearg), and last, since sl_error stands last, the exception. Between pinning and releasing
 * there is no JNI call, and no way out of the function. Pinned arrays keep the garbage collector waiting: calls that may take long copy theirs
 * instead, piece by piece (slw_pins).
 */
%module(jniclassname="NativeCalls") Native

%pragma(java) moduleclassmodifiers="final class"
%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) jniclasscode=%{
  // Called by the library, through java.i. Says whether to go on.
  private static boolean progress(Progress listener, long steps, long rows, long rowsTotal, double meanLoss, long epoch) {
    listener.update(new Progress.Report(steps, rows, rowsTotal, meanLoss, epoch));
    return !Thread.currentThread().isInterrupted();
  }

  private static int read(java.io.InputStream in, byte[] buffer, int length) {
    try {
      return in.read(buffer, 0, length);
    } catch (java.io.IOException e) {
      throw new SparselinException(e);
    }
  }
%}

// slw_model_feed_csr becomes Native.modelFeedCsr.
%rename("%(regex:/^slw_([a-z]+)_?([a-z]*)_?([a-z]*)$/\\1\\u\\2\\u\\3/)s", %$isfunction) "";


// Errors.
%typemap(in, numinputs=0) sl_error *error %{ $1 = &slw_error; %}
%typemap(arginit) sl_error *error %{
  sl_error slw_error;
  slw_rows slw_done = 0;
  slw_error.status = SL_OK;
  (void)slw_done;
%}
%typemap(freearg) sl_error *error %{ if (slw_error.status != SL_OK) slw_throw(jenv, &slw_error, slw_done); %}

%typemap(jni) slw_result "void"
%typemap(jtype) slw_result "void"
%typemap(jstype) slw_result "void"
%typemap(out) slw_result %{ (void)$1; %}
%typemap(javaout) slw_result { $jnicall; }
%typemap(jni) slw_rows "jlong"
%typemap(jtype) slw_rows "long"
%typemap(jstype) slw_rows "long"
%typemap(out) slw_rows %{ slw_done = $1; $result = (jlong)$1; %}
%typemap(javaout) slw_rows { return $jnicall; }

// Bytes that the library has made, in memory that is the caller's.
%typemap(jni) slw_bytes "jbyteArray"
%typemap(jtype) slw_bytes "byte[]"
%typemap(jstype) slw_bytes "byte[]"
%typemap(javaout) slw_bytes { return $jnicall; }
%typemap(out) slw_bytes %{
  $result = NULL;
  if (slw_error.status == SL_OK && $1.length > INT32_MAX - 8)
    slw_fail(&slw_error, SL_ERROR_OUT_OF_MEMORY, "%llu bytes are more than an array of Java's holds", (unsigned long long)$1.length);
  if (slw_error.status == SL_OK && ($result = (*jenv)->NewByteArray(jenv, (jsize)$1.length)))
    (*jenv)->SetByteArrayRegion(jenv, $result, 0, (jsize)$1.length, (const jbyte *)$1.bytes);
  free($1.bytes);
%}

// Numbers.
%define SLW_NUMBER(CTYPE, JNITYPE, JAVATYPE)
%typemap(jni) CTYPE "JNITYPE"
%typemap(jtype) CTYPE "JAVATYPE"
%typemap(jstype) CTYPE "JAVATYPE"
%typemap(javain) CTYPE "$javainput"
%typemap(javaout) CTYPE { return $jnicall; }
%typemap(in) CTYPE %{ $1 = (CTYPE)$input; %}
%typemap(out) CTYPE %{ $result = (JNITYPE)$1; %}
%enddef
SLW_NUMBER(size_t, jlong, long)
SLW_NUMBER(uint64_t, jlong, long)
SLW_NUMBER(uint32_t, jint, int)
%typemap(in) uint64_t row %{
  $1 = (uint64_t)$input;
  if ($input < 0) slw_fail(&slw_error, SL_ERROR_INVALID_ARGUMENT, "there is no row %lld: rows count from 0", (long long)$input);
%}
%typemap(in) uint64_t k %{
  $1 = (uint64_t)$input;
  if ($input < 0) slw_fail(&slw_error, SL_ERROR_INVALID_ARGUMENT, "there is no class %lld: classes count from 0", (long long)$input);
%}

%typemap(in) uint32_t threads, uint32_t folds %{
  $1 = (uint32_t)$input;
  if ($input < 0) slw_fail(&slw_error, SL_ERROR_INVALID_ARGUMENT, "there cannot be %ld $1_name", (long)$input);
%}

// Handles are their addresses.
%define SLW_HANDLE(CTYPE)
%typemap(jni) CTYPE * "jlong"
%typemap(jtype) CTYPE * "long"
%typemap(jstype) CTYPE * "long"
%typemap(javain) CTYPE * "$javainput"
%typemap(javaout) CTYPE * { return $jnicall; }
%typemap(in) CTYPE * %{ $1 = ($1_ltype)(intptr_t)$input; %}
%typemap(out) CTYPE * %{ $result = (jlong)(intptr_t)$1; %}
%apply CTYPE * { const CTYPE * };
%enddef
SLW_HANDLE(sl_options)
SLW_HANDLE(sl_model)
SLW_HANDLE(sl_dataset)
SLW_HANDLE(sl_builder)
SLW_HANDLE(sl_encoder)
SLW_HANDLE(sl_search)
SLW_HANDLE(slw_reader)

// Text goes in as bytes: the strings of JNI are not UTF-8.
%typemap(jni) const char *TEXT "jbyteArray"
%typemap(jtype) const char *TEXT "byte[]"
%typemap(jstype) const char *TEXT "String"
%typemap(javain) const char *TEXT "Text.utf8($javainput)"
%typemap(in) const char *TEXT (char copy[SLW_COPIED], char *heap = NULL) {
  const jsize length = JCALL1(GetArrayLength, jenv, $input);
  char *text = length < SLW_COPIED ? copy : (heap = (char *)malloc((size_t)length + 1));
  if (text) {
    JCALL4(GetByteArrayRegion, jenv, $input, 0, length, (jbyte *)text);
    text[length] = '\0';
  } else slw_no_memory(&slw_error);
  $1 = text;
}
%typemap(argout) const char *TEXT ""
%typemap(freearg) const char *TEXT %{ free(heap$argnum); %}
%apply const char *TEXT { const char *name, const char *value, const char *metric, const char *path,
                           const char *first, const char *second, const char *note, const char *grid };

// Arrays that go in. NULL is let through: the Java classes know which arrays may be missing.
%define SLW_ARRAY_IN(CTYPE, NAME, JTYPE, JNAME, JAVATYPE)
%typemap(jni) (const CTYPE *NAME, size_t N) "JTYPE""Array"
%typemap(jtype) (const CTYPE *NAME, size_t N) "JAVATYPE[]"
%typemap(jstype) (const CTYPE *NAME, size_t N) "JAVATYPE[]"
%typemap(javain) (const CTYPE *NAME, size_t N) "$javainput"
%typemap(in) (const CTYPE *NAME, size_t N) (CTYPE copy[SLW_COPIED], CTYPE *heap = NULL, JTYPE *pinned = NULL) {
  $2 = $input ? (size_t)JCALL1(GetArrayLength, jenv, $input) : 0;
  if ($2 <= SLW_COPIED) $1 = $input ? copy : NULL;
  else if (!slw_pins("$symname") && !($1 = heap = (CTYPE *)malloc($2 * sizeof *heap))) slw_no_memory(&slw_error);
  for (size_t done = 0; $1 && done < $2; done += SLW_CHUNK)
    JCALL4(Get##JNAME##ArrayRegion, jenv, $input, (jsize)done, slw_piece($2 - done), (JTYPE *)$1 + done);
}
%typemap(check) (const CTYPE *NAME, size_t N) {
  if ($2 > SLW_COPIED && slw_pins("$symname")) {
    pinned$argnum = (JTYPE *)JCALL2(GetPrimitiveArrayCritical, jenv, $input, NULL);
    $1 = (CTYPE *)pinned$argnum;
    if (!pinned$argnum) slw_no_memory(&slw_error);
  }
}
%typemap(argout) (const CTYPE *NAME, size_t N) ""
%typemap(freearg) (const CTYPE *NAME, size_t N) %{
  if (pinned$argnum) JCALL3(ReleasePrimitiveArrayCritical, jenv, $input, pinned$argnum, JNI_ABORT);
  free(heap$argnum);
%}
%enddef
SLW_ARRAY_IN(uint32_t, U32, jint, Int, int)
SLW_ARRAY_IN(int64_t, I64, jlong, Long, long)
SLW_ARRAY_IN(double, F64, jdouble, Double, double)
SLW_ARRAY_IN(uint8_t, BYTES, jbyte, Byte, byte)

// Floats are always copied, since they are made doubles on the way.
%typemap(jni) (const double *floats, size_t n_floats) "jfloatArray"
%typemap(jtype) (const double *floats, size_t n_floats) "float[]"
%typemap(jstype) (const double *floats, size_t n_floats) "float[]"
%typemap(javain) (const double *floats, size_t n_floats) "$javainput"
%typemap(in) (const double *floats, size_t n_floats) (double copy[SLW_COPIED], double *heap = NULL) {
  double *doubles = copy;
  $2 = $input ? (size_t)JCALL1(GetArrayLength, jenv, $input) : 0;
  if ($2 > SLW_COPIED && !(doubles = heap = (double *)malloc($2 * sizeof *heap))) slw_no_memory(&slw_error);
  for (size_t done = 0; doubles && done < $2; done += SLW_COPIED) {
    jfloat piece[SLW_COPIED];
    const jsize count = (jsize)($2 - done < SLW_COPIED ? $2 - done : SLW_COPIED);
    JCALL4(GetFloatArrayRegion, jenv, $input, (jsize)done, count, piece);
    for (jsize k = 0; k < count; ++k) doubles[done + (size_t)k] = piece[k];
  }
  $1 = $input ? doubles : NULL;
}
%typemap(argout) (const double *floats, size_t n_floats) ""
%typemap(freearg) (const double *floats, size_t n_floats) %{ free(heap$argnum); %}

// Arrays that are filled: always there.
%define SLW_ARRAY_OUT(CTYPE, NAME, JTYPE, JNAME, JAVATYPE)
%typemap(jni) (CTYPE *NAME, size_t N) "JTYPE""Array"
%typemap(jtype) (CTYPE *NAME, size_t N) "JAVATYPE[]"
%typemap(jstype) (CTYPE *NAME, size_t N) "JAVATYPE[]"
%typemap(javain) (CTYPE *NAME, size_t N) "$javainput"
%typemap(in) (CTYPE *NAME, size_t N) (CTYPE *heap = NULL, JTYPE *pinned = NULL) {
  $2 = (size_t)JCALL1(GetArrayLength, jenv, $input);
  if (!slw_pins("$symname") && !($1 = heap = (CTYPE *)calloc($2 + 1, sizeof *heap))) slw_no_memory(&slw_error);
}
%typemap(check) (CTYPE *NAME, size_t N) {
  if (slw_pins("$symname")) {
    pinned$argnum = (JTYPE *)JCALL2(GetPrimitiveArrayCritical, jenv, $input, NULL);
    $1 = (CTYPE *)pinned$argnum;
    if (!pinned$argnum) slw_no_memory(&slw_error);
  }
}
%typemap(argout) (CTYPE *NAME, size_t N) ""
%typemap(freearg) (CTYPE *NAME, size_t N) %{
  if (pinned$argnum) JCALL3(ReleasePrimitiveArrayCritical, jenv, $input, pinned$argnum, 0);
  for (size_t done = 0; heap$argnum && slw_error.status == SL_OK && done < $2; done += SLW_CHUNK)
    JCALL4(Set##JNAME##ArrayRegion, jenv, $input, (jsize)done, slw_piece($2 - done), (JTYPE *)heap$argnum + done);
  free(heap$argnum);
%}
%enddef
SLW_ARRAY_OUT(uint32_t, U32_OUT, jint, Int, int)
SLW_ARRAY_OUT(double, F64_OUT, jdouble, Double, double)
SLW_ARRAY_OUT(uint8_t, BYTES_OUT, jbyte, Byte, byte)

// Callbacks.
%define SLW_CALLBACK(PATTERN, FUNCTION, JAVATYPE)
%typemap(jni) PATTERN "jobject"
%typemap(jtype) PATTERN "JAVATYPE"
%typemap(jstype) PATTERN "JAVATYPE"
%typemap(javain) PATTERN "$javainput"
%typemap(in) PATTERN (slw_callback callback) {
  callback.jenv = jenv;
  callback.calls = jcls;
  callback.target = $input;
  callback.method = NULL;
  callback.buffer = NULL;
  $1 = $input ? FUNCTION : NULL;
  $2 = &callback;
}
%enddef
SLW_CALLBACK((sl_progress_fn progress, void *user), slw_progress, Progress)
SLW_CALLBACK((sl_read_fn read, void *user), slw_read, java.io.InputStream)

// What came in may have failed already.
%exception %{ if (slw_error.status == SL_OK) { $action } else memset(&result, 0, sizeof result); %}
%noexception slw_version;
%noexception slw_status_name;
%noexception slw_option_count;
%noexception slw_options_free;
%noexception slw_model_free;
%noexception slw_dataset_free;
%noexception slw_builder_free;
%noexception slw_encoder_free;
%noexception slw_search_free;
%noexception slw_reader_free;

%include "sparselin.i"
%include "classes.i"
%include "encoder.i"
%include "search.i"
%include "java_calls.i"
