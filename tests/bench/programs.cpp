#include "programs.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

TemporaryFile::TemporaryFile(const std::string& bytes) {
    const int descriptor = mkstemp(path_);
    std::FILE* const file = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fclose(file) != 0) {
        std::perror(path_);
        std::exit(1);
    }
}

TemporaryFile::~TemporaryFile() { ::unlink(path_); }

std::string svmlight_text(const Matrix& matrix) {
    std::string text;
    char pair[64];
    for (size_t r = 0; r < matrix.rows(); ++r) {
        text += matrix.labels[r] > 0 ? "1" : "-1";
        for (auto k = static_cast<size_t>(matrix.pointers[r]); k < static_cast<size_t>(matrix.pointers[r + 1]); ++k) {
            std::snprintf(pair, sizeof pair, " %u:%.6g", matrix.indices[k] + 1, static_cast<double>(matrix.values[k]));
            text += pair;
        }
        text += '\n';
    }
    return text;
}

Output output_of(const std::string& command) {
    Output output;
    std::FILE* const pipe = popen(("{ " + command + "\n} 2>/dev/null").c_str(), "r");
    if (!pipe) return output;
    std::string line;
    for (int c; (c = std::fgetc(pipe)) != EOF;) {
        if (c != '\n') {
            line += static_cast<char>(c);
        } else {
            output.lines.push_back(line);
            line.clear();
        }
    }
    output.succeeded = pclose(pipe) == 0;
    return output;
}

// A process begins with the memory of the one that starts it, which counts as its peak. So a process that holds nothing goes between.
Used used_by(const std::string& command) {
    char self[4096];
    const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self);
    if (length <= 0) return {};
    std::string quoted;
    for (const char c : command) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    Used used;
    used.output = output_of("'" + std::string(self, static_cast<size_t>(length)) + "' run '" + quoted + "'");
    std::vector<std::string>& lines = used.output.lines;
    if (lines.empty() || std::sscanf(lines.back().c_str(), "%lf %lf", &used.seconds, &used.megabytes) != 2) used.output.succeeded = false;
    if (!lines.empty()) lines.pop_back();
    return used;
}

int run_and_tell(const char* command) {
    const int status = std::system(command);
    rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
    std::printf("%.6f %.3f\n", seconds(used.ru_utime) + seconds(used.ru_stime), 1024e-6 * static_cast<double>(used.ru_maxrss));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::vector<double> race_by_the_wall(const Table& table, size_t nonzeros, const std::vector<std::function<void()>>& candidates) {
    const auto seconds = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    std::vector<double> best(candidates.size(), 1e300);
    const double end = seconds() + (table.quick() ? 3 : 12);
    for (int round = 0; round < 5 || seconds() < end; ++round)
        for (size_t c = 0; c < candidates.size(); ++c) {
            const double start = seconds();
            candidates[c]();
            best[c] = std::min(best[c], seconds() - start);
        }
    for (double& time : best) time *= 1e9 / static_cast<double>(nonzeros);
    return best;
}

}  // namespace bench
