#ifndef _WIN32
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "error.h"
#include "number.h"
#include "system.h"

namespace sparselin {
namespace {

class PlainLocale {
  public:
    PlainLocale() : locale_(::newlocale(LC_ALL_MASK, "C", nullptr)) {
        if (!locale_) throw std::bad_alloc();
    }
    PlainLocale(const PlainLocale&) = delete;
    PlainLocale& operator=(const PlainLocale&) = delete;
    ~PlainLocale() { ::freelocale(locale_); }
    locale_t get() const { return locale_; }

  private:
    const locale_t locale_;
};

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(-1); }
    int get() const { return fd_; }
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

// The name of a file beside `place`, which is removed unless it has been renamed. While it has the name the file is locked, so that those
// of dead processes, which hold no locks, can be told and removed.
class TemporaryName {
  public:
    explicit TemporaryName(const std::string& place) : place_(place) {
        constexpr size_t kKept = 100;  // so that it is no longer than a file's name may be, on any file system
        size_t end = place.rfind('/') + 1 + kKept;
        while (end < place.size() && (place[end] & 0xc0) == 0x80) --end;  // not in the middle of a character
        stem_ = place.substr(0, end) + ".sparselin-";
        constexpr uint64_t kSwept = 16;
        for (uint64_t number = 0; number < kSwept; ++number) remove_if_dead(concat(stem_, number, ".tmp").c_str());
    }
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() {
        if (exists_) ::unlink(name_.c_str());
    }
    int create() {
        for (;;) {
            const int fd = take([](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
            if (fd < 0) fail_io("create", place_.c_str(), errno);
            lock(fd, LOCK_EX);  // waits for whoever takes it for a dead one's and removes it
            if (has_name(fd, name_.c_str())) return fd;
            ::close(fd);
        }
    }
    // Gives it to an unnamed file; false where that cannot be, as without /proc. thread-self: a thread may have descriptors of its own.
    bool link(int fd) {
        const std::string file = concat("/proc/thread-self/fd/", int64_t{fd});
        lock(fd, LOCK_EX);
        return take([&](const char* name) { return ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW); }) >= 0;
    }
    void rename(const char* shown) {
        if (std::rename(name_.c_str(), place_.c_str()) != 0) fail_io("replace", shown, errno);
        exists_ = false;
    }

  private:
    // Calls make(name) with one name after the other until there is no such file yet; what it returns is negative if it failed.
    template <class Make>
    int take(Make make) {
        for (uint64_t number = 0;; ++number) {
            name_ = concat(stem_, number, ".tmp");
            const int made = make(name_.c_str());
            exists_ = made >= 0;
            if (exists_ || errno != EEXIST) return made;
        }
    }
    static void remove_if_dead(const char* name) {
        const Descriptor file(::open(name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
        if (file.get() >= 0 && lock(file.get(), LOCK_EX | LOCK_NB) && has_name(file.get(), name)) ::unlink(name);
    }
    static bool lock(int fd, int operation) {
        int result;
        do result = ::flock(fd, operation);
        while (result != 0 && errno == EINTR);
        return result == 0;
    }
    // Whether a regular file has that name, and has not been renamed or removed meanwhile.
    static bool has_name(int fd, const char* name) {
        struct stat held, named;
        return ::fstat(fd, &held) == 0 && S_ISREG(held.st_mode) && ::lstat(name, &named) == 0 && held.st_dev == named.st_dev &&
               held.st_ino == named.st_ino;
    }
    const std::string place_;
    std::string stem_;
    std::string name_;
    bool exists_ = false;
};

}  // namespace

InputFile::InputFile(const char* path) : path_(path) {
    do descriptor_ = ::open(path, O_RDONLY | O_CLOEXEC);
    while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) fail_io("open", path, errno);
}

InputFile::~InputFile() { ::close(descriptor_); }

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

std::string system_reason(int error_number) {
#ifdef __APPLE__
    return std::generic_category().message(error_number);
#else
    return ::strerror_l(error_number, PlainLocale().get());
#endif
}

void replace_file(const char* path, const std::function<void(const PutBytes&)>& write) {
    char target[PATH_MAX];
    const std::string place = ::realpath(path, target) ? target : path;  // where a link leads
    struct stat status;
    const bool replaces = ::stat(place.c_str(), &status) == 0;
    if (replaces && !S_ISREG(status.st_mode)) fail(SL_ERROR_IO, "cannot replace ", shown_path(path), ": it is not a regular file");
    if (replaces && ::faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) != 0) fail_io("replace", path, errno);
    const size_t slash = place.rfind('/');
    const std::string folder = slash == place.npos ? "." : slash == 0 ? "/" : place.substr(0, slash);
    Descriptor file(open_unnamed(folder));
    const auto fill = [&] {
        if (replaces) {
            // Both together, or one of them. Before the permissions, since it may take some away.
            const bool kept = ::fchown(file.get(), status.st_uid, status.st_gid) == 0;
            if (!kept) static_cast<void>(::fchown(file.get(), ~uid_t{0}, status.st_gid) == 0);
            if (::fchmod(file.get(), status.st_mode & (kept ? 07777 : 0777)) != 0) fail_io("set the permissions of", path, errno);
        }
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
    temporary.rename(path);  // before the file is closed, which would unlock it, and after its flush has told what closing could tell

    // The rename itself reaches the disk with the folder. Some file systems cannot flush folders: the new file is in place all the same.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
}

bool start_thread(std::vector<std::thread>& threads, const std::function<void()>& work) {
    bool started = false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        threads.reserve(threads.size() + 1);
        threads.emplace_back(work);
        started = true;
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

double plain_strtod(const char* text, char** end) { return ::strtod_l(text, end, PlainLocale().get()); }

void ask_for_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr uintptr_t kPage = uintptr_t{2} << 20;
    const auto address = reinterpret_cast<uintptr_t>(block);
    const uintptr_t start = (address + kPage - 1) / kPage * kPage, end = (address + bytes) / kPage * kPage;
    if (end >= start + 2 * kPage) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
#endif
}

}  // namespace sparselin
#endif
