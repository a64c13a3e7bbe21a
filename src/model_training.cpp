#include <algorithm>
#include <chrono>
#include <utility>

#include "class_weights.h"
#include "error.h"
#include "model.h"
#include "random.h"

namespace sparselin {
namespace {

// Calls the progress function about fifty times a second, looking at the clock only every so many numbers.
class Reporter {
  public:
    Reporter(sl_progress_fn function, void* user) : function_(function), user_(user), last_(Clock::now()) {}

    // Counts a row and the numbers that were read or written for it; throws SL_ERROR_CANCELLED if it was time to report and
    // the function asks to stop.
    template <class Progress>
    void work(uint64_t numbers, Progress progress) {
        if (!function_ || (work_ += numbers + 16) < kWork) return;
        work_ = 0;
        const Clock::time_point now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        report(progress());
    }
    void report(const sl_progress& progress) const {
        if (function_ && function_(&progress, user_) != 0)
            fail(SL_ERROR_CANCELLED, "cancelled after ", progress.rows, " of ", progress.rows_total, " rows");
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr uint64_t kWork = 1 << 16;  // about a millisecond
    sl_progress_fn function_;
    void* user_;
    uint64_t work_ = 0;
    Clock::time_point last_;
};

// The rows of a pass in the order that the options fix.
class PassOrder {
  public:
    PassOrder(Sampling sampling, size_t rows, const RandomStream& random) : sampling_(sampling), rows_(rows), random_(random) {
        if (sampling != Sampling::shuffle) return;
        order_.resize(rows);
        for (size_t i = 0; i < rows; ++i) order_[i] = i;
        shuffle(order_.data(), rows, random);
    }
    bool is_sequential() const { return sampling_ == Sampling::sequential; }
    uint64_t operator[](uint64_t i) const {
        switch (sampling_) {
            case Sampling::shuffle: return order_[static_cast<size_t>(i)];
            case Sampling::sequential: return i;
            case Sampling::with_replacement: return random_.below(rows_, i);
        }
        return 0;
    }

