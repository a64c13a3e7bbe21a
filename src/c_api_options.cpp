// Options by name.
#include "c_api.h"

using namespace sparselin;

extern "C" {

sl_status sl_options_create(sl_options** options, sl_error* error) {
    return barrier(error, [&] {
        need(options, "options");
        *options = new sl_options();
    });
}

void sl_options_free(sl_options* options) { free_handle(options); }

sl_status sl_options_set(sl_options* options, const char* name, const char* value, sl_error* error) {
    return barrier(error, [&] {
        Options& o = checked(options, "options").options;
        need(name, "name");
        need(value, "value");
        o.set(name, value);
    });
}

sl_status sl_options_set_number(sl_options* options, const char* name, double value, sl_error* error) {
    return barrier(error, [&] {
        Options& o = checked(options, "options").options;
        need(name, "name");
        o.set_number(name, value);
    });
}

sl_status sl_options_get(const sl_options* options, const char* name, char* value, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Options& o = checked(options, "options").options;
        need(name, "name");
        put_text(o.get(name), value, capacity, length);
    });
}

size_t sl_option_count(void) { return kOptionCount; }

sl_status sl_option_describe(size_t i, const char** name, const char** kind, const char** standard, const char** help, sl_error* error) {
    return barrier(error, [&] {
        if (i >= kOptionCount)
            fail(SL_ERROR_INVALID_ARGUMENT, "there is no option number ", uint64_t{i}, "; there are ", uint64_t{kOptionCount});
        const OptionText& row = kOptions[i].text;
        if (name) *name = row.name;
        if (kind) *kind = row.kind;
        if (standard) *standard = row.standard;
        if (help) *help = row.help;
    });
}

sl_status sl_option_is_for(const char* name, int* model, int* encoder, sl_error* error) {
    return barrier(error, [&] {
        need(name, "name");
        const uint32_t users = Options::users(name);
        if (model) *model = (users & kForModels) != 0;
        if (encoder) *encoder = (users & kForEncoders) != 0;
    });
}

}  // extern "C"
