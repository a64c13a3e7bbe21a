// The cost of a training step against the number of features: rows of one length over 10^3, 10^5 and 10^7 features, beside the plain
// gather and scatter over the same indices. What that takes longer where there are more features is the memory's doing; what a step
// takes on top should not depend on their number. The rare step that settles all weights is timed by itself.
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "bench.h"
#include "feature_store.h"

namespace {

using bench::Law;
using bench::Model;
using bench::Rows;

constexpr size_t kRows = 10000, kLength = 80;

struct Learner {
    const char* name;
    Model::Settings settings;
};
// All average. Of weights that die between two occurrences of their feature the average asks when they died, which the stronger l1 shows.
const Learner kLearners[] = {
    {"sgd", {{"storage", "dense"}}},
    {"sgd, l1 1e-8", {{"storage", "dense"}, {"l1", "1e-8"}}},
    {"sgd, l1 1e-5", {{"storage", "dense"}, {"l1", "1e-5"}}},
    {"fobos, l1 1e-8", {{"storage", "dense"}, {"update", "fobos"}, {"l1", "1e-8"}}},
    {"truncated gradient, theta 1",
     {{"storage", "dense"},
      {"update", "truncated_gradient"},
      {"gravity", "1e-8"},
      {"period", "10"},
      {"theta", "1"},
      {"l2", "0"},
      {"decay", "1e-6"}}},
    {"sgd, hash storage", {{"storage", "hash"}}},
};

// Nanoseconds a nonzero: of the gather and scatter, then of feed and of feed_csr for each learner.
std::vector<double> measure(uint64_t features, Law law, size_t rounds) {
    const Rows rows = bench::make_rows(kRows, kLength, features, law, 1);
    const sparselin::ZeroedArray<bench::Entry> entries(features);
    std::vector<std::unique_ptr<Model>> models;
    std::vector<bench::Candidate> candidates = {
        [&](size_t first, size_t count) { bench::gather_scatter(rows, first, count, entries.data()); }};
    for (const Learner& learner : kLearners) {
        models.push_back(std::make_unique<Model>(learner.settings));
        Model& model = *models.back();
        candidates.push_back([&](size_t first, size_t count) { bench::feed(model, rows, first, count); });
        candidates.push_back([&](size_t first, size_t count) { bench::feed_csr(model, rows, first, count); });
    }
    return bench::best_of_rounds(rounds, rows, candidates);
}

void print_steps(size_t rounds) {
    std::vector<std::vector<double>> columns;
    for (const Law law : {Law::uniform, Law::zipf})
        for (const uint64_t features : {1000u, 100000u, 10000000u}) columns.push_back(measure(features, law, rounds));
    std::printf("A step of %zu nonzeros, all learners averaging: ns a nonzero, and times that of the gather and scatter\n", kLength);
    std::printf("%-39s%-51s%s\n", "", "uniform indices", "zipf indices");
    std::printf("%-37s", "features");
    for (int law = 0; law < 2; ++law)
        for (const char* features : {"10^3", "10^5", "10^7"}) std::printf("%6s%11s", features, "");
    std::printf("\n");
    const auto print = [&](const std::string& name, size_t line) {
        std::printf("%-37s", name.c_str());
        for (const auto& column : columns) std::printf("%6.1f %6.2f x  ", column[line], column[line] / column[0]);
        std::printf("\n");
    };
    print("gather and scatter", 0);
    size_t line = 1;
    for (const Learner& learner : kLearners)
        for (const char* way : {", feed", ", feed_csr"}) print(std::string(learner.name) + way, line++);
}

// The longest of `steps` steps, which are at least those between two settlings, of a model that holds all the features. The least of many
// tries, since whatever else the machine does makes steps longer too.
void print_settling(uint64_t features, size_t steps) {
    Model model({{"l1", "1e-8"}});
    std::vector<uint32_t> row(kLength);
    for (uint32_t feature = 0; feature < features; feature += kLength) {
        std::iota(row.begin(), row.end(), feature);
        model.feed(row.data(), nullptr, kLength, feature % 3 ? 1 : -1);
    }
    double settling = 1e9;
    for (size_t tries = (size_t{3} << 20) / steps; tries > 0; --tries) {
        double longest = 0;
        for (size_t step = 0; step < steps; ++step) {
            const double start = bench::seconds();
            model.feed(row.data(), nullptr, 1, step % 2 ? 1 : -1);
            longest = std::max(longest, bench::seconds() - start);
        }
        settling = std::min(settling, longest);
    }
    std::printf("%11llu features: %8.2f ms once in %7zu steps, or %.2f ns a nonzero\n", static_cast<unsigned long long>(features),
                1e3 * settling, steps, 1e9 * settling / static_cast<double>(steps * kLength));
}

}  // namespace

int main(int argc, char** argv) {
    print_steps(bench::rounds_from(argc, argv, 12));
    std::printf("\nThe step that settles all weights, where l1 and averaging call for it\n");
    print_settling(100000, 1 << 14);
    print_settling(10000000, 1 << 20);
}
