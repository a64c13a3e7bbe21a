/*
 * Python: what the typemaps of python.i stand on. Failures, handles that know who uses them, views of arrays, text, and callbacks.
 */
%{
#include <errno.h>
#include <sparselin.h>

#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030b0000
// The buffer protocol is in the limited API from 3.11 on, as it was in every CPython 3 before.
extern "C" {
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
PyAPI_FUNC(PyObject *) PyMemoryView_FromMemory(char *memory, Py_ssize_t size, int flags);
}
#define PyBUF_WRITABLE 0x0001
#define PyBUF_FORMAT 0x0004
#define PyBUF_ND 0x0008
#define PyBUF_STRIDES (0x0010 | PyBUF_ND)
#define PyBUF_C_CONTIGUOUS (0x0020 | PyBUF_STRIDES)
#endif

// What the package gives: failure(status, message, row, errno, rows_done) makes an exception, convert(object, kind) an
// array; texts are of the type slw_text_type.
static PyObject *slw_failure, *slw_convert, *slw_text_type;

static void slw_raise(const sl_error *error, int system, long long done) {
    PyObject *made = PyObject_CallFunction(slw_failure, "isLiL", (int)error->status, error->message, (long long)error->row, system, done);
    if (made) PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
}

static void slw_raise_text(sl_status status, const char *text) {
    sl_error error;
    error.status = status;
    error.row = -1;
    strncpy(error.message, text, sizeof error.message - 1);
    error.message[sizeof error.message - 1] = 0;
    slw_raise(&error, 0, -1);
}

// A whole number from 0 to `most`. What is no whole number is a TypeError, what is out of range an error of the status.
static bool slw_whole(PyObject *object, const char *name, unsigned long long most, sl_status status, unsigned long long *number) {
    PyObject *whole = PyNumber_Index(object);
    if (!whole) return false;
    *number = PyLong_AsUnsignedLongLong(whole);
    const bool fits = !PyErr_Occurred() && *number <= most;
    if (!fits) {
        PyErr_Clear();
        PyObject *text = PyUnicode_FromFormat("%s is %S, but must be from 0 to %llu", name, whole, most);
        PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
        if (bytes) slw_raise_text(status, PyBytes_AsString(bytes));
        Py_XDECREF(text);
        Py_XDECREF(bytes);
    }
    Py_DECREF(whole);
    return fits;
}

// What a capsule holds. A call that may change the handle has it alone; any number of others share it. Closed while
// calls use it, it is freed when the last of them returns.
struct slw_box {
    void *handle;
    void (*release)(void *);
    const char *name;
    int users;
    bool alone, closed;
};

static void slw_empty(slw_box *box) {
    if (box->users > 0 || !box->handle) return;
    box->release(box->handle);
    box->handle = NULL;
}

static void slw_forget(PyObject *capsule) {
    slw_box *box = (slw_box *)PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    slw_empty(box);
    delete box;
}

static PyObject *slw_own(void *handle, const char *name, void (*release)(void *)) {
    if (!handle) Py_RETURN_NONE; // the call has failed
    slw_box *box = new slw_box{handle, release, name, 0, false, false};
    PyObject *capsule = PyCapsule_New(box, name, slw_forget);
    if (capsule) return capsule;
    release(handle);
    delete box;
    return NULL;
}

static slw_box *slw_enter(PyObject *capsule, const char *name, bool alone) {
    slw_box *box = (slw_box *)PyCapsule_GetPointer(capsule, name);
    char text[128];
    if (!box) return NULL;
    if (box->closed) {
        snprintf(text, sizeof text, "the %s is closed", name);
        slw_raise_text(SL_ERROR_INVALID_ARGUMENT, text);
        return NULL;
    }
    if (box->alone || (alone && box->users > 0)) {
        snprintf(text, sizeof text, "the %s is in use by %s", name, box->alone ? "a call that changes it" : "other calls, and this one would change it");
        slw_raise_text(SL_ERROR_STATE, text);
        return NULL;
    }
    ++box->users;
    box->alone = alone;
    return box;
}

static void slw_leave(slw_box *box) {
    if (!box) return;
    box->alone = false;
    --box->users;
    if (box->closed) slw_empty(box);
}

static void slw_close(PyObject *capsule) {
    slw_box *box = (slw_box *)PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    if (!box) return;
    box->closed = true;
    slw_empty(box);
}

static bool slw_is_closed(PyObject *capsule) { return ((slw_box *)PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)))->closed; }

// An array that goes in or is filled.
struct slw_view {
    Py_buffer view;
    bool held;
    slw_view() : held(false) {}
    ~slw_view() {
        if (held) PyBuffer_Release(&view);
    }
    bool take(PyObject *object, int flags) {
        held = PyObject_GetBuffer(object, &view, flags) == 0;
        return held;
    }
    // Whether it is contiguous, of one dimension, and of items of one of these letters of the module struct. The sizes
    // of i and l differ.
    bool fits(const char *letters, Py_ssize_t size) const {
        const char *format = view.format ? view.format : "B";
        if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<')) ++format;
        return view.ndim == 1 && view.itemsize == size && *format && !format[1] && strchr(letters, *format) &&
               (view.len == 0 || view.strides[0] == size);
    }
};

