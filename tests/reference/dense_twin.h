// The definition (SPEC sections 1 to 6) as a program: every weight takes part at every step, in long double, nothing is put off. It
// shares no code and no idea with the library it checks. One step, t <- t + 1, with x normalized, scaled and centered:
//   p = w.x + b clipped, g = s loss'(p, y), eta = schedule(t); of several classes w, b, p and g are one a class
//   sgd                 w <- S(w) - eta g x,  S(w) = sgn(w) max(0, (1 - eta l2) |w| - eta l1)
//   fobos               w <- S(w - eta g x),  S(v) = sgn(v) max(0, (|v| - eta l1) / (1 + eta l2))
//   truncated_gradient  w <- w - eta g x, then every K steps |w| <= theta moves toward 0 by eta K gravity
//   rounding            w <- w - eta g x, then every K steps |w| <= theta becomes 0
// nonnegative: what w - eta g x has below 0 becomes 0, before anything shrinks it. positive_weight multiplies s where y is the larger
// label.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "dense_loss.h"
#include "dense_options.h"

namespace dense_twin {

using SparseRow = std::vector<std::pair<uint32_t, double>>;  // any order, repetitions and zeros

template <class Real>
class Twin {
  public:
    // `features`: every index that will occur.
    Twin(const Settings& o, const std::vector<uint32_t>& features)
        : loss_(o),
          normalize_(o.text("normalize")),
          schedule_(o.text("schedule")),
          update_(o.text("update")),
          max_abs_(o.is("scale", "max_abs")),
          rms_(o.is("scale", "rms") || (o.is("scale", "auto") && !o.boolean("center"))),
          center_(o.boolean("center")),
          two_labels_(o.two_labels()),
          softmax_(o.softmax()),
          automatic_rate_(o.automatic_rate()),
          bias_(o.boolean("bias")),
          bias_regularized_(o.boolean("bias_regularized")),
          averaging_(!o.is("average", "none")),
          sparse_average_(o.sparse_average()),
          nonnegative_(o.boolean("nonnegative")),
          noise_depends_on_features_(o.noise_depends_on_features()),
          positive_weight_(o.number("positive_weight")),
          l1_(o.penalty("l1")),
          l2_(o.penalty("l2")),
          gravity_(o.number("gravity")),
          theta_(o.number("theta")),
          eta0_(o.number("eta0")),
          power_(o.power()),
          decay_(o.decay()),
          noise_(o.noise()),
          average_power_(o.is("average", "polynomial") ? o.number("average_power") : 0),
          clip_min_(o.number("clip_min")),
          clip_max_(o.number("clip_max")),
          period_(static_cast<uint64_t>(o.number("period"))),
          started_(!averaging_ || !o.is("average_start", "auto")),
          start_(started_ ? static_cast<uint64_t>(o.number("average_start")) : 0) {
        for (uint32_t j : features) slot_.emplace(j, slot_.size());
        sum_ = square_sum_ = weight_of_feature_ = largest_ = center_of_rows_ = Vector(slot_.size(), 0);
        size_ = Vector(slot_.size(), 1);
        classes_.assign(o.scores(), Class{sum_, sum_, sum_, std::vector<uint64_t>(slot_.size()), 0, 0, 0});
    }

    void observe(const SparseRow& row, double weight) {
        if (weight == 0) return;
        const Vector x = normalized(row);
        for (size_t j = 0; j < x.size(); ++j) {
            if (x[j] == 0) continue;
            sum_[j] += weight * x[j];
            square_sum_[j] += weight * x[j] * x[j];
            weight_of_feature_[j] += weight;
            largest_[j] = std::max(largest_[j], std::abs(x[j]));
        }
        observed_weight_ += weight;
        count_nonzeros(row);
        for (size_t j = 0; j < x.size(); ++j) {
            if (largest_[j] == 0) continue;
            if (rms_) size_[j] = std::sqrt(square_sum_[j] / weight_of_feature_[j]);
            if (max_abs_) size_[j] = largest_[j];
            if (center_) center_of_rows_[j] = sum_[j] / size_[j] / observed_weight_;
        }
    }

