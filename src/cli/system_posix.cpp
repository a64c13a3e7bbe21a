#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <system_error>
#include <utility>

#include "library.h"
#include "system.h"

namespace cli {

namespace {
constexpr int kPatience = 100;  // milliseconds

std::atomic<int> received{0};  // any thread may be the one that is interrupted

extern "C" void remember_signal(int signal) { received = signal; }

void handle_with(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}
}  // namespace

std::vector<std::string> arguments(int count, char** words) { return {words + 1, words + std::max(count, 1)}; }

std::string system_reason() { return std::generic_category().message(errno); }

// What is opened here in place of a closed stream cannot be written to, so output that has nowhere to go is still an error.
void prepare_standard_streams() {
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= 2) descriptor = open("/dev/null", O_RDONLY);
    if (descriptor > 2) close(descriptor);
    static_cast<void>(signal(SIGPIPE, SIG_IGN));
}

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    if (path != "-") descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw Failure(kBadData, name_ + ": " + system_reason());
#ifdef F_SETPIPE_SZ
    fcntl(descriptor_, F_SETPIPE_SZ, 1 << 20);  // so that whoever writes goes on meanwhile; of what is no pipe, or may not, nothing is lost
#endif
}

InputFile::~InputFile() {
    if (descriptor_ != 0) close(descriptor_);
}

uint64_t InputFile::size() const {
    struct stat status;
    return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
}

// Waits in poll rather than in read, so that a signal that arrives just before cannot be missed.
std::optional<int64_t> InputFile::read(void* buffer, size_t capacity) {
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = poll(&wanted, 1, kPatience);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return {};
    if (ready < 0) return -1;
    const ssize_t count = ::read(descriptor_, buffer, capacity);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    return count;
}

struct OutputFile::Unfinished {
    std::string place, temporary;
};

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path) {
    if (path == "-") return;
    struct stat status;
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else if (!exists || faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) {
        char target[PATH_MAX];
        const std::string place = exists && realpath(path.c_str(), target) ? target : path;  // where a link leads
        const std::string start = place.substr(0, place.rfind('/') + 1) + ".sparselin-" + std::to_string(getpid()) + "-";
        auto file = std::make_unique<Unfinished>(Unfinished{place, ""});
        for (int number = 0; descriptor_ == 1 || (descriptor_ < 0 && errno == EEXIST); ++number) {
            file->temporary = start + std::to_string(number) + ".tmp";
            descriptor_ = open(file->temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        }
        if (descriptor_ >= 0) unfinished_ = std::move(file);
        if (descriptor_ >= 0 && exists) {
            static_cast<void>(fchown(descriptor_, status.st_uid, status.st_gid) == 0);  // as far as the system lets us
            fchmod(descriptor_, status.st_mode & 0777);
        }
    } else {
        descriptor_ = -1;
    }
    if (descriptor_ < 0) fail();
}

OutputFile::~OutputFile() {
    if (descriptor_ > 1) close(descriptor_);
    if (unfinished_) unlink(unfinished_->temporary.c_str());
}

void OutputFile::fail() const { throw Failure(kBadData, name_ + ": " + system_reason()); }

size_t OutputFile::write(std::string_view text) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno != EINTR) fail();
    return count < 0 ? 0 : static_cast<size_t>(count);
}

void OutputFile::finish() {
    if (unfinished_ && fsync(descriptor_) != 0) fail();
    // Some file systems report a full disk or a lost connection only here.
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0 && errno != EINTR) fail();
    if (!unfinished_) return;
    if (rename(unfinished_->temporary.c_str(), unfinished_->place.c_str()) != 0) fail();
    unfinished_.reset();
}

bool same_file(const std::string& output, const std::string& input) {
    struct stat written, read;
    return stat(output.c_str(), &written) == 0 && (input == "-" ? fstat(0, &read) : stat(input.c_str(), &read)) == 0 &&
           written.st_dev == read.st_dev && written.st_ino == read.st_ino;
}

std::string why_not_written(const std::string& path) {
    const size_t slash = path.rfind('/');
    const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    if (access(folder.c_str(), W_OK | X_OK) != 0) return system_reason();
    struct stat status;
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) ? "it is not a regular file" : "";
}

bool errors_go_to_terminal() { return isatty(2) == 1; }

size_t terminal_columns() {
    winsize window = {};
    return ioctl(2, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

void write_error(std::string_view text) {
    if (::write(2, text.data(), text.size()) < 0) return;
}

void catch_stop_signals() { handle_with(remember_signal); }
void let_stop_signals_end_the_program() { handle_with(SIG_DFL); }

int stop_signal() { return received; }

}  // namespace cli
#endif
