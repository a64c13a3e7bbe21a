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
// Weights that may not be negative are shrunk ones, with L at 0 where nothing shrinks them: those that the gradient moves past 0 are made 0
// anew. Shrinkage moves no weight past 0, so that only those of the row's features need be looked at, and before it or after is the same.
//
// With centering w = P (u - A mean): A is one scalar more (Dekel 2017, section 4). Where means are large u and A mean nearly cancel, and a
// last bit of either, times a mean, would be seen in every prediction. So w.mean follows the numbers as they are stored, their rounding
// included, and the difference is taken as if it were exact.
//
// Several classes have a weight vector each, and share P, L, C, D and all else that does not depend on the class (SPEC section 10). What a
// feature has is then a block [u of every class | acc of every class | births of every class], the latter two where averages need them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "block_store.h"
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
    void reserve(const PreparedRow& x);

    // As of FeatureStore. Not between reserve() and the end of a step.
    void expect(uint64_t dimension, uint64_t features) {
        has_blocks() ? blocks_.expect(dimension, features) : store_.expect(dimension, features);
    }

    // Tells that a row of these indices will come soon.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        has_blocks() ? blocks_.prefetch(indices, count) : store_.prefetch(indices, count);
    }

    // w.x of the iterate and of the average so far (centered, where x is), of every class. x is the row of the last reserve().
    void dot(const PreparedRow& x, double* products) const;
    void average_dot(const PreparedRow& x, double* products) const;

    // Whether adding largest_gradient * x, or less of it, keeps everything within what doubles can hold. `share` is at least the omega of
    // the step.
    bool can_step(const PreparedRow& x, double largest_gradient, Shrinkage shrinkage, double share) const;

    // Brings all weights current if the step with this factor calls for it, with the factor itself if it is too small for P. Depends on the
    // training alone, never on storage or on anyone looking.
    void settle_before(const FeatureStore<double>& means, Shrinkage& shrinkage, uint64_t dimension);

    // Step t: w <- the update's rule with gradient = -eta g of every class, the largest of size `largest_gradient`. Then iterate and biases
    // count in the average with share omega.
    void step(const PreparedRow& x, const FeatureStore<double>& means, const double* gradients, double largest_gradient,
              Shrinkage shrinkage, double omega, const double* biases, uint64_t t);

    // Weights that were brought current so far, some of them in vain: work that a step does for others.
    uint64_t settled() const { return settled_; }

    // Puts numbers into a new object, as if its weights had come to them, all of them current. open(), once, makes room for features whose
    // indices ascend; add() adds to one's weights, of every class, of the last iterate and of the sum that the average is made of; close(),
    // with the same indices, is the end, after t steps. The mass and the biases' sums are set apart.
    void open(const std::vector<uint32_t>& indices);
    void add(uint32_t index, const double* last, const double* sums);
    void close(const std::vector<uint32_t>& indices, const FeatureStore<double>& means, uint64_t t);
    void set_average_bias_sum(size_t k, double sum) { bias_sums_[k] = sum; }
    bool within_bounds() const;  // whether all is as small as can_step() keeps it, and as the bounds on u and acc say

    // Forgets the average and starts it anew with no mass.
    void clear_average(const FeatureStore<double>& means);

    // The share of all iterates in the average so far, which is kept within bounds when settling.
    double mass() const { return mass_; }
    void set_mass(double mass) { mass_ = mass; }
    double average_bias_sum(size_t k) const { return bias_sums_[k]; }

    // What is stored of one feature: a number a class; null where there is none.
    struct Entry {
        const double *u, *acc, *births;
    };
    Entry find(uint32_t index) const;

    // A feature's weight of class k in the last iterate and in the average, after t steps; w.mean of both; `mean` is the feature's. A
    // sparse average is 0 where the last iterate is, or was within the last sixteenth of the steps: at the edge of 0 noise moves weights to
    // and fro, so that at any moment many are alive that ought to be 0, but few of them stay so.
    double last(const Entry& entry, size_t k, double mean) const;
    double average(const Entry& entry, size_t k, double mean, uint64_t t) const;
    double full_average(const Entry& entry, size_t k, double mean) const;  // though it be sparse
    double last_mean_product(size_t k) const { return P_ * centers_[k].q; }
    double average_mean_product(size_t k) const { return centers_[k].q_sum / mass_; }

    // Calls visit(index) for every feature that has a weight or an average.
    template <class Visit>
    void for_each_index(Visit visit) const {
        store_.for_each([&](uint32_t index, const Weight&) { visit(index); });
        blocks_.for_each([&](uint32_t index, const double*) { visit(index); });
    }
    uint64_t dense_size() const { return store_.dense_size(); }
    uint64_t bytes() const;

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.P_, self.L_, self.C_, self.D_, self.mass_);
        for (auto& sum : self.bias_sums_) archive(sum);
        for (auto& center : self.centers_) archive(center.A, center.A_sum, center.q, center.q_sum);
        archive(self.largest_u_, self.largest_acc_);
        archive.check(self.P_ > 0 && self.P_ <= 1 && self.L_ >= 0 && self.mass_ >= 0, "the weights' scalars are out of range");
        uint64_t deaths = self.history_.size();
        archive(deaths);
        archive.check(deaths == 0 || (self.averaged_ && self.mode_ != Mode::plain), "there is history that no average needs");
        if constexpr (Archive::reads) {
            archive.check(deaths <= archive.left() / sizeof(Death), "there is more history than bytes");
            self.history_.resize(static_cast<size_t>(deaths));
        }
        for (auto& death : self.history_) archive(death.L, death.C, death.D);
        if (self.has_blocks()) {
            BlockStore::fields(self.blocks_, archive);
        } else {
            FeatureStore<Weight>::fields(self.store_, archive);
            FeatureStore<double>::fields(self.births_, archive);
        }
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
    static constexpr double kSmallestP = 1e-6;    // below it |u| = |w| / P loses too many digits against L
    static constexpr double kLargest = 1e165;     // of |u|, so that a weight stays finite when its feature's scale is undone
    static constexpr double kLargestSum = 1e290;  // of everything else that adds up

    enum class Mode { plain, shrunk, flagged };  // no shrinkage, shrinkage of all, shrinkage within theta

    struct Death {
        double L, C, D;  // weights with |u| up to L had died when the average stood at C and D
    };

    // Of one class, what centering adds: the coefficient of the mean, and w.mean / P, each with its sum of omega times it.
    struct Center {
        double A = 0, A_sum = 0, q = 0, q_sum = 0;
    };
    // Of one class, while settling: how many weights there are, the most that rounding takes of one's share in w.mean, what it takes of
    // all, and twice what that can be.
    struct Lost {
        double count, largest, sum, bound;
    };

    // The lowest bit of u tells that its weight lies beyond theta.
    static bool is_free(double u) {
        uint64_t bits;
        std::memcpy(&bits, &u, sizeof bits);
        return bits & 1;
    }
    static double with_free(double u, bool free) {
        uint64_t bits;
        std::memcpy(&bits, &u, sizeof bits);
        bits = (bits & ~uint64_t{1}) | uint64_t{free};
        std::memcpy(&u, &bits, sizeof u);
        return u;
    }

    bool has_blocks() const { return classes_ > 1; }
    Weight weight_in(const double* block, size_t k) const { return {block[k], averaged_ ? block[classes_ + k] : 0}; }
    template <class Visit>
    void for_each_weight(Visit visit) const;
    template <class Visit>
    void change_each_weight(Visit visit);
    template <class Visit>
    auto visit_row(const PreparedRow& x, Visit visit) const;
    template <class Visit>
    auto visit_row(const PreparedRow& x, size_t k, Visit visit) const;
    template <Mode mode>
    double value_in(double u) const {
        if (mode == Mode::plain || (mode == Mode::flagged && is_free(u))) return u;
        return u - std::min(std::max(u, -L_), L_);  // sgn(u) max(0, |u| - L), without branches
    }
    double value(double u) const;         // w / P
    double total(const Weight& w) const;  // sum of omega w
    double centered_total(const Weight& w, size_t k, double mean) const;
    const Death& death_of(double magnitude) const;
    void replace(Weight& w, double value) const;
    template <Mode mode>
    bool replace_moved(Weight& w, double change) const;
    template <Mode mode>
    static bool stays(double u, double moved, double L, double theta);
    template <Mode mode, bool averaged, class Place>
    void add(Place at, const PreparedRow& x, double scaled, uint64_t t);
    template <Mode mode, bool averaged>
    void add_classes(const PreparedRow& x, uint64_t t);
    template <Mode mode, bool averaged>
    void add_to_row(const PreparedRow& x, double scaled, uint64_t t);
    template <class Place>
    void add_centered(Place at, const PreparedRow& x, double scaled, size_t k);
    void average_centered(const PreparedRow& x, double share);
    void shrink(Shrinkage shrinkage);
    void scale_average(double scale);
    void settle(const FeatureStore<double>& means, double factor, bool keep_average);
    void settle_centered(const FeatureStore<double>& means, bool keep_average);

    const size_t classes_;  // 1 of two labels, and of regression
    const Update update_;
    const Mode mode_;
    const bool averaged_;
    const bool centered_;
    const bool sparse_average_;
    const bool nonnegative_;
    const double theta_;
    const uint64_t history_limit_;

    FeatureStore<Weight> store_;   // of one class
    FeatureStore<double> births_;  // of one class: the step in which a weight was last moved from 0; only where averages are sparse
    BlockStore blocks_;            // of several classes
    double P_ = 1, L_ = 0, C_ = 0, D_ = 0;
    std::vector<Death> history_;     // by ascending L; only where both shrinkage and averages are
    double mass_ = 0;                // what sums of omega w are divided by
    std::vector<double> bias_sums_;  // sum of omega b
    uint64_t settled_ = 0;           // since this object was made
    std::vector<Center> centers_;
    double largest_u_ = 0, largest_acc_ = 0;  // bounds on every |u| and |acc|
    bool compact_ = false;                    // the store has been settled and may have entries to let go

    // The row at hand.
    std::vector<Weight*> at_;         // of a table: where its weights are
    std::vector<double*> blocks_at_;  // where its blocks are
    std::vector<double> scaled_;      // of several classes: what a value of 1 adds to every u, and to every acc
    std::vector<uint32_t> moved_;     // classes of which that is not 0
    std::vector<Lost> lost_;          // while settling
};

inline double LazyWeights::total(const Weight& w) const {
    const double magnitude = std::fabs(w.u);
    if (mode_ == Mode::plain || (mode_ == Mode::flagged && is_free(w.u))) return w.acc + w.u * C_;
    if (magnitude > L_) return w.acc + (w.u * C_ - std::copysign(D_, w.u));
    if (magnitude == 0 || history_.empty()) return w.acc;
    const Death& died = death_of(magnitude);
    return w.acc + (w.u * died.C - std::copysign(died.D, w.u));
}

}  // namespace sparselin
