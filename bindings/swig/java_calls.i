/*
 * The calls that only Java needs, and what the typemaps of java.i declare: exceptions and callbacks.
 */
%inline %{
static uint64_t slw_encoder_memory(const sl_encoder *encoder, sl_error *error) {
    uint64_t bytes = 0;
    sl_encoder_memory(encoder, &bytes, error);
    return bytes;
}
static slw_result slw_encoder_set_note(sl_encoder *encoder, const char *note, sl_error *error) {
    return sl_encoder_set_note(encoder, note, error);
}
/* As slw_encoder_name. */
static uint64_t slw_encoder_note(const sl_encoder *encoder, uint8_t *bytes_out, size_t n_bytes, sl_error *error) {
    size_t length = 0;
    sl_encoder_note(encoder, (char *)bytes_out, n_bytes, &length, error);
    return length;
}
/* The record as a row of a data set, where indices may be any. */
static slw_result slw_encoder_add_row(sl_encoder *encoder, sl_builder *builder, double label, sl_error *error) {
    const uint32_t *indices = NULL;
    const double *values = NULL;
    size_t count = 0;
    if (sl_encoder_row(encoder, &indices, &values, &count, error) != SL_OK) return error->status;
    return sl_builder_add(builder, indices, values, count, label, 1, error);
}
%}

static slw_bytes slw_model_as_bytes(const sl_model *model, int keep, sl_error *error);

%{
static sl_dataset *slw_record(sl_encoder *encoder, sl_error *error) {
    const uint32_t *indices = NULL;
    const double *values = NULL, label = 0;
    size_t count = 0;
    int64_t pointers[2] = {0, 0};
    sl_dataset *data = NULL;
    if (sl_encoder_row(encoder, &indices, &values, &count, error) != SL_OK) return NULL;
    pointers[1] = (int64_t)count;
    sl_dataset_from_csr(1, pointers, indices, values, &label, NULL, &data, error);
    return data;
}
%}
%inline %{
static double slw_model_predict_record(const sl_model *model, sl_encoder *encoder, sl_error *error) {
    double score = 0;
    sl_dataset *data = NULL;
    /* What predicts no example by a call of one predicts no record: told so, and not of data sets. */
    if (sl_model_predict(model, NULL, NULL, 0, &score, error) == SL_OK) data = slw_record(encoder, error);
    if (data) sl_model_predict_dataset(model, data, &score, 1, error);
    sl_dataset_free(data);
    return score;
}
static slw_result slw_model_scores_record(const sl_model *model, sl_encoder *encoder, double *scores_out, size_t n_scores, sl_error *error) {
    sl_dataset *data = slw_record(encoder, error);
    if (data) sl_model_scores_dataset(model, data, scores_out, n_scores, error);
    sl_dataset_free(data);
    return error->status;
}
%}

%inline %{
/* The score of the entries from `from` to before `to`, which are there. */
static double slw_model_predict_part(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *values, size_t n_values,
                                     size_t from, size_t to, sl_error *error) {
    double score = 0;
    if (slw_fits(values, n_values, n_indices, "values", "indices", error))
        sl_model_predict(model, indices + from, values ? values + from : NULL, to - from, &score, error);
    return score;
}
%}

%inline %{
/* The same of values that are floats in Java. */
static slw_result slw_model_feed_floats(sl_model *model, const uint32_t *indices, size_t n_indices, const double *floats, size_t n_floats,
                                        double label, double weight, sl_error *error) {
    return slw_model_feed(model, indices, n_indices, floats, n_floats, label, weight, error);
}
static double slw_model_predict_floats(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *floats, size_t n_floats,
                                       sl_error *error) {
    return slw_model_predict(model, indices, n_indices, floats, n_floats, error);
}
static slw_result slw_model_scores_floats(const sl_model *model, const uint32_t *indices, size_t n_indices, const double *floats,
                                          size_t n_floats, double *scores_out, size_t n_scores, sl_error *error) {
    return slw_model_scores(model, indices, n_indices, floats, n_floats, scores_out, n_scores, error);
}
static slw_result slw_builder_add_floats(sl_builder *builder, const uint32_t *indices, size_t n_indices, const double *floats,
                                         size_t n_floats, double label, double weight, sl_error *error) {
    return slw_builder_add(builder, indices, n_indices, floats, n_floats, 0, n_indices, label, weight, error);
}
static sl_dataset *slw_dataset_from_floats(const int64_t *pointers, size_t n_pointers, const uint32_t *indices, size_t n_indices,
                                           const double *floats, size_t n_floats, const double *labels, size_t n_labels,
                                           const double *weights, size_t n_weights, sl_error *error) {
    return slw_dataset_from_csr(pointers, n_pointers, indices, n_indices, floats, n_floats, labels, n_labels, weights, n_weights, error);
}
%}

