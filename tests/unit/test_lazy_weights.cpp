// The lazy weights where they settle all the time: histories of 2, 3 and 7 entries, factors that bring P down within a few steps, single
// factors near 0, masses near overflow. Compared with the dense twin after every step, beside kills, births and changes of sign.
#include "../reference/random_draw.h"
#include "example.h"
#include "learner.h"
#include "options.h"

namespace {

using dense_twin::Dice;
using dense_twin::Setting;
using dense_twin::SparseRow;
using Twin = dense_twin::Twin<long double>;

int failures = 0;

struct Events {
    size_t steps = 0, deaths = 0, births = 0, changes_of_sign = 0;
};

// The engine and the twin side by side.
class Pair {
  public:
    Pair(const std::string& name, const std::vector<Setting>& options, uint64_t history, uint32_t features)
        : name_(name + ", history " + std::to_string(history)),
          learner_(settings(options, history)),
          twin_(dense_twin::Settings(options), range(features)),
          iterate_(dense_twin::Settings(last_iterate(options)), range(features)),
          before_(features, 0) {}

    void observe(const SparseRow& row) {
        learner_.observe(canonical(row), 1);
        twin_.observe(row, 1);
        iterate_.observe(row, 1);
    }

    void feed(const SparseRow& row, double label, bool compares = true) {
        learner_.step(canonical(row), label, 1);
        twin_.feed(row, label, 1);
        iterate_.feed(row, label, 1);
        ++events_.steps;
        for (uint32_t j = 0; j < before_.size(); ++j) count_events(j);
        if (compares) compare();
    }

    void compare() {
        for (uint32_t j = 0; j < before_.size(); ++j) expect_near(learner_.weight(j), twin_.weight(j), twin_.scale_of(j), j);
        expect_near(learner_.bias(), twin_.bias(), twin_.scale_of_run(), UINT32_MAX);
    }

    void expect_exactly_zero(uint32_t j) {
        if ((learner_.weight(j) == 0 && twin_.weight(j) == 0) || ++failures > 20) return;
        std::fprintf(stderr, "%s, step %zu: weight %u is %.17g, not 0\n", name_.c_str(), events_.steps, j, learner_.weight(j));
    }

    const Events& events() const { return events_; }

  private:
    static std::vector<uint32_t> range(uint32_t n) {
        std::vector<uint32_t> all(n);
        for (uint32_t j = 0; j < n; ++j) all[j] = j;
        return all;
    }
    static std::vector<Setting> last_iterate(std::vector<Setting> options) {
        options.emplace_back("average", "none");
        return options;
    }
    static sparselin::Settings settings(const std::vector<Setting>& given, uint64_t history) {
        sparselin::Options options;
        for (const Setting& s : given) options.set(s.first, s.second);
        sparselin::Settings settings = options.settings();
        settings.history_limit = history;
        return settings;
    }
    sparselin::Row canonical(const SparseRow& row) {
        indices_.clear();
        values_.clear();
        for (const auto& [j, v] : row) {
            indices_.push_back(j);
            values_.push_back(v);
        }
        return buffer_.canonical({indices_.data(), values_.data(), indices_.size()});
    }
    void count_events(uint32_t j) {
        const double now = static_cast<double>(dense_twin::sign(iterate_.weight(j)));
        events_.deaths += before_[j] != 0 && now == 0;
        events_.births += before_[j] == 0 && now != 0;
        events_.changes_of_sign += before_[j] * now < 0;
        before_[j] = now;
    }
    void expect_near(double actual, long double expected, long double scale, uint32_t j) {
        if (std::fabs(actual - expected) <= 1e-9L * std::max({1.0L, std::fabs(expected), scale}) || ++failures > 20) return;
        std::fprintf(stderr, "%s, step %zu: weight %u is %.17g, the twin has %.17Lg\n", name_.c_str(), events_.steps, j, actual, expected);
    }

