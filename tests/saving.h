/* Saving in processes of their own, and with and without files that have no name. */
#ifndef SPARSELIN_TESTS_SAVING_H
#define SPARSELIN_TESTS_SAVING_H

#include "failing_files.h"

#include <sys/wait.h>

#include "keeping.h"

static inline int exit_code_of(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static inline int no_unnamed_files(void** state) {
    (void)state;
    refusals[OPEN_UNNAMED] = EOPNOTSUPP;
    return 0;
}

/* So it is without /proc. */
static inline int no_names_for_unnamed_files(void** state) {
    (void)state;
    refusals[OPEN_UNNAMED] = 0;
    refusals[LINK] = ENOENT;
    return 0;
}

/* Runs tests where the system has unnamed files, where it has none, and where it cannot name them. */
#define run_with_and_without_unnamed_files(tests)                                                        \
    (cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(tests, no_unnamed_files, NULL) + \
     cmocka_run_group_tests(tests, no_names_for_unnamed_files, NULL))

#endif
