#include "file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "error.h"

namespace sparselin {
namespace {

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
    int close() {
        const int fd = fd_;
        fd_ = -1;
        return ::close(fd);
    }

  private:
    int fd_;
};

// Removes the file unless it has been renamed.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
    ~TemporaryFile() {
        if (!kept_) ::unlink(path_.c_str());
    }
    void rename(const char* place, const char* shown) {
        if (std::rename(path_.c_str(), place) != 0) fail_io("replace", shown, errno);
        kept_ = true;
    }

  private:
    std::string path_;
    bool kept_ = false;
};

}  // namespace

InputFile::InputFile(const char* path) {
    do descriptor_ = ::open(path, O_RDONLY | O_CLOEXEC);
    while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) error_ = errno;
}

InputFile::~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

uint64_t InputFile::size() const {
    struct stat status;
    return ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
}

int64_t InputFile::read(void* file, void* buffer, size_t capacity) {
    InputFile& self = *static_cast<InputFile*>(file);
    ssize_t count;
    do count = ::read(self.descriptor_, buffer, capacity);
    while (count < 0 && errno == EINTR);
    if (count < 0) self.error_ = errno;
    return count;
}

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
    fail(SL_ERROR_IO, "cannot ", doing, " ", shown_path(path), ": ", std::generic_category().message(error_number));
}

std::string read_file(const char* path, std::string_view start) {
    InputFile file(path);
    if (file.error()) fail_io("open", path, file.error());
    std::string bytes;
    bytes.reserve(static_cast<size_t>(file.size()) + 1);
    for (;;) {
        const size_t held = bytes.size(), room = bytes.capacity() - held, step = room > 0 ? room : held + (1 << 16);
        bytes.resize(held + step);
        const int64_t got = InputFile::read(&file, &bytes[held], step);
        if (got < 0) fail_io("read", path, file.error());
        bytes.resize(held + static_cast<size_t>(got));
        if (got == 0 || bytes.compare(0, start.size(), start, 0, bytes.size()) != 0) return bytes;
    }
}

void replace_file(const char* path, std::string_view bytes) {
    replace_file(path, [&](const PutBytes& put) { put(bytes); });
}

void replace_file(const char* path, const std::function<void(const PutBytes&)>& write) {
    char target[PATH_MAX];
    const char* const place = ::realpath(path, target) ? target : path;  // where a link leads
    struct stat status;
    const bool replaces = ::stat(place, &status) == 0;
    if (replaces && !S_ISREG(status.st_mode)) fail(SL_ERROR_IO, "cannot replace ", shown_path(path), ": it is not a regular file");
    const std::string_view whole(place);
    const size_t slash = whole.rfind('/');
    const std::string folder(slash == whole.npos ? "." : slash == 0 ? "/" : whole.substr(0, slash));
    std::string name;
    int fd = -1;
    for (uint64_t attempt = 0; fd < 0; ++attempt) {
        name = concat(place, ".", static_cast<int64_t>(::getpid()), "-", attempt, ".tmp");
        fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) fail_io("create", name.c_str(), errno);
    }
    Descriptor file(fd);
    TemporaryFile temporary(std::move(name));
    if (replaces && ::fchmod(file.get(), status.st_mode & 07777) != 0) fail_io("set the permissions of", path, errno);
    write([&](std::string_view bytes) {
        for (size_t at = 0; at < bytes.size();) {
            const ssize_t put = ::write(file.get(), bytes.data() + at, bytes.size() - at);
            if (put < 0 && errno != EINTR) fail_io("write", path, errno);
            at += static_cast<size_t>(std::max<ssize_t>(put, 0));
        }
    });
    if (::fsync(file.get()) != 0) fail_io("flush", path, errno);
    if (file.close() != 0) fail_io("close", path, errno);
    temporary.rename(place, path);

    // The rename itself reaches the disk with the folder. Some file systems cannot flush folders: the new file is in place all the same.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
}

}  // namespace sparselin
