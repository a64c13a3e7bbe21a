/* Loading opens a file once, and of one that is not what it should be it reads no more than tells so. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _WIN32
#include <windows.h>
#undef near
#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#endif
#include <unistd.h>

#include "keeping.h"

static size_t bytes_read;

#ifdef _WIN32
typedef int read_function(int file, void* buffer, unsigned capacity);

/* Takes the place of the C library's in the program, with which the library is linked. */
static int read_and_count(int file, void* buffer, unsigned capacity) {
    const FARPROC found = GetProcAddress(GetModuleHandleA("msvcrt.dll"), "_read");
    read_function* next;
    memcpy(&next, &found, sizeof next);
    const int count = next(file, buffer, capacity);
    if (count > 0) bytes_read += (size_t)count;
    return count;
}

read_function* __imp__read = read_and_count;

static void make_large(const char* path) {
    const LARGE_INTEGER size = {.QuadPart = (LONGLONG)8 << 30};
    const HANDLE file = CreateFileA(path, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE && SetFilePointerEx(file, size, NULL, FILE_BEGIN) && SetEndOfFile(file));
    CloseHandle(file);
}
#else
/* These take the place of the C library's in the whole process, and the shared library's calls find them first. */
static const char* to_be_opened_once = ""; /* after which it is not there any more */
static int files_opened;

int open(const char* path, int flags, ...) {
    va_list arguments;
    mode_t mode = 0;
    va_start(arguments, flags);
    if (flags & O_CREAT) mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if (strcmp(path, to_be_opened_once) == 0 && files_opened++ > 0) {
        errno = ENOENT;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode); /* as the library asks for where it is no default */
}

ssize_t read(int file, void* buffer, size_t capacity) {
    const ssize_t count = syscall(SYS_read, file, buffer, capacity);
    if (count > 0) bytes_read += (size_t)count;
    return count;
}

static void make_large(const char* path) { assert_int_equal(truncate(path, (off_t)8 << 30), 0); }

/* A pipe into which a process of its own writes the bytes. */
static pid_t new_pipe(const char* path, bytes content) {
    assert_int_equal(mkfifo(path, 0666), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int file = open(path, O_WRONLY);
        signal(SIGPIPE, SIG_IGN);
        _exit(write(file, content.data, content.size) < 0); /* the reader has left */
    }
    to_be_opened_once = path;
    files_opened = 0;
    return child;
}

static void end_pipe(pid_t writer, const char* path) {
    to_be_opened_once = "";
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    unlink(path);
}

/* Opened again, it would be another one, or never come. */
static void a_pipe_is_opened_once(void** state) {
    const folder f = new_folder();
    char path[128], text[] = "1 1:1\n-1 2:1\n";
    sl_dataset* data = NULL;
    sl_model *model = new_model(NULL), *loaded = NULL;
    uint64_t rows = 0;
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "pipe"));
    pid_t writer = new_pipe(path, (bytes){(unsigned char*)text, strlen(text)});
    assert_ok(sl_dataset_load(path, NULL, &data, &error));
    end_pipe(writer, path);
    assert_ok(sl_dataset_shape(data, &rows, NULL, NULL, &error));
    assert_int_equal(rows, 2);
    sl_dataset_free(data);

    bytes kept = bytes_of(model, SL_KEEP_EVERYTHING), more = new_bytes(kept.size + 1);
    writer = new_pipe(path, kept);
    assert_ok(sl_model_load(path, &loaded, &error));
    end_pipe(writer, path);
    assert_same_models(model, loaded);
    sl_model_free(loaded);
    loaded = NULL;
    memcpy(more.data, kept.data, kept.size);
    more.data[kept.size] = 0;
    writer = new_pipe(path, more);
    assert_status(SL_ERROR_FORMAT, sl_model_load(path, &loaded, &error));
    end_pipe(writer, path);
    assert_message("not a whole model");
    assert_message(path);
    assert_null(loaded);
    free(more.data);
    free(kept.data);
    sl_model_free(model);
    remove_folder(&f);
}

