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
    ~Descriptor() { reset(-1); }
    int get() const { return fd_; }
    int close() {
        const int fd = fd_;
        fd_ = -1;
        return ::close(fd);
    }
    void reset(int fd) {
        if (fd_ >= 0) ::close(fd_);
        fd_ = fd;
    }

  private:
    int fd_;
};

// A file without a name, which goes when the process does; -1 where there are none. It may be given a name later.
int open_unnamed([[maybe_unused]] const std::string& folder) {
#ifdef O_TMPFILE
    return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
    return -1;
#endif
}

// The name of a file beside `place`, which is removed unless it has been renamed.
class TemporaryName {
  public:
    explicit TemporaryName(const char* place) : place_(place) {}
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() {
        if (exists_) ::unlink(name_.c_str());
    }
    int create() {
        const int fd = take([](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
        if (fd < 0) fail_io("create", name_.c_str(), errno);
        return fd;
    }
    // Gives it to an unnamed file; false where that cannot be, as without /proc. thread-self: a thread may have descriptors of its own.
    bool link(int fd) {
        const std::string file = concat("/proc/thread-self/fd/", int64_t{fd});
        return take([&](const char* name) { return ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW); }) >= 0;
    }
    void rename(const char* shown) {
        if (std::rename(name_.c_str(), place_) != 0) fail_io("replace", shown, errno);
        exists_ = false;
    }

  private:
    // Calls make(name) with other names until there is no such file yet; what it returns is negative if it failed.
    template <class Make>
    int take(Make make) {
        for (uint64_t attempt = 0;; ++attempt) {
            name_ = concat(place_, ".", static_cast<int64_t>(::getpid()), "-", attempt, ".tmp");
            const int made = make(name_.c_str());
            exists_ = made >= 0;
            if (exists_ || errno != EEXIST) return made;
        }
    }
    const char* place_;
    std::string name_;
    bool exists_ = false;
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
    Descriptor file(open_unnamed(folder));
    const auto fill = [&] {
        if (replaces && ::fchmod(file.get(), status.st_mode & 07777) != 0) fail_io("set the permissions of", path, errno);
        write([&](std::string_view bytes) {
            for (size_t at = 0; at < bytes.size();) {
                const ssize_t put = ::write(file.get(), bytes.data() + at, bytes.size() - at);
                if (put < 0 && errno != EINTR) fail_io("write", path, errno);
                at += static_cast<size_t>(std::max<ssize_t>(put, 0));
            }
        });
        if (::fsync(file.get()) != 0) fail_io("flush", path, errno);
    };
    TemporaryName temporary(place);
    if (file.get() >= 0) fill();
    if (file.get() < 0 || !temporary.link(file.get())) {
        file.reset(-1);  // a single descriptor is to suffice
        file.reset(temporary.create());
        fill();
    }
    if (file.close() != 0) fail_io("close", path, errno);
    temporary.rename(path);

    // The rename itself reaches the disk with the folder. Some file systems cannot flush folders: the new file is in place all the same.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
}

}  // namespace sparselin
