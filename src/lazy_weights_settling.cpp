// What changes all weights at once: settling, and numbers that come from elsewhere.
#include <algorithm>
#include <cmath>

#include "lazy_weights.h"
#include "rounding.h"

namespace sparselin {
namespace {

constexpr double kLargestShrinkage = 65536;  // P L beyond it would cost weights of about 1 their last digits
constexpr double kLargestMass = 0x1p+400;    // an average's mass is brought down by this when it is beyond it
constexpr uint64_t kShortestHistory = 1 << 14, kLongestHistory = 1 << 20;

}  // namespace

// Calls visit(index, k, weight) for every weight that is not vacant.
template <class Visit>
void LazyWeights::for_each_weight(Visit visit) const {
    store_.for_each([&](uint32_t index, const Weight& w) { visit(index, size_t{0}, w); });
    blocks_.for_each([&](uint32_t index, const double* block) {
        for (size_t k = 0; k < classes_; ++k) {
            const Weight w = weight_in(block, k);
            if (!is_vacant(w)) visit(index, k, w);
        }
    });
}

// The same for weights that `visit` may change.
template <class Visit>
void LazyWeights::change_each_weight(Visit visit) {
    store_.for_each([&](uint32_t index, Weight& w) { visit(index, size_t{0}, w); });
    blocks_.for_each([&](uint32_t index, double* block) {
        for (size_t k = 0; k < classes_; ++k) {
            Weight w = weight_in(block, k);
            if (is_vacant(w)) continue;
            visit(index, k, w);
            block[k] = w.u;
            if (averaged_) block[classes_ + k] = w.acc;
        }
    });
}

bool LazyWeights::within_bounds() const {
    // Twice the bounds, for rounding; the smaller numbers stand for squares of values that were lost to underflow.
    const auto within = [](double bound, auto... numbers) { return ((std::fabs(numbers) <= 2 * bound) && ...); };
    const double u = std::max({largest_u_, L_, 1e100}), acc = std::max(largest_acc_, 1e200);
    bool all = within(kLargest, u) && within(kLargestSum, acc, C_, D_);
    for (const Center& center : centers_)
        all = all && within(kLargest, center.A, center.q) && within(kLargestSum, center.A_sum, center.q_sum);
    for_each_weight(
        [&](uint32_t, size_t, const Weight& w) { all = all && within(u, w.u) && within(acc, w.acc) && !(nonnegative_ && w.u < 0); });
    return all;
}

void LazyWeights::settle_before(const FeatureStore<double>& means, Shrinkage& shrinkage, uint64_t dimension) {
    // Flagged weights are cut at every step, and what rounding takes from acc grows with L and C: they settle sooner where that is cheap.
    const auto limit = [&] {
        if (history_limit_) return history_limit_;
        const uint64_t shortest = mode_ == Mode::flagged ? std::clamp(dimension, kShortestHistory / 8, kShortestHistory) : kShortestHistory;
        return std::clamp(dimension / 8, shortest, kLongestHistory);
    };
    const double f = shrinkage.factor;
    if ((history_.empty() || history_.size() < limit()) && P_ * f >= kSmallestP && P_ * L_ <= kLargestShrinkage && mass_ <= kLargestMass)
        return;
    const bool now = update_ == Update::sgd && f < kSmallestP;  // fobos adds the gradient first, and settles after
    settle(means, now ? f : 1, true);
    if (now) shrinkage.factor = 1;
}

// As settle(1, ...), but by a power of 2, which is exact, and with w.mean following what rounding takes from the sums.
void LazyWeights::settle_centered(const FeatureStore<double>& means, bool keep_average) {
    int exponent, exponent_of_bound;
    P_ = std::frexp(P_, &exponent);
    const double unit = std::ldexp(1, exponent), scale = !keep_average ? 0 : mass_ > kLargestMass ? 1 / kLargestMass : 1;
    const auto lost_of = [&](uint32_t index, const Weight& w) {
        return means.read(index) * (product_error(w.u, C_) + sum_error(w.acc, w.u * C_));
    };
    std::fill(lost_.begin(), lost_.end(), Lost{0, 0, 0, 0});
    for_each_weight([&](uint32_t index, size_t k, const Weight& w) {
        lost_[k].largest = std::max(lost_[k].largest, std::fabs(lost_of(index, w)));
        lost_[k].count += 1;
    });
    // All are rounded to one unit, that of `bound`, so that adding them is exact and their order, in which storages differ, is no matter.
    for (Lost& lost : lost_) {
        std::frexp(lost.count * lost.largest, &exponent_of_bound);
        lost.bound = std::ldexp(2, exponent_of_bound);
    }
    largest_u_ = largest_acc_ = 0;
    change_each_weight([&](uint32_t index, size_t k, Weight& w) {
        lost_[k].sum += (lost_[k].bound + lost_of(index, w)) - lost_[k].bound;
        w.acc = total(w) * scale;
        w.u *= unit;
        largest_u_ = std::max(largest_u_, std::fabs(w.u));
        largest_acc_ = std::max(largest_acc_, std::fabs(w.acc));
    });
    for (size_t k = 0; k < classes_; ++k) {
        centers_[k].q_sum -= lost_[k].sum;
        centers_[k].A *= unit;
        centers_[k].q *= unit;
    }
    C_ = 0;
    scale_average(scale);
    compact_ = true;
}

// What the average has summed up of all but the weights, to `scale` times that.
void LazyWeights::scale_average(double scale) {
    const auto change = [=](double& sum) { sum = scale == 0 ? 0 : sum * scale; };
    change(mass_);
    for (double& sum : bias_sums_) change(sum);
    for (Center& center : centers_) {
        change(center.A_sum);
        change(center.q_sum);
    }
}

void LazyWeights::settle(const FeatureStore<double>& means, double factor, bool keep_average) {
    settled_ += (store_.bytes() + blocks_.bytes()) / sizeof(Weight);
    if (centered_ && factor == 1 && P_ > 1 / kLargestMass) return settle_centered(means, keep_average);
    const double scale = !keep_average ? 0 : mass_ > kLargestMass ? 1 / kLargestMass : 1;
    largest_u_ = largest_acc_ = 0;
    change_each_weight([&](uint32_t, size_t, Weight& w) {
        const double sum = total(w);
        if (!(mode_ == Mode::flagged && is_free(w.u))) {
            w.u = value(w.u) * P_ * factor + 0.0;  // + 0.0: a dead weight is +0, as a new one
            if (mode_ == Mode::flagged) w.u = with_free(w.u, false);
        }
        w.acc = keep_average ? sum * scale : 0;
        largest_u_ = std::max(largest_u_, std::fabs(w.u));
        largest_acc_ = std::max(largest_acc_, std::fabs(w.acc));
    });
    for (Center& center : centers_) {
        center.A *= P_ * factor;
        center.q *= P_ * factor;
    }
    P_ = 1;
    L_ = C_ = D_ = 0;
    history_.clear();
    scale_average(scale);
    compact_ = true;
}

void LazyWeights::clear_average(const FeatureStore<double>& means) { settle(means, 1, false); }

// Gives a weight a new value (over P), whatever has become of it since it was last changed.
void LazyWeights::replace(Weight& w, double value) const {
    const double sum = total(w);
    if (nonnegative_ && !(value > 0)) value = 0;
    if (mode_ == Mode::flagged && std::fabs(value) > theta_) {
        w.u = with_free(value, true);
        w.acc = sum - w.u * C_;
        return;
    }
    w.u = std::copysign(std::fabs(value) + L_, value);
    if (mode_ == Mode::flagged) w.u = with_free(w.u, false);
    if (std::fabs(w.u) > L_) {
        w.acc = sum - (w.u * C_ - std::copysign(D_, w.u));
    } else {  // 0, or too small to be seen beside L
        w.u = 0;
        w.acc = sum;
    }
}

void LazyWeights::open(const std::vector<uint32_t>& indices) {
    if (has_blocks()) {
        std::vector<double*> at(indices.size());
        return blocks_.locate(indices.data(), indices.size(), at.data());
    }
    store_.reserve(indices.data(), indices.size());
    if (sparse_average_) births_.reserve(indices.data(), indices.size());
}

void LazyWeights::add(uint32_t index, const double* last, const double* sums) {
    if (!has_blocks()) {
        Weight& w = store_.at(index);
        w.u += *last;
        w.acc += *sums;
        return;
    }
    double* block;
    blocks_.locate(&index, 1, &block);
    for (size_t k = 0; k < classes_; ++k) {
        block[k] += last[k];
        if (averaged_) block[classes_ + k] += sums[k];
    }
}

void LazyWeights::close(const std::vector<uint32_t>& indices, const FeatureStore<double>& means, uint64_t t) {
    change_each_weight([&](uint32_t, size_t, Weight& w) {
        if (mode_ == Mode::flagged) w.u = with_free(w.u, std::fabs(w.u) > theta_);
        largest_u_ = std::max(largest_u_, std::fabs(w.u));
        largest_acc_ = std::max(largest_acc_, std::fabs(w.acc));
    });
    compact_ = true;
    if (!centered_ && !sparse_average_) return;
    std::vector<LongSum> products(classes_), sums(classes_);
    for (const uint32_t index : indices) {
        double* block = nullptr;
        if (has_blocks()) blocks_.locate(&index, 1, &block);
        const double mean = means.read(index);
        for (size_t k = 0; k < classes_; ++k) {
            const Weight w = block ? weight_in(block, k) : store_.read(index);
            if (centered_) products[k].add_product(w.u, mean);
            if (centered_) sums[k].add_product(w.acc, mean);
            // A sparse average that was left out, since its weight was young, is not there: the weight is young again.
            if (sparse_average_ && w.u != 0 && w.acc == 0) (block ? block[2 * classes_ + k] : births_.at(index)) = static_cast<double>(t);
        }
    }
    for (size_t k = 0; centered_ && k < classes_; ++k) {
        centers_[k].q = products[k].value();
        centers_[k].q_sum = sums[k].value();
    }
}

}  // namespace sparselin
