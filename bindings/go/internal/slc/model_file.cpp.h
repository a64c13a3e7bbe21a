#include "model_file.h"

#include "archive.h"
#include "error.h"

namespace sparselin {
namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kHeader = 8 + 4 + 4 + 8, kChecksum = 8;

}  // namespace

std::string model_to_bytes(const Model& model, int keep) {
    if (keep != SL_KEEP_EVERYTHING && keep != SL_KEEP_PREDICTOR)
        fail(SL_ERROR_INVALID_ARGUMENT, "keep is ", static_cast<int64_t>(keep), ", but must be SL_KEEP_EVERYTHING or SL_KEEP_PREDICTOR");
    if (keep == SL_KEEP_EVERYTHING && !model.can_train())
        fail(SL_ERROR_STATE, "this model was saved as a predictor: there is no more of it to keep");
    Writer file, header;
    file.bytes().resize(kHeader);
    Options::fields(model.options(), file);
    Model::fields(model, file, keep == SL_KEEP_EVERYTHING);
    header.put_raw(kModelMagic);
    header(kVersion, static_cast<uint32_t>(keep), uint64_t{file.bytes().size() + kChecksum});
    file.bytes().replace(0, kHeader, header.bytes());
    file.put(crc64(file.bytes()));
    return std::move(file.bytes());
}

Model model_from_bytes(std::string_view bytes) {
    if (bytes.size() < kHeader + kChecksum || bytes.substr(0, kModelMagic.size()) != kModelMagic)
        fail(SL_ERROR_FORMAT, "not a model of this library");
    Reader header(bytes.substr(kModelMagic.size()));
    uint32_t version, kind;
    uint64_t length;
    header(version, kind, length);
    if (version > kVersion)
        fail(SL_ERROR_VERSION, "the model has format ", version, ", but this version of the library reads up to ", kVersion,
             "; use a newer one");
    if (length != bytes.size())
        fail(SL_ERROR_FORMAT, "not a whole model: it should have ", length, " bytes, but has ", uint64_t{bytes.size()});
    const std::string_view summed = bytes.substr(0, bytes.size() - kChecksum);
    uint64_t checksum;
    Reader(bytes.substr(summed.size())).get(checksum);
    if (checksum != crc64(summed)) fail(SL_ERROR_FORMAT, "the model is damaged: its checksum does not fit its bytes");

    Reader body(summed.substr(kHeader));
    body.check(version > 0 && kind <= SL_KEEP_PREDICTOR, "its header is of no known kind");
    try {
        Options options;
        Options::fields(options, body);
        Model model(options);
        Model::fields(model, body, kind == SL_KEEP_EVERYTHING);
        body.check(body.left() == 0, "there are bytes after its end");
        return model;
    } catch (const Error& error) {
        fail(SL_ERROR_FORMAT, "not a sound model: ", error.message());  // options that exclude each other, say
    }
}

}  // namespace sparselin
