#include "library.h"

#include <cstring>

namespace cli {

sl_error LibraryError::as_told(sl_error error) {
    if (char* const call = std::strstr(error.message, " (sl_"))
        if (const char* const end = std::strchr(call, ')')) std::memmove(call, end + 1, std::strlen(end));
    return error;
}

Encoder encoder_of(const sl_model* model) {
    sl_encoder* copy = nullptr;
    sl_error error;
    const sl_status status = sl_model_encoder(model, &copy, &error);
    if (status != SL_OK && status != SL_ERROR_STATE) throw LibraryError(error);
    return Encoder(copy);
}

Model load_model(const std::string& path) { return make<sl_model>(sl_model_load, path.c_str()); }

std::string model_option(const sl_model* model, const char* name) { return text_of(sl_model_option, model, name); }

uint64_t rows_of(const sl_dataset* data) {
    uint64_t rows = 0;
    call(sl_dataset_shape, data, &rows, nullptr, nullptr);
    return rows;
}

Target target_of(const sl_dataset* data, uint64_t row) {
    size_t count = 0;
    Target target;
    call(sl_dataset_row, data, row, nullptr, nullptr, size_t{0}, &count, &target.label, &target.weight);
    return target;
}

}  // namespace cli
