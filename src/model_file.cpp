#include "model_file.h"

#include "archive.h"
#include "error.h"
#include "file.h"

namespace sparselin {
namespace {

// What every model begins with. As in PNG: a byte beyond ASCII and both kinds of line end, so that what a transfer as text does to a
// file is seen at once.
constexpr std::string_view kModelMagic("\x89SLM\r\n\x1a\n", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kHeader = 8 + 4 + 4 + 8, kChecksum = 8;

struct Header {
    uint32_t version, kind;
    uint64_t length;  // of the whole model
};

Header header_of(std::string_view bytes) {
    if (bytes.size() < kHeader + kChecksum || bytes.substr(0, kModelMagic.size()) != kModelMagic)
        fail(SL_ERROR_FORMAT, "not a model of this library");
    Reader reader(bytes.substr(kModelMagic.size()));
    Header header;
    reader(header.version, header.kind, header.length);
    if (header.version > kVersion)
        fail(SL_ERROR_VERSION, "the model has format ", header.version, ", but this version of the library reads up to ", kVersion,
             "; use a newer one");
    return header;
}

void check_length(const Header& header, uint64_t length) {
    if (header.length != length) fail(SL_ERROR_FORMAT, "not a whole model: it should have ", header.length, " bytes, but has ", length);
}

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
    const Header header = header_of(bytes);
    check_length(header, bytes.size());
    const std::string_view summed = bytes.substr(0, bytes.size() - kChecksum);
    uint64_t checksum;
    Reader(bytes.substr(summed.size())).get(checksum);
    if (checksum != crc64(summed)) fail(SL_ERROR_FORMAT, "the model is damaged: its checksum does not fit its bytes");

    Reader body(summed.substr(kHeader));
    body.check(header.version > 0 && header.kind <= SL_KEEP_PREDICTOR, "its header is of no known kind");
    try {
        Options options;
        Options::fields(options, body);
        Model model(options);
        Model::fields(model, body, header.kind == SL_KEEP_EVERYTHING);
        body.check(body.left() == 0, "there are bytes after its end");
        return model;
    } catch (const Error& error) {
        if (error.status() == SL_ERROR_OUT_OF_MEMORY) throw;
        fail(SL_ERROR_FORMAT, "not a sound model: ", error.message());  // options that exclude each other, say
    }
}

Model load_model(const char* path) {
    InputFile file(path);
    std::string bytes;
    file.read_to(kHeader + kChecksum, bytes);
    try {
        const Header header = header_of(bytes);
        if (file.size() > 0) check_length(header, file.size());
        file.read_to(header.length, bytes);
        std::string more;
        file.read_to(1, more);
        check_length(header, bytes.size() + more.size());
        return model_from_bytes(bytes);
    } catch (const Error& error) {
        if (error.status() == SL_ERROR_IO) throw;
        fail(error.status(), shown_path(path), ": ", error.message());
    }
}

}  // namespace sparselin
