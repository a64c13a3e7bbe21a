#include "loss.h"

#include <algorithm>
#include <cmath>

#include "elementary.h"
#include "error.h"
#include "row.h"

namespace sparselin {
namespace {

// exp(p_k - p_top) of all classes but the one of the largest score, of which the terms hold 0 instead of 1.
struct Exponentials {
    size_t top;
    double rest;  // their sum
};
Exponentials exponentials(const double* p, size_t classes, double* terms) {
    const auto top = static_cast<size_t>(std::max_element(p, p + classes) - p);
    const double largest = p[top];
    for (size_t k = 0; k < classes; ++k) terms[k] = exponential(p[k] - largest);
    terms[top] = 0;
    return {top, sum_in_lanes(classes, [=](size_t k) { return terms[k]; })};
}

// log(1 + exp(-p)), of any p.
double log_of_odds(double p) { return log_1_plus(exponential(-std::fabs(p))) - std::min(p, 0.0); }

inline Loss::Point hinge(double p, double y) {
    const double margin = p * y;
    return {std::max(0.0, 1 - margin), margin <= 1 ? -y : 0};
}

void require(bool has, std::string_view what, std::string_view needs, const BuiltText& losses, const LossTraits& traits) {
    if (!has) fail(SL_ERROR_STATE, what, " ", needs, " loss ", in_words(losses.data()), "; this model's is ", traits.name);
}

}  // namespace

void Loss::require_labels(std::string_view what, std::string_view needs) const {
    require(has_labels(), what, needs, kLossesWithLabels, *traits_);
}

void Loss::require_probabilities(std::string_view what, std::string_view needs) const {
    require(has_probabilities(), what, needs, kLossesWithProbabilities, *traits_);
}

Loss::Point Loss::at(double p, double y) const {
    const double r = p - y, margin = p * y;
    switch (traits_->kind) {
        case LossKind::log: {  // log(1 + exp(-margin)) and -y / (1 + exp(margin)), of one exponential that does not overflow
            const double e = exponential(-std::fabs(margin));
            return {log_1_plus(e) - std::min(margin, 0.0), -y * ((margin > 0 ? e : 1) / (1 + e))};
        }
        case LossKind::hinge: return hinge(p, y);
        case LossKind::squared_hinge: {
            const double short_of_1 = std::max(0.0, 1 - margin);
            return {short_of_1 * short_of_1 / 2, -y * short_of_1};
        }
        case LossKind::squared: return {r * r / 2, r};
        case LossKind::absolute: return {std::fabs(r), p <= y ? -1.0 : 1.0};
        case LossKind::huber:
            if (std::fabs(r) <= delta_) return {r * r / 2, r};
            return {delta_ * (std::fabs(r) - delta_ / 2), std::copysign(delta_, r)};
        case LossKind::epsilon_insensitive:
            return {std::max(0.0, std::fabs(r) - epsilon_), std::fabs(r) <= epsilon_ ? 0 : std::copysign(1.0, r)};
        case LossKind::quantile: return {y >= p ? -quantile_ * r : (1 - quantile_) * r, p <= y ? -quantile_ : 1 - quantile_};
    }
    return {0, 0};
}

double Loss::at(const double* p, size_t classes, size_t y, double* slopes) const {
    if (multiclass_ == Multiclass::softmax) {
        const double of_class = p[y];
        const double largest = *std::max_element(p, p + classes);
        const auto [top, rest] = exponentials(p, classes, slopes);
        const double share = 1 / (1 + rest);
        for (size_t k = 0; k < classes; ++k) slopes[k] *= share;
        slopes[top] = share;
        // What is left of 1, from the other terms, so that a small slope keeps its digits.
        slopes[y] = y == top ? -(rest * share) : slopes[y] - 1;
        return log_1_plus(rest) + (largest - of_class);
    }
    const auto every = [=](auto point_at) {
        double sum = 0;
        for (size_t k = 0; k < classes; ++k) {
            const double label = k == y ? 1 : -1;
            const Point point = point_at(p[k], label);
            sum += point.value;
            slopes[k] = point.derivative;
        }
        return sum;
    };
    if (traits_->kind == LossKind::hinge) return every(hinge);  // sooner done than called
    return every([this](double score, double label) { return at(score, label); });
}

void Loss::probabilities(const double* p, size_t classes, double* shares) const {
    if (multiclass_ == Multiclass::softmax) {
        const auto [top, rest] = exponentials(p, classes, shares);
        for (size_t k = 0; k < classes; ++k) shares[k] /= 1 + rest;
        shares[top] = 1 / (1 + rest);
        return;
    }
    for (size_t k = 0; k < classes; ++k) shares[k] = 1 / (1 + exponential(-p[k]));
    const double sum = sum_in_lanes(classes, [=](size_t k) { return shares[k]; });
    for (size_t k = 0; k < classes; ++k) shares[k] = sum > 0 ? shares[k] / sum : 1 / static_cast<double>(classes);
}

double Loss::log_loss(const double* p, size_t classes, size_t y) const {
    // Of one_vs_rest a share is in proportion to 1 / (1 + exp(-p)), the logarithm of which is -log_of_odds(p).
    const auto log_share = [&](size_t k) { return multiclass_ == Multiclass::softmax ? p[k] : -log_of_odds(p[k]); };
    double largest = log_share(0);
    for (size_t k = 1; k < classes; ++k) largest = std::max(largest, log_share(k));
    const double sum = sum_in_lanes(classes, [&](size_t k) { return exponential(log_share(k) - largest); });
    return log_1_plus(sum - 1) + (largest - log_share(y));
}

}  // namespace sparselin
