// All weights of the dense recursion and their average, at a cost of O(nonzeros) a step (SPEC section 8).
//
// A weight is w = sgn(u) P max(0, |u| - L): u is stored and changes only when its feature occurs, P and L are shared by all. With
// omega_t the share of iterate t in the average, C = sum omega P and D = sum omega P L, a live weight has contributed
// u C - sgn(u) D to the sum of omega w, counted from its last change; acc is that sum with the same expression, as of that change,
// taken off. Of a weight that shrinkage has since killed, C and D as they were when it died count: they are looked up by |u|.
//
//   sgd:    P <- P f,  L <- L + eta l1 / P,  then the gradient is added          f = 1 - eta l2
//   fobos:  the gradient is added, then  L <- L + eta l1 / P,  P <- P f          f = 1 / (1 + eta l2)   (Lipton & Elkan, theorems 1, 2)
//   truncated_gradient: as fobos with f = 1 and eta K gravity for eta l1, every K steps (Langford et al., equation 5)
//   rounding:           the same with theta for eta l1
//
// Weights beyond a finite theta are out of gravity's reach until they are touched again: they are stored as they are, w = u, and told
// by the lowest bit of u.
//
// With centering w = P (u - A mean): A is one scalar more (Dekel 2017, section 4). Where means are large u and A mean nearly cancel, and a
// last bit of either, times a mean, would be seen in every prediction. So w.mean follows the numbers as they are stored, their rounding
// included, and the difference is taken as if it were exact.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "feature_store.h"
#include "settings.h"
#include "statistics.h"

namespace sparselin {

struct alignas(16) Weight {
    double u, acc;
};

class LazyWeights {
  public:
    explicit LazyWeights(const Settings& settings);

    // What one step does to all weights.
    struct Shrinkage {
        double factor = 1;  // f
        double amount = 0;  // eta l1, or what stands for it
    };

    // Gets everything ready for a step on x, so that none of the calls below can throw.
    void reserve(const Features& x);

    // As of FeatureStore. Not between reserve() and the end of a step.
    void expect(uint64_t dimension, uint64_t features) { store_.expect(dimension, features); }

    // Tells that a row of these indices will come soon.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const { store_.prefetch(indices, count); }

    // w.x of the iterate and of the average so far (centered, where x is). x is the row of the last reserve().
    double dot(const Features& x) const;
    double average_dot(const Features& x) const;

    // Whether adding gradient * x keeps everything within what doubles can hold. `share` is at least the omega of the step.
    bool can_step(const Features& x, double gradient, Shrinkage shrinkage, double share) const;

    // Brings all weights current if the step with this factor calls for it, with the factor itself if it is too small for P. Depends on the
    // training alone, never on storage or on anyone looking.
    void settle_before(const FeatureStore<double>& means, Shrinkage& shrinkage, uint64_t dimension);

    // Step t: w <- the update's rule with `gradient` = -eta g. Then iterate and bias count in the average with share omega.
    void step(const Features& x, const FeatureStore<double>& means, double gradient, Shrinkage shrinkage, double omega, double bias,
              uint64_t t);

    // Weights that were brought current so far, some of them in vain: work that a step does for others.
    uint64_t settled() const { return settled_; }

    // Forgets the average and starts it anew with no mass.
    void clear_average(const FeatureStore<double>& means);

    // The share of all iterates in the average so far, which is kept within bounds when settling.
    double mass() const { return mass_; }
    void set_mass(double mass) { mass_ = mass; }
    double average_bias_sum() const { return bias_sum_; }

    // One feature's weight in the last iterate and in the average, after t steps; w.mean of both; `mean` is the feature's. A sparse average
    // is 0 where the last iterate is, or was within the last sixteenth of the steps: at the edge of 0 noise moves weights to and fro,
    // so that at any moment many are alive that ought to be 0, but few of them stay so.
    double last(uint32_t index, double mean) const;
    double average(uint32_t index, double mean, uint64_t t) const;
    double last_mean_product() const { return P_ * q_; }
    double average_mean_product() const { return q_sum_ / mass_; }

