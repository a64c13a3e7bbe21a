#include "statistics.h"

#include <cmath>

#include "error.h"

namespace sparselin {
namespace {

constexpr double kSmallestSize = 1e-140;  // a smaller feature is not scaled: its square is lost, and its weight would overflow

}  // namespace

Statistics::Statistics(const Settings& settings)
    : normalize_(settings.normalize),
      scale_(settings.scale),
      center_(settings.center),
      moments_(settings.storage, settings.dimension),
      factors_(settings.storage, settings.dimension),
      means_(settings.storage, settings.dimension) {}

Statistics::Statistics(const Statistics& other, WithoutMoments)
    : normalize_(other.normalize_),
      scale_(other.scale_),
      center_(other.center_),
      weight_sum_(other.weight_sum_),
      moments_(Storage::hash),
      factors_(other.factors_),
      means_(other.means_) {}

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
    moments_.reserve(row.indices, row.count);
    bool finite = std::isfinite(total);
    const bool largest = scale_ == Scale::max_abs;
    const double* const values = row.values;
    const auto with = [=](Moments m, size_t j) {
        const double v = values[j] / z;
        m.size = largest ? std::max(m.size, std::fabs(v)) : m.size + weight * v * v;
        m.weight += weight;
        m.sum += weight * v;
        return m;
    };
    moments_.read_row(row.indices, row.count, [&](size_t j, const Moments& before) {
        const Moments m = with(before, j);
        finite &= std::isfinite(m.size);
        finite &= std::isfinite(m.sum);
    });
    if (!finite) fail(SL_ERROR_INVALID_DATA, "the statistics of the features overflow; scale the values or the weights down");
    moments_.change_row(row.indices, row.count, [&](size_t j, Moments& m) { m = with(m, j); });
    weight_sum_ = total;
}

Statistics Statistics::fixed() const {
    Statistics fixed(*this, WithoutMoments());
    fixed.scales_ = observed() && scale_ != Scale::none;
    const std::vector<uint32_t> seen = moments_.ascending();  // so that the sum of squares has one order in every storage
    const uint64_t dimension = seen.empty() ? 0 : uint64_t{seen.back()} + 1;
    if (fixed.scales_) fixed.factors_.make_room(dimension, seen.size());
    if (center_) fixed.means_.make_room(dimension, seen.size());
    for (const uint32_t index : seen) {
        const Moments m = moments_.read(index);
        const double size = !fixed.scales_ ? 1 : scale_ == Scale::max_abs ? m.size : std::sqrt(m.size / m.weight);
        const double factor = size < kSmallestSize ? 1 : 1 / size;
        if (fixed.scales_) fixed.factors_.at(index) = factor;
        if (!center_) continue;
        const double mean = m.sum / weight_sum_ * factor;
        fixed.means_.at(index) = mean;
        fixed.mean_squared_norm_.add_product(mean, mean);
        fixed.mean_count_ += mean != 0;
    }
    if (!std::isfinite(fixed.mean_squared_norm_.value())) fail(SL_ERROR_INVALID_DATA, "the squared norm of the features' mean overflows");
    return fixed;
}

Features Statistics::prepare(const Row& row, std::vector<double>& values, std::vector<double>& means) const {
    Features x{row.indices, row.values, nullptr, center_, false, row.count, 0, row.squared_norm, 0, mean_squared_norm_.value()};
    const double z = normalizer(normalize_, row);
    if (z != 1 || scales_) {
        values.resize(row.count);
        const double* const given = row.values;
        double* const scaled = values.data();
        if (scales_)
            factors_.read_row(row.indices, row.count, [=](size_t j, double factor) { scaled[j] = given[j] / z * factor_of(factor); });
        else
            for (size_t j = 0; j < row.count; ++j) scaled[j] = given[j] / z;
        x.values = scaled;
        x.squared_norm = sum_in_lanes(row.count, [=](size_t j) { return scaled[j] * scaled[j]; });
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