    void feed(const SparseRow& row, double label, double weight) {
        if (weight == 0) return;
        const Real y = class_of(label), s = two_labels_ && !several() && y == 1 ? weight * positive_weight_ : weight;
        const Vector x = prepared(row);
        ++t_;
        Vector p, slopes(classes_.size());
        for (const Class& c : classes_) p.push_back(clipped(dot(c.w, x) + c.b));
        for (size_t k = 0; k < p.size() && !softmax_; ++k) {
            const Real target = several() ? (static_cast<Real>(k) == y ? 1 : -1) : y;
            note_jump(loss_.distance_to_jump(p[k], target), magnitude(classes_[k].w, classes_[k].b, x) + std::abs(target));
        }
        const Real value = loss_at(p, y, slopes);
        loss_sum_ += s * value;
        weight_sum_ += s;
        if (!started_) {
            Vector of_trial, unused(classes_.size());
            for (const Class& c : classes_) of_trial.push_back(clipped(dot(c.trial, x) + c.trial_b));
            current_loss_ = kKeep * current_loss_ + kTake * s * value;
            trial_loss_ = kKeep * trial_loss_ + kTake * s * loss_at(of_trial, y, unused);
        }
        const uint64_t count = count_nonzeros(row);
        nonzeros_ += center_ ? features_ : count;
        noise_clock_ += s * dot(slopes, slopes) / static_cast<Real>(classes_.size());
        error_ = (511 * error_ + std::abs(y - p[0])) / 512;
        const Real eta = learning_rate(x, s);
        for (size_t k = 0; k < classes_.size(); ++k) step(classes_[k], x, s * slopes[k], eta);
        update_average();
        for (const Class& c : classes_) {
            for (size_t j = 0; j < c.w.size(); ++j) scale_of_run_ = std::max({scale_of_run_, std::abs(c.w[j]), std::abs(c.average[j])});
            scale_of_run_ = std::max(scale_of_run_, std::abs(c.b));
        }
        for (const Class& c : classes_)
            for (size_t j = 0; sparse_average_ && j < c.w.size(); ++j)
                if (c.w[j] != 0) note_jump(std::abs(c.w[j]), scale_of_run_);
    }

    // Moves every weight by the last bit or two, as another way of computing the same would.
    template <class Random>
    void disturb(Random random) {
        const Real bit = std::numeric_limits<Real>::epsilon();
        for (Class& c : classes_) {
            for (Real& w : c.w) w *= 1 + bit * static_cast<Real>(static_cast<int>(random() % 3) - 1);
            c.b *= 1 + bit * static_cast<Real>(static_cast<int>(random() % 3) - 1);
        }
    }

    // The predictor returned, for examples as they are given; of class k.
    Real weight(uint32_t j, size_t k = 0) const { return returned(k)[slot_.at(j)] / size_[slot_.at(j)]; }
    Real bias(size_t k = 0) const { return returned_b(k) - dot(returned(k), center_of_rows_); }
    Real score(const SparseRow& row, size_t k = 0) const { return clipped(dot(returned(k), prepared(row)) + returned_b(k)); }
    size_t classes() const { return classes_.size(); }

    // The last iterate as it is inside: scaled weights, and the bias last, of one class after another.
    std::vector<Real> iterate() const {
        Vector all;
        for (const Class& c : classes_) {
            all.insert(all.end(), c.w.begin(), c.w.end());
            all.push_back(c.b);
        }
        return all;
    }

    Real mean_loss() const { return loss_sum_ / weight_sum_; }
    uint64_t steps() const { return t_; }

    // Over the rows whose weights are given: mean loss, and penalties of the scaled weights.
    Real objective(const std::vector<SparseRow>& rows, const std::vector<double>& labels, const std::vector<double>& weights) const {
        Real loss = 0, sum = 0, penalty = 0;
        for (size_t r = 0; r < rows.size(); ++r) {
            Vector p, unused(classes_.size());
            for (size_t k = 0; k < classes_.size(); ++k) p.push_back(score(rows[r], k));
            loss += weights[r] * loss_at(p, class_of(labels[r]), unused);
            sum += weights[r];
        }
        for (size_t k = 0; k < classes_.size(); ++k) {
            for (Real w : returned(k)) penalty += l1_ * std::abs(w) + l2_ / 2 * w * w;
            if (bias_regularized_) penalty += l2_ / 2 * returned_b(k) * returned_b(k);
        }
        return loss / sum + penalty;
    }

    // How far rounding errors may show: the largest scaled weight or bias so far; that over a feature's size for its returned
    // weight; and the sum of the magnitudes that a score is made of.
    Real scale_of_run() const { return scale_of_run_; }
    Real scale_of(uint32_t j) const { return scale_of_run_ / size_[slot_.at(j)]; }
    Real scale_of_score(const SparseRow& row) const {
        Real scale = 0;
        for (size_t k = 0; k < classes_.size(); ++k) scale = std::max(scale, magnitude(returned(k), returned_b(k), prepared(row)));
        return scale;
    }