  private:
    Sampling sampling_;
    uint64_t rows_;
    RandomStream random_;
    std::vector<uint64_t> order_;
};

// At least how many features the rows that will be learned have: as many as it takes for automatic storage to be an array from the start,
// or fewer, and then all. Mostly the first rows tell.
uint64_t features_of(const Dataset& data) {
    const uint64_t enough = (data.dimension() + FeatureStore<Weight>::kWidest - 1) / FeatureStore<Weight>::kWidest;
    if (data.nonzeros() < enough) return 0;
    std::vector<bool> seen(static_cast<size_t>(data.dimension()));
    uint64_t count = 0;
    for (size_t r = 0; r < data.rows() && count < enough; ++r) {
        const Row row = data.pattern(r);
        for (size_t j = 0; j < row.count && data.weight(r) > 0; ++j) {
            count += !seen[row.indices[j]];
            seen[row.indices[j]] = true;
        }
    }
    return count;
}

// Asks the memory for the rows that come after row i of the order, so that they are there when they are learned, and so are their weights.
// Rows that come as they lie, the memory brings by itself, unless the weights of several classes keep it busy. What that gains is in
// tests/bench/README.md.
[[gnu::always_inline]] inline void look_ahead(const Learner& learner, const Dataset& data, const PassOrder& order, uint64_t i) {
    constexpr uint64_t kSoon = 4, kLater = 8;
    const auto row = [&](uint64_t ahead) { return static_cast<size_t>(order[std::min<uint64_t>(i + ahead, data.rows() - 1)]); };
    if (!order.is_sequential() || learner.classes() > 1) data.prefetch(row(kSoon), row(kLater));
    const Row next = data.pattern(row(1));
    learner.prefetch(next.indices, next.count);
}

}  // namespace

void Model::observe(const RawRow& raw, double weight, const IndexBounds& bounds) {
    Learner& learner = this->learner();
    check_label_and_weight(0, weight);
    const Row row = buffer_.canonical(raw, bounds);
    if (weight == 0) return;
    learner.observe(row, weight);
    predictor_.reset();  // which knows the dimension
}

void Model::observe(const Dataset& data, size_t first, size_t count, size_t& rows_done) {
    ValueBuffer values;
    for (rows_done = 0; rows_done < count; ++rows_done) {
        const size_t r = first + rows_done;
        const Row row = data.row(r, values);
        with_row(r, [&] { observe(RawRow{row.indices, row.values, row.count}, data.weight(r), {settings_.dimension, false}); });
    }
}

void Model::step(const Row& row, double label, double weight) {
    if (!learner_->is_raw()) return learner_->step(row, label, weight);
    std::unique_ptr<Learner> ready = learner_->ready();
    ready->step(row, label, weight);
    learner_ = std::move(ready);
}

void Model::feed(const RawRow& raw, double label, double weight, const IndexBounds& bounds) {
    Learner& learner = this->learner();
    if (settings_.balance)
        fail(SL_ERROR_STATE, "the option balance goes by the labels of a whole data set: fit one, or feed with weights or positive_weight");
    check_label_and_weight(label, weight);
    Labels fixed;  // by this row, if none were
    if (loss_.has_labels()) {
        if (!labels_.known()) fixed = Labels::standard(learner.classes());
        label = (labels_.known() ? labels_ : fixed).taken(label);
    }
    const Row row = buffer_.canonical(raw, bounds);
    weight = ClassWeights(settings_).weighed(label, weight);
    if (weight == 0) return;
    step(row, label, weight);
    if (fixed.known()) labels_ = std::move(fixed);
    predictor_.reset();
}

void Model::feed(const Dataset& data, size_t first, size_t count, size_t& rows_done) {
    ValueBuffer values;
    for (rows_done = 0; rows_done < count; ++rows_done) {
        const size_t r = first + rows_done;
        const Row row = data.row(r, values);
        const Row next = data.pattern(std::min(r + 1, data.rows() - 1));
        prefetch(next.indices, next.count);
        with_row(r, [&] { feed(RawRow{row.indices, row.values, row.count}, data.label(r), data.weight(r), {settings_.dimension, false}); });
    }
}

// Gathers the statistics of a data set, which has at least so many `features`. If it was stopped in the midst of the same data, it goes on
// from there.
void Model::gather(const Dataset& data, const Settings& settings, uint64_t features, sl_progress_fn progress, void* user) {
    Gathering gathering = std::exchange(gathering_, Gathering());
    if (!gathering.learner || gathering.fingerprint != data.fingerprint()) {
        gathering = {std::make_unique<Learner>(settings, *learner_), 0, 0};
        gathering.learner->expect_observed(data.dimension(), features);
    }
    Reporter reporter(progress, user);
    const sl_progress none{0, 0, settings_.epochs * data.rows(), 0, 0};
    ValueBuffer values;
    try {
        while (gathering.rows < data.rows()) {
            const size_t r = gathering.rows;
            const Row row = data.row(r, values), next = data.pattern(std::min(r + 1, data.rows() - 1));
            gathering.learner->prefetch(next.indices, next.count);
            if (data.weight(r) > 0) gathering.learner->observe(row, data.weight(r));
            ++gathering.rows;
            reporter.work(row.count, [&] { return none; });
        }
    } catch (const Error& error) {
        if (error.status() != SL_ERROR_CANCELLED) throw;
        gathering.fingerprint = data.fingerprint();
        position_ = FitPosition{true, gathering.fingerprint, 0, 0};
        gathering_ = std::move(gathering);
        throw;
    }
    gathering_ = std::move(gathering);
}

void Model::fit(const Dataset& data, sl_progress_fn progress, void* user) {
    learner();
    if (data.rows() > 0 && settings_.epochs > INT64_MAX / data.rows())
        fail(SL_ERROR_INVALID_OPTION, "the option epochs is ", settings_.epochs, ", which with ", uint64_t{data.rows()},
             " rows makes more than 2^63 steps");
    for (size_t r = 0; settings_.dimension && data.dimension() > settings_.dimension && r < data.rows(); ++r)
        if (data.pattern(r).dimension() > settings_.dimension)
            with_row(r, [&] {
                fail(SL_ERROR_INVALID_DATA, "index ", data.pattern(r).dimension() - 1, " is not below the option dimension, ",
                     settings_.dimension);
            });
    const Labels labels = loss_.has_labels() ? labels_.for_data(data, settings_.classes) : labels_;
    check_classes(labels.count());
    const ClassWeights class_weights(settings_, data, labels);
    Settings settings = settings_;
    if (labels.count() > 2) settings.classes = static_cast<uint32_t>(labels.count());
    FitPosition position;
    if (position_.active && position_.fingerprint == data.fingerprint()) position = position_;
    const uint64_t features = settings_.storage == Storage::automatic && learner_->steps() == 0 ? features_of(data) : 0;
    std::unique_ptr<Learner> before;  // the learner as it was before statistics were gathered, or classes found
    bool gathered = false;
    if (learner_->steps() == 0 && learner_->statistics().wanted() && !learner_->statistics().observed()) {
        gather(data, settings, features, progress, user);
        before = std::exchange(learner_, std::move(gathering_.learner));
        gathered = true;
    } else if (settings.scores() != learner_->classes()) {
        before = std::exchange(learner_, std::make_unique<Learner>(settings, *learner_));
    }
    const uint64_t steps = learner_->steps();
    const auto stopped = [&](bool cancelled) {
        const bool learned = learner_->steps() > steps;
        if (!learned && before) {
            std::swap(learner_, before);
            if (gathered) gathering_.learner = std::move(before);
            gathering_.fingerprint = data.fingerprint();
        }
        if (cancelled)
            position_ = FitPosition{true, data.fingerprint(), position.epochs, position.rows};
        else if (learned)
            position_ = FitPosition();
    };
    try {
        learner_->expect(data.dimension(), features);
        run_passes(data, labels, class_weights, position, progress, user);
    } catch (const Error& error) {
        stopped(error.status() == SL_ERROR_CANCELLED);
        throw;
    } catch (const std::bad_alloc&) {
        stopped(false);
        throw;
    }
    position_ = FitPosition{false, data.sample_fingerprint(), 0, 0};
    gathering_ = Gathering();
}

sl_fit_state Model::fit_state(const Dataset& data) const {
    if (position_.active) return position_.fingerprint == data.fingerprint() ? SL_FIT_STOPPED : SL_FIT_NEW;
    return position_.fingerprint == data.sample_fingerprint() ? SL_FIT_DONE : SL_FIT_NEW;
}

void Model::run_passes(const Dataset& data, const Labels& labels, const ClassWeights& class_weights, FitPosition& position,
                       sl_progress_fn progress, void* user) {
    const size_t rows = data.rows();
    const auto report = [&] {
        const double mean_loss = learner_->steps() > 0 ? learner_->mean_loss() : 0;
        return sl_progress{learner_->steps(), position.epochs * rows + position.rows, settings_.epochs * rows, mean_loss, position.epochs};
    };
    Reporter reporter(progress, user);
    ValueBuffer values;
    Labels fixed = labels;  // by the first row that is learned
    while (position.epochs < settings_.epochs && rows > 0) {
        const PassOrder order(settings_.sampling, rows, RandomStream(settings_.seed, passes_));
        while (position.rows < rows) {
            const size_t r = static_cast<size_t>(order[position.rows]);
            look_ahead(*learner_, data, order, position.rows);
            const Row row = data.row(r, values);
            const uint64_t settled = learner_->settled();
            double weight = data.weight(r);
            if (weight > 0) {  // else no labels may be known
                with_row(r, [&] {
                    const double label = loss_.has_labels() ? labels.taken(data.label(r)) : data.label(r);
                    weight = class_weights.weighed(label, weight);
                    if (weight > 0) step(row, label, weight);
                });
            }
            if (weight > 0) {
                if (!labels_.known() && fixed.known()) {
                    std::swap(labels_, fixed);
                    if (labels_.count() > 2) settings_.classes = static_cast<uint32_t>(labels_.count());
                }
                predictor_.reset();
            }
            ++position.rows;
            reporter.work(row.count * learner_->classes() + learner_->settled() - settled, report);
        }
        position.rows = 0;
        ++passes_;
        ++position.epochs;
        reporter.report(report());
    }
}

}  // namespace sparselin
