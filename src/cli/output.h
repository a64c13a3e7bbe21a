// Text that goes out: no write fails unnoticed, and numbers have a point in every locale.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "system.h"

namespace cli {

class Output {
  public:
    // "-" is standard output. What finish() has not written is dropped.
    explicit Output(const std::string& path) : file_(path) {}

    // Throw Failure, also where a signal asks to stop.
    void write(std::string_view text);
    void flush();
    void finish();

  private:
    OutputFile file_;
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