    // The smallest distance, relative to the numbers compared, at which a choice was made that jumps, or that makes a weight exactly 0:
    // below about 1e-10, a program that rounds differently may have chosen otherwise.
    Real closest_choice() const { return closest_; }

  private:
    using Vector = std::vector<Real>;

    struct Class {
        Vector w, average, trial;
        std::vector<uint64_t> births;  // the step in which a weight was last moved from 0
        Real b, average_b, trial_b;
    };

    bool several() const { return classes_.size() > 1; }

    Real loss_at(const Vector& p, Real y, Vector& slopes) const {
        if (several()) return loss_.value(p, static_cast<size_t>(y), softmax_, slopes);
        slopes[0] = loss_.derivative(p[0], y);
        return loss_.value(p[0], y);
    }

    static Real dot(const Vector& a, const Vector& b) {
        Real sum = 0;
        for (size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
        return sum;
    }

    Real magnitude(const Vector& w, Real b, const Vector& x) const {
        Real sum = std::abs(b);
        for (size_t j = 0; j < w.size(); ++j) sum += std::abs(w[j]) * (std::abs(x[j]) + std::abs(center_of_rows_[j]));
        return sum;
    }

    Vector returned(size_t k) const {
        const Class& c = classes_[k];
        if (!averages_) return c.w;
        Vector w = c.average;
        for (size_t j = 0; j < w.size(); ++j)
            if (sparse_average_ && (c.w[j] == 0 || c.births[j] > t_ - t_ / 16)) w[j] = 0;
        return w;
    }
    Real returned_b(size_t k) const { return averages_ ? classes_[k].average_b : classes_[k].b; }
    Real class_of(double label) const { return two_labels_ && !several() && label == 0 ? -1 : label; }
    Real clipped(Real p) const { return std::min(std::max(p, clip_min_), clip_max_); }

    Vector normalized(const SparseRow& row) const {
        Vector x(slot_.size(), 0);
        for (const auto& [j, v] : row) x[slot_.at(j)] += v;
        Real divisor = 0;
        if (normalize_ == "none") return x;
        for (Real v : x) divisor += normalize_ == "l2" ? v * v : Real(v != 0);
        if (divisor > 0)
            for (Real& v : x) v /= std::sqrt(divisor);
        return x;
    }

    uint64_t count_nonzeros(const SparseRow& row) {
        const Vector x = normalized(row);
        uint64_t count = 0;
        for (const auto& [index, slot] : slot_) {
            if (x[slot] == 0) continue;
            ++count;
            features_ = std::max(features_, uint64_t{index} + 1);
        }
        return count;
    }

    Vector prepared(const SparseRow& row) const {
        Vector x = normalized(row);
        for (size_t j = 0; j < x.size(); ++j) x[j] = x[j] / size_[j] - center_of_rows_[j];
        return x;
    }

    Real noise() const {
        if (!noise_depends_on_features_) return noise_;
        const Real mean_nonzeros = static_cast<Real>(nonzeros_) / static_cast<Real>(t_);
        return std::max(noise_, 16 / ((mean_nonzeros + 1) * static_cast<Real>(features_ + 1)));
    }

    Real schedule(Real eta0) const {
        const Real t = static_cast<Real>(t_);
        if (schedule_ == "constant") return eta0;
        if (schedule_ == "inverse_scaling") return eta0 * std::pow(t, -power_);
        const Real falling = eta0 * std::pow(1 + decay_ * eta0 * t, -power_);
        if (schedule_ == "xu") return falling;
        if (schedule_ == "adaptive") return std::min(falling, eta0 / std::sqrt(1 + noise() * noise_clock_));
        if (schedule_ == "inverse_lambda") return 1 / (l2_ * t);
        throw std::runtime_error("the dense twin does not know the schedule " + schedule_);
    }

    Real learning_rate(const Vector& x, Real s) {
        if (!automatic_rate_) return schedule(eta0_);
        const Real t = static_cast<Real>(t_), c = loss_.curvature() * (dot(x, x) + (bias_ ? 1 : 0));
        if (c > 0) {
            curvature_sum_ += c;
            ++curved_;
        }
        if (curved_ == 0) return 0;
        const Real r = loss_.label_scale(error_ / (1 - std::pow(Real(511) / 512, t)));
        const Real mean_curvature = curvature_sum_ / static_cast<Real>(curved_), mean_weight = weight_sum_ / t;
        Real eta = schedule(r / (mean_curvature * mean_weight));
        if (c > 0) eta = std::min(eta, r / (s * c));
        if (l2_ > 0) eta = std::min(eta, 1 / (2 * l2_));
        return eta;
    }

    void step(Class& c, const Vector& x, Real g, Real eta) {
        const bool sgd = update_ == "sgd", fobos = update_ == "fobos";
        const Real factor = sgd ? std::max<Real>(0, 1 - eta * l2_) : fobos ? 1 / (1 + eta * l2_) : 1;
        const Real bias_factor = bias_regularized_ ? factor : 1;
        if (sgd)
            for (Real& w : c.w) w = shrunk(w, factor * std::abs(w), eta * l1_);
        for (size_t j = 0; j < c.w.size(); ++j) {
            const bool dead = c.w[j] == 0;
            c.w[j] = sum(c.w[j], -eta * g * x[j]);
            if (nonnegative_) c.w[j] = std::max<Real>(0, c.w[j]);
            if (dead && c.w[j] != 0) c.births[j] = t_;
        }
        if (fobos)
            for (Real& w : c.w) w = shrunk(w, factor * std::abs(w), factor * eta * l1_);
        if (update_ == "truncated_gradient" || update_ == "rounding") truncate(c.w, eta);
        c.b = fobos ? bias_factor * (c.b - eta * g) : bias_factor * c.b - eta * g;
        if (!bias_) c.b = 0;
    }

    // Two numbers that cancel leave 0 or a rounding error, which shows in whether a weight is 0.
    Real sum(Real a, Real b) {
        if (a != 0 && b != 0) note_jump(std::abs(a + b), std::max(std::abs(a), std::abs(b)));
        return a + b;
    }

    // The number of w's sign and of magnitude size - shift, not past 0.
    Real shrunk(Real w, Real size, Real shift) {
        if (w != 0 && shift > 0) note_jump(std::abs(size - shift), std::max(size, shift));
        return sign(w) * std::max<Real>(0, size - shift);
    }

    void truncate(Vector& weights, Real eta) {
        if (t_ % period_ != 0) return;
        for (Real& w : weights) {
            if (w != 0 && std::isfinite(theta_)) note_jump(std::abs(std::abs(w) - theta_), std::max(theta_, scale_of_run_));
            if (std::abs(w) > theta_) continue;
            w = update_ == "rounding" ? 0 : shrunk(w, std::abs(w), eta * static_cast<Real>(period_) * gravity_);
        }
    }

    void update_average() {
        if (averaging_ && started_ && t_ > start_) {
            const Real r = (1 + average_power_) / (static_cast<Real>(++averages_) + average_power_);
            for (Class& c : classes_) {
                for (size_t j = 0; j < c.w.size(); ++j) c.average[j] = sum((1 - r) * c.average[j], r * c.w[j]);
                c.average_b = (1 - r) * c.average_b + r * c.b;
            }
        }
        if (started_) return;
        for (Class& c : classes_) {
            for (size_t j = 0; j < c.w.size(); ++j) c.trial[j] = kKeep * c.trial[j] + kTake * c.w[j];
            c.trial_b = kKeep * c.trial_b + kTake * c.b;
        }
        if (t_ < 100) return;
        if (trial_loss_ != current_loss_) note_jump(std::abs(trial_loss_ - current_loss_), trial_loss_ + current_loss_);
        if (trial_loss_ < current_loss_) {
            started_ = true;
            start_ = t_;
        }
    }

    // Numbers that are all 0 are exact in every program.
    void note_jump(Real distance, Real size) {
        if (size > 0) closest_ = std::min(closest_, distance / size);
    }

    static constexpr Real kKeep = Real(99) / 100, kTake = Real(1) / 100;

    const Loss<Real> loss_;
    const std::string normalize_, schedule_, update_;
    const bool max_abs_, rms_, center_, two_labels_, softmax_, automatic_rate_, bias_, bias_regularized_, averaging_, sparse_average_,
        nonnegative_, noise_depends_on_features_;
    const Real positive_weight_, l1_, l2_, gravity_, theta_, eta0_, power_, decay_, noise_, average_power_, clip_min_, clip_max_;
    const uint64_t period_;
    bool started_;
    uint64_t start_;

    std::map<uint32_t, size_t> slot_;
    std::vector<Class> classes_;  // one of a model of one score
    uint64_t t_ = 0, averages_ = 0, curved_ = 0, nonzeros_ = 0, features_ = 0;
    Vector sum_, square_sum_, weight_of_feature_, largest_, size_, center_of_rows_;
    Real observed_weight_ = 0;
    Real current_loss_ = 0, trial_loss_ = 0, loss_sum_ = 0, weight_sum_ = 0;
    Real noise_clock_ = 0, error_ = 0, curvature_sum_ = 0;
    Real scale_of_run_ = 0, closest_ = 1;
};

}  // namespace dense_twin
