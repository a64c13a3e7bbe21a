// What models and encoders begin and end with as bytes: a mark, version, kind and length before, a checksum behind (src/README.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "archive.h"
#include "error.h"
#include "system.h"

namespace sparselin {

struct Seal {
    // The first bytes. As in PNG: a byte beyond ASCII and both kinds of line end, so that what a transfer as text does to a file is seen
    // at once.
    std::string_view mark;
    const char *noun, *a_noun;  // "model", "a model"
    uint32_t kinds;             // as many as there are, from 0
};

// A writer with room for what stands before; and what was written to it since, with that and the checksum.
Writer begin_sealed();
std::string sealed(const Seal& seal, uint32_t kind, Writer&& file);

struct Opened {
    uint32_t kind;
    Reader body;
};

// Throws SL_ERROR_FORMAT for bytes that have not this seal, or not all of it, and SL_ERROR_VERSION for those of a newer version.
Opened opened(const Seal& seal, std::string_view bytes);

// A whole file, of which no more is read than its first bytes say that it has.
std::string load_bytes(const Seal& seal, InputFile& file);

// What read(kind, body) makes of sealed bytes, all of which it has to read. Throws, whatever read() finds wrong, SL_ERROR_FORMAT.
template <class Read>
auto read_sealed(const Seal& seal, std::string_view bytes, Read read) {
    Opened file = opened(seal, bytes);
    try {
        auto made = read(file.kind, file.body);
        file.body.check(file.body.left() == 0, "there are bytes after its end");
        return made;
    } catch (const Error& error) {
        if (error.status() == SL_ERROR_OUT_OF_MEMORY) throw;
        fail(SL_ERROR_FORMAT, "not a sound ", seal.noun, ": ", error.message());  // options that exclude each other, say
    }
}

// The same of a file; errors name it.
template <class FromBytes>
auto load_sealed(const Seal& seal, const char* path, FromBytes from_bytes) {
    InputFile file(path);
    try {
        return from_bytes(load_bytes(seal, file));
    } catch (const Error& error) {
        if (error.status() == SL_ERROR_IO) throw;
        fail(error.status(), shown_path(path), ": ", error.message());
    }
}

}  // namespace sparselin
