#include "lazy_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "class_loops.h"
#include "multiply_add.h"
#include "rounding.h"

namespace sparselin {
namespace {

// A weight's two numbers at once.
using Pair = double __attribute__((vector_size(16), may_alias));

struct DensePlace {
    Weight* base;
    const uint32_t* indices;
    Weight& operator[](size_t j) const { return base[indices[j]]; }
};
struct TablePlace {
    Weight* const* at;
    Weight& operator[](size_t j) const { return *at[j]; }
};

// Of one class.
struct BlockPlace {
    double* const* at;
    size_t k, acc;
    bool averaged;
    Weight operator[](size_t j) const { return {at[j][k], averaged ? at[j][acc] : 0}; }
};

// L where the weight at u, or the weights, is within theta, and 0 where it is free.
template <class Value>
[[gnu::always_inline]] inline Value limit_of(const Value& u, double L) {
    std::conditional_t<kNumbersIn<Value> == 1, int64_t, decltype(u < Value{})> bits, limit;
    Value all = same_in_all<Value>(L);
    std::memcpy(&bits, &u, sizeof bits);
    std::memcpy(&limit, &all, sizeof limit);
    limit &= (bits & 1) - 1;
    std::memcpy(&all, &limit, sizeof all);
    return all;
}

}  // namespace

LazyWeights::LazyWeights(const Settings& settings)
    : classes_(settings.scores()),
      update_(settings.update),
      mode_(settings.l1 == 0 && settings.gravity == 0 && settings.update != Update::rounding && !settings.nonnegative ? Mode::plain
            : std::isinf(settings.theta)                                                                              ? Mode::shrunk
                                                                                                                      : Mode::flagged),
      averaged_(settings.average != Average::none),
      centered_(settings.center),
      sparse_average_(settings.sparse_average),
      nonnegative_(settings.nonnegative),
      theta_(settings.theta),
      history_limit_(settings.history_limit),
      store_(settings.storage, settings.dimension, mode_ != Mode::plain),
      births_(settings.storage, settings.dimension),
      blocks_(settings.storage, settings.dimension, classes_ * (1 + averaged_ + sparse_average_), mode_ != Mode::plain),
      bias_sums_(classes_),
      centers_(classes_) {
    if (!has_blocks()) return;
    scaled_.resize(2 * classes_);
    moved_.resize(classes_);
}

uint64_t LazyWeights::bytes() const {
    const uint64_t row = at_.capacity() * sizeof(Weight*) + blocks_at_.capacity() * sizeof(double*);
    const uint64_t classes = bias_sums_.size() * sizeof(double) + centers_.size() * sizeof(Center) + lost_.capacity() * sizeof(Lost) +
                             scaled_.size() * sizeof(double) + moved_.size() * sizeof(uint32_t);
    return store_.bytes() + births_.bytes() + blocks_.bytes() + history_.capacity() * sizeof(Death) + row + classes;
}

void LazyWeights::reserve(const PreparedRow& x) {
    if (averaged_ && mode_ != Mode::plain && history_.size() == history_.capacity())
        history_.reserve(std::max<size_t>(8, 2 * history_.size()));
    if (centered_) lost_.resize(classes_);
    if (has_blocks()) {
        if (std::exchange(compact_, false) && mode_ != Mode::plain) blocks_.compact();
        blocks_at_.resize(x.count);
        blocks_.locate(x.indices, x.count, blocks_at_.data());
        return;
    }
    if (std::exchange(compact_, false)) store_.compact();
    store_.reserve(x.indices, x.count);
    if (sparse_average_) births_.reserve(x.indices, x.count);
    if (store_.is_dense()) return;
    at_.resize(x.count);
    store_.locate(x.indices, x.count, at_.data());
}

// Inlined by force: what `visit` captures would otherwise be read in one piece right after it was written in two, which
// stalls.
template <class Visit>
[[gnu::always_inline]] inline auto LazyWeights::visit_row(const PreparedRow& x, Visit visit) const {
    return store_.is_dense() ? visit(DensePlace{store_.dense(), x.indices}) : visit(TablePlace{at_.data()});
}

template <class Visit>
[[gnu::always_inline]] inline auto LazyWeights::visit_row(const PreparedRow& x, size_t k, Visit visit) const {
    return has_blocks() ? visit(BlockPlace{blocks_at_.data(), k, classes_ + k, averaged_}) : visit_row(x, visit);
}

void LazyWeights::dot(const PreparedRow& x, double* products) const {
    if (x.centered) {
        for (size_t k = 0; k < classes_; ++k)
            products[k] = visit_row(x, k, [&, A = centers_[k].A, q = centers_[k].q](auto at) {
                // As in Statistics::prepare: the absent features add w.mean less what those present have of it.
                const auto w = [&](size_t j) { return multiply_add(-A, x.means[j], at[j].u); };
                const double absent = x.full ? 0 : q - sum_in_lanes(x.count, [&](size_t j) { return w(j) * x.means[j]; });
                return P_ * (sum_in_lanes(x.count, [&](size_t j) { return w(j) * (x.values[j] - x.means[j]); }) - absent);
            });
        return;
    }
    const auto sum = [&](auto value) {
        if (!has_blocks()) {
            *products =
                visit_row(x, [&](auto at) { return P_ * sum_in_lanes(x.count, [&](size_t j) { return value(at[j].u) * x.values[j]; }); });
            return;
        }
        sum_blocks(classes_, x.count, blocks_at_.data(), x.values, value, products);
        for (size_t k = 0; k < classes_; ++k) products[k] *= P_;
    };
    switch (mode_) {
        case Mode::plain: return sum([](const auto& u) __attribute__((always_inline)) { return u; });
        case Mode::shrunk:
            return sum([L = L_](const auto& u)
                           __attribute__((always_inline)) { return beyond(u, same_in_all<std::decay_t<decltype(u)>>(L)); });
        case Mode::flagged:  // without value_in()'s branch, since whether a weight is free is as good as random
            return sum([L = L_](const auto& u) __attribute__((always_inline)) { return beyond(u, limit_of(u, L)); });
    }
}

void LazyWeights::average_dot(const PreparedRow& x, double* products) const {
    for (size_t k = 0; k < classes_; ++k) {
        const double sum = visit_row(x, k, [&](auto at) {
            const auto value = [&](size_t j) { return x.centered ? centered_total(at[j], k, x.means[j]) : total(at[j]); };
            return sum_in_lanes(x.count, [&](size_t j) { return value(j) * x.values[j]; });
        });
        products[k] = (sum - centers_[k].q_sum) / mass_;
    }
}

bool LazyWeights::can_step(const PreparedRow& x, double largest_gradient, Shrinkage shrinkage, double share) const {
    // Bounds, not the numbers themselves: P may be as low as kSmallestP in the step, and no value of the row exceeds its norm.
    const double change = largest_gradient * (x.norm + std::fabs(x.mean_product) + 1) * (1 / kSmallestP);
    const double u = std::max(largest_u_, L_) + shrinkage.amount * (1 / kSmallestP) + change;
    const double acc = largest_acc_ + 2 * (u * (C_ + share) + (D_ + share * u));
    if (!(u < kLargest && acc < kLargestSum)) return false;
    return !centered_ || std::all_of(centers_.begin(), centers_.end(), [=](const Center& center) {
        const double A = std::fabs(center.A) + change, q = std::fabs(center.q) + change;
        return std::fabs(center.A_sum) + A * share < kLargestSum && std::fabs(center.q_sum) + q * share < kLargestSum;
    });
}

// Adds a change (over P) to a weight that is dead before or after, or crosses 0 or theta. Says whether it was dead and is alive now.
template <LazyWeights::Mode mode>
bool LazyWeights::replace_moved(Weight& w, double change) const {
    const double before = value_in<mode>(w.u);
    replace(w, before + change);
    return before == 0 && w.u != 0;
}

// Whether a weight stays alive, on its side of 0 and of theta. The tests are joined without branches, since signs are as good as random.
template <LazyWeights::Mode mode>
bool LazyWeights::stays(double u, double moved, double L, double theta) {
    if (mode == Mode::plain) return true;
    const double before = std::fabs(u), after = std::copysign(1.0, u) * moved;
    if (mode == Mode::shrunk) return std::min(before, after) > L;
    const unsigned free = is_free(u), stays_free = after > theta;
    const unsigned stays_bound = unsigned{std::min(before, after) > L} & unsigned{after - L <= theta};
    return (free & stays_free) | (~free & stays_bound);
}

// Adds scaled * x to the weights (over P).
template <LazyWeights::Mode mode, bool averaged, class Place>
void LazyWeights::add(Place at, const PreparedRow& x, double scaled, uint64_t t) {
    if (mode == Mode::plain && scaled == 0) return;
    const double L = L_, C = C_, theta = theta_;
    const double* const values = x.values;
    const size_t count = x.count;
    const Pair parts = {scaled, -(C * scaled)};  // acc loses change C, so that what the sum of omega w was stays
#ifdef __clang__
#pragma clang loop unroll_count(4)
#else
#pragma GCC unroll 4
#endif
    for (size_t j = 0; j < count; ++j) {
        Weight& w = at[j];
        const double change = scaled * values[j], moved = w.u + change;
        // A weight that stays takes the short way: both of its numbers move by a product.
        if (!stays<mode>(w.u, moved, L, theta)) {
            const bool born = replace_moved<mode>(w, change);
            if (sparse_average_ && born) births_.at(x.indices[j]) = static_cast<double>(t);
        } else if (mode == Mode::flagged) {
            // Giving the lowest bit to the flag moves u, and again and again the same way: acc follows what is stored of u, not what was
            // meant, or averages would drift.
            const double flagged = with_free(moved, is_free(w.u));
            if (averaged)
                reinterpret_cast<Pair&>(w) = Pair{flagged, w.acc - C * (flagged - w.u)};
            else
                w.u = flagged;
        } else if (averaged) {
            reinterpret_cast<Pair&>(w) += parts * values[j];
        } else {
            w.u = moved;
        }
    }
}

// The same for all classes, of scaled_. A class whose slope is 0 is left alone, unless more than a quarter are moved: then adding 0
// to the others is sooner done than picking.
template <LazyWeights::Mode mode, bool averaged>
void LazyWeights::add_classes(const PreparedRow& x, uint64_t t) {
    size_t moved = 0;
    double *const scaled = scaled_.data(), *const taken = scaled + classes_;
    for (size_t k = 0; k < classes_; ++k) {
        taken[k] = -(C_ * scaled[k]);
        moved_[moved] = static_cast<uint32_t>(k);
        moved += scaled[k] != 0;
    }
    if (mode == Mode::plain && moved > classes_ / 4) {
        const size_t numbers = (averaged ? 2 : 1) * classes_;
        return run_widest(
            numbers, [ =, at = blocks_at_.data(), values = x.values, count = x.count ](auto width) __attribute__((always_inline)) {
                for (size_t j = 0; j < count; ++j) add_product<typename decltype(width)::type>(numbers, scaled, values[j], at[j]);
            });
    }
    for (size_t j = 0; j < x.count; ++j) {
        double *const u = blocks_at_[j], *const acc = u + classes_;
        const double v = x.values[j];
        for (size_t i = 0; i < moved; ++i) {
            const size_t k = moved_[i];
            const double change = scaled[k] * v, sum = u[k] + change;
            if (!stays<mode>(u[k], sum, L_, theta_)) {
                Weight w = weight_in(u, k);
                const bool born = replace_moved<mode>(w, change);
                u[k] = w.u;
                if (averaged) acc[k] = w.acc;
                if (sparse_average_ && born) acc[classes_ + k] = static_cast<double>(t);
            } else if (mode == Mode::flagged) {
                const double flagged = with_free(sum, is_free(u[k]));
                if (averaged) acc[k] -= C_ * (flagged - u[k]);
                u[k] = flagged;
            } else {
                u[k] = sum;
                if (averaged) acc[k] += taken[k] * v;
            }
        }
    }
}

template <LazyWeights::Mode mode, bool averaged>
void LazyWeights::add_to_row(const PreparedRow& x, double scaled, uint64_t t) {
    if (has_blocks())
        add_classes<mode, averaged>(x, t);
    else
        visit_row(x, [&](auto at) { add<mode, averaged>(at, x, scaled, t); });
}

// What add() with this row does to w.mean and to its sum, of the weights as add() will store them: to be called before it.
template <class Place>
void LazyWeights::add_centered(Place at, const PreparedRow& x, double scaled, size_t k) {
    Center& center = centers_[k];
    const double taken_of_1 = C_ * scaled;
    double u_lost = 0, acc_gained = 0;  // times the means
    for (size_t j = 0; j < x.count; ++j) {
        const Weight& w = at[j];
        const double change = scaled * x.values[j], rounded = sum_error(w.u, change), taken = taken_of_1 * x.values[j];
        u_lost += x.means[j] * (product_error(scaled, x.values[j]) + rounded);
        if (averaged_) acc_gained += x.means[j] * (multiply_add(C_, change, -taken) - sum_error(w.acc, -taken) - rounded * C_);
    }
    center.q += scaled * x.mean_product + (sum_error(center.A, scaled) * x.mean_squared_norm - u_lost);
    center.q_sum += acc_gained;
    center.A += scaled;
}

// Counts the iterate in the sums that centering adds; `share` is omega P, which C has grown by.
void LazyWeights::average_centered(const PreparedRow& x, double share) {
    const double C_lost = sum_error(C_, share);
    for (Center& center : centers_) {
        const double grown = center.A * share;
        const double A_lost = product_error(center.A, share) + sum_error(center.A_sum, grown) - center.A * C_lost;
        center.q_sum += share * center.q + (A_lost * x.mean_squared_norm - C_lost * center.q);
        center.A_sum += grown;
    }
}

void LazyWeights::shrink(Shrinkage shrinkage) {
    // sgd's amount is not shrunk by its own step's factor, fobos's is: the order of the two lines is all the difference.
    if (update_ == Update::sgd) P_ *= shrinkage.factor;
    if (shrinkage.amount > 0) {
        L_ += shrinkage.amount / P_;
        if (averaged_) history_.push_back({L_, C_, D_});
    }
    if (update_ != Update::sgd) P_ *= shrinkage.factor;
}

void LazyWeights::step(const PreparedRow& x, const FeatureStore<double>& means, const double* gradients, double largest_gradient,
                       Shrinkage shrinkage, double omega, const double* biases, uint64_t t) {
    if (update_ == Update::sgd) shrink(shrinkage);
    const double scaled = *gradients / P_;
    if (has_blocks())
        for (size_t k = 0; k < classes_; ++k) scaled_[k] = gradients[k] / P_;
    for (size_t k = 0; centered_ && k < classes_; ++k) visit_row(x, k, [&](auto at) { add_centered(at, x, gradients[k] / P_, k); });
    switch (mode_) {
        case Mode::plain: averaged_ ? add_to_row<Mode::plain, true>(x, scaled, t) : add_to_row<Mode::plain, false>(x, scaled, t); break;
        case Mode::shrunk: averaged_ ? add_to_row<Mode::shrunk, true>(x, scaled, t) : add_to_row<Mode::shrunk, false>(x, scaled, t); break;
        case Mode::flagged:
            averaged_ ? add_to_row<Mode::flagged, true>(x, scaled, t) : add_to_row<Mode::flagged, false>(x, scaled, t);
            break;
    }
    const double change = largest_gradient / P_ * x.norm;
    const double previous_u = largest_u_;
    largest_u_ = std::max(largest_u_, L_) + change;
    largest_acc_ += 2 * (std::max(previous_u, largest_u_) * C_ + D_);
    if (update_ != Update::sgd) shrink(shrinkage);
    if (centered_) average_centered(x, omega * P_);
    C_ += omega * P_;
    D_ += omega * P_ * L_;
    for (size_t k = 0; k < classes_; ++k) bias_sums_[k] += omega * biases[k];
    if (P_ < kSmallestP) settle(means, 1, true);
}

}  // namespace sparselin