    std::string name_;
    sparselin::Learner learner_;
    Twin twin_, iterate_;
    std::vector<double> before_;  // signs of the iterate's weights
    Events events_;
    sparselin::RowBuffer buffer_;
    std::vector<uint32_t> indices_;
    std::vector<double> values_;
};

void expect(bool condition, const std::string& what) {
    if (condition) return;
    ++failures;
    std::fprintf(stderr, "%s\n", what.c_str());
}

constexpr uint32_t kFeatures = 8;

SparseRow draw(Dice& dice) {
    SparseRow x;
    for (uint32_t j = 0; j < kFeatures; ++j)
        if (dice.chance(j == 0 ? 0.02 : 0.3)) x.emplace_back(j, dice.uniform(-1, 1));
    return x;
}

// A plane that turns round every 60 steps, so that weights change their sign and die on the way.
double label_of(const SparseRow& x, size_t step, Dice& dice) {
    double score = 0.3 * dice.uniform(-1, 1);
    for (const auto& [j, v] : x) score += (j % 3 == 0 ? 0 : j % 3 == 1 ? 1 : -1) * v;
    return (score > 0) == (step / 60 % 2 == 0) ? 1 : -1;
}

struct Update {
    const char* name;
    std::vector<Setting> options;
    bool kills;
};

const std::vector<Update> kUpdates = {
    {"sgd", {{"update", "sgd"}, {"l1", "0.02"}, {"l2", "0.01"}}, true},
    {"sgd with l1 alone", {{"update", "sgd"}, {"l1", "0.05"}, {"l2", "0"}}, true},
    {"sgd with a small P", {{"update", "sgd"}, {"l1", "0.01"}, {"l2", "2"}}, true},
    {"sgd with l2 alone", {{"update", "sgd"}, {"l2", "3"}}, false},
    {"fobos", {{"update", "fobos"}, {"l1", "0.02"}, {"l2", "0.01"}}, true},
    {"fobos with a small P", {{"update", "fobos"}, {"l1", "0.01"}, {"l2", "3"}}, true},
    {"fobos with tiny factors", {{"update", "fobos"}, {"l1", "1e-7"}, {"l2", "2e7"}}, true},
    {"sgd with a factor near 0", {{"update", "sgd"}, {"l1", "0.001"}, {"l2", "3.33333332"}}, true},
    {"centered", {{"update", "sgd"}, {"l2", "1.5"}, {"center", "true"}}, false},
    {"truncated gradient", {{"update", "truncated_gradient"}, {"gravity", "0.05"}, {"period", "3"}}, true},
    {"truncated gradient within theta", {{"update", "truncated_gradient"}, {"gravity", "0.1"}, {"theta", "0.2"}}, true},
    {"truncated gradient with theta 0", {{"update", "truncated_gradient"}, {"gravity", "0.1"}, {"theta", "0"}}, false},
    {"rounding", {{"update", "rounding"}, {"theta", "0.1"}, {"period", "4"}}, true},
};

const std::vector<std::vector<Setting>> kAverages = {
    {{"average", "none"}},
    {{"average", "uniform"}},
    {{"average", "uniform"}, {"average_start", "37"}},
    {{"average", "polynomial"}, {"average_power", "5"}},
    {{"average", "uniform"}, {"average_start", "auto"}},
};

void settle_all_the_time() {
    for (const Update& update : kUpdates) {
        Events events;
        for (const auto& average : kAverages)
            for (const char* loss : {"hinge", "squared", "log"})
                for (const uint64_t history : {2u, 3u, 7u, 0u}) {
                    auto options = update.options;
                    options.insert(options.end(), average.begin(), average.end());
                    options.insert(options.end(), {{"loss", loss}, {"schedule", "constant"}, {"eta0", "0.3"}, {"scale", "none"}});
                    Dice dice(history + 1), labels(99);
                    Pair pair(update.name + std::string(", ") + loss, options, history, kFeatures);
                    if (dense_twin::Settings(options).boolean("center"))
                        for (int i = 0; i < 50; ++i) pair.observe(draw(labels));
                    for (size_t step = 0; step < 360; ++step) {
                        const SparseRow x = draw(dice);
                        pair.feed(x, label_of(x, step, dice));
                    }
                    events.deaths += pair.events().deaths;
                    events.births += pair.events().births;
                    events.changes_of_sign += pair.events().changes_of_sign;
                }
        expect(events.changes_of_sign > 100, update.name + std::string(": no changes of sign"));
        expect(!update.kills || (events.deaths > 100 && events.births > 100), update.name + std::string(": no kills"));
    }
}

// The trial average of the automatic start has a mass of 0.99^-t, beyond doubles after 70,622 steps. Labels that drift away keep the last
// iterate better than any average.
void long_trial() {
    for (const char* l1 : {"0", "0.001"}) {
        Pair pair("long trial",
                  {{"loss", "squared"},
                   {"l1", l1},
                   {"l2", "0.001"},
                   {"schedule", "constant"},
                   {"eta0", "0.05"},
                   {"average", "uniform"},
                   {"average_start", "auto"},
                   {"scale", "none"},
                   {"normalize", "l2"}},
                  0, kFeatures);
        Dice dice(5);
        for (size_t step = 0; step < 80000; ++step) {
            const bool turns = step >= 79000;
            const double slope = turns ? 79 : static_cast<double>(step) / 1000;
            SparseRow x = draw(dice);
            double label = turns ? 3 * dice.uniform(-1, 1) : 0;
            for (const auto& [j, v] : x) label += slope * v;
            pair.feed(x, label, step % 500 < 3 || step > 78990);
        }
    }
}

// A change too small to be seen beside L makes no live weight and leaves no trace in the average, whose zeros are exact.
void changes_too_small_to_see() {
    for (const char* theta : {"inf", "1000"})
        for (const char* average : {"none", "uniform", "polynomial"}) {
            Pair fobos(
                "fobos, too small",
                {{"update", "fobos"}, {"loss", "squared"}, {"l1", "0.1"}, {"schedule", "constant"}, {"eta0", "0.3"}, {"average", average}},
                0, 2);
            Pair truncated("truncated gradient, too small",
                           {{"update", "truncated_gradient"},
                            {"loss", "squared"},
                            {"gravity", "0.1"},
                            {"theta", theta},
                            {"schedule", "constant"},
                            {"eta0", "0.3"},
                            {"average", average}},
                           0, 2);
            for (int step = 0; step < 20; ++step)
                for (Pair* pair : {&fobos, &truncated}) {
                    pair->feed({{0, 1.0}, {1, step % 3 == 2 ? 1e-20 : 0}}, step % 2 ? 3 : -1);
                    pair->expect_exactly_zero(1);
                }
        }
}

}  // namespace

int main() {
    settle_all_the_time();
    long_trial();
    changes_too_small_to_see();
    std::printf("lazy weights: %d failures\n", failures);
    return failures ? 1 : 0;
}
