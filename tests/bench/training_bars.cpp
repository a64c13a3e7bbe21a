// What a pass of `fit` costs beside the same arithmetic on bare arrays.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bars.h"
#include "floors.h"

namespace bench {
namespace {

// A model that has seen the rows once, and the memory that took.
struct Trained {
    Trained(const Settings& settings, const Matrix& matrix, const Data& data) : learner(with(matrix, settings)) {
        const Peak peak;
        learner.fit(data);
        megabytes = peak.megabytes();
    }
    Learner learner;
    double megabytes = 0;
};

// The floor has to have learned what the library has, or it is none.
void check_same(const Asgd& floor, const Trained& trained) {
    for (uint32_t index : {floor.matrix.indices.front(), floor.matrix.indices.back()}) {
        double weight;
        sl_error error;
        check(sl_model_weight(trained.learner.handle, index, &weight, &error), error);
        if (std::fabs(weight - floor.average(index)) <= 1e-6 * std::fabs(weight)) continue;
        std::fprintf(stderr, "feature %u: the library's average is %.12g, the floor's %.12g\n", index, weight, floor.average(index));
        std::exit(1);
    }
}

// `fit` on rows as they come beside the best floor of the run, and what a floor takes that keeps the library's contract.
void plain(Table& table, const std::string& name, const Matrix& matrix, const Data& data) {
    for (const bool hinge : {false, true}) {
        const Trained trained({{"loss", hinge ? "hinge" : "log"}}, matrix, data);
        std::vector<std::function<void()>> passes = {[&] { trained.learner.fit(data); }};
        std::vector<AsgdFloor> floors = asgd_floors(hinge);
        const auto bare = static_cast<ptrdiff_t>(floors.size());
        floors.push_back(asgd_contract(hinge, matrix.features > 100000));
        std::vector<std::unique_ptr<Asgd>> states;
        for (const AsgdFloor& floor : floors) {
            states.push_back(std::make_unique<Asgd>(matrix));
            floor.pass(*states.back());
            check_same(*states.back(), trained);
            passes.push_back([&, state = states.back().get()] { floor.pass(*state); });
        }
        const std::vector<double> times = table.race(matrix.nonzeros(), passes);
        const auto best = std::min_element(times.begin() + 1, times.begin() + 1 + bare);
        table.add(name + (hinge ? ", hinge" : ", log"), times[0], *best, 1.25, trained.megabytes);
        table.add("    bare arrays: " + floors[static_cast<size_t>(best - times.begin()) - 1].name, *best, *best, 0);
        table.add("    bare arrays: " + floors.back().name, times.back(), *best, 0);
    }
}

struct Case {
    const char* name;
    Settings settings;
    double bar;
};

// Each case beside the learner with l1 = 0 on the same rows in order, and whatever else shall take its turns. Gives all times, the plain
// learner's first.
std::vector<double> beside_plain(Table& table, const std::string& name, const Matrix& matrix, const Data& data,
                                 const std::vector<Case>& cases, const std::vector<std::function<void()>>& more = {}) {
    const Trained plain({}, matrix, data);
    std::vector<std::unique_ptr<Trained>> trained;
    std::vector<std::function<void()>> passes = {[&] { plain.learner.fit(data); }};
    for (const Case& one : cases) {
        trained.push_back(std::make_unique<Trained>(one.settings, matrix, data));
        passes.push_back([&, learner = &trained.back()->learner] { learner->fit(data); });
    }
    passes.insert(passes.end(), more.begin(), more.end());
    const std::vector<double> times = table.race(matrix.nonzeros(), passes);
    for (size_t c = 0; c < cases.size(); ++c)
        table.add(name + ", " + cases[c].name, times[c + 1], times[0], cases[c].bar, trained[c]->megabytes);
    return times;
}

Case shuffled(double bar) { return {"shuffled", {{"sampling", "shuffle"}}, bar}; }

// How many of the weights that have been touched are 0 after a pass, in percent. An average of them is not, so none is taken.
double dead_share(const Matrix& matrix, const Data& data, const Settings& settings) {
    Settings last = with(matrix, settings);
    last.emplace_back("average", "none");
    const Learner learner(last);
    learner.fit(data);
    sl_error error;
    size_t live;
    check(sl_model_nonzeros(learner.handle, nullptr, nullptr, 0, &live, &error), error);
    return 100 * (1 - static_cast<double>(live) / static_cast<double>(matrix.distinct()));
}

// deadly: an l1 that kills nine in ten of the weights that rows touch.
void options(Table& table, const std::string& name, const Matrix& matrix, const Data& data, const char* deadly) {
    const Settings dead = {{"l1", deadly}};
    const std::vector<Case> cases = {
        shuffled(1.2),
        {"elastic net", {{"l1", "1e-8"}}, 1.35},
        {"elastic net, nine in ten dead", dead, 2.2},
        {"truncated gradient",
         {{"update", "truncated_gradient"}, {"l2", "0"}, {"decay", "1e-6"}, {"gravity", "1e-8"}, {"theta", "1"}},
         1.6},
        {"rounding", {{"update", "rounding"}, {"l2", "0"}, {"decay", "1e-6"}, {"theta", "1e-3"}}, 1.6},
    };
    Stamped stamped(matrix);
    stamped.l1 = 1e-8;
    const std::vector<double> times = beside_plain(table, name, matrix, data, cases, {[&] { stamped_pass(stamped); }});
    table.add(name + ", elastic net beside one with time-stamps", times[2], times.back(), 1);
    char share[64];
    std::snprintf(share, sizeof share, "where nine in ten are said to be dead, %.0f %% were", dead_share(matrix, data, dead));
    table.note(name, share);
}

// What people run, a new model that is fitted with no option set, beside one that takes the rows in order and does not scale them.
void by_default(Table& table, const std::string& name, const Matrix& matrix, const Data& data) {
    const auto fit = [&](const Settings& settings) { return [&, settings] { Learner(settings).fit(data); }; };
    const std::vector<double> times = table.race(matrix.nonzeros(), {fit({}), fit({{"sampling", "sequential"}, {"scale", "none"}})});
    table.add(name + ", no option set, beside in order and not scaled", times[0], times[1], 1.5);
}

// One call a row beside one call for all.
void feeding(Table& table, const std::string& name, const Matrix& matrix, double bar) {
    const std::vector<double> values(matrix.values.begin(), matrix.values.end());
    const Learner one_by_one(with(matrix, {})), at_once(with(matrix, {}));
    sl_error error;
    const auto each = [&] {
        for (size_t r = 0; r < matrix.rows(); ++r) {
            const auto begin = static_cast<size_t>(matrix.pointers[r]), end = static_cast<size_t>(matrix.pointers[r + 1]);
            check(sl_model_feed(one_by_one.handle, &matrix.indices[begin], &values[begin], end - begin, matrix.labels[r], 1, &error),
                  error);
        }
    };
    const auto all = [&] {
        check(sl_model_feed_csr(at_once.handle, matrix.rows(), matrix.pointers.data(), matrix.indices.data(), values.data(),
                                matrix.labels.data(), nullptr, nullptr, &error),
              error);
    };
    const std::vector<double> times = table.race(matrix.nonzeros(), {each, all});
    table.add(name + ", feed beside feed_csr", times[0], times[1], bar);
}

std::string title(const char* name, const Matrix& matrix) {
    char text[128];
    std::snprintf(text, sizeof text, "%s: %zu rows, %.1f nonzeros each, %llu features", name, matrix.rows(),
                  static_cast<double>(matrix.nonzeros()) / static_cast<double>(matrix.rows()),
                  static_cast<unsigned long long>(matrix.features));
    return text;
}

}  // namespace

void training_bars(Table& table) {
    {
        const Matrix r8 = words(table.rows(200000), 47236, 8, 1);
        table.heading(title("r8", r8));
        feeding(table, "r8", r8, 1.6);
    }
    {
        const Matrix r100 = words(table.rows(100000), 47236, 75.7, 1);
        table.heading(title("r100", r100));
        const Data data(r100);
        plain(table, "r100", r100, data);
        by_default(table, "r100", r100, data);
        options(table, "r100", r100, data, "2e-4");
    }
    {
        const Matrix m200 = words(table.rows(200000), 260941, 88.5, 4);
        table.heading(title("m200", m200));
        const Data data(m200);
        plain(table, "m200", m200, data);
        by_default(table, "m200", m200, data);
        options(table, "m200", m200, data, "5e-5");
    }
    {
        const Matrix a24 = ads(table.rows(2450000), 24, 3);
        table.heading(title("a24", a24) + ", " + std::to_string(a24.distinct()) + " seen");
        const Data data(a24);
        plain(table, "a24", a24, data);
        by_default(table, "a24", a24, data);
        beside_plain(table, "a24", a24, data, {shuffled(1.4), {"hash storage beside dense", {{"storage", "hash"}}, 2.5}});
    }
    {
        const Matrix a26 = ads(table.rows(1000000), 26, 3);
        table.heading(title("a26", a26));
        const Data data(a26);
        plain(table, "a26", a26, data);
        beside_plain(table, "a26", a26, data, {shuffled(1.4)});
    }
}

}  // namespace bench
