#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "library.h"
#include "stop.h"

namespace cli {

namespace {
constexpr size_t kBufferSize = 1 << 16;
constexpr size_t kValueColumn = 18;
}  // namespace

Output::Output(const std::string& path) : name_(path == "-" ? "standard output" : path) {
    if (path == "-") return;
    std::error_code none;
    const std::filesystem::path target = std::filesystem::canonical(path, none);  // where a link leads
    struct stat status;
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else if (!exists || faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) {
        place_ = exists ? target.string() : path;
        const std::string start = place_.substr(0, place_.rfind('/') + 1) + ".sparselin-" + std::to_string(getpid()) + "-";
        for (int number = 0; descriptor_ == 1 || (descriptor_ < 0 && errno == EEXIST); ++number) {
            temporary_ = start + std::to_string(number) + ".tmp";
            descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        }
        if (descriptor_ >= 0 && exists) {
            static_cast<void>(fchown(descriptor_, status.st_uid, status.st_gid) == 0);  // as far as the system lets us
            fchmod(descriptor_, status.st_mode & 0777);
        }
    } else {
        descriptor_ = -1;
    }
    if (descriptor_ < 0) {
        temporary_.clear();
        fail();
    }
}

Output::~Output() {
    if (descriptor_ > 1) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Output::fail() const { throw Failure(kBadData, name_ + ": " + system_reason()); }

void Output::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferSize) flush();
}

void Output::flush() {
    for (size_t done = 0; done < buffer_.size();) {
        if (stop_signal() != 0) throw Failure(kBadData, name_ + ": interrupted");
        const ssize_t count = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
        if (count < 0 && errno != EINTR) fail();
        if (count > 0) done += static_cast<size_t>(count);
    }
    buffer_.clear();
}

void Output::finish() {
    flush();
    if (!temporary_.empty() && fsync(descriptor_) != 0) fail();
    // Some file systems report a full disk or a lost connection only here.
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0 && errno != EINTR) fail();
    if (temporary_.empty()) return;
    if (rename(temporary_.c_str(), place_.c_str()) != 0) fail();
    temporary_.clear();
}

std::string report_line(std::string_view name, std::string_view value) {
    std::string line(name);
    line.append(std::max<size_t>(kValueColumn, name.size() + 1) - name.size(), ' ');
    line += value;
    line += '\n';
    return line;
}

std::string shortest(double value) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string rounded(double value, int digits) {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr);
}

std::string grouped(uint64_t value) {
    std::string text = std::to_string(value);
    for (size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
    return text;
}

std::string duration(double seconds) {
    const auto whole = static_cast<uint64_t>(std::ceil(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    const auto two_digits = [](uint64_t value) { return (value < 10 ? ":0" : ":") + std::to_string(value); };
    const uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
    const std::string start = hours ? std::to_string(hours) + two_digits(minutes) : std::to_string(minutes);
    return start + two_digits(whole % 60);
}

void tell(const std::string& message) {
    const std::string line = "sparselin: " + message + "\n";
    // Where standard error is gone there is nobody to tell.
    if (::write(2, line.data(), line.size()) < 0) return;
}

}  // namespace cli
