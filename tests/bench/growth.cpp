// growth FILE: a pass over rows of 88.5 nonzeros against the number of features, as a table of ns a nonzero: the library, the floor, the
// dense elastic net of examples/papers/lipton, and the peers that are installed. growth.R draws it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "bars.h"
#include "floors.h"
#include "peers.h"
#include "programs.h"

// The same file of C, compiled for one weight at a time and for as many as a register holds.
using DenseLearner = void(const int* rows, const int* features, const int* starts, const int* indices, const double* values,
                          const double* labels, const double* eta0, const double* l1, const double* l2, const int* fobos,
                          const int* sparse_predictions, double* w, double* bias);
extern "C" DenseLearner dense_scalar, dense_vectorised;

namespace bench {
namespace {

// As in examples/papers/lipton, penalties in proportion to the number of rows.
constexpr size_t kRows = 50000;
constexpr double kEta0 = 0.05, kPenalty = 4e-6;
const Settings kLipton = {{"preset", "lipton-sgd"}, {"loss", "log"},  {"storage", "dense"},      {"l1", "4e-6"},
                          {"l2", "4e-6"},           {"eta0", "0.05"}, {"sampling", "sequential"}};

// Predictions over all features too, one weight at a time, as in their table 1; or over a row's own, and vectorised, which is the best a
// dense learner can do.
struct Form {
    DenseLearner* learner;
    int sparse_predictions;
    double seconds_a_feature;  // about
};
constexpr Form kPlain = {dense_scalar, 0, 4e-9}, kBest = {dense_vectorised, 1, 4e-10};

class Dense {
  public:
    explicit Dense(const Matrix& matrix)
        : starts_(matrix.pointers.begin(), matrix.pointers.end()),
          indices_(matrix.indices.begin(), matrix.indices.end()),
          values_(matrix.values.begin(), matrix.values.end()),
          labels_(matrix.labels),
          weights(matrix.features) {}

    void learn(const Form& form, int rows) {
        const int features = static_cast<int>(weights.size()), fobos = 0;
        form.learner(&rows, &features, starts_.data(), indices_.data(), values_.data(), labels_.data(), &kEta0, &kPenalty, &kPenalty,
                     &fobos, &form.sparse_predictions, weights.data(), &bias);
    }

  private:
    std::vector<int> starts_, indices_;
    std::vector<double> values_, labels_;

  public:
    std::vector<double> weights;
    double bias = 0;
};

// Both have to come to the same weights.
void check_same(const Matrix& matrix) {
    const Data data(matrix);
    const Learner learner(kLipton);
    learner.fit(data);
    for (const Form& form : {kPlain, kBest}) {
        Dense dense(matrix);
        dense.learn(form, static_cast<int>(matrix.rows()));
        for (const uint32_t index : matrix.indices) {
            double weight;
            sl_error error;
            check(sl_model_weight(learner.handle, index, &weight, &error), error);
            if (std::fabs(weight - dense.weights[index]) <= 1e-12) continue;
            std::fprintf(stderr, "feature %u: lazy %.15g, dense %.15g\n", index, weight, dense.weights[index]);
            std::exit(1);
        }
    }
}

using Times = std::map<std::string, double>;

Times measure(uint64_t features) {
    const Matrix matrix = bags(kRows, features, 88.5, 1);
    if (features <= 1000000) check_same(rows_of(matrix, 0, 100));
    Times times;
    {
        const Data data(matrix);
        const Learner averaged({{"storage", "dense"},
                                {"average", "uniform"},
                                {"average_start", "0"},
                                {"scale", "none"},
                                {"eta0", "0.05"},
                                {"sampling", "sequential"}});
        const Learner elastic(kLipton);
        Asgd floor(matrix);
        Dense dense(matrix);
        elastic.fit(data);
        for (const uint32_t index : matrix.indices) {  // among zeros alone a processor foresees too much
            sl_error error;
            check(sl_model_weight(elastic.handle, index, &dense.weights[index], &error), error);
        }
        // As many rows densely as take a fifth of a second.
        const auto rows = [&](const Form& form) {
            return static_cast<int>(std::clamp(0.2 / (form.seconds_a_feature * static_cast<double>(features)), 1.0, 1.0 * kRows));
        };
        std::vector<std::function<void()>> passes = {[&] { averaged.fit(data); }, [&] { elastic.fit(data); },
                                                     [&] { dense.learn(kPlain, rows(kPlain)); }, [&] { dense.learn(kBest, rows(kBest)); }};
        for (const AsgdFloor& one : asgd_floors(false)) passes.push_back([&floor, one] { one.pass(floor); });
        const std::vector<double> raced = Table(false).race(matrix.nonzeros(), passes);
        times["sparselin, averaged"] = raced[0];
        times["sparselin, elastic net"] = raced[1];
        times["dense, as in table 1"] = raced[2] * kRows / rows(kPlain);
        times["dense, vectorised"] = raced[3] * kRows / rows(kBest);
        times["floor of averaged"] = *std::min_element(raced.begin() + 4, raced.end());
    }
    for (const Peer& peer : run_peers(matrix, rows_of(matrix, 0, 1000), 1e-5).found)
        for (const auto& [start, name] : {std::pair{"LIBLINEAR -s 7", "LIBLINEAR -s 7"},
                                          std::pair{"scikit-learn SGD", "scikit-learn SGDClassifier"}, std::pair{"VW", "Vowpal Wabbit"}})
            if (peer.name.rfind(start, 0) == 0) times[name] = peer.ns;
    return times;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "run") return bench::run_and_tell(argv[2]);
    std::FILE* const file = argc == 2 ? std::fopen(argv[1], "w") : nullptr;
    if (!file) {
        std::perror(argc == 2 ? argv[1] : "usage: growth FILE");
        return 1;
    }
    const char* const columns[] = {"floor of averaged",    "sparselin, averaged", "sparselin, elastic net",     "dense, vectorised",
                                   "dense, as in table 1", "LIBLINEAR -s 7",      "scikit-learn SGDClassifier", "Vowpal Wabbit"};
    std::fprintf(file, "features");
    for (const char* column : columns) std::fprintf(file, ",\"%s\"", column);
    std::fprintf(file, "\n");
    for (const uint64_t features : {1000u, 10000u, 100000u, 260941u, 1000000u, 10000000u, 100000000u}) {
        std::printf("%llu features\n", static_cast<unsigned long long>(features));
        std::fflush(stdout);
        bench::Times times = bench::measure(features);
        std::fprintf(file, "%llu", static_cast<unsigned long long>(features));
        for (const char* column : columns) times[column] > 0 ? std::fprintf(file, ",%.4g", times[column]) : std::fprintf(file, ",");
        std::fprintf(file, "\n");
        std::fflush(file);
    }
    return std::fclose(file) == 0 ? 0 : 1;
}
