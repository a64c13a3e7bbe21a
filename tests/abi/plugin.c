/* Part of an application that uses the library; load.c loads it in two forms, one on the shared library and one with a copy inside. */
#include <sparselin.h>

#include <string.h>

#include "plugin.h"

__attribute__((visibility("default"))) int plugin_run(plugin_result* result) {
    static const uint32_t indices[] = {3, 5, 900000};
    sl_model* model = NULL;
    sl_error error;
    double label = 1;
    memset(result, 0, sizeof *result);
    result->address = (const void*)sl_version();
    if (sl_model_create(NULL, &model, &error) != SL_OK) return 1;
    for (int k = 0; k < 50; ++k, label = -label)
        if (sl_model_feed(model, indices + (label < 0), NULL, 2, label, 1, &error) != SL_OK) return 2;
    /* An exception is thrown, and caught before it gets here. */
    if (sl_model_feed(model, indices, NULL, 2, 7, 1, &error) != SL_ERROR_INVALID_DATA || !strstr(error.message, "label")) return 3;
    if (sl_model_to_bytes(model, SL_KEEP_EVERYTHING, result->bytes, sizeof result->bytes, &result->length, &error) != SL_OK) return 4;
    sl_model_free(model);
    return result->length > sizeof result->bytes;
}
