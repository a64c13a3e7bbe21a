/*
 * Python: arrays, errors and callbacks for sparselin.i, as C++ for the limited API of CPython 3.9 and later. The
 * hand-written package sparselin stands between these calls and the world.
 *
 * Nothing is copied: an array of the very type goes in as its address and length, by the buffer protocol. Whatever else
 * there is (a list, other numbers) is first made such an array by the package's convert(object, kind). Handles are
 * capsules, which know whether calls use them: calls that take long release the interpreter's lock, and every count
 * below changes only while it is held.
 */
%module native

// slw_model_feed_csr becomes model_feed_csr.
%rename("%(regex:/^slw_([a-z_]+)$/\\1/)s", %$isfunction) "";

%include "python_objects.i"

// Errors: what Python raised meanwhile comes before what the library says of it.
%typemap(in, numinputs=0) sl_error *error (sl_error failed) %{
  failed.status = SL_OK;
  failed.row = -1;
  $1 = &failed;
%}
%typemap(argout) sl_error *error %{
  if ($1->status != SL_OK || PyErr_Occurred()) {
    const int system = errno;
    if (!PyErr_Occurred()) slw_raise($1, $1->status == SL_ERROR_IO ? system : 0, slw_done);
    Py_CLEAR($result);
    SWIG_fail;
  }
%}
%typemap(arginit) sl_error *error "long long slw_done = -1; (void)slw_done;"
%typemap(out) slw_result %{ (void)$1; $result = SWIG_Py_Void(); %}
%typemap(out) slw_rows %{ slw_done = (long long)$1; $result = PyLong_FromLongLong(slw_done); %}

// Numbers: Python's, numpy's, and whatever else says that it is one.
%define SLW_WHOLE(PATTERN, MOST, STATUS)
%typemap(in) PATTERN %{
  {
    unsigned long long number = 0;
    if (!slw_whole($input, "$1_name", MOST, STATUS, &number)) SWIG_fail;
    $1 = ($1_ltype)number;
  }
%}
%enddef
SLW_WHOLE(uint64_t, UINT64_MAX, SL_ERROR_INVALID_ARGUMENT)
SLW_WHOLE(size_t, SIZE_MAX, SL_ERROR_INVALID_ARGUMENT)
SLW_WHOLE(uint32_t, UINT32_MAX, SL_ERROR_INVALID_ARGUMENT)
SLW_WHOLE(uint32_t index, UINT32_MAX, SL_ERROR_INVALID_DATA)
%typemap(out) uint64_t, size_t %{ $result = PyLong_FromUnsignedLongLong($1); %}
%typemap(in) double %{
  $1 = PyFloat_AsDouble($input);
  if ($1 == -1 && PyErr_Occurred()) SWIG_fail;
%}

