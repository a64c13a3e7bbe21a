// svmlight text to rows in memory beside the floor and LIBLINEAR's reader, and text to a model beside its two halves.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

#include "bars.h"
#include "text_floor.h"

namespace bench {
namespace {

std::string text_of(const Matrix& matrix) {
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

class TextFile {
  public:
    explicit TextFile(const std::string& text) {
        const int descriptor = mkstemp(path_);
        std::FILE* const file = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
        if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fclose(file) != 0) {
            std::perror(path_);
            std::exit(1);
        }
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    ~TextFile() { ::unlink(path_); }
    const char* path() const { return path_; }

  private:
    char path_[32] = "/tmp/sparselin-bench-XXXXXX";
};

// Text in memory, as a source of bytes.
struct Source {
    const std::string& text;
    size_t at = 0;
    static int64_t read(void* user, void* buffer, size_t capacity) {
        auto& self = *static_cast<Source*>(user);
        const size_t count = std::min(capacity, self.text.size() - self.at);
        std::memcpy(buffer, self.text.data() + self.at, count);
        self.at += count;
        return static_cast<int64_t>(count);
    }
};

void load(const char* path, int threads) {
    sl_error error;
    sl_options* options = nullptr;
    sl_dataset* data = nullptr;
    check(sl_options_create(&options, &error), error);
    check(sl_options_set_number(options, "threads", threads, &error), error);
    check(sl_dataset_load(path, options, &data, &error), error);
    sl_options_free(options);
    sl_dataset_free(data);
}

// Chunk by chunk, each dropped as soon as it is there; into the model, if there is one.
void stream(const std::string& text, sl_model* model) {
    sl_error error;
    Source source{text};
    sl_reader* reader = nullptr;
    check(sl_reader_create(&Source::read, &source, nullptr, &reader, &error), error);
    for (uint64_t rows = 1; rows > 0;) {
        sl_dataset* chunk = nullptr;
        size_t done;
        check(sl_reader_next(reader, 4096, &chunk, &error), error);
        check(sl_dataset_shape(chunk, &rows, nullptr, nullptr, &error), error);
        if (model) check(sl_model_feed_dataset(model, chunk, &done, &error), error);
        sl_dataset_free(chunk);
    }
    sl_reader_free(reader);
}

bool runs(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// As Table::race, but by the clock on the wall, for what works in more than one thread or process.
std::vector<double> race_by_the_wall(const Table& table, size_t nonzeros, const std::vector<std::function<void()>>& candidates) {
    std::vector<double> best(candidates.size(), 1e300);
    for (int round = 0; round < (table.quick() ? 5 : 15); ++round)
        for (size_t c = 0; c < candidates.size(); ++c) {
            const double start = seconds();
            candidates[c]();
            best[c] = std::min(best[c], seconds() - start);
        }
    for (double& time : best) time *= 1e9 / static_cast<double>(nonzeros);
    return best;
}

// LIBLINEAR's program tells no time for reading alone, so it is made to stop learning at once: what is left beside reading is a gradient or
// two. Its own processor time, in nanoseconds a nonzero; 0 where it is not installed.
double liblinear_reading(const char* path, size_t nonzeros) {
    const std::string train = std::string("liblinear-train -q -s 0 -e 1e30 ") + path + " /dev/null";
    double best = 0;
    for (int round = 0; round < 2; ++round) {
        rusage before, after;
        getrusage(RUSAGE_CHILDREN, &before);
        if (!runs(train)) return 0;
        getrusage(RUSAGE_CHILDREN, &after);
        const auto sum = [](const rusage& used) {
            return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
        };
        const double time = 1e9 * (sum(after) - sum(before)) / static_cast<double>(nonzeros);
        best = round ? std::min(best, time) : time;
    }
    return best;
}

void reading(Table& table, const std::string& name, const Matrix& matrix) {
    const std::string text = text_of(matrix);
    const TextFile file(text);
    const size_t nonzeros = matrix.nonzeros();
    std::vector<uint32_t> indices(nonzeros);
    std::vector<double> values(nonzeros);
    const Peak peak;
    load(file.path(), 1);
    const double megabytes = peak.megabytes();
    const std::vector<double> times =
        table.race(nonzeros, {
                                 [&] { load(file.path(), 1); },
                                 [&] { stream(text, nullptr); },
                                 [&] { text_floor(text.data(), text.data() + text.size(), indices.data(), values.data()); },
                             });
    table.add(name + ", dataset_load, one thread, beside bare digits", times[0], times[2], 1.16, megabytes);
    table.add(name + ", text in memory to rows, chunk by chunk", times[1], times[2], 1.16);
    table.add(name + ", bare digits", times[2], times[2], 0);
    // With millions of features the gradient is more work than the reading.
    if (matrix.features > 1000000) {
        table.skipped(name + ", LIBLINEAR's reader", "cannot be told from its learning");
    } else if (const double peer = liblinear_reading(file.path(), nonzeros); peer > 0) {
        table.add(name + ", LIBLINEAR's train, stopped at once", peer, times[2], 0);
        table.add(name + ", dataset_load beside LIBLINEAR", times[0], peer, 0.1);
    } else {
        table.skipped(name + ", LIBLINEAR's reader", "liblinear-train is not installed (Debian: liblinear-tools)");
    }
    const std::vector<double> walls = race_by_the_wall(table, nonzeros, {[&] { load(file.path(), 1); }, [&] { load(file.path(), 2); }});
    table.add(name + ", two threads beside one, by the wall", walls[1], walls[0], 1 / 1.8);
}

void one_pass(Table& table, const std::string& name, const Matrix& matrix) {
    const std::string text = text_of(matrix);
    const TextFile file(text);
    const Data data(matrix);
    const Settings settings = {{"scale", "none"}};
    const std::string train = std::string("'" SL_PROGRAM_PATH "' train --quiet --scale none ");
    if (!runs("'" SL_PROGRAM_PATH "' --version")) return table.skipped(name + ", the program", "it is not built");
    const auto learn = [&] {
        sl_error error;
        size_t done;
        const Learner learner(settings);
        check(sl_model_feed_dataset(learner.handle, data.handle, &done, &error), error);
    };
    const std::vector<double> times = race_by_the_wall(table, matrix.nonzeros(),
                                                       {
                                                           [&] { runs(train + "--stream " + file.path()); },
                                                           [&] { runs("cat " + std::string(file.path()) + " | " + train + "-"); },
                                                           [&] { stream(text, nullptr); },
                                                           learn,
                                                       });
    const double slower = std::max(times[2], times[3]);
    table.add(name + ", train --stream, beside the slower of the next two", times[0], slower, 1.1);
    table.add(name + ", train -, from a pipe", times[1], slower, 1.1);
    table.add(name + ", reading alone", times[2], slower, 0);
    table.add(name + ", learning alone", times[3], slower, 0);
}

}  // namespace

void text_bars(Table& table) {
    table.heading("Text to rows");
    reading(table, "r100", words(table.rows(100000), 47236, 75.7, 1));
    reading(table, "a24, 300,000 rows", ads(table.rows(300000), 24, 3));
    table.heading("Text to a model in one pass, by the wall");
    one_pass(table, "r100", words(table.rows(100000), 47236, 75.7, 1));
}

}  // namespace bench
