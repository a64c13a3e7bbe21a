// svmlight text to rows in memory beside the floor and LIBLINEAR's reader, and text to a model beside its two halves.
#include <algorithm>
#include <cstring>
#include <string>

#include "programs.h"
#include "text_floor.h"

namespace bench {
namespace {

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

// Chunk by chunk of the size that the program takes, each dropped as soon as it is there; into the model, if there is one.
void stream(const std::string& text, sl_model* model) {
    sl_error error;
    Source source{text};
    sl_reader* reader = nullptr;
    check(sl_reader_create(&Source::read, &source, nullptr, &reader, &error), error);
    for (uint64_t rows = 1; rows > 0;) {
        sl_dataset* chunk = nullptr;
        size_t done;
        check(sl_reader_next(reader, 512, &chunk, &error), error);
        check(sl_dataset_shape(chunk, &rows, nullptr, nullptr, &error), error);
        if (model) check(sl_model_feed_dataset(model, chunk, &done, &error), error);
        sl_dataset_free(chunk);
    }
    sl_reader_free(reader);
}

// LIBLINEAR's program tells no time for reading alone, so it is made to stop learning at once: what is left beside reading is a gradient or
// two. Its own processor time, in nanoseconds a nonzero; 0 where it is not installed.
double liblinear_reading(const char* path, size_t nonzeros) {
    double best = 0;
    for (int round = 0; round < 2; ++round) {
        const Used used = used_by(std::string("liblinear-train -q -s 0 -e 1e30 ") + path + " /dev/null");
        if (!used.output.succeeded) return 0;
        const double time = 1e9 * used.seconds / static_cast<double>(nonzeros);
        best = round ? std::min(best, time) : time;
    }
    return best;
}

void reading(Table& table, const std::string& name, const Matrix& matrix) {
    const std::string text = svmlight_text(matrix);
    const TemporaryFile file(text);
    const size_t nonzeros = matrix.nonzeros();
    std::vector<uint32_t> indices(nonzeros);
    std::vector<double> values(nonzeros);
    const Peak peak;
    load(file.path(), 1);
    const double megabytes = peak.megabytes();
    const std::vector<double> times =
        table.race(nonzeros, {
                                 [&] { load(file.path(), 1); },
                                 [&] { text_floor(text.data(), text.data() + text.size(), indices.data(), values.data()); },
                             });
    table.add(name + ", dataset_load, one thread, beside bare digits", times[0], times[1], 1.16, megabytes);
    // With millions of features the gradient is more work than the reading.
    if (matrix.features > 1000000) {
        table.note(name + ", LIBLINEAR's reader", "cannot be told from its learning");
    } else if (const double peer = liblinear_reading(file.path(), nonzeros); peer > 0) {
        table.add(name + ", dataset_load beside LIBLINEAR's train, stopped at once", times[0], peer, 0.1);
    } else {
        table.note(name + ", LIBLINEAR's reader", "liblinear-train is not installed (Debian: liblinear-tools)");
    }
    const std::vector<double> walls = race_by_the_wall(table, nonzeros, {[&] { load(file.path(), 1); }, [&] { load(file.path(), 2); }});
    table.add(name + ", two threads beside one, by the wall", walls[1], walls[0], 1 / 1.8);
}

void one_pass(Table& table, const std::string& name, const Matrix& matrix) {
    const std::string text = svmlight_text(matrix);
    const TemporaryFile file(text);
    const Data data(matrix);
    const Settings settings = {{"scale", "none"}};
    const std::string program = "'" SL_PROGRAM_PATH "' train --quiet ", train = program + "--scale none ", path = file.path();
    const std::string as_it_is = program + path, from_file = train + "--stream " + path, from_pipe = "cat " + path + " | " + train + "-";
    // The rows four times over: if they were held, that would be beyond the bar.
    const Used used = used_by("cat " + path + " " + path + " " + path + " " + path + " | " + train + "--storage dense -");
    if (!used.output.succeeded) return table.note(name + ", the program", "it is not built");
    const auto learn = [&] {
        sl_error error;
        size_t done;
        const Learner learner(settings);
        check(sl_model_feed_dataset(learner.handle, data.handle, &done, &error), error);
    };
    const std::vector<double> times = race_by_the_wall(table, matrix.nonzeros(),
                                                       {
                                                           [&] { output_of(from_file); },
                                                           [&] { output_of(from_pipe); },
                                                           [&] { stream(text, nullptr); },
                                                           learn,
                                                           [&] { output_of(as_it_is); },
                                                       });
    const double slower = std::max(times[2], times[3]);
    table.add(name + ", train --stream, beside the slower of the last two", times[0], slower, 1.1);
    table.add(name + ", train -, from a pipe", times[1], slower, 1.1);
    table.add(name + ", train, no option set: two threads that read, then a fit", times[4], slower, 1.1);
    table.add(name + ", reading alone, in one thread", times[2], slower, 0);
    table.add(name + ", learning alone, in order and not scaled", times[3], slower, 0);
    const double allowed = 16e-6 * static_cast<double>(matrix.features) + 64;
    table.add(name + ", memory: beside 16 bytes a feature and 64 MB", used.megabytes, allowed, 1, used.megabytes);
}

}  // namespace

void text_bars(Table& table) {
    table.heading("Text to rows");
    reading(table, "r100", words(table.rows(100000), 47236, 75.7, 1));
    reading(table, "a24, 300,000 rows", ads(table.rows(300000), 24, 3));
    table.heading("Text to a model in one pass, by the wall");
    one_pass(table, "r100", words(100000, 47236, 75.7, 1));  // in quick runs too: less, and the start of a program would count
}

}  // namespace bench