// Handles.
%define SLW_HANDLE(CTYPE, WHAT, FREE)
%{ static void FREE ## _any(void *handle) { FREE((CTYPE *)handle); } %}
%typemap(in) CTYPE * (slw_box *box = NULL) %{
  if (!(box = slw_enter($input, WHAT, true))) SWIG_fail;
  $1 = ($1_ltype)box->handle;
%}
%typemap(in) const CTYPE * (slw_box *box = NULL) %{
  if ($input != Py_None) {
    if (!(box = slw_enter($input, WHAT, false))) SWIG_fail;
    $1 = ($1_ltype)box->handle;
  }
%}
%typemap(freearg) CTYPE *, const CTYPE * "slw_leave(box$argnum);"
%typemap(out) CTYPE * %{ $result = slw_own($1, WHAT, FREE ## _any); %}
%enddef
SLW_HANDLE(sl_options, "options", sl_options_free)
SLW_HANDLE(sl_model, "model", sl_model_free)
SLW_HANDLE(sl_dataset, "data set", sl_dataset_free)
SLW_HANDLE(sl_builder, "builder", sl_builder_free)
SLW_HANDLE(sl_encoder, "encoder", sl_encoder_free)
SLW_HANDLE(sl_search, "search", sl_search_free)
%{ static void slw_reader_free(struct slw_reader *reader); %}
SLW_HANDLE(slw_reader, "reader", slw_reader_free)
%ignore slw_options_free;
%ignore slw_model_free;
%ignore slw_dataset_free;
%ignore slw_builder_free;
%ignore slw_encoder_free;
%ignore slw_search_free;
%ignore slw_reader_free;

// Arrays.
%define SLW_ARRAY(PATTERN, KIND, LETTERS, SIZE)
%typemap(in) PATTERN (slw_view array) %{
  if (!slw_take($input, &array, KIND, LETTERS, SIZE)) SWIG_fail;
  if (array.held) {
    $1 = ($1_ltype)array.view.buf;
    $2 = (size_t)(array.view.len / SIZE);
  } else $1 = NULL, $2 = 0;
%}
%typemap(argout) PATTERN ""
%typemap(freearg) PATTERN ""
%enddef
SLW_ARRAY((const uint32_t *U32, size_t N), "uint32", "ILil", 4)
%typemap(check) (const uint32_t *U32, size_t N) "if (!slw_none_negative(&array$argnum)) SWIG_fail;"
SLW_ARRAY((const int64_t *I64, size_t N), "int64", "lq", 8)
SLW_ARRAY((const double *F64, size_t N), "float64", "d", 8)
SLW_ARRAY((const uint8_t *BYTES, size_t N), "uint8", "B", 1)
%define SLW_FILLED(PATTERN, LETTERS, SIZE)
%typemap(in) PATTERN (slw_view array) %{
  if (!slw_fill($input, &array, LETTERS, SIZE)) SWIG_fail;
  if (array.held) {
    $1 = ($1_ltype)array.view.buf;
    $2 = (size_t)(array.view.len / SIZE);
  } else $1 = NULL, $2 = 0;
%}
%typemap(argout) PATTERN ""
%typemap(freearg) PATTERN ""
%enddef
SLW_FILLED((int64_t *I64_OUT, size_t N), "lq", 8)
%apply (int64_t *I64_OUT, size_t N) { (int64_t *pointers_out, size_t n_pointers) };
SLW_FILLED((uint32_t *U32_OUT, size_t N), "IL", 4)
SLW_FILLED((double *F64_OUT, size_t N), "d", 8)
%apply (double *F64_OUT, size_t N) { (double *weights_out, size_t n_weights) };
SLW_FILLED((uint8_t *BYTES_OUT, size_t N), "B", 1)

// Text.
%typemap(in) const char * (PyObject *bytes = NULL) %{
  {
    const char *text = NULL;
    if (!(bytes = slw_text($input, &text))) SWIG_fail;
    $1 = ($1_ltype)text;
  }
%}
%typemap(freearg) const char * "Py_XDECREF(bytes$argnum);"
%typemap(out) const char *, char * %{ $result = $1 ? PyUnicode_DecodeUTF8($1, (Py_ssize_t)strlen($1), "surrogateescape") : SWIG_Py_Void(); %}
%typemap(newfree) char * "free($1);"

// Callbacks.
%typemap(in) (sl_progress_fn progress, void *user) "$1 = slw_progress; $2 = $input;"
%typemap(in) (sl_read_fn read, void *user) "$1 = slw_read; $2 = $input;"

// Other threads run during calls that may take long.
%define SLW_LONG(NAME)
%exception NAME %{
  Py_BEGIN_ALLOW_THREADS
  $action
  Py_END_ALLOW_THREADS
%}
%enddef
SLW_LONG(slw_model_clone)
SLW_LONG(slw_model_predictor)
SLW_LONG(slw_model_start)
SLW_LONG(slw_model_observe_rows)
SLW_LONG(slw_model_feed_csr)
SLW_LONG(slw_model_feed_rows)
SLW_LONG(slw_model_fit_state)
SLW_LONG(slw_model_fit)
SLW_LONG(slw_model_finalize)
SLW_LONG(slw_model_predict_csr)
SLW_LONG(slw_model_predict_dataset)
SLW_LONG(slw_model_scores_csr)
SLW_LONG(slw_model_scores_dataset)
SLW_LONG(slw_model_evaluate)
SLW_LONG(slw_model_confusion)
SLW_LONG(slw_model_nonzeros)
SLW_LONG(slw_model_class_nonzeros)
SLW_LONG(slw_model_to_bytes)
SLW_LONG(slw_model_from_bytes)
SLW_LONG(slw_model_save)
SLW_LONG(slw_model_load)
SLW_LONG(slw_dataset_from_csr)
SLW_LONG(slw_dataset_from_csc)
SLW_LONG(slw_dataset_with_labels)
SLW_LONG(slw_dataset_load)
SLW_LONG(slw_dataset_read)
SLW_LONG(slw_dataset_save)
SLW_LONG(slw_dataset_copy)
SLW_LONG(slw_dataset_labels)
SLW_LONG(slw_reader_next)
SLW_LONG(slw_encoder_texts)
SLW_LONG(slw_encoder_to_bytes)
SLW_LONG(slw_encoder_from_bytes)
SLW_LONG(slw_encoder_save)
SLW_LONG(slw_encoder_load)
SLW_LONG(slw_evaluate_scores)
SLW_LONG(slw_calibration)
SLW_LONG(slw_search_run)

%ignore slw_model_merge; // whose models are addresses
%include "sparselin.i"
%include "classes.i"
%ignore slw_encoder_row; // whose indices are signed
%include "encoder.i"
%include "search.i"

%{
static bool slw_add_field(sl_encoder *encoder, const char *name, PyObject *value, sl_error *error) {
    const char *text = NULL;
    if (value == Py_None) return true;
    if (PyUnicode_Check(value)) {
        const bool is_text = PyObject_IsInstance(value, slw_text_type) == 1;
        PyObject *bytes = PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape");
        char *start = NULL;
        Py_ssize_t length = 0;
        if (!bytes || PyBytes_AsStringAndSize(bytes, &start, is_text ? &length : NULL) < 0) {
            Py_XDECREF(bytes);
            return false;
        }
        if (is_text) sl_encoder_text(encoder, name, start, (size_t)length, error);
        else sl_encoder_category(encoder, name, start, error);
        Py_DECREF(bytes);
        return error->status == SL_OK;
    }
    if (PyList_Check(value) || PyTuple_Check(value)) {
        const Py_ssize_t count = PySequence_Size(value);
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject *item = PySequence_GetItem(value, i);
            const bool added = item && slw_add_field(encoder, name, item, error);
            Py_XDECREF(item);
            if (!added) return false;
        }
        return true;
    }
    if (value == Py_True || value == Py_False) text = value == Py_True ? "true" : "false";
    if (text) return sl_encoder_category(encoder, name, text, error) == SL_OK;
    if (!PyFloat_Check(value) && !PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "field %s is neither a number nor text, a bool, a list of these, nor None: %R", name, value);
        return false;
    }
    const double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) return false;
    return sl_encoder_number(encoder, name, number, error) == SL_OK;
}

static bool slw_fill_record(sl_encoder *encoder, PyObject *fields, sl_error *error) {
    PyObject *key, *value;
    Py_ssize_t place = 0;
    if (sl_encoder_clear(encoder, error) != SL_OK) return false;
    while (PyDict_Next(fields, &place, &key, &value)) {
        const char *name = NULL;
        PyObject *bytes = slw_text(key, &name);
        const bool added = bytes && slw_add_field(encoder, name, value, error);
        Py_XDECREF(bytes);
        if (!added) return false;
    }
    return true;
}
%}

