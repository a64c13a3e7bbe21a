#include "file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

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
    void rename(const char* path) {
        if (std::rename(path_.c_str(), path) != 0) fail_io("replace", path, errno);
        kept_ = true;
    }

  private:
    std::string path_;
    bool kept_ = false;
};

}  // namespace

void fail_io(const char* doing, const char* path, int error_number) {
    fail(SL_ERROR_IO, "cannot ", doing, " ", path, ": ", std::generic_category().message(error_number));
}

std::string read_file(const char* path) {
    const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail_io("open", path, errno);
    std::string bytes;
    struct stat status;
    if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) bytes.reserve(static_cast<size_t>(status.st_size) + 1);
    for (;;) {
        const size_t held = bytes.size(), step = std::max<size_t>(bytes.capacity() - held, 1 << 16);
        bytes.resize(held + step);
        const ssize_t got = ::read(file.get(), &bytes[held], step);
        bytes.resize(held + static_cast<size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0) return bytes;
        if (got < 0 && errno != EINTR) fail_io("read", path, errno);
    }
}

void replace_file(const char* path, std::string_view bytes) {
    struct stat status;
    if (::stat(path, &status) == 0 && !S_ISREG(status.st_mode)) fail(SL_ERROR_IO, "cannot replace ", path, ": it is not a regular file");
    std::string name;
    int fd = -1;
    for (uint64_t attempt = 0; fd < 0; ++attempt) {
        name = concat(path, ".", static_cast<int64_t>(::getpid()), "-", attempt, ".tmp");
        fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) fail_io("create", name.c_str(), errno);
    }
    Descriptor file(fd);
    TemporaryFile temporary(name);
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t put = ::write(file.get(), bytes.data() + at, bytes.size() - at);
        if (put < 0 && errno != EINTR) fail_io("write", path, errno);
        at += static_cast<size_t>(std::max<ssize_t>(put, 0));
    }
    if (::fsync(file.get()) != 0) fail_io("flush", path, errno);
    if (file.close() != 0) fail_io("close", path, errno);
    temporary.rename(path);

    // The rename itself reaches the disk with the folder. Some file systems cannot flush folders: the new file is in place all the same.
    const std::string_view whole(path);
    const size_t slash = whole.rfind('/');
    const std::string folder(slash == whole.npos ? "." : slash == 0 ? "/" : whole.substr(0, slash));
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
}

}  // namespace sparselin
