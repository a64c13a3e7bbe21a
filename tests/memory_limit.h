/* How much memory the process may have, where the system has such a limit. */
#ifndef SPARSELIN_TESTS_MEMORY_LIMIT_H
#define SPARSELIN_TESTS_MEMORY_LIMIT_H

#include "helpers.h"

#ifdef _WIN32
#define HAS_MEMORY_LIMIT 0
static inline uint64_t memory_limit(void) { return UINT64_MAX; }
static inline void set_memory_limit(uint64_t bytes) { (void)bytes; }
#else
#include <sys/resource.h>

#define HAS_MEMORY_LIMIT 1
static inline struct rlimit memory_limits(void) {
    struct rlimit limits;
    assert_int_equal(getrlimit(RLIMIT_AS, &limits), 0);
    return limits;
}

static inline uint64_t memory_limit(void) { return memory_limits().rlim_cur; }

static inline void set_memory_limit(uint64_t bytes) {
    struct rlimit limits = memory_limits();
    limits.rlim_cur = (rlim_t)bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &limits), 0);
}
#endif

#endif
