/*
 * Calls of the system that fail, or do not return, when told to: how files are written. These functions take the place of the C library's
 * in the whole process, and the shared library's calls find them first.
 *
 * To be included first, in one file of a program.
 */
#ifndef SPARSELIN_TESTS_FAILING_FILES_H
#define SPARSELIN_TESTS_FAILING_FILES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { OPEN_UNNAMED, WRITE, FLUSH, LINK, RENAME, CALLS };
static int refusals[CALLS]; /* the error number with which all fail, 0: none */
static int deadly[CALLS];   /* before which call from now on the process dies as by kill -9, 1 the next; 0: none */

static int refused(enum call call) {
    if (deadly[call] && --deadly[call] == 0) raise(SIGKILL);
    if (refusals[call]) errno = refusals[call];
    return refusals[call] != 0;
}

int open(const char* path, int flags, ...) {
    const int unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    va_list arguments;
    mode_t mode = 0;
    va_start(arguments, flags);
    if (flags & O_CREAT || unnamed) mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if (unnamed && refused(OPEN_UNNAMED)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int file, const void* buffer, size_t count) { return refused(WRITE) ? -1 : syscall(SYS_write, file, buffer, count); }

int fsync(int file) { return refused(FLUSH) ? -1 : (int)syscall(SYS_fsync, file); }

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
    return refused(LINK) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int rename(const char* from, const char* to) { return refused(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0); }

#endif
