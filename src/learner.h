// One step of training: predict, slope, rate, update. What the dense recursion says is SPEC sections 3 to 5; how the weights follow it
// without being touched is lazy_weights.h.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "lazy_weights.h"
#include "loss.h"
#include "row.h"
#include "schedule.h"
#include "settings.h"
#include "statistics.h"

namespace sparselin {

class Learner {
  public:
    explicit Learner(const Settings& settings);
    // The same, with what another one, which has made no step, has observed, and where it begins.
    Learner(const Settings& settings, const Learner& observer);

    // A round of parts: each began as a copy of `begin` and has made steps since. What is merged comes in the end of so many `parts`, if
    // all learned alike much.
    struct Round {
        const Learner* begin = nullptr;  // null: there is no round, and each began by itself
        double parts = 1;
    };

    // What parts of the same settings have observed, or learned, together (SPEC section 11): all have made steps, or none, and none
    // begins elsewhere than at 0. Of a round, what was there when it began counts once, and shares are of what was learned since. The
    // parts' order fixes the bits. O(sum of their features), and sorting those.
    static std::unique_ptr<Learner> merged(const Settings& settings, const std::vector<const Learner*>& parts, const Round& round);

    // Whether it may have been a copy of `begin`, and has learned since.
    bool goes_on_from(const Learner& begin) const {
        return steps_ > begin.steps_ && rows_.weight_sum > begin.rows_.weight_sum && rows_.curved_rows >= begin.rows_.curved_rows &&
               rows_.nonzeros >= begin.rows_.nonzeros && loss_sum_ >= begin.loss_sum_ && dimension_ >= begin.dimension_;
    }

    // Begins, before the first step, at these weights (of every class, side by side) and biases, with what the observer has observed. They
    // are weights for rows as they come, which is_raw() tells as long as no step has been made. What the first step needs are the weights
    // that do the same to rows which are scaled and centered: ready() is a learner with those.
    Learner(const Settings& settings, const Learner& observer, const std::vector<uint32_t>& indices, const std::vector<double>& weights,
            const std::vector<double>& biases);
    bool is_raw() const { return raw_; }
    std::unique_ptr<Learner> ready() const;

    // Counts a row of weight > 0 into the statistics. SL_ERROR_STATE once a step has been made. All or nothing.
    void observe(const Row& row, double weight);

    // Learns a row of weight > 0 with the label as the loss takes it, of several classes the class's number. All or nothing: SL_ERROR_STATE
    // if statistics are missing, SL_ERROR_DIVERGED if the step would overflow.
    void step(const Row& row, double label, double weight);

    // Tells that rows with at least `features` of the indices below `dimension` will be observed, or will be learned. Changes no number.
    void expect_observed(uint64_t dimension, uint64_t features) { statistics_.expect(dimension, features); }
    void expect(uint64_t dimension, uint64_t features) { weights_.expect(dimension, features); }

    // Tells that a row of these indices, which need not be canonical, will be observed, or learned, soon. Changes no number.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        statistics_.prefetch(indices, count);
        weights_.prefetch(indices, count);
    }

    uint64_t steps() const { return steps_; }
    uint64_t settled() const { return weights_.settled(); }
    uint64_t dimension() const { return dimension_; }
    double mean_loss() const { return loss_sum_ / rows_.weight_sum; }
    const Statistics& statistics() const { return statistics_; }

    size_t classes() const { return biases_.size(); }
    // The returned predictor, for raw examples: the average where there is one, else the last iterate.
    double weight(uint32_t index, size_t k = 0) const { return scaled_weight(index, k) * statistics_.factor(index); }
    double scaled_weight(uint32_t index, size_t k) const { return scaled_weight(weights_.find(index), k, statistics_.mean(index)); }
    void weights(uint32_t index, double* weights) const;  // of all classes
    void scaled_weights(uint32_t index, double* weights) const;
    double bias(size_t k = 0) const;                               // for raw examples
    double centered_bias(size_t k) const;                          // before w.mean is taken off
    uint64_t dense_size() const { return weights_.dense_size(); }  // features that the weights' array has room for, 0 of a table