%{
typedef struct {
    void *bytes; /* whoever takes them frees them */
    size_t length;
} slw_bytes;

enum { SLW_COPIED = 256, SLW_CHUNK = 1 << 16 }; /* array entries up to which a copy is cheaper than pinning; bytes read at a time */

/* Whether a call is of one row, or of some thousand, so that its arrays may be pinned. */
static inline int slw_pins(const char *call) {
    return strncmp(call, "modelFeed", 9) == 0 || strcmp(call, "modelObserve") == 0 || strcmp(call, "builderAdd") == 0 ||
           strcmp(call, "modelPredict") == 0 || strcmp(call, "modelPredictPart") == 0 || strcmp(call, "modelPredictCsr") == 0 ||
           strcmp(call, "modelScores") == 0 || strcmp(call, "modelScoresCsr") == 0;
}

static inline jsize slw_piece(size_t left) { return (jsize)(left < SLW_CHUNK ? left : SLW_CHUNK); }

static void slw_no_memory(sl_error *error) { slw_fail(error, SL_ERROR_OUT_OF_MEMORY, "out of memory"); }

/* The bytes of a model, with a guess of their number first, since asking for it costs as much as writing them. Memory that stays unwritten
   costs nothing. */
static slw_bytes slw_model_as_bytes(const sl_model *model, int keep, sl_error *error) {
    slw_bytes all = {NULL, 0};
    uint64_t memory = 0;
    size_t capacity;
    if (sl_model_memory(model, &memory, error) != SL_OK) return all;
    capacity = (size_t)(memory + memory / 2) + 4096; /* an array has no indices in memory, which take up to half as much again */
    if (!(all.bytes = malloc(capacity))) return slw_no_memory(error), all;
    if (sl_model_to_bytes(model, (sl_keep)keep, all.bytes, capacity, &all.length, error) != SL_OK || all.length <= capacity) return all;
    free(all.bytes);
    if (!(all.bytes = malloc(all.length))) return slw_no_memory(error), all;
    sl_model_to_bytes(model, (sl_keep)keep, all.bytes, all.length, &all.length, error);
    return all;
}

/* Makes `error` the pending exception, unless a callback has thrown one of its own. */
static void slw_throw(JNIEnv *jenv, const sl_error *error, slw_rows rows) {
    jclass type;
    jmethodID constructor;
    jbyteArray text;
    jobject exception;
    const jsize length = (jsize)strlen(error->message);
    if ((*jenv)->ExceptionCheck(jenv)) return;
    if (!(type = (*jenv)->FindClass(jenv, "org/sparselin/SparselinException"))) return;
    if (!(constructor = (*jenv)->GetMethodID(jenv, type, "<init>", "(I[BJJ)V"))) return;
    if (!(text = (*jenv)->NewByteArray(jenv, length))) return;
    (*jenv)->SetByteArrayRegion(jenv, text, 0, length, (const jbyte *)error->message);
    exception = (*jenv)->NewObject(jenv, type, constructor, (jint)error->status, text, (jlong)error->row, (jlong)rows);
    if (exception) (*jenv)->Throw(jenv, (jthrowable)exception);
}

/* What a callback needs to call Java: it comes on the thread, and within the call, that began it. */
typedef struct slw_callback {
    JNIEnv *jenv;
    jclass calls;
    jobject target;
    jmethodID method;
    jbyteArray buffer;
} slw_callback;

static int slw_progress(const sl_progress *progress, void *user) {
    slw_callback *back = (slw_callback *)user;
    JNIEnv *jenv = back->jenv;
    jboolean go_on;
    if (!back->method)
        back->method = (*jenv)->GetStaticMethodID(jenv, back->calls, "progress", "(Lorg/sparselin/Progress;JJJDJ)Z");
    if (!back->method) return 1;
    go_on = (*jenv)->CallStaticBooleanMethod(jenv, back->calls, back->method, back->target, (jlong)progress->steps, (jlong)progress->rows,
           (jlong)progress->rows_total, (jdouble)progress->mean_loss, (jlong)progress->epoch);
    return (*jenv)->ExceptionCheck(jenv) || !go_on;
}

static int64_t slw_read(void *user, void *buffer, size_t capacity) {
    slw_callback *back = (slw_callback *)user;
    JNIEnv *jenv = back->jenv;
    const jint length = capacity < SLW_CHUNK ? (jint)capacity : SLW_CHUNK;
    jint got;
    if (!back->method) {
        back->method = (*jenv)->GetStaticMethodID(jenv, back->calls, "read", "(Ljava/io/InputStream;[BI)I");
        if (!back->method || !(back->buffer = (*jenv)->NewByteArray(jenv, SLW_CHUNK))) return -1;
    }
    got = (*jenv)->CallStaticIntMethod(jenv, back->calls, back->method, back->target, back->buffer, length);
    if ((*jenv)->ExceptionCheck(jenv)) return -1;
    if (got <= 0) return 0;
    if (got > length) return -1;
    (*jenv)->GetByteArrayRegion(jenv, back->buffer, 0, got, (jbyte *)buffer);
    return got;
}
%}
