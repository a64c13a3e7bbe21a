// Normalizing, scaling and centering of rows (SPEC sections 1 and 6; Dekel 2017, section 4). The statistics are gathered before the first
// step and fixed by it.
#pragma once
#include <memory>
#include <vector>

#include "feature_store.h"
#include "rounding.h"
#include "row.h"
#include "settings.h"

namespace sparselin {

// A row as the learner sees it: normalized and scaled. Centering is left to the learner, who gets each feature's mean beside its value,
// and what the features that are absent add.
struct PreparedRow {
    const uint32_t* indices;
    const double* values;
    const double* means;  // of the scaled features, where centered
    bool centered;
    bool full;  // every feature that has a mean is present
    size_t count;
    double norm;          // |x|
    double squared_norm;  // |x - mean|^2
    double mean_product;  // (x - mean).mean
    double mean_squared_norm;
};

class Statistics {
  public:
    explicit Statistics(const Settings& settings);

    // Counts a row of weight > 0. All or nothing.
    void observe(const Row& row, double weight);
    bool observed() const { return weight_sum_ > 0; }

    // As of FeatureStore, for rows that will be observed.
    void expect(uint64_t dimension, uint64_t features) {
        moments_.expect(dimension, features);
        if (center_) sums_.expect(dimension, features);
    }

    // Tells that a row of these indices will soon be observed, or prepared.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        moments_.prefetch(indices, count);
        sums_.prefetch(indices, count);
        if (scales()) factors_.prefetch(indices, count);
        means_.prefetch(indices, count);
    }

    // Whether steps have to wait for an observation, and whether fit gathers one by itself.
    bool required() const { return center_ || scale_ == Scale::rms || scale_ == Scale::max_abs; }
    bool wanted() const { return center_ || scale_ != Scale::none; }

    // What was observed as the numbers that prepare() uses, and no longer what only observe() needs. SL_ERROR_STATE if
    // nothing was where that is required.
    std::unique_ptr<Statistics> fixed() const;
    bool is_fixed() const { return fixed_; }

    // Those of the rows of all parts together, of which none is fixed() or all are (SPEC section 11). Sums have the order of the parts, in
    // every storage.
    static Statistics merged(const Settings& settings, const std::vector<const Statistics*>& parts);

    // The row as the learner sees it, valid as long as the row and the vectors. Of fixed() statistics.
    PreparedRow prepare(const Row& row, std::vector<double>& values, std::vector<double>& means) const;

    double factor(uint32_t index) const { return scales() ? factor_of(factors_.read(index)) : 1; }
    double mean(uint32_t index) const { return center_ ? means_.read(index) : 0; }
    const FeatureStore<double>& means() const { return means_; }

    // Of fixed() statistics that scale by rms: the features, ascending; of each the weight of its rows, which is the sum of their weights
    // times its scaled value squared; and the weight of all rows.
    bool has_weights() const { return scales_ && scale_ != Scale::max_abs; }
    const std::vector<uint32_t>& scaled() const { return scaled_; }
    const std::vector<double>& weights() const { return weights_; }
    double weight_sum() const { return weight_sum_; }
    uint64_t bytes() const {
        return moments_.bytes() + sums_.bytes() + scaled_.capacity() * sizeof(uint32_t) + factors_.bytes() +
               weights_.capacity() * sizeof(double) + means_.bytes();
    }

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.fixed_, self.weight_sum_);
        if (!self.fixed_) {
            FeatureStore<Moments>::fields(self.moments_, archive);
            FeatureStore<double>::fields(self.sums_, archive);
            if constexpr (Archive::reads) self.find_bound();
            return;
        }
        archive(self.scales_, self.mean_squared_norm_.high, self.mean_squared_norm_.low, self.mean_count_, self.all_units_);
        const uint64_t bytes = ((self.all_units_ ? 0 : 1) + (self.has_weights() ? 1 : 0)) * sizeof(double);
        if constexpr (Archive::reads) {
            self.scaled_ = archive.get_indices(bytes, self.factors_.limit());
            if (!self.all_units_) self.factors_.make_least_room(dimension_of(self.scaled_), self.scaled_.size());
        } else {
            archive.put_indices(self.scaled_, bytes);
        }
        if (!self.all_units_) FeatureStore<double>::value_fields(self.factors_, archive, self.scaled_);
        FeatureStore<double>::fields(self.means_, archive);
        if (!self.has_weights()) return;
        if constexpr (Archive::reads) self.weights_.resize(self.scaled_.size());
        for (double& weight : self.weights_) archive(weight);
        for (const double weight : self.weights_) archive.check(weight > 0, "a feature's weight is out of range");
    }

    // What a row's values are divided by before anything else.
    static double normalizer(Normalize normalize, const Row& row);

  private:
    struct Fixed {};
    Statistics(const Statistics& observed, Fixed);  // what fixed() begins with

    struct Moments {
        double size;    // rms: sum of s v^2, max_abs: largest |v|
        double weight;  // sum of s over the rows in which the feature occurs
    };

    template <bool largest, bool unit>
    void add_row(const Row& row, double z, double weight);
    bool would_overflow(const Row& row, double z, double weight) const;
    void find_bound();
    void add_moments(const std::vector<const Statistics*>& parts);
    void add_fixed(const std::vector<const Statistics*>& parts);
    void make_room(const std::vector<uint32_t>& seen);
    void fix(const std::vector<uint32_t>& seen, size_t i, double factor, double mean);
    void check_means() const;

    // Whether any value is changed by its feature's factor. Of values that are all 1, as hashed fields have them, none is.
    bool scales() const { return scales_ && !all_units_; }

    // A feature that was not observed has no factor stored and is not scaled.
    static double factor_of(double stored) { return stored == 0 ? 1 : stored; }

    Normalize normalize_;
    Scale scale_;
    bool center_;
    bool fixed_ = false;
    bool scales_ = false;  // of fixed() statistics: whether features have factors
    double weight_sum_ = 0;
    FeatureStore<Moments> moments_;
    FeatureStore<double> sums_;     // sum of s v of a feature; only where rows are centered
    double bound_ = 0;              // on whatever adds up: every |sum|, and every size but for max_abs
    std::vector<uint32_t> scaled_;  // the features that have factors, ascending
    FeatureStore<double> factors_;  // 1 / size of each; empty where all of them are 1
    bool all_units_ = true;         // whether they are
    std::vector<double> weights_;   // of the rows that scale rms has each factor from, by ascending index; for merging
    FeatureStore<double> means_;    // of the scaled feature
    LongSum mean_squared_norm_;     // |mean|^2
    uint64_t mean_count_ = 0;       // means that are not 0
};

}  // namespace sparselin
