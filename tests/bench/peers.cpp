#include "peers.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "programs.h"

namespace bench {
namespace {

// What stands behind `word` in the first line that has it, as a number; -1 if none has.
double number_after(const std::vector<std::string>& lines, const std::string& word) {
    for (const std::string& line : lines)
        if (const size_t at = line.find(word); at != line.npos) return std::strtod(line.c_str() + at + word.size(), nullptr);
    return -1;
}

std::string named(const char* format, double number) {
    char text[128];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

// LIBLINEAR's program times nothing itself: what is left of a run when one that stops after its first pass is taken off are the passes
// after that. Its hinge solver leaves rows out on the way, so that later passes are shorter.
void liblinear(Peers& peers, size_t rows, size_t nonzeros, const TemporaryFile& train, const TemporaryFile& test, double l2) {
    if (!output_of("command -v liblinear-train").succeeded) {
        peers.missing.push_back("LIBLINEAR is not installed (Debian: liblinear-tools)");
        return;
    }
    const TemporaryFile model;
    for (const char* solver : {"-s 7", "-s 3"}) {
        const std::string start =
            std::string("liblinear-train ") + solver + " -B 1 -c " + named("%.17g", 1 / (static_cast<double>(rows) * l2));
        const std::string files = std::string(" ") + train.path() + " " + model.path();
        const Used one = used_by(start + " -e 1e30" + files), all = used_by(start + files);
        const double passes = number_after(all.output.lines, "#iter = ");
        const Output tried = output_of(std::string("liblinear-predict ") + test.path() + " " + model.path() + " /dev/null");
        if (!one.output.succeeded || !all.output.succeeded || passes < 2) continue;
        peers.found.push_back({"LIBLINEAR " + std::string(solver) + named(", %.0f passes", passes),
                               1e9 * (all.seconds - one.seconds) / ((passes - 1) * static_cast<double>(nonzeros)),
                               100 - number_after(tried.lines, "Accuracy = ")});
    }
}

// Numbers of a matrix as they are in memory, for peers.py.
TemporaryFile bytes_of(const Matrix& matrix) {
    std::string bytes;
    const auto append = [&](const void* data, size_t count) { bytes.append(static_cast<const char*>(data), count); };
    const uint64_t sizes[] = {matrix.rows(), matrix.features, matrix.nonzeros()};
    append(sizes, sizeof sizes);
    append(matrix.pointers.data(), matrix.pointers.size() * sizeof(int64_t));
    append(matrix.labels.data(), matrix.labels.size() * sizeof(double));
    append(matrix.indices.data(), matrix.indices.size() * sizeof(uint32_t));
    append(matrix.values.data(), matrix.values.size() * sizeof(float));
    return TemporaryFile(bytes);
}

void scikit_learn(Peers& peers, const Matrix& train, const Matrix& test, double l2) {
    const std::string python = python_with_scikit_learn();
    if (python.empty()) {
        peers.missing.push_back("scikit-learn is not installed (Debian: python3-sklearn)");
        return;
    }
    const TemporaryFile train_file = bytes_of(train), test_file = bytes_of(test);
    const Output output =
        output_of(python + " '" SL_BENCH_FOLDER "/peers.py' " + train_file.path() + " " + test_file.path() + named(" %.17g", l2));
    for (const std::string& line : output.lines) {
        char name[64];
        Peer peer;
        if (std::sscanf(line.c_str(), "%63[^\t]\t%lf\t%lf", name, &peer.ns, &peer.wrong) != 3) continue;
        peer.name = name;
        peers.found.push_back(peer);
    }
}

// From its cache, which it reads in one thread while it learns in another: the time is that of both.
void vowpal_wabbit(Peers& peers, const Matrix& matrix, const TemporaryFile& train, const TemporaryFile& test, double l2) {
    const std::string vw = vowpal_wabbit_program();
    if (vw.empty()) {
        peers.missing.push_back("Vowpal Wabbit is not installed (vw, or Python's vowpalwabbit)");
        return;
    }
    const TemporaryFile text, test_text, cache, model, scores;
    if (!make_vowpal_wabbit_text(train.path(), text.path()) || !make_vowpal_wabbit_text(test.path(), test_text.path())) return;
    int bits = 10;
    while (matrix.features >> bits != 0) ++bits;
    const std::string start = vw + " --quiet --holdout_off --sgd --loss_function logistic -l 100 -b " + std::to_string(bits) +
                              named(" --l2 %.17g -d ", l2) + text.path() + " --cache_file " + cache.path();
    const auto seconds = [&](const char* more) {  // the least of three tries; -1 where it fails
        double least = -1;
        for (int round = 0; round < 3; ++round) {
            const Used used = used_by(start + more + model.path());
            if (!used.output.succeeded) return -1.0;
            least = round ? std::min(least, used.seconds) : used.seconds;
        }
        return least;
    };
    if (!output_of(start + " -k --passes 1").succeeded) return;  // makes the cache
    const double five = seconds(" --passes 5 --predict_only_model -f "), one = seconds(" --passes 1 --predict_only_model -f ");
    const Output tried = output_of(vw + " --quiet -t -i " + model.path() + " -d " + test_text.path() + " -p " + scores.path() +
                                   " && paste " + scores.path() + " " + test_text.path() +
                                   " | awk '($1 > 0) != ($2 > 0) {wrong++} END {print \"wrong\", 100 * wrong / NR}'");
    if (one < 0 || five < 0) return;
    peers.found.push_back({"VW --sgd from its cache, 1 pass, both threads",
                           1e9 * (five - one) / (4 * static_cast<double>(matrix.nonzeros())), number_after(tried.lines, "wrong ")});
}

// The first of some commands of which one, made from it, succeeds; empty: none.
template <class TryOf>
std::string first_that_works(std::initializer_list<const char*> commands, TryOf try_of) {
    for (const std::string command : commands)
        if (output_of(try_of(command)).succeeded) return command;
    return "";
}

}  // namespace

std::string python_with_scikit_learn() {
    return first_that_works({"python3", "/usr/bin/python3"}, [](const std::string& python) { return python + " -c 'import sklearn'"; });
}

std::string vowpal_wabbit_program() {
    return first_that_works({"vw", "python3 -m vowpalwabbit"}, [](const std::string& vw) { return vw + " --version"; });
}

bool make_vowpal_wabbit_text(const std::string& svmlight, const std::string& to) {
    return output_of("sed 's/ / | /' " + svmlight + " >" + to).succeeded;
}

Matrix rows_of(const Matrix& matrix, size_t first, size_t count) {
    const auto begin = matrix.pointers[first], end = matrix.pointers[first + count];
    const auto part = [](const auto& all, auto from, auto to) {
        return std::decay_t<decltype(all)>(all.begin() + static_cast<ptrdiff_t>(from), all.begin() + static_cast<ptrdiff_t>(to));
    };
    Matrix rows{matrix.features,
                matrix.eta0,
                part(matrix.pointers, first, first + count + 1),
                part(matrix.indices, begin, end),
                part(matrix.values, begin, end),
                part(matrix.labels, first, first + count)};
    for (int64_t& pointer : rows.pointers) pointer -= begin;
    return rows;
}

Peers run_peers(const Matrix& train, const Matrix& test, double l2) {
    Peers peers;
    const TemporaryFile train_file(svmlight_text(train)), test_file(svmlight_text(test));
    liblinear(peers, train.rows(), train.nonzeros(), train_file, test_file, l2);
    scikit_learn(peers, train, test, l2);
    vowpal_wabbit(peers, train, train_file, test_file, l2);
    return peers;
}

}  // namespace bench
