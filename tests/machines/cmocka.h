/* What golden.c needs of CMocka, for machines that have none: a failure ends the test, and the tests after it run. */
#ifndef SPARSELIN_TESTS_MACHINES_CMOCKA_H
#define SPARSELIN_TESTS_MACHINES_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf cmocka_end;

#define print_error(...) fprintf(stderr, __VA_ARGS__)

static inline void _fail(const char* file, int line) {
    print_error("%s:%d: error\n", file, line);
    longjmp(cmocka_end, 1);
}

#define fail() _fail(__FILE__, __LINE__)
#define assert_true(condition) ((condition) ? (void)0 : fail())
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

struct CMUnitTest {
    const char* name;
    void (*test_func)(void** state);
    void* initial_state;
};

static inline int _cmocka_run_group_tests(const char* group, const struct CMUnitTest* tests, size_t count, void* setup, void* teardown) {
    volatile int failed = 0;
    volatile size_t i;
    (void)group, (void)setup, (void)teardown;
    for (i = 0; i < count; ++i) {
        void* state = tests[i].initial_state;
        if (setjmp(cmocka_end) == 0) {
            tests[i].test_func(&state);
        } else {
            print_error("%s failed\n", tests[i].name);
            ++failed;
        }
    }
    return failed;
}

#endif
