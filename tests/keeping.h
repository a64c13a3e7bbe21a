/* Models as bytes that are compared one for one, and a folder for files. */
#ifndef SPARSELIN_TESTS_KEEPING_H
#define SPARSELIN_TESTS_KEEPING_H

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "helpers.h"

typedef struct bytes {
    unsigned char* data; /* of exactly this size, so that a checker sees every read beyond it */
    size_t size;
} bytes;

static inline bytes new_bytes(size_t size) {
    bytes b = {malloc(size ? size : 1), size};
    assert_non_null(b.data);
    return b;
}

static inline bytes bytes_of(const sl_model* model, sl_keep keep) {
    bytes b;
    size_t size = 0, again = 0;
    assert_ok(sl_model_to_bytes(model, keep, NULL, 0, &size, &error));
    b = new_bytes(size);
    assert_ok(sl_model_to_bytes(model, keep, b.data, b.size, &again, &error));
    assert_int_equal(again, size);
    return b;
}

static inline sl_model* model_of(bytes b) {
    sl_model* model = NULL;
    assert_ok(sl_model_from_bytes(b.data, b.size, &model, &error));
    return model;
}

/* A model of about 16 bytes a weight. */
static inline sl_model* new_of_size(uint32_t weights, const char* seed) {
    sl_model* model = new_model("storage", "hash", "average", "none", "l2", "0", "seed", seed);
    for (uint32_t i = 0; i < weights; i += 10) {
        uint32_t indices[10];
        for (uint32_t k = 0; k < 10; ++k) indices[k] = 977 * (i + k);
        assert_ok(sl_model_feed(model, indices, NULL, 10, 1, 1, &error));
    }
    return model;
}

#define assert_same_bytes(a, b) check_same_bytes(a, b, __FILE__, __LINE__)

static inline void check_same_bytes(bytes a, bytes b, const char* file, int line) {
    size_t i = 0;
    if (a.size == b.size && memcmp(a.data, b.data, a.size) == 0) return;
    while (i < a.size && i < b.size && a.data[i] == b.data[i]) ++i;
    print_error("%zu and %zu bytes, which differ from byte %zu on\n", a.size, b.size, i);
    _fail(file, line);
}

/* Fails the test unless the model, kept both ways, gives what the other one gives. */
#define assert_same_kept(a, b) check_same_kept(a, b, __FILE__, __LINE__)

static inline void check_same_kept(const sl_model* a, const sl_model* b, const char* file, int line) {
    for (int keep = SL_KEEP_EVERYTHING; keep <= SL_KEEP_PREDICTOR; ++keep) {
        bytes of_a = bytes_of(a, (sl_keep)keep), of_b = bytes_of(b, (sl_keep)keep);
        check_same_bytes(of_a, of_b, file, line);
        free(of_a.data);
        free(of_b.data);
    }
}

static inline bytes read_bytes(const char* path) {
    FILE* file = fopen(path, "rb");
    bytes b;
    long size;
    if (!file) fail_msg("cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    b = new_bytes((size_t)size);
    assert_int_equal(fread(b.data, 1, b.size, file), b.size);
    fclose(file);
    return b;
}

static inline void write_bytes(const char* path, bytes b) {
    FILE* file = fopen(path, "wb");
    if (!file) fail_msg("cannot create %s", path);
    assert_int_equal(fwrite(b.data, 1, b.size, file), b.size);
    assert_int_equal(fclose(file), 0);
}

/* A new folder, and the path of a file in it (valid until the next call). */
typedef struct folder {
    char path[64];
} folder;

static inline folder new_folder(void) {
#ifdef _WIN32
    static int number = 0;
    folder f;
    snprintf(f.path, sizeof f.path, "sparselin-test-%d-%d", getpid(), ++number);
    assert_int_equal(mkdir(f.path), 0);
#else
    folder f = {"/tmp/sparselin-test-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
#endif
    return f;
}

static inline const char* path_in(const folder* f, const char* name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return path;
}

/* The number of files in a folder, which are removed if `clear`. */
static inline int count_files(const folder* f, int clear) {
    DIR* directory = opendir(f->path);
    int count = 0;
    assert_non_null(directory);
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        ++count;
        char path[sizeof f->path + 1 + sizeof entry->d_name];
        snprintf(path, sizeof path, "%s/%s", f->path, entry->d_name);
        if (clear) assert_int_equal(remove(path), 0);
    }
    closedir(directory);
    return count;
}

static inline void remove_folder(const folder* f) {
    count_files(f, 1);
    assert_int_equal(rmdir(f->path), 0);
}

#endif
