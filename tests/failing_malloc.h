/*
 * An allocator that fails when told to. These functions take the place of the C library's in the whole process. That needs the shared
 * library (its operator new ends in malloc, which the dynamic linker finds here first) and a program without a sanitizer, whose own
 * allocator would be replaced: there the tests are skipped.
 *
 * To be included first, in one file of a program.
 */
#ifndef SPARSELIN_TESTS_FAILING_MALLOC_H
#define SPARSELIN_TESTS_FAILING_MALLOC_H

#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

#include "helpers.h"

#define need_failing_malloc() \
    if (SANITIZED) skip()

/* Counted by all threads of a call. */
static atomic_long live;       /* allocations not yet freed */
static atomic_size_t fail_at;  /* which allocation from now on fails, 1 the next; 0: none */
static atomic_int fail_on;     /* and all that follow it */
static atomic_size_t refusals; /* how many have failed */

static inline int refused(void) {
    size_t before = fail_at;
    while (before > 0 && !atomic_compare_exchange_weak(&fail_at, &before, before > 1 ? before - 1 : (size_t)fail_on)) continue;
    if (before != 1) return 0;
    ++refusals;
    errno = ENOMEM;
    return 1;
}

#if !SANITIZED

/* The C library's own function; a pointer to data becomes one to a function by way of memory, as POSIX has it. */
#define find_real(function, name)                      \
    if (!(function)) {                                 \
        void* const found = dlsym(RTLD_NEXT, name);    \
        memcpy(&(function), &found, sizeof(function)); \
    }

static void* counted(void* pointer) {
    live += pointer != NULL;
    return pointer;
}

void* malloc(size_t size) {
    static void* (*real)(size_t);
    find_real(real, "malloc");
    return refused() ? NULL : counted(real(size));
}

void* calloc(size_t count, size_t size) {
    static void* (*real)(size_t, size_t);
    find_real(real, "calloc");
    return refused() ? NULL : counted(real(count, size));
}

void* realloc(void* pointer, size_t size) {
    static void* (*real)(void*, size_t);
    void* moved = NULL;
    find_real(real, "realloc");
    if (refused()) return NULL;
    moved = real(pointer, size);
    live += (moved != NULL) - (pointer != NULL && (moved != NULL || size == 0));
    return moved;
}

void* aligned_alloc(size_t alignment, size_t size) {
    static void* (*real)(size_t, size_t);
    find_real(real, "aligned_alloc");
    return refused() ? NULL : counted(real(alignment, size));
}

int posix_memalign(void** pointer, size_t alignment, size_t size) {
    static int (*real)(void**, size_t, size_t);
    int status = 0;
    find_real(real, "posix_memalign");
    if (refused()) return ENOMEM;
    status = real(pointer, alignment, size);
    live += status == 0;
    return status;
}

void free(void* pointer) {
    static void (*real)(void*);
    find_real(real, "free");
    live -= pointer != NULL;
    real(pointer);
}

#endif

/* From here on the n-th allocation fails, and if `on` is not 0 all after it; with n = 0 none. */
static void arm(size_t n, int on) {
    refusals = 0;
    fail_on = on;
    fail_at = n;
}

#endif
