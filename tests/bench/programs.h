// Files and other programs: what they take is their own, whatever this process has taken.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bars.h"

namespace bench {

// A file that goes away by itself.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& bytes = "");
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();
    const char* path() const { return path_; }

  private:
    char path_[32] = "/tmp/sparselin-bench-XXXXXX";
};

std::string svmlight_text(const Matrix& matrix);

// What a command of the shell printed, line by line, and whether it succeeded. What it says on standard error is dropped.
struct Output {
    bool succeeded = false;
    std::vector<std::string> lines;
};
Output output_of(const std::string& command);

// The processor time of a command and all that it starts, and the most memory that the largest process among them came to hold.
struct Used {
    Output output;
    double seconds = 0, megabytes = 0;
};
Used used_by(const std::string& command);

// What main() does when used_by() starts it: runs the command and prints what it used.
int run_and_tell(const char* command);

// As Table::race, but by the clock on the wall, for what works in more than one thread or process.
std::vector<double> race_by_the_wall(const Table& table, size_t nonzeros, const std::vector<std::function<void()>>& candidates);

}  // namespace bench