#endif

enum { FEW = 4 << 20 }; /* bytes to be read at most before a file is refused */

static void assert_refused_early(const char* path, sl_status status, const char* text) {
    sl_model* model = NULL;
    bytes_read = 0;
    assert_status(status, sl_model_load(path, &model, &error));
    assert_message(text);
    assert_message(path);
    assert_in_range(bytes_read, 1, FEW);
    assert_null(model);
}

/* 8 GiB, of which a disk holds next to nothing. */
static void a_large_file_that_is_no_model_is_refused_by_its_first_bytes(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "large"));
    bytes kept = bytes_of(model, SL_KEEP_EVERYTHING), none = {kept.data, 0};
    write_bytes(path, none);
    make_large(path);
    assert_refused_early(path, SL_ERROR_FORMAT, "not a model");
    write_bytes(path, kept);
    make_large(path);
    assert_refused_early(path, SL_ERROR_FORMAT, "not a whole model");
    kept.data[8] = 2; /* of a later format */
    write_bytes(path, kept);
    make_large(path);
    assert_refused_early(path, SL_ERROR_VERSION, "format 2");
#ifndef _WIN32
    assert_refused_early("/dev/zero", SL_ERROR_FORMAT, "not a model");
#endif
    free(kept.data);
    sl_model_free(model);
    count_files(&f, 1);
    remove_folder(&f);
}

/* One byte for ever, after a line of text. */
typedef struct endless {
    unsigned char byte;
    size_t given;
} endless;

static int64_t give(void* user, void* buffer, size_t capacity) {
    static const char start[] = "1 1:1\n";
    endless* e = user;
    if (e->given > 16 * (size_t)FEW) return -1; /* so that a failing test ends */
    memset(buffer, e->byte, capacity);
    if (e->given == 0) memcpy(buffer, start, sizeof start - 1);
    e->given += capacity;
    return (int64_t)capacity;
}

/* No number begins so, whatever follows. */
static void what_is_no_text_is_refused_without_its_rest(void** state) {
    const unsigned char bytes[] = {0, 0xff, 0x1f, 'x'};
    (void)state;
    for (size_t k = 0; k < sizeof bytes; ++k)
        for (int threads = 1; threads < 4; threads += 2) {
            sl_options* options = new_options("threads", threads == 1 ? "1" : "3");
            sl_dataset* data = NULL;
            sl_reader* reader = NULL;
            endless e = {bytes[k], 0};
            assert_status(SL_ERROR_FORMAT, sl_dataset_read(give, &e, options, &data, &error));
            assert_message("line 2, column 1: the label is not a number, found \"");
            assert_in_range(e.given, 0, FEW);
            e.given = 0;
            assert_ok(sl_reader_create(give, &e, options, &reader, &error));
            assert_ok(sl_reader_next(reader, 1, &data, &error));
            sl_dataset_free(data);
            data = NULL;
            for (int again = 0; again < 2; ++again) {
                assert_status(SL_ERROR_FORMAT, sl_reader_next(reader, 1, &data, &error));
                assert_message("line 2, column 1");
                assert_in_range(e.given, 0, FEW);
                assert_null(data);
            }
            sl_reader_free(reader);
            sl_options_free(options);
        }
#ifndef _WIN32
    sl_dataset* data = NULL;
    bytes_read = 0;
    assert_status(SL_ERROR_FORMAT, sl_dataset_load("/dev/zero", NULL, &data, &error));
    assert_in_range(bytes_read, 0, FEW);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifndef _WIN32
        cmocka_unit_test(a_pipe_is_opened_once),
#endif
        cmocka_unit_test(a_large_file_that_is_no_model_is_refused_by_its_first_bytes),
        cmocka_unit_test(what_is_no_text_is_refused_without_its_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