    // Calls visit(index) for every feature that may have a weight, in no order; some twice.
    template <class Visit>
    void for_each_index(Visit visit) const {
        weights_.for_each_index(visit);
        if (settings_.center) statistics_.means().for_each([&](uint32_t index, double) { visit(index); });
    }
    uint64_t bytes() const;

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        for (auto& bias : self.biases_) archive(bias);
        archive(self.steps_, self.clock_, self.raw_, self.dimension_, self.loss_sum_);
        auto& rows = self.rows_;
        archive(rows.weight_sum, rows.curvature_mean, rows.curved_rows, rows.noise_clock, rows.recent_error, rows.recent_share,
                rows.nonzeros);
        archive(self.started_, self.start_, self.averaged_steps_, self.loss_last_, self.loss_trial_);
        Statistics::fields(self.statistics_, archive);
        LazyWeights::fields(self.weights_, archive);
        archive.check(self.statistics_.is_fixed() == (self.steps_ > 0) && !(self.raw_ && self.steps_ > 0), "it began twice");
        archive.check(self.dimension_ <= uint64_t{1} << 32, "the dimension is beyond 2^32");
        archive.check(self.steps_ <= INT64_MAX && self.clock_ <= self.steps_ && self.averaged_steps_ <= self.clock_,
                      "the steps are out of range");
        bool sums = self.loss_sum_ >= 0 && self.loss_last_ >= 0 && self.loss_trial_ >= 0;
        sums =
            sums && rows.weight_sum >= 0 && rows.noise_clock >= 0 && rows.recent_error >= 0 && rows.recent_share >= 0 && rows.nonzeros >= 0;
        archive.check(sums && rows.curvature_mean >= 0 && (rows.curved_rows == 0 || rows.curvature_mean > 0), "a sum is out of range");
        const bool averages = self.averaged_steps_ > 0 || self.on_trial();
        archive.check(!averages || self.weights_.mass() > 0, "the average has no mass");
        archive.check(self.is_finite(), "its weights, bias or loss would not be finite");
    }

  private:
    template <class Count>
    void step(Count classes, const Row& row, double label, double weight);
    [[noreturn]] void refuse(const PreparedRow& x, double eta, double* scores) const;
    double scaled_weight(const LazyWeights::Entry& entry, size_t k, double mean) const;
    LazyWeights::Shrinkage shrinkage(uint64_t t, double eta) const;
    bool on_trial() const { return settings_.average_start_auto && !started_; }
    bool averages_at(uint64_t t) const { return settings_.average != Average::none && started_ && t > start_; }
    bool is_finite() const;
    bool has_average() const { return averaged_steps_ > 0; }
    void combine(const std::vector<const Learner*>& parts, const std::vector<double>& shares, const Round& round);
    std::vector<double> stretches_of(const std::vector<uint32_t>& indices, const Round& round) const;
    std::vector<uint32_t> indices() const;

    const Settings settings_;
    const Loss loss_;
    Statistics statistics_;
    LazyWeights weights_;
    std::vector<double> biases_;  // one a class
    uint64_t steps_ = 0;          // rows learned
    uint64_t clock_ = 0;          // t: the same, but of merged parts their mean
    bool raw_ = false;            // begun, and no step yet
    uint64_t dimension_ = 0;
    double loss_sum_ = 0;  // of each row before it was learned, weighted
    RowStatistics rows_;

    bool started_;                           // false while average_start auto has not decided
    uint64_t start_;                         // averaging takes in the iterates after this step
    uint64_t averaged_steps_ = 0;            // iterates in the average, k
    double loss_last_ = 0, loss_trial_ = 0;  // moving averages of both predictors' losses, for average_start auto

    // The row at hand; its numbers of several classes.
    std::vector<double> values_, means_;
    std::vector<double> scores_, gradients_, next_biases_;
};

}  // namespace sparselin
