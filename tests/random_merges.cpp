// Random options on random small problems, of which several models learn a part each: what is merged of them is the mean that SPEC section
// 11 says, in every storage with the same bits, and goes on as a model of its own; copies of one model, merged, go on as it does; and a
// model that starts from another returns what that does, and goes on as it does where their rates are alike.
//   random_merges [--seed N] [--count M]     programs N to N + M - 1; a failure names its own N
#include <sparselin.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "reference/library_run.h"

namespace {

using namespace dense_twin;

using Models = std::vector<Model>;

struct Tally {
    size_t merged = 0, continued = 0, observed = 0, started = 0, wild = 0, others = 0;
};

Model merge(const Models& parts) {
    std::vector<const sl_model*> handles;
    for (const Model& part : parts) handles.push_back(part.get());
    sl_model* merged = nullptr;
    sl_error error;
    check(sl_model_merge(handles.data(), handles.size(), &merged, &error), error);
    return Model(merged);
}

std::vector<unsigned char> bytes_of(const sl_model* model) {
    size_t length = 0;
    sl_error error;
    check(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, nullptr, 0, &length, &error), error);
    std::vector<unsigned char> bytes(length);
    check(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes.data(), bytes.size(), &length, &error), error);
    return bytes;
}

// Numbers of two views, which may differ by `tolerance` times the largest of the same kind.
void expect_near(const std::vector<double>& a, const std::vector<double>& b, double scale, double tolerance, const char* what,
                 const char* where) {
    for (size_t i = 0; i < a.size(); ++i)
        if (!(std::fabs(a[i] - b[i]) <= tolerance * scale))
            fail("%s: %s %zu is %.17g and %.17g (scale %.3g)", what, where, i, a[i], b[i], scale);
}
double largest(const std::vector<double>& numbers) {
    double largest = 1;
    for (const double x : numbers) largest = std::max(largest, std::fabs(x));
    return largest;
}
void expect_near(const View& a, const View& b, double tolerance, const char* what) {
    const double scores = std::max(largest(a.scores), largest(a.biases)), weights = largest(a.weights);
    expect_near(a.weights, b.weights, weights, tolerance, what, "weight");
    expect_near(a.biases, b.biases, scores, tolerance, what, "bias");
    expect_near(a.scores, b.scores, scores, tolerance, what, "score");
}

// Beyond that, a last bit is all over the weights after a few steps.
bool is_wild(const View& view) { return !(largest(view.scores) < 1e4 && largest(view.weights) < 1e4 && largest(view.biases) < 1e4); }

class Merging {
  public:
    Merging(const Program& program, Dice& dice, Tally& tally)
        : program_(program),
          dice_(dice),
          tally_(tally),
          matrix_(program),
          probes_(program.probes, program.ones),
          settings_(program.options) {
        cuts_.push_back(0);
        const size_t parts = 2 + dice.below(4);
        for (size_t p = 1; p < parts; ++p) cuts_.push_back(dice.below(program.rows.size() + 1));
        std::sort(cuts_.begin(), cuts_.end());
        cuts_.push_back(program.rows.size());
    }

    void run() {
        const bool shared = program_.observe && dice_.chance(0.5);
        const std::string storage = dice_.chance(0.5) ? "hash" : "auto";
        if (program_.observe) observed_is_the_union();
        const Models parts = learned(storage.c_str(), shared);
        if (parts.size() < 2) return;
        const Model merged = merge(parts);
        is_the_mean(parts, merged.get());
        same_in_every_storage(merged.get(), shared, storage == "hash" ? "auto" : "hash");
        one_alone_is_itself(*parts[0]);
        a_tree_is_flat(parts, merged.get());
        copies_go_on_as_one(parts[0].get());
        starts_where_the_source_is(merged.get());
        ++tally_.merged;
    }

  private:
    View view(const sl_model* model) const { return View(model, program_.features, probes_); }

    bool feeds(sl_model* model, size_t first, size_t end) const {
        for (size_t r = first; r < end; ++r) {
            sl_error error;
            const sl_status status = sl_model_feed(model, matrix_.indices_of(r), matrix_.values_of(r), matrix_.count(r), matrix_.labels[r],
                                                   matrix_.weights[r], &error);
            if (status == SL_ERROR_DIVERGED) return false;
            check(status, error);
        }
        return true;
    }
    void observes(sl_model* model, size_t first, size_t end) const {
        sl_error error;
        for (size_t r = first; r < end; ++r)
            check(sl_model_observe(model, matrix_.indices_of(r), matrix_.values_of(r), matrix_.count(r), matrix_.weights[r], &error),
                  error);
    }
    bool has_weight(size_t first, size_t end) const {
        return std::any_of(matrix_.weights.begin() + static_cast<std::ptrdiff_t>(first),
                           matrix_.weights.begin() + static_cast<std::ptrdiff_t>(end), [](double s) { return s > 0; });
    }

