#ifdef _WIN32
#include <io.h>
#include <locale.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "error.h"
#include "system.h"
#include "windows_files.h"

namespace sparselin {

InputFile::InputFile(const char* path) : path_(path), descriptor_(open_to_read(path)) {
    if (descriptor_ < 0) fail_io("open", path, errno);
}

InputFile::~InputFile() { ::_close(descriptor_); }

uint64_t InputFile::size() const {
    struct _stat64 status;
    return ::_fstat64(descriptor_, &status) == 0 && (status.st_mode & _S_IFMT) == _S_IFREG ? static_cast<uint64_t>(status.st_size) : 0;
}

int64_t InputFile::read(void* file, void* buffer, size_t capacity) {
    InputFile& self = *static_cast<InputFile*>(file);
    constexpr size_t kAtOnce = size_t{1} << 30;
    const int count = ::_read(self.descriptor_, buffer, static_cast<unsigned>(std::min(capacity, kAtOnce)));
    if (count < 0) self.error_ = errno;
    return count;
}

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

void replace_file(const char* path, const std::function<void(const PutBytes&)>& write) {
    if (what_is_at(path) == FileKind::other) fail(SL_ERROR_IO, "cannot replace ", shown_path(path), ": it is not a regular file");
    UnfinishedFile file;
    if (!file.create(path)) fail_io(what_is_at(path) == FileKind::file ? "replace" : "create", path, errno);
    write([&](std::string_view bytes) {
        if (!file.write(bytes)) fail_io("write", path, errno);
    });
    if (!file.flush()) fail_io("flush", path, errno);
    if (!file.replace()) fail_io("replace", path, errno);
}

bool start_thread(std::vector<std::thread>& threads, const std::function<void()>& work) {
    try {
        threads.emplace_back(work);
        return true;
    } catch (const std::exception&) {  // there is no thread, or no memory for one, to be had
        return false;
    }
}

double plain_strtod(const char* text, char** end) {
    const _locale_t plain = ::_create_locale(LC_ALL, "C");
    if (!plain) throw std::bad_alloc();
    const double value = ::_strtod_l(text, end, plain);
    ::_free_locale(plain);
    return value;
}

// Only processes with a privilege that few have may ask for them.
void ask_for_large_pages(void*, size_t) {}

}  // namespace sparselin
#endif
