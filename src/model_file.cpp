#include "model_file.h"

#include "archive.h"
#include "error.h"
#include "sealed.h"

namespace sparselin {
namespace {

constexpr Seal kModelSeal{std::string_view("\x89SLM\r\n\x1a\n", 8), "model", "a model", SL_KEEP_PREDICTOR + 1};

}  // namespace

std::string model_to_bytes(const Model& model, int keep) {
    if (keep != SL_KEEP_EVERYTHING && keep != SL_KEEP_PREDICTOR)
        fail(SL_ERROR_INVALID_ARGUMENT, "keep is ", static_cast<int64_t>(keep), ", but must be SL_KEEP_EVERYTHING or SL_KEEP_PREDICTOR");
    if (keep == SL_KEEP_EVERYTHING && !model.can_train())
        fail(SL_ERROR_STATE, "this model was saved as a predictor: there is no more of it to keep");
    Writer file = begin_sealed();
    Options::fields(model.options(), file, kForModels);
    Model::fields(model, file, keep == SL_KEEP_EVERYTHING);
    return sealed(kModelSeal, static_cast<uint32_t>(keep), std::move(file));
}

Model model_from_bytes(std::string_view bytes) {
    return read_sealed(kModelSeal, bytes, [](uint32_t kind, Reader& body) {
        Options options;
        Options::fields(options, body, kForModels);
        Model model(options);
        Model::fields(model, body, kind == SL_KEEP_EVERYTHING);
        return model;
    });
}

Model load_model(const char* path) {
    return load_sealed(kModelSeal, path, [](const std::string& bytes) { return model_from_bytes(bytes); });
}

}  // namespace sparselin
