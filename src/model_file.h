// A model as bytes (src/README.md has the format).
#pragma once
#include <sparselin.h>

#include <string>
#include <string_view>

#include "model.h"

namespace sparselin {

std::string model_to_bytes(const Model& model, int keep);  // a sl_keep, or SL_ERROR_INVALID_ARGUMENT is thrown

// Throws SL_ERROR_FORMAT for bytes that are no model, or damaged, and SL_ERROR_VERSION for those of a newer version; in time and memory
// that are bounded by a few times their number.
Model model_from_bytes(std::string_view bytes);

// The same from a file, of which no more is read than its first bytes say that the model has.
Model load_model(const char* path);

}  // namespace sparselin
