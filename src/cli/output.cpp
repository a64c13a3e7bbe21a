#include "output.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "../number.h"
#include "library.h"

namespace cli {

namespace {
constexpr size_t kBufferSize = 1 << 16;
constexpr size_t kValueColumn = 18;
}  // namespace

void Output::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferSize) flush();
}

void Output::flush() {
    for (size_t done = 0; done < buffer_.size();) {
        if (stop_signal() != 0) throw Failure(kBadData, file_.name() + ": interrupted");
        done += file_.write(std::string_view(buffer_).substr(done));
    }
    buffer_.clear();
}

void Output::finish() {
    flush();
    file_.finish();
}

std::string report_line(std::string_view name, std::string_view value) {
    std::string line(name);
    line.append(std::max<size_t>(kValueColumn, name.size() + 1) - name.size(), ' ');
    line += value;
    line += '\n';
    return line;
}

// std::to_chars is far faster, where there is one.
std::string shortest(double value) {
#ifdef __cpp_lib_to_chars
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
#else
    return sparselin::to_text(value);
#endif
}

std::string rounded(double value, int digits) {
    char text[64];
    return std::string(text, static_cast<size_t>(std::snprintf(text, sizeof text, "%.*g", digits, value)));
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

void tell(const std::string& message) { write_error("sparselin: " + message + "\n"); }

}  // namespace cli
