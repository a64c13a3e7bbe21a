// Text that goes out: no write fails unnoticed, and numbers have a point in every locale.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

class Output {
  public:
    // "-" is standard output. A file is written whole or not at all: until finish() it has another name. Throws Failure with the system's
    // reason, as the others do, and where a signal asks to stop.
    explicit Output(const std::string& path);
    ~Output();  // drops what finish() has not written
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view text);
    void flush();
    void finish();

  private:
    [[noreturn]] void fail() const;

    std::string name_;
    std::string place_, temporary_;  // of a file that is not there yet; empty otherwise
    int descriptor_ = 1;
    std::string buffer_;
};

// A line of a report: the name, and the value at a fixed column.
std::string report_line(std::string_view name, std::string_view value);

// The shortest text that reads back to the same number.
std::string shortest(double value);

// `digits` significant ones, without trailing zeros.
std::string rounded(double value, int digits);

// 1234567 as 1,234,567.
std::string grouped(uint64_t value);

// Whole seconds, as 12 s, 1:02 or 1:02:03.
std::string duration(double seconds);

// A line on standard error that starts with the program's name.
void tell(const std::string& message);

}  // namespace cli
