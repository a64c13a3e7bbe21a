/* What plugin.c gives to load.c. */
#ifndef SPARSELIN_TESTS_PLUGIN_H
#define SPARSELIN_TESTS_PLUGIN_H

#include <stddef.h>

typedef struct plugin_result {
    const void* address; /* of something in the library */
    size_t length;
    unsigned char bytes[8000];
} plugin_result;

typedef int plugin_run_fn(plugin_result* result);

#endif
