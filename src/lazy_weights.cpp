#include "lazy_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "rounding.h"

namespace sparselin {
namespace {

constexpr double kSmallestP = 1e-6;          // below it |u| = |w| / P loses too many digits against L
constexpr double kLargestShrinkage = 65536;  // P L beyond it would cost weights of about 1 their last digits
constexpr double kLargestMass = 0x1p+400;    // an average's mass is brought down by this when it is beyond it
constexpr double kLargest = 1e165;           // of |u|, so that a weight stays finite when its feature's scale is undone
constexpr double kLargestSum = 1e290;        // of everything else that adds up
constexpr uint64_t kYouth = 16;              // a sparse average leaves out weights that were 0 in the last sixteenth of the steps
constexpr uint64_t kShortestHistory = 1 << 14, kLongestHistory = 1 << 20;

// The lowest bit of u tells that its weight lies beyond theta.
bool is_free(double u) {
    uint64_t bits;
    std::memcpy(&bits, &u, sizeof bits);
    return bits & 1;
}
double with_free(double u, bool free) {
    uint64_t bits;
    std::memcpy(&bits, &u, sizeof bits);
    bits = (bits & ~uint64_t{1}) | uint64_t{free};
    std::memcpy(&u, &bits, sizeof u);
    return u;
}

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

}  // namespace

LazyWeights::LazyWeights(const Settings& settings)
    : update_(settings.update),
      mode_(settings.l1 == 0 && settings.gravity == 0 && settings.update != Update::rounding ? Mode::plain
            : std::isinf(settings.theta)                                                     ? Mode::shrunk
                                                                                             : Mode::flagged),
      averaged_(settings.average != Average::none),
      centered_(settings.center),
      sparse_average_(settings.sparse_average),
      theta_(settings.theta),
      history_limit_(settings.history_limit),
      store_(settings.storage, settings.dimension, mode_ != Mode::plain),
      births_(settings.storage, settings.dimension) {}

uint64_t LazyWeights::bytes() const {
    return store_.bytes() + births_.bytes() + history_.capacity() * sizeof(Death) + at_.capacity() * sizeof(Weight*);
}

void LazyWeights::reserve(const Features& x) {
    if (compact_) store_.compact();
    compact_ = false;
    store_.reserve(x.indices, x.count);
    if (sparse_average_) births_.reserve(x.indices, x.count);
    if (averaged_ && mode_ != Mode::plain && history_.size() == history_.capacity())
        history_.reserve(std::max<size_t>(8, 2 * history_.size()));
    if (store_.is_dense()) return;
    at_.resize(x.count);
    store_.locate(x.indices, x.count, at_.data());
}

template <class Visit>
auto LazyWeights::visit_row(const Features& x, Visit visit) const {
    return store_.is_dense() ? visit(DensePlace{store_.dense(), x.indices}) : visit(TablePlace{at_.data()});
}

template <LazyWeights::Mode mode>
double LazyWeights::value_in(double u) const {
    if (mode == Mode::plain || (mode == Mode::flagged && is_free(u))) return u;
    return u - std::min(std::max(u, -L_), L_);  // sgn(u) max(0, |u| - L), without branches
}

double LazyWeights::value(double u) const {
    switch (mode_) {
        case Mode::plain: return value_in<Mode::plain>(u);
        case Mode::shrunk: return value_in<Mode::shrunk>(u);
        case Mode::flagged: return value_in<Mode::flagged>(u);
    }
    return 0;
}

double LazyWeights::total(const Weight& w) const {
    const double magnitude = std::fabs(w.u);
    if (mode_ == Mode::plain || (mode_ == Mode::flagged && is_free(w.u))) return w.acc + w.u * C_;
    if (magnitude > L_) return w.acc + (w.u * C_ - std::copysign(D_, w.u));
    if (magnitude == 0 || history_.empty()) return w.acc;
    const Death& died = death_of(magnitude);
    return w.acc + (w.u * died.C - std::copysign(died.D, w.u));
}

// The first entry of the history with L >= magnitude; there is one. L is nearly a straight line over the entries: one step along that line
// and one of Newton's land within a few entries of the place, from where the search goes on in strides that double.
const LazyWeights::Death& LazyWeights::death_of(double magnitude) const {
    const Death* const history = history_.data();
    const size_t last = history_.size() - 1;
    const auto place = [=](double x) { return x > 0 ? std::min(static_cast<size_t>(std::min(x, 0x1p+30)), last) : 0; };
    const double width = history[last].L - history[0].L;  // 0 if there is one entry, or the others shrank by less than rounding takes
    size_t at = width > 0 ? place((magnitude - history[0].L) / width * static_cast<double>(last)) : 0;
    const double stride_of_L = at > 0 ? history[at].L - history[at - 1].L : 0;
    if (stride_of_L > 0) at = place(static_cast<double>(at) + std::ceil((magnitude - history[at].L) / stride_of_L));
    size_t low = at, high = at;  // once found: all before `low` are below the magnitude, and `high` is not
    for (size_t stride = 1; low > 0 && history[low - 1].L >= magnitude; stride *= 2) {
        high = low - 1;
        low = low > stride ? low - stride : 0;
    }
    for (size_t stride = 1; history[high].L < magnitude; stride *= 2) {
        low = high + 1;
        high = std::min(high + stride, last);
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (history[middle].L < magnitude)
            low = middle + 1;
        else
            high = middle;
    }
    return history[low];
}

double LazyWeights::last(uint32_t index, double mean) const {
    const double w = value(store_.read(index).u);
    return P_ * (centered_ ? std::fma(-A_, mean, w) : w);
}

double LazyWeights::average(uint32_t index, double mean, uint64_t t) const {
    const Weight w = store_.read(index);
    if (sparse_average_ && (value(w.u) == 0 || births_.read(index) > static_cast<double>(t - t / kYouth))) return 0;
    return (centered_ ? centered_total(w, mean) : total(w)) / mass_;
}

double LazyWeights::centered_total(const Weight& w, double mean) const {
    const double product = w.u * C_, total = w.acc + product, absent = -A_sum_ * mean;
    const double lost = product_error(w.u, C_) + sum_error(w.acc, product) + product_error(-A_sum_, mean) + sum_error(total, absent);
    return total + absent + lost;
}

double LazyWeights::dot(const Features& x) const {
    if (x.centered)
        return visit_row(x, [&](auto at) {
            // As in Statistics::prepare: the absent features add w.mean less what those present have of it.
            const auto w = [&](size_t j) { return std::fma(-A_, x.means[j], at[j].u); };
            const double absent = x.full ? 0 : q_ - sum_in_lanes(x.count, [&](size_t j) { return w(j) * x.means[j]; });
            return P_ * (sum_in_lanes(x.count, [&](size_t j) { return w(j) * (x.values[j] - x.means[j]); }) - absent);
        });
    const auto sum = [&](auto value) {
        return visit_row(x, [&](auto at) { return P_ * sum_in_lanes(x.count, [&](size_t j) { return value(at[j].u) * x.values[j]; }); });
    };
    switch (mode_) {
        case Mode::plain: return sum([](double u) { return u; });
        case Mode::shrunk: return sum([this](double u) { return value_in<Mode::shrunk>(u); });
        case Mode::flagged:  // value_in() without its branch, since whether a weight is free is as good as random
            return sum([limits = std::array<double, 2>{L_, 0}](double u) {
                const double L = limits[is_free(u)];
                return u - std::min(std::max(u, -L), L);
            });
    }
    return 0;
}

double LazyWeights::average_dot(const Features& x) const {
    const double sum = visit_row(x, [&](auto at) {
        const auto value = [&](size_t j) { return x.centered ? centered_total(at[j], x.means[j]) : total(at[j]); };
        return sum_in_lanes(x.count, [&](size_t j) { return value(j) * x.values[j]; });
    });
    return (sum - q_sum_) / mass_;
}

bool LazyWeights::can_step(const Features& x, double gradient, Shrinkage shrinkage, double share) const {
    // Bounds, not the numbers themselves: P may be as low as kSmallestP in the step, and no value of the row exceeds its norm.
    const double change = std::fabs(gradient) * (x.norm + std::fabs(x.mean_product) + 1) * (1 / kSmallestP);
    const double u = std::max(largest_u_, L_) + shrinkage.amount * (1 / kSmallestP) + change;
    const double acc = largest_acc_ + 2 * (u * (C_ + share) + (D_ + share * u));
    const double A = std::fabs(A_) + change, q = std::fabs(q_) + change;
    return u < kLargest && acc < kLargestSum && std::fabs(A_sum_) + A * share < kLargestSum && std::fabs(q_sum_) + q * share < kLargestSum;
}

bool LazyWeights::within_bounds() const {
    // Twice the bounds, for rounding; the smaller numbers stand for squares of values that were lost to underflow.
    const auto within = [](double bound, auto... numbers) { return ((std::fabs(numbers) <= 2 * bound) && ...); };
    const double u = std::max({largest_u_, L_, 1e100}), acc = std::max(largest_acc_, 1e200);
    bool all = within(kLargest, u, A_, q_) && within(kLargestSum, acc, C_, D_, A_sum_, q_sum_);
    store_.for_each([&](uint32_t, const Weight& w) { all = all && within(u, w.u) && within(acc, w.acc); });
    return all;
}

void LazyWeights::settle_before(const FeatureStore<double>& means, Shrinkage& shrinkage, uint64_t dimension) {
    // Flagged weights are cut at every step, and what rounding takes from acc grows with L and C: they settle sooner where that is cheap.
    const uint64_t shortest = mode_ == Mode::flagged ? std::clamp(dimension, kShortestHistory / 8, kShortestHistory) : kShortestHistory;
    const uint64_t limit = history_limit_ ? history_limit_ : std::clamp(dimension / 8, shortest, kLongestHistory);
    const double f = shrinkage.factor;
    if (history_.size() < limit && P_ * f >= kSmallestP && P_ * L_ <= kLargestShrinkage && mass_ <= kLargestMass) return;
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
    double count = 0, largest = 0, lost = 0;
    store_.for_each([&](uint32_t index, const Weight& w) {
        largest = std::max(largest, std::fabs(lost_of(index, w)));
        count += 1;
    });
    // All are rounded to one unit, that of `bound`, so that adding them is exact and their order, in which storages differ, is no matter.
    std::frexp(count * largest, &exponent_of_bound);
    const double bound = std::ldexp(2, exponent_of_bound);
    largest_u_ = largest_acc_ = 0;
    store_.for_each([&](uint32_t index, Weight& w) {
        lost += (bound + lost_of(index, w)) - bound;
        w.acc = total(w) * scale;
        w.u *= unit;
        largest_u_ = std::max(largest_u_, std::fabs(w.u));
        largest_acc_ = std::max(largest_acc_, std::fabs(w.acc));
    });
    q_sum_ -= lost;
    A_ *= unit;
    q_ *= unit;
    C_ = 0;
    for (double* sum : {&mass_, &bias_sum_, &A_sum_, &q_sum_}) *sum *= scale;
    compact_ = true;
}

void LazyWeights::settle(const FeatureStore<double>& means, double factor, bool keep_average) {
    settled_ += store_.bytes() / sizeof(Weight);
    if (centered_ && factor == 1 && P_ > 1 / kLargestMass) return settle_centered(means, keep_average);
    const double scale = mass_ > kLargestMass ? 1 / kLargestMass : 1;
    largest_u_ = largest_acc_ = 0;
    store_.for_each([&](uint32_t, Weight& w) {
        const double sum = total(w);
        if (!(mode_ == Mode::flagged && is_free(w.u))) {
            w.u = value(w.u) * P_ * factor + 0.0;  // + 0.0: a dead weight is +0, as a new one
            if (mode_ == Mode::flagged) w.u = with_free(w.u, false);
        }
        w.acc = keep_average ? sum * scale : 0;
        largest_u_ = std::max(largest_u_, std::fabs(w.u));
        largest_acc_ = std::max(largest_acc_, std::fabs(w.acc));
    });
    A_ *= P_ * factor;
    q_ *= P_ * factor;
    P_ = 1;
    L_ = C_ = D_ = 0;
    history_.clear();
    for (double* sum : {&mass_, &bias_sum_, &A_sum_, &q_sum_}) *sum = keep_average ? *sum * scale : 0;
    compact_ = true;
}

void LazyWeights::clear_average(const FeatureStore<double>& means) { settle(means, 1, false); }

// Gives a weight a new value (over P), whatever has become of it since it was last changed.
void LazyWeights::replace(Weight& w, double value) const {
    const double sum = total(w);
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

// Adds scaled * x to the weights (over P).
template <LazyWeights::Mode mode, bool averaged, class Place>
void LazyWeights::add(Place at, const Features& x, double scaled, uint64_t t) {
    if (mode == Mode::plain && scaled == 0) return;
    const double L = L_, C = C_, theta = theta_;
    const double* const values = x.values;
    const size_t count = x.count;
    const Pair parts = {scaled, -(C * scaled)};  // acc loses change C, so that what the sum of omega w was stays
#pragma GCC unroll 4
    for (size_t j = 0; j < count; ++j) {
        Weight& w = at[j];
        const double change = scaled * values[j], moved = w.u + change;
        // A weight that stays alive, on its side of 0 and of theta takes the short way: both of its numbers move by a product. The
        // tests are joined without branches, since signs are as good as random.
        bool same = true;
        if (mode == Mode::shrunk) {
            same = std::min(std::fabs(w.u), std::copysign(1.0, w.u) * moved) > L;
        } else if (mode == Mode::flagged) {
            const double before = std::fabs(w.u), after = std::copysign(1.0, w.u) * moved;
            const unsigned free = is_free(w.u), stays_free = after > theta;
            const unsigned stays_bound = unsigned{std::min(before, after) > L} & unsigned{after - L <= theta};
            same = (free & stays_free) | (~free & stays_bound);
        }
        if (same) {
            if (mode == Mode::flagged) {
                // The lowest bit goes one way, again and again: acc is told what has become of u, not what should have.
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
        } else {
            const double before = value_in<mode>(w.u);
            replace(w, before + change);
            if (sparse_average_ && before == 0 && w.u != 0) births_.at(x.indices[j]) = static_cast<double>(t);
        }
    }
}

// What add() with this row does to w.mean and to its sum, of the weights as add() will store them: to be called before it.
template <class Place>
void LazyWeights::add_centered(Place at, const Features& x, double scaled) {
    const double taken_of_1 = C_ * scaled;
    double u_lost = 0, acc_gained = 0;  // times the means
    for (size_t j = 0; j < x.count; ++j) {
        const Weight& w = at[j];
        const double change = scaled * x.values[j], rounded = sum_error(w.u, change), taken = taken_of_1 * x.values[j];
        u_lost += x.means[j] * (product_error(scaled, x.values[j]) + rounded);
        if (averaged_) acc_gained += x.means[j] * (std::fma(C_, change, -taken) - sum_error(w.acc, -taken) - rounded * C_);
    }
    q_ += scaled * x.mean_product + (sum_error(A_, scaled) * x.mean_squared_norm - u_lost);
    q_sum_ += acc_gained;
    A_ += scaled;
}

// Counts the iterate in the sums that centering adds; `share` is omega P, which C has grown by.
void LazyWeights::average_centered(const Features& x, double share) {
    const double C_lost = sum_error(C_, share), grown = A_ * share;
    const double A_lost = product_error(A_, share) + sum_error(A_sum_, grown) - A_ * C_lost;
    q_sum_ += share * q_ + (A_lost * x.mean_squared_norm - C_lost * q_);
    A_sum_ += grown;
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

void LazyWeights::step(const Features& x, const FeatureStore<double>& means, double gradient, Shrinkage shrinkage, double omega,
                       double bias, uint64_t t) {
    if (update_ == Update::sgd) shrink(shrinkage);
    const double scaled = gradient / P_;
    visit_row(x, [&](auto at) {
        if (centered_) add_centered(at, x, scaled);
        switch (mode_) {
            case Mode::plain: return averaged_ ? add<Mode::plain, true>(at, x, scaled, t) : add<Mode::plain, false>(at, x, scaled, t);
            case Mode::shrunk: return averaged_ ? add<Mode::shrunk, true>(at, x, scaled, t) : add<Mode::shrunk, false>(at, x, scaled, t);
            case Mode::flagged: return averaged_ ? add<Mode::flagged, true>(at, x, scaled, t) : add<Mode::flagged, false>(at, x, scaled, t);
        }
    });
    const double change = std::fabs(scaled) * x.norm;
    const double previous_u = largest_u_;
    largest_u_ = std::max(largest_u_, L_) + change;
    largest_acc_ += 2 * (std::max(previous_u, largest_u_) * C_ + D_);
    if (update_ != Update::sgd) shrink(shrinkage);
    if (centered_) average_centered(x, omega * P_);
    C_ += omega * P_;
    D_ += omega * P_ * L_;
    bias_sum_ += omega * bias;
    if (P_ < kSmallestP) settle(means, 1, true);
}

}  // namespace sparselin
