#include "library.h"

namespace cli {

Model load_model(const std::string& path) { return make<sl_model>(sl_model_load, path.c_str()); }

std::string model_option(const sl_model* model, const char* name) {
    size_t length = 0;
    call(sl_model_option, model, name, nullptr, size_t{0}, &length);
    std::string value(length, '\0');
    call(sl_model_option, model, name, value.data(), value.size(), &length);
    value.resize(length - 1);
    return value;
}

uint64_t rows_of(const sl_dataset* data) {
    uint64_t rows = 0;
    call(sl_dataset_shape, data, &rows, nullptr, nullptr);
    return rows;
}

}  // namespace cli