    Models observed(const char* storage) const {
        Models parts;
        for (size_t p = 0; p + 1 < cuts_.size(); ++p) {
            parts.push_back(create_valid(program_.options, "storage", storage));
            observes(parts.back().get(), cuts_[p], cuts_[p + 1]);
        }
        return parts;
    }

    // Models that have learned a part of the rows each, with the statistics of the whole or of their part; none of those that could not.
    Models learned(const char* storage, bool shared) const {
        Models parts;
        const Model whole = shared ? merge(observed(storage)) : nullptr;
        for (size_t p = 0; p + 1 < cuts_.size(); ++p) {
            if (!has_weight(cuts_[p], cuts_[p + 1])) continue;
            Model part = shared ? clone_of(whole.get()) : create_valid(program_.options, "storage", storage);
            if (!shared && program_.observe) observes(part.get(), cuts_[p], cuts_[p + 1]);
            if (feeds(part.get(), cuts_[p], cuts_[p + 1])) parts.push_back(std::move(part));
        }
        return parts;
    }

    // Of what is merged of models that have observed, as of one that has observed all: the first steps tell.
    void observed_is_the_union() {
        const Model merged = merge(observed("auto")), whole = create_valid(program_.options);
        observes(whole.get(), 0, program_.rows.size());
        const size_t few = std::min<size_t>(3, program_.rows.size());
        if (!feeds(whole.get(), 0, few) || !feeds(merged.get(), 0, few) || is_wild(view(whole.get()))) return;
        expect_near(view(whole.get()), view(merged.get()), 1e-10, "observed together and merged");
        ++tally_.observed;
    }

    void is_the_mean(const Models& parts, const sl_model* merged) {
        View mean = view(merged);
        const View actual = mean;
        std::vector<double> sizes(mean.weights.size()), bias_sizes(mean.biases.size());
        std::fill(mean.weights.begin(), mean.weights.end(), 0);
        std::fill(mean.biases.begin(), mean.biases.end(), 0);
        double total = 0;
        uint64_t steps = 0;
        for (const bool adds : {false, true})
            for (size_t p = 0, m = 0; p + 1 < cuts_.size(); ++p) {
                if (!has_weight(cuts_[p], cuts_[p + 1]) || m == parts.size()) continue;
                double weight = 0;
                size_t rows = 0;
                for (size_t r = cuts_[p]; r < cuts_[p + 1]; ++r) {
                    const bool larger = settings_.two_labels() && settings_.scores() == 1 && matrix_.labels[r] == 1;
                    weight += matrix_.weights[r] * (larger ? settings_.number("positive_weight") : 1);
                    rows += matrix_.weights[r] > 0;
                }
                const View part = view(parts[m].get());
                if (part.steps != rows) continue;  // its part of the rows overflowed, and it is not there
                ++m;
                if (!adds) {
                    total += weight;
                    continue;
                }
                steps += rows;
                for (size_t i = 0; i < sizes.size(); ++i) {
                    mean.weights[i] += weight / total * part.weights[i];
                    sizes[i] += weight / total * std::fabs(part.weights[i]);
                }
                for (size_t k = 0; k < bias_sizes.size(); ++k) {
                    mean.biases[k] += weight / total * part.biases[k];
                    bias_sizes[k] += weight / total * std::max(std::fabs(part.biases[k]), largest(part.scores));
                }
            }
        if (actual.steps != steps) fail("merged: %" PRIu64 " steps, and the parts have %" PRIu64, actual.steps, steps);
        for (size_t i = 0; i < sizes.size(); ++i)
            if (!(std::fabs(actual.weights[i] - mean.weights[i]) <= 1e-12 * std::max(1.0, sizes[i])))
                fail("merged: weight %zu is %.17g, the mean is %.17g", i, actual.weights[i], mean.weights[i]);
        for (size_t k = 0; k < bias_sizes.size(); ++k)
            if (!(std::fabs(actual.biases[k] - mean.biases[k]) <= 1e-11 * std::max(1.0, bias_sizes[k])))
                fail("merged: bias %zu is %.17g, the mean is %.17g", k, actual.biases[k], mean.biases[k]);
    }

    // And after a way to bytes, and a few steps more.
    void same_in_every_storage(const sl_model* merged, bool shared, const char* storage) {
        const Model other = merge(learned(storage, shared)), one = clone_of(merged);
        view(other.get()).expect_same(view(merged), "merged in another storage");
        const auto bytes = bytes_of(merged);
        sl_model* loaded = nullptr;
        sl_error error;
        check(sl_model_from_bytes(bytes.data(), bytes.size(), &loaded, &error), error);
        const Model kept(loaded);
        const size_t rows = std::min<size_t>(20, program_.rows.size());
        const bool goes = feeds(one.get(), 0, rows);
        if (goes != feeds(other.get(), 0, rows) || goes != feeds(kept.get(), 0, rows)) fail("merged: not all storages overflow at once");
        view(other.get()).expect_same(view(one.get()), "merged, another storage, and trained on");
        view(kept.get()).expect_same(view(one.get()), "merged, kept, and trained on");
    }