// Takes an array of items of this kind, after it was made one if it is none. None is an absent array.
static bool slw_take(PyObject *object, slw_view *array, const char *kind, const char *letters, Py_ssize_t size) {
    if (object == Py_None) return true;
    if (array->take(object, PyBUF_FORMAT | PyBUF_STRIDES)) {
        if (array->fits(letters, size)) return true;
        PyBuffer_Release(&array->view);
        array->held = false;
    } else PyErr_Clear();
    PyObject *made = PyObject_CallFunction(slw_convert, "Os", object, kind);
    const bool taken = made && array->take(made, PyBUF_FORMAT | PyBUF_STRIDES);
    Py_XDECREF(made); // the view keeps it
    if (taken && !array->fits(letters, size)) PyErr_Format(PyExc_TypeError, "%s were expected", kind);
    return taken && array->fits(letters, size);
}

static bool slw_fill(PyObject *object, slw_view *array, const char *letters, Py_ssize_t size) {
    if (object == Py_None) return true;
    if (!array->take(object, PyBUF_FORMAT | PyBUF_STRIDES | PyBUF_WRITABLE)) return false;
    if (array->fits(letters, size)) return true;
    PyErr_SetString(PyExc_TypeError, "an array to be filled must be contiguous and of the very type: float64 for scores");
    return false;
}

// The first negative index among `count`, which were items of int32 and look like large ones of uint32; `count` if
// there is none. Eight are looked at at once.
static size_t slw_first_negative(const uint32_t *indices, size_t count) {
    uint64_t all = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t pairs[4];
        memcpy(pairs, indices + i, sizeof pairs);
        all |= (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
    }
    for (; i < count; ++i) all |= indices[i];
    if (!(all & 0x8000000080000000u)) return count;
    for (i = 0; indices[i] <= INT32_MAX;) ++i;
    return i;
}

static bool slw_none_negative(const slw_view *array) {
    const char letter = array->held && array->view.format ? array->view.format[strlen(array->view.format) - 1] : 'I';
    if (letter != 'i' && letter != 'l') return true;
    const uint32_t *indices = (const uint32_t *)array->view.buf;
    const size_t count = (size_t)(array->view.len / 4), i = slw_first_negative(indices, count);
    if (i == count) return true;
    char text[64];
    snprintf(text, sizeof text, "an index is %ld, below 0", (long)(int32_t)indices[i]);
    slw_raise_text(SL_ERROR_INVALID_DATA, text);
    return false;
}

// Text without a NUL, held by the object that is returned: UTF-8 of a str, or bytes as they are.
static PyObject *slw_text(PyObject *object, const char **text) {
    PyObject *bytes = PyUnicode_Check(object) ? PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape") : (Py_INCREF(object), object);
    char *start = NULL;
    if (bytes && PyBytes_AsStringAndSize(bytes, &start, NULL) < 0) { // which refuses a NUL, and what is no bytes
        Py_DECREF(bytes);
        return NULL;
    }
    *text = start;
    return bytes;
}

// The library calls back on the thread that made the call, which has released the lock. Once Python has raised an
// exception, or a signal has, the call ends, and raises it.
struct slw_lock {
    PyGILState_STATE state;
    slw_lock() : state(PyGILState_Ensure()) {}
    ~slw_lock() { PyGILState_Release(state); }
};

static int slw_progress(const sl_progress *progress, void *user) {
    slw_lock lock;
    if (PyErr_CheckSignals() < 0) return 1;
    if (user == Py_None) return 0;
    PyObject *answer = PyObject_CallFunction((PyObject *)user, "KKKdK", (unsigned long long)progress->steps, (unsigned long long)progress->rows,
                                             (unsigned long long)progress->rows_total, progress->mean_loss, (unsigned long long)progress->epoch);
    const int stop = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return stop != 0;
}

static int64_t slw_read(void *user, void *buffer, size_t capacity) {
    slw_lock lock;
    char *start = NULL;
    Py_ssize_t length = -1;
    PyObject *bytes = PyErr_CheckSignals() < 0 ? NULL : PyObject_CallFunction((PyObject *)user, "n", (Py_ssize_t)capacity);
    if (bytes && PyBytes_AsStringAndSize(bytes, &start, &length) == 0) {
        if (length > (Py_ssize_t)capacity) {
            PyErr_Format(PyExc_ValueError, "%zd bytes were asked for, but read() gave %zd", (Py_ssize_t)capacity, length);
            length = -1;
        } else memcpy(buffer, start, (size_t)length);
    }
    Py_XDECREF(bytes);
    return length;
}
%}
