#include "statistics.h"

#include <cmath>
#include <utility>

#include "error.h"
#include "sorted.h"

namespace sparselin {
namespace {

constexpr double kSmallestSize = 1e-140;  // a smaller feature is not scaled: its square is lost, and its weight would overflow
constexpr double kLargestBound = 1e300;   // below it nothing overflows

}  // namespace

Statistics::Statistics(const Settings& settings)
    : normalize_(settings.normalize),
      scale_(settings.scale),
      center_(settings.center),
      moments_(settings.storage, settings.dimension),
      sums_(settings.storage, settings.dimension),
      factors_(settings.storage, settings.dimension),
      means_(settings.storage, settings.dimension) {}

Statistics::Statistics(const Statistics& observed, Fixed)
    : normalize_(observed.normalize_),
      scale_(observed.scale_),
      center_(observed.center_),
      fixed_(true),
      scales_(observed.observed() && scale_ != Scale::none),
      weight_sum_(observed.weight_sum_),
      moments_(Storage::hash),
      sums_(Storage::hash),
      factors_(observed.factors_),
      means_(observed.means_) {}

double Statistics::normalizer(Normalize normalize, const Row& row) {
    if (normalize == Normalize::none || row.count == 0) return 1;
    if (normalize == Normalize::sqrt_nnz) return std::sqrt(static_cast<double>(row.count));
    constexpr double kTiny = 1e-280;  // below this the squares have lost digits to underflow
    if (row.squared_norm > kTiny) return std::sqrt(row.squared_norm);
    double largest = 0;
    for (size_t j = 0; j < row.count; ++j) largest = std::max(largest, std::fabs(row.values[j]));
    const auto square = [&](size_t j) { return row.values[j] / largest * (row.values[j] / largest); };
    return largest * std::sqrt(sum_in_lanes(row.count, square));
}

void Statistics::observe(const Row& row, double weight) {
    const double z = normalizer(normalize_, row);
    const double total = weight_sum_ + weight;
    // What adds up grows by at most weight (1 + |v|^2), and this counts twice that, for rounding.
    const double bound = bound_ + 2 * weight * (1 + row.squared_norm / z / z);
    moments_.reserve(row.indices, row.count);
    if (center_) sums_.reserve(row.indices, row.count);
    if (!std::isfinite(total) || (!(bound < kLargestBound) && would_overflow(row, z, weight)))
        fail(SL_ERROR_INVALID_DATA, "the statistics of the features overflow; scale the values or the weights down");
    if (scale_ == Scale::max_abs)
        z == 1 ? add_row<true, true>(row, z, weight) : add_row<true, false>(row, z, weight);
    else
        z == 1 ? add_row<false, true>(row, z, weight) : add_row<false, false>(row, z, weight);
    if (center_)
        sums_.change_row(row.indices, row.count, [=, values = row.values](size_t j, double& sum) { sum += weight * (values[j] / z); });
    weight_sum_ = total;
    bound_ = bound;
}

// unit: z is 1, and not divided by.
template <bool largest, bool unit>
void Statistics::add_row(const Row& row, double z, double weight) {
    moments_.change_row(row.indices, row.count, [=, values = row.values](size_t j, Moments& m) {
        const double v = unit ? values[j] : values[j] / z;
        m.size = largest ? std::max(m.size, std::fabs(v)) : m.size + weight * v * v;
        m.weight += weight;
    });
}

bool Statistics::would_overflow(const Row& row, double z, double weight) const {
    bool finite = true;
    for (size_t j = 0; j < row.count; ++j) {
        const double v = row.values[j] / z;
        if (scale_ != Scale::max_abs) finite &= std::isfinite(moments_.read(row.indices[j]).size + weight * v * v);
        if (center_) finite &= std::isfinite(sums_.read(row.indices[j]) + weight * v);
    }
    return !finite;
}

void Statistics::find_bound() {
    bound_ = 0;
    moments_.for_each([&](uint32_t, const Moments& m) { bound_ = std::max(bound_, m.size); });
    sums_.for_each([&](uint32_t, double sum) { bound_ = std::max(bound_, std::fabs(sum)); });
}

std::unique_ptr<Statistics> Statistics::fixed() const {
    if (required() && !observed())
        fail(SL_ERROR_STATE, "the options center and scale rest on statistics: observe examples before the first is fed, or use fit");
    std::unique_ptr<Statistics> result(new Statistics(*this, Fixed()));
    Statistics& fixed = *result;
    const std::vector<uint32_t> seen = moments_.ascending();  // so that the sum of squares has one order in every storage
    fixed.make_room(seen);
    visit_ahead<Statistics>(seen, {this, &fixed}, [&](size_t i) {
        const uint32_t index = seen[i];
        const Moments m = moments_.read(index);
        const double size = !fixed.scales_ ? 1 : scale_ == Scale::max_abs ? m.size : std::sqrt(m.size / m.weight);
        // A file that somebody made up may say that a size is infinite, whose factor would be stored as none.
        const double factor = size < kSmallestSize || std::isinf(size) ? 1 : 1 / size;
        if (fixed.has_weights()) fixed.weights_.push_back(m.weight);
        fixed.fix(seen, i, factor, sums_.read(index) / weight_sum_ * factor);
    });
    fixed.check_means();
    return result;
}

// For what fixed() statistics have of these features, ascending, each of which fix() then gives its own.
void Statistics::make_room(const std::vector<uint32_t>& seen) {
    if (scales_) scaled_ = seen;
    if (has_weights()) weights_.reserve(seen.size());
    if (center_) means_.make_room(dimension_of(seen), seen.size());
}

// Of feature seen[i], after those before it. Factors are stored once one of them is not 1.
void Statistics::fix(const std::vector<uint32_t>& seen, size_t i, double factor, double mean) {
    if (factor != 1 && std::exchange(all_units_, false)) {
        factors_.make_room(dimension_of(seen), seen.size());
        for (size_t before = 0; before < i; ++before) factors_.at(seen[before]) = 1;
    }
    if (!all_units_) factors_.at(seen[i]) = factor;
    if (!center_) return;
    means_.at(seen[i]) = mean;
    mean_squared_norm_.add_product(mean, mean);
    mean_count_ += mean != 0;
}

void Statistics::check_means() const {
    if (!std::isfinite(mean_squared_norm_.value())) fail(SL_ERROR_INVALID_DATA, "the squared norm of the features' mean overflows");
}

Statistics Statistics::merged(const Settings& settings, const std::vector<const Statistics*>& parts) {
    Statistics sum(settings);
    for (const Statistics* part : parts) sum.weight_sum_ += part->weight_sum_;
    if (!std::isfinite(sum.weight_sum_))
        fail(SL_ERROR_INVALID_DATA, "the weights of all that was observed add up to more than a double holds");
    if (parts[0]->fixed_)
        sum.add_fixed(parts);
    else
        sum.add_moments(parts);
    return sum;
}

void Statistics::add_moments(const std::vector<const Statistics*>& parts) {
    for (const Statistics* part : parts) {
        const std::vector<uint32_t> indices = part->moments_.ascending();
        moments_.reserve(indices.data(), indices.size());
        if (center_) sums_.reserve(indices.data(), indices.size());
        visit_ahead<Statistics>(indices, {part, this}, [&](size_t i) {
            const uint32_t index = indices[i];
            const Moments more = part->moments_.read(index);
            Moments& m = moments_.at(index);
            m.size = scale_ == Scale::max_abs ? std::max(m.size, more.size) : m.size + more.size;
            m.weight += more.weight;
            if (center_) sums_.at(index) += part->sums_.read(index);
            if (!std::isfinite(m.size) || !std::isfinite(sums_.read(index)) || !std::isfinite(m.weight))
                fail(SL_ERROR_INVALID_DATA, "the statistics of feature ", index, " overflow");
        });
    }
    find_bound();
}

// The moments of a feature are its weight and what follows from its factor and its mean. Where all parts have the same numbers, as those
// have that began with the same statistics, they stay what they are.
void Statistics::add_fixed(const std::vector<const Statistics*>& parts) {
    struct Sum {
        double factor, mean;          // of the first part that has the feature
        bool same_factor, same_mean;  // so far
        size_t parts;                 // that have it
        double size, weight, raw_mean;
    };
    fixed_ = true;
    std::vector<uint32_t> all;
    std::vector<std::vector<uint32_t>> indices;
    for (const Statistics* part : parts) {
        scales_ |= part->scales_;
        indices.push_back(part->scales_ ? part->scaled_ : part->means_.ascending());
        all.insert(all.end(), indices.back().begin(), indices.back().end());
    }
    sort_distinct(all);
    std::vector<Sum> sums(all.size(), Sum{1, 0, true, true, 0, 0, 0, 0});
    const bool largest = scale_ == Scale::max_abs;
    for (size_t p = 0; p < parts.size(); ++p) {
        size_t at = 0;
        for (size_t i = 0; i < indices[p].size(); ++i) {
            const uint32_t index = indices[p][i];
            while (all[at] != index) ++at;
            Sum& sum = sums[at];
            const double factor = parts[p]->factor(index), mean = parts[p]->mean(index),
                         weight = parts[p]->has_weights() ? parts[p]->weights_[i] : 0;
            if (sum.parts++ == 0) {
                sum.factor = factor;
                sum.mean = mean;
            }
            sum.same_factor &= factor == sum.factor;
            sum.same_mean &= mean == sum.mean;
            const double size = 1 / factor;
            sum.size = largest ? std::max(sum.size, size) : sum.size + weight * (size * size);
            sum.weight += weight;
            sum.raw_mean += parts[p]->weight_sum_ / weight_sum_ * (mean / factor);
        }
    }
    make_room(all);
    for (size_t i = 0; i < all.size(); ++i) {
        const Sum& sum = sums[i];
        if (!std::isfinite(sum.size) || !std::isfinite(sum.raw_mean))
            fail(SL_ERROR_INVALID_DATA, "the statistics of feature ", all[i], " overflow");
        const double factor = sum.same_factor ? sum.factor : 1 / (largest ? sum.size : std::sqrt(sum.size / sum.weight));
        const bool same_mean = sum.same_factor && sum.same_mean && sum.parts == parts.size();
        if (has_weights()) weights_.push_back(sum.weight);
        fix(all, i, factor, same_mean ? sum.mean : sum.raw_mean * factor);
    }
    check_means();
}

PreparedRow Statistics::prepare(const Row& row, std::vector<double>& values, std::vector<double>& means) const {
    PreparedRow x{row.indices, row.values, nullptr, center_, false, row.count, 0, row.squared_norm, 0, mean_squared_norm_.value()};
    const double z = normalizer(normalize_, row);
    if (z != 1 || scales()) {
        values.resize(row.count);
        // Scaled, stored and squared in one pass.
        const auto square = [=, scaled = values.data(), given = row.values](auto factor) {
            const auto with = [=](auto given_by_z) {
                return sum_in_lanes(row.count, [=](size_t j) {
                    scaled[j] = given_by_z(j) * factor(j);
                    return scaled[j] * scaled[j];
                });
            };
            return z == 1 ? with([=](size_t j) { return given[j]; }) : with([=](size_t j) { return given[j] / z; });
        };
        x.values = values.data();
        if (!scales()) {
            x.squared_norm = square([](size_t) { return 1.0; });
        } else if (row.dimension() <= factors_.dense_size()) {
            x.squared_norm =
                square([indices = row.indices, factors = factors_.dense()](size_t j) { return factor_of(factors[indices[j]]); });
        } else {
            factors_.read_row(row.indices, row.count, [scaled = values.data()](size_t j, double factor) { scaled[j] = factor_of(factor); });
            x.squared_norm = square([scaled = values.data()](size_t j) { return scaled[j]; });
        }
    }
    x.norm = std::sqrt(x.squared_norm);
    if (center_) {
        means.resize(row.count);
        means_.read_row(row.indices, row.count, [&](size_t j, double mean) { means[j] = mean; });
        x.means = means.data();
        // The absent features add |mean|^2 less what those present have of it, in twice the digits, since one large mean may be nearly all
        // of it. Where none is absent that is 0, not what rounding leaves.
        const double* v = x.values;
        uint64_t present = 0;
        LongSum rest = mean_squared_norm_;
        for (size_t j = 0; j < row.count; ++j) {
            present += means[j] != 0;
            rest.add_product(-means[j], means[j]);
        }
        x.full = present == mean_count_;
        const double absent = x.full ? 0 : std::max(0.0, rest.value());
        x.squared_norm = std::max(0.0, absent + sum_in_lanes(row.count, [&](size_t j) { return (v[j] - means[j]) * (v[j] - means[j]); }));
        x.mean_product = sum_in_lanes(row.count, [&](size_t j) { return (v[j] - means[j]) * means[j]; }) - absent;
    }
    return x;
}

}  // namespace sparselin