    // Calls visit(index) for every feature that has a weight or an average.
    template <class Visit>
    void for_each_index(Visit visit) const {
        store_.for_each([&](uint32_t index, const Weight&) { visit(index); });
    }
    uint64_t dense_size() const { return store_.dense_size(); }
    uint64_t bytes() const;

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.P_, self.L_, self.C_, self.D_, self.mass_, self.bias_sum_);
        archive(self.A_, self.A_sum_, self.q_, self.q_sum_, self.largest_u_, self.largest_acc_);
        archive.check(self.P_ > 0 && self.P_ <= 1 && self.L_ >= 0 && self.mass_ >= 0, "the weights' scalars are out of range");
        uint64_t deaths = self.history_.size();
        archive(deaths);
        archive.check(deaths == 0 || (self.averaged_ && self.mode_ != Mode::plain), "there is history that no average needs");
        if constexpr (Archive::reads) {
            archive.check(deaths <= archive.left() / sizeof(Death), "there is more history than bytes");
            self.history_.resize(static_cast<size_t>(deaths));
        }
        for (auto& death : self.history_) archive(death.L, death.C, death.D);
        FeatureStore<Weight>::fields(self.store_, archive);
        FeatureStore<double>::fields(self.births_, archive);
        Death last{0, 0, 0};
        for (const Death& death : self.history_) {
            archive.check(death.L >= last.L && death.C >= last.C && death.D >= last.D, "the history does not ascend");
            last = death;
        }
        archive.check(last.C <= self.C_ && last.D <= self.D_, "the history goes beyond the present");
        archive.check(deaths == 0 || self.history_.back().L == self.L_, "the history does not end at the present");
        archive.check(self.within_bounds(), "a weight or a sum of weights is beyond what training could make of it");
    }

  private:
    enum class Mode { plain, shrunk, flagged };  // no shrinkage, shrinkage of all, shrinkage within theta

    struct Death {
        double L, C, D;  // weights with |u| up to L had died when the average stood at C and D
    };

    template <class Visit>
    auto visit_row(const Features& x, Visit visit) const;
    template <Mode mode>
    double value_in(double u) const;
    double value(double u) const;         // w / P
    double total(const Weight& w) const;  // sum of omega w
    double centered_total(const Weight& w, double mean) const;
    const Death& death_of(double magnitude) const;
    void replace(Weight& w, double value) const;
    template <Mode mode, bool averaged, class Place>
    void add(Place at, const Features& x, double scaled, uint64_t t);
    template <class Place>
    void add_centered(Place at, const Features& x, double scaled);
    void average_centered(const Features& x, double share);
    bool within_bounds() const;  // whether all is as small as can_step() keeps it, and as the bounds on u and acc say
    void shrink(Shrinkage shrinkage);
    void settle(const FeatureStore<double>& means, double factor, bool keep_average);
    void settle_centered(const FeatureStore<double>& means, bool keep_average);

    const Update update_;
    const Mode mode_;
    const bool averaged_;
    const bool centered_;
    const bool sparse_average_;
    const double theta_;
    const uint64_t history_limit_;

    FeatureStore<Weight> store_;
    FeatureStore<double> births_;  // the step in which a weight was last moved from 0; only where averages are sparse
    double P_ = 1, L_ = 0, C_ = 0, D_ = 0;
    std::vector<Death> history_;              // by ascending L; only where both shrinkage and averages are
    double mass_ = 0;                         // what sums of omega w are divided by
    double bias_sum_ = 0;                     // sum of omega b
    uint64_t settled_ = 0;                    // since this object was made
    double A_ = 0, A_sum_ = 0;                // coefficient of the mean, and its sum of omega P A
    double q_ = 0, q_sum_ = 0;                // w.mean / P, and its sum of omega w.mean
    double largest_u_ = 0, largest_acc_ = 0;  // bounds on every |u| and |acc|
    bool compact_ = false;                    // the store has been settled and may have entries to let go
    std::vector<Weight*> at_;                 // of a table: where the row's weights are
};

}  // namespace sparselin
