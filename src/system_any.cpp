#include "system.h"

#include <algorithm>
#include <new>

#include "error.h"

namespace sparselin {

std::string shown_path(const char* path) {
    constexpr size_t kShown = 150;
    std::string name = path;
    if (name.size() > kShown) {
        size_t cut = name.size() - kShown;
        while (cut < name.size() && (name[cut] & 0xc0) == 0x80) ++cut;  // not in the middle of a character
        name.replace(0, cut, "...");
    }
    return name;
}

void fail_io(const char* doing, const char* path, int error_number) {
    throw Error(SL_ERROR_IO, concat("cannot ", doing, " ", shown_path(path), ": ", system_reason(error_number)), Error::kNoRow,
                error_number);
}

void InputFile::read_to(uint64_t size, std::string& bytes) {
    constexpr size_t kStep = size_t{1} << 16;
    const uint64_t known = std::min(size, this->size());
    if (known > bytes.max_size()) throw std::bad_alloc();
    while (bytes.size() < size) {
        const size_t held = bytes.size();
        bytes.resize(static_cast<size_t>(std::max(known, std::min<uint64_t>(size, held + std::max(held, kStep)))));
        const int64_t count = read(this, &bytes[held], bytes.size() - held);
        bytes.resize(held + static_cast<size_t>(std::max<int64_t>(count, 0)));
        if (count < 0) fail_io("read", path_, error_);
        if (count == 0) return;
    }
}

void replace_file(const char* path, std::string_view bytes) {
    replace_file(path, [&](const PutBytes& put) { put(bytes); });
}

size_t thread_count(uint32_t threads) { return threads ? threads : std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace sparselin
