#include "sealed.h"

#include <utility>

namespace sparselin {
namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kMark = 8, kHeader = kMark + 4 + 4 + 8, kChecksum = 8;

struct Header {
    uint32_t version, kind;
    uint64_t length;  // of the whole
};

Header header_of(const Seal& seal, std::string_view bytes) {
    if (bytes.size() < kHeader + kChecksum || bytes.substr(0, kMark) != seal.mark)
        fail(SL_ERROR_FORMAT, "not ", seal.a_noun, " of this library");
    Reader reader(bytes.substr(kMark));
    Header header;
    reader(header.version, header.kind, header.length);
    if (header.version > kVersion)
        fail(SL_ERROR_VERSION, "the ", seal.noun, " has format ", header.version, ", but this version of the library reads up to ",
             kVersion, "; use a newer one");
    return header;
}

void check_length(const Seal& seal, const Header& header, uint64_t length) {
    if (header.length != length)
        fail(SL_ERROR_FORMAT, "not a whole ", seal.noun, ": it should have ", header.length, " bytes, but has ", length);
}

}  // namespace

Writer begin_sealed() {
    Writer file;
    file.bytes().resize(kHeader);
    return file;
}

std::string sealed(const Seal& seal, uint32_t kind, Writer&& file) {
    Writer header;
    header.put_raw(seal.mark);
    header(kVersion, kind, uint64_t{file.bytes().size() + kChecksum});
    file.bytes().replace(0, kHeader, header.bytes());
    file.put(crc64(file.bytes()));
    return std::move(file.bytes());
}

Opened opened(const Seal& seal, std::string_view bytes) {
    const Header header = header_of(seal, bytes);
    check_length(seal, header, bytes.size());
    const std::string_view summed = bytes.substr(0, bytes.size() - kChecksum);
    uint64_t checksum;
    Reader(bytes.substr(summed.size())).get(checksum);
    if (checksum != crc64(summed)) fail(SL_ERROR_FORMAT, "the ", seal.noun, " is damaged: its checksum does not fit its bytes");
    const Opened file{header.kind, Reader(summed.substr(kHeader))};
    file.body.check(header.version > 0 && header.kind < seal.kinds, "its header is of no known kind");
    return file;
}

std::string load_bytes(const Seal& seal, InputFile& file) {
    std::string bytes;
    file.read_to(kHeader + kChecksum, bytes);
    const Header header = header_of(seal, bytes);
    if (file.size() > 0) check_length(seal, header, file.size());
    file.read_to(header.length, bytes);
    std::string more;
    file.read_to(1, more);
    check_length(seal, header, bytes.size() + more.size());
    return bytes;
}

}  // namespace sparselin