%inline %{
static void slw_set_up(PyObject *failure, PyObject *convert, PyObject *text_type) {
    Py_INCREF(failure);
    Py_INCREF(convert);
    Py_INCREF(text_type);
    slw_failure = failure;
    slw_convert = convert;
    slw_text_type = text_type;
}
static void close(PyObject *capsule) { slw_close(capsule); }
static bool is_closed(PyObject *capsule) { return slw_is_closed(capsule); }

/* Refuses negative indices in rows first to first + count, which came as int32 and look like large ones of uint32. */
static slw_result slw_check_signed(const int64_t *pointers, size_t n_pointers, const uint32_t *indices, size_t n_indices, uint64_t first,
                                   uint64_t count, sl_error *error) {
    if (!slw_within(pointers, n_pointers, first, count, n_indices, error)) return error->status;
    const int64_t begin = pointers[first], end = pointers[first + count] > begin ? pointers[first + count] : begin;
    const int64_t place = begin + (int64_t)slw_first_negative(indices + begin, (size_t)(end - begin));
    if (place == end) return SL_OK;
    uint64_t row = first;
    while (row + 1 < first + count && pointers[row + 1] <= place) ++row;
    slw_fail(error, SL_ERROR_INVALID_DATA, "row %llu: an index is %ld, below 0", (unsigned long long)row, (long)(int32_t)indices[place]);
    error->row = (int64_t)row;
    return error->status;
}

/* Labels and weights of all rows, of which nothing else is touched. */
static slw_result slw_dataset_labels(const sl_dataset *data, double *labels_out, size_t n_labels, double *weights_out, size_t n_weights,
                                     sl_error *error) {
    size_t count;
    for (size_t row = 0; row < n_labels && row < n_weights; ++row)
        if (sl_dataset_row(data, row, NULL, NULL, 0, &count, labels_out + row, weights_out + row, error) != SL_OK) break;
    return error->status;
}

/* All rows of a data set, as a matrix in compressed sparse rows that has room for them. */
static slw_result slw_dataset_copy(const sl_dataset *data, int64_t *pointers_out, size_t n_pointers, uint32_t *indices_out, size_t n_indices,
                                   double *values_out, size_t n_values, sl_error *error) {
    size_t at = 0;
    for (size_t row = 0; row + 1 < n_pointers; ++row) {
        const size_t room = n_indices - at;
        size_t count = 0;
        pointers_out[row] = (int64_t)at;
        if (sl_dataset_row(data, row, indices_out + at, values_out + at, room, &count, NULL, NULL, error) != SL_OK || count > room) break;
        at += count;
    }
    pointers_out[n_pointers - 1] = (int64_t)at;
    (void)n_values;
    return error->status;
}

// The models of a tuple, merged: where parts is not 0 all but the first, which the others were copies of when their round began.
static sl_model *slw_model_merge_all(PyObject *models, double parts, sl_error *error) {
    const Py_ssize_t count = PyTuple_Size(models);
    slw_box **boxes = new slw_box *[count + 1];
    const sl_model **handles = new const sl_model *[count + 1];
    sl_model *merged = NULL;
    Py_ssize_t entered = 0;
    while (entered < count && (boxes[entered] = slw_enter(PyTuple_GetItem(models, entered), "model", false))) {
        handles[entered] = (const sl_model *)boxes[entered]->handle;
        ++entered;
    }
    if (entered == count) {
        Py_BEGIN_ALLOW_THREADS
        if (parts != 0)
            sl_model_merge_round(handles[0], handles + 1, (size_t)count - 1, parts, &merged, error);
        else
            sl_model_merge(handles, (size_t)count, &merged, error);
        Py_END_ALLOW_THREADS
    }
    while (entered > 0) slw_leave(boxes[--entered]);
    delete[] boxes;
    delete[] handles;
    return merged;
}

// The record as two bytearrays, of indices and of values.
static PyObject *slw_encoder_take_row(sl_encoder *encoder, sl_error *error) {
    const uint32_t *indices = NULL;
    const double *values = NULL;
    size_t count = 0;
    if (sl_encoder_row(encoder, &indices, &values, &count, error) != SL_OK) Py_RETURN_NONE;
    PyObject *first = PyByteArray_FromStringAndSize((const char *)indices, (Py_ssize_t)(count * sizeof *indices));
    PyObject *second = PyByteArray_FromStringAndSize((const char *)values, (Py_ssize_t)(count * sizeof *values));
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

// A dictionary of fields, as a record by itself, turned into a row.
static PyObject *slw_encoder_record(sl_encoder *encoder, PyObject *fields, sl_error *error) {
    if (!slw_fill_record(encoder, fields, error)) Py_RETURN_NONE;
    return slw_encoder_take_row(encoder, error);
}

// The same, whose row a builder gets.
static slw_result slw_encoder_add_record(sl_encoder *encoder, PyObject *fields, sl_builder *builder, double label, double weight,
                                         sl_error *error) {
    const uint32_t *indices = NULL;
    const double *values = NULL;
    size_t count = 0;
    if (!slw_fill_record(encoder, fields, error) || sl_encoder_row(encoder, &indices, &values, &count, error) != SL_OK) return error->status;
    return sl_builder_add(builder, indices, values, count, label, weight, error);
}
%}