    void one_alone_is_itself(const sl_model& part) {
        sl_model* merged = nullptr;
        sl_error error;
        const sl_model* const list[] = {&part};
        check(sl_model_merge(list, 1, &merged, &error), error);
        const Model owner(merged);
        if (bytes_of(merged) != bytes_of(&part)) fail("one model alone, merged, is another");
    }

    void a_tree_is_flat(const Models& parts, const sl_model* flat) {
        Models two;
        const size_t half = 1 + dice_.below(parts.size() - 1);
        for (const bool first : {true, false}) {
            Models some;
            for (size_t p = first ? 0 : half; p < (first ? half : parts.size()); ++p) some.push_back(clone_of(parts[p].get()));
            two.push_back(merge(some));
        }
        const View tree = view(merge(two).get()), all = view(flat);
        if (tree.steps != all.steps) fail("a tree of merges has %" PRIu64 " steps, one merge %" PRIu64, tree.steps, all.steps);
        double scale = 1;
        for (const Model& part : parts) scale = std::max({scale, largest(view(part.get()).weights), largest(view(part.get()).scores)});
        expect_near(tree.weights, all.weights, scale, 1e-12, "a tree of merges and one", "weight");
        expect_near(tree.scores, all.scores, scale, 1e-10, "a tree of merges and one", "score");
    }

    void copies_go_on_as_one(const sl_model* part) {
        Models copies;
        for (size_t i = 2 + dice_.below(3); i > 0; --i) copies.push_back(clone_of(part));
        const Model merged = merge(copies), one = clone_of(part);
        if (is_wild(view(part))) {
            ++tally_.wild;
            return;
        }
        expect_near(view(part), view(merged.get()), 1e-12, "copies merged");
        // What a sparse average left out is not there, and rates that are automatic rest on sums, which more rows have made.
        if (settings_.is("sparse_average", "true") || settings_.is("eta0", "auto") ||
            (settings_.is("schedule", "adaptive") && settings_.is("noise", "auto"))) {
            ++tally_.others;
            return;
        }
        const size_t rows = std::min<size_t>(10, program_.rows.size());
        for (size_t r = 0; r < rows; ++r) {
            const bool goes = feeds(one.get(), r, r + 1);
            if (goes != feeds(merged.get(), r, r + 1)) fail("copies merged do not overflow with the one");
            if (!goes || is_wild(view(one.get()))) return;
            expect_near(view(one.get()), view(merged.get()), 1e-9, "copies merged, and trained on");
        }
        ++tally_.continued;
    }

    void starts_where_the_source_is(const sl_model* source) {
        Model started = create_valid(program_.options);
        sl_error error;
        const sl_status status = sl_model_start(started.get(), source, &error);
        if (settings_.is("schedule", "inverse_lambda")) {
            if (status != SL_ERROR_STATE) fail("a start for inverse_lambda gives %s", sl_status_name(status));
            return;
        }
        check(status, error);
        const View before = view(source), begun = view(started.get());
        if (begun.steps != 0) fail("a start has made %" PRIu64 " steps", begun.steps);
        expect_near(before, begun, 1e-15, "a start");  // the last bit tells which weights are within theta
        if (program_.observe) {
            observes(started.get(), 0, program_.rows.size());
            expect_near(before, view(started.get()), 1e-12, "a start that has observed");
        }
        if (settings_.needs_statistics() && !program_.observe) return;
        Model kept = clone_of(started.get());
        {
            const auto bytes = bytes_of(started.get());
            sl_model* loaded = nullptr;
            check(sl_model_from_bytes(bytes.data(), bytes.size(), &loaded, &error), error);
            kept.reset(loaded);
        }
        const bool goes = feeds(started.get(), 0, program_.rows.size());
        if (goes != feeds(kept.get(), 0, program_.rows.size())) fail("a start that was kept overflows elsewhere");
        view(kept.get()).expect_same(view(started.get()), "a start, kept, and trained on");
        ++tally_.started;
    }

    const Program& program_;
    Dice& dice_;
    Tally& tally_;
    const Matrix matrix_, probes_;
    const Settings settings_;
    std::vector<size_t> cuts_;
};

}  // namespace

int main(int argc, char** argv) {
    const Seeds seeds(argc, argv, 3000 / SL_SHARE);
    Tally tally;
    const int failures = seeds.failures([&](const Program& program, Dice& dice) {
        if (Settings(program.options).conflicts().empty()) Merging(program, dice, tally).run();
    });
    std::printf("seeds %" PRIu64 " to %" PRIu64
                ": %zu merged, %zu of which went on as one (%zu were wild, %zu could not); %zu observed, %zu started\n",
                seeds.first, seeds.first + seeds.count - 1, tally.merged, tally.continued, tally.wild, tally.others, tally.observed,
                tally.started);
    return failures ? 1 : 0;
}
