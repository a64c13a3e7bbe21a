/*
 * R: conditions, and callbacks that R may leave by a jump, which r.i declares; long work in parts, between which R may look in.
 */
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
