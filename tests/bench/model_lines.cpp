// From text to a model by the wall, as each program does it by itself, with the test error and log loss of what it learned.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "peers.h"
#include "programs.h"

namespace bench {
namespace {

struct Line {
    std::string name;
    double seconds, wrong, log_loss;
};

// Of probabilities of the larger label, one a line.
void judge(const std::vector<std::string>& probabilities, const std::vector<double>& labels, Line& line) {
    line.wrong = line.log_loss = 0;
    for (size_t r = 0; r < labels.size(); ++r) {
        const double p = std::strtod(probabilities[r].c_str(), nullptr), right = labels[r] > 0 ? p : 1 - p;
        line.wrong += (p > 0.5) != (labels[r] > 0) ? 100 / static_cast<double>(labels.size()) : 0;
        line.log_loss -= std::log(std::max(right, 1e-15)) / static_cast<double>(labels.size());
    }
}

class Race {
  public:
    Race(size_t rounds, const std::vector<double>& test_labels) : rounds_(rounds), test_labels_(test_labels) {}

    // The least of the rounds. `predict` prints a probability for each test row.
    void run(const std::string& name, const std::string& train, const std::string& predict) {
        using Clock = std::chrono::steady_clock;
        Line line{name, 1e300, 0, 0};
        for (size_t round = 0; round < rounds_; ++round) {
            const Clock::time_point start = Clock::now();
            if (!output_of(train).succeeded) return;
            line.seconds = std::min(line.seconds, std::chrono::duration<double>(Clock::now() - start).count());
        }
        const Output output = output_of(predict);
        if (!output.succeeded || output.lines.size() != test_labels_.size()) return;
        judge(output.lines, test_labels_, line);
        lines_.push_back(line);
    }
    void add(const Line& line) { lines_.push_back(line); }
    const std::vector<Line>& lines() const { return lines_; }

  private:
    size_t rounds_;
    const std::vector<double>& test_labels_;
    std::vector<Line> lines_;
};

void sparselin(Race& race, const std::string& train, const std::string& test) {
    const TemporaryFile model;
    const std::string program = "'" SL_PROGRAM_PATH "' ", path = model.path();
    for (const char* options : {"", " --epochs 5", " --stream --scale none"})
        race.run("sparselin train" + std::string(options), program + "train --quiet --model " + path + options + " " + train,
                 program + "predict --probability " + path + " " + test);
}

void liblinear(Race& race, const std::string& train, const std::string& test) {
    const TemporaryFile model, scores;
    for (const std::string solver : {"-s 0", "-s 7"})
        race.run("LIBLINEAR " + solver, "liblinear-train -q -B 1 " + solver + " " + train + " " + model.path(),
                 "liblinear-predict -b 1 " + test + " " + model.path() + " " + scores.path() +
                     " >/dev/null && awk 'NR == 1 {k = $2 == 1 ? 2 : 3; next} {print $k}' " + scores.path());
}

void scikit_learn(Race& race, const std::string& python, const std::string& train, const std::string& test) {
    const Output output = output_of(python + " '" SL_BENCH_FOLDER "/peer_models.py' " + train + " " + test);
    for (const std::string& printed : output.lines) {
        char name[64];
        Line line;
        if (std::sscanf(printed.c_str(), "%63[^\t]\t%lf\t%lf\t%lf", name, &line.seconds, &line.wrong, &line.log_loss) != 4) continue;
        line.name = name;
        race.add(line);
    }
}

// In its own form of text, which nobody is asked to wait for.
void vowpal_wabbit(Race& race, const std::string& vw, const std::string& train, const std::string& test) {
    const TemporaryFile text, test_text, model;
    if (!make_vowpal_wabbit_text(train, text.path()) || !make_vowpal_wabbit_text(test, test_text.path())) return;
    race.run("VW", vw + " --quiet --loss_function logistic -b 18 -d " + text.path() + " -f " + model.path(),
             vw + " --quiet -t --link logistic -i " + model.path() + " -d " + test_text.path() + " -p /dev/stdout");
}

void from_text(Table& table, const std::string& name, const Matrix& all, size_t test_rows) {
    const Matrix train = rows_of(all, 0, all.rows() - test_rows), test = rows_of(all, all.rows() - test_rows, test_rows);
    const TemporaryFile train_file(svmlight_text(train)), test_file(svmlight_text(test));
    Race race(table.quick() ? 1 : 3, test.labels);
    sparselin(race, train_file.path(), test_file.path());
    if (race.lines().empty()) return table.note(name + ", the program", "it is not built");
    liblinear(race, train_file.path(), test_file.path());
    if (const std::string python = python_with_scikit_learn(); !python.empty())
        scikit_learn(race, python, train_file.path(), test_file.path());
    if (const std::string vw = vowpal_wabbit_program(); !vw.empty()) vowpal_wabbit(race, vw, train_file.path(), test_file.path());
    for (const Line& line : race.lines()) {
        char said[160];
        std::snprintf(said, sizeof said, "%s, %s: %.2f s, %.2f %%, %.3f", name.c_str(), line.name.c_str(), line.seconds, line.wrong,
                      line.log_loss);
        table.add(said, 1e9 * line.seconds / static_cast<double>(train.nonzeros()),
                  1e9 * race.lines()[0].seconds / static_cast<double>(train.nonzeros()), 0);
    }
}

}  // namespace

void model_lines(Table& table) {
    table.heading("Text to a model, options as they come: seconds, error, log loss");
    from_text(table, "r100", words(table.rows(125000), 47236, 75.7, 1), table.rows(25000));
}

}  // namespace bench
