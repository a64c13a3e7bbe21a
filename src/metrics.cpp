#include "metrics.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "error.h"

namespace sparselin {
namespace {

// What a metric asks of the loss.
enum class Needs { any_loss, two_labels, probabilities };

struct Metric {
    std::string_view name;
    Needs needs;
};
constexpr Metric kMetrics[] = {
    {"loss", Needs::any_loss},
    {"objective", Needs::any_loss},
    {"error_rate", Needs::two_labels},
    {"auc", Needs::two_labels},
    {"log_loss", Needs::probabilities},
    {"brier", Needs::probabilities},
    {"calibration_error", Needs::probabilities},
    {"rmse", Needs::any_loss},
    {"mae", Needs::any_loss},
    {"r2", Needs::any_loss},
};

struct Scored {
    double score, label, weight;
};

// In an order that the data set's does not change, so that the sums of tied rows do not either.
void sort_by_score(std::vector<Scored>& rows) {
    std::sort(rows.begin(), rows.end(),
              [](const Scored& a, const Scored& b) { return std::tie(a.score, a.label, a.weight) < std::tie(b.score, b.label, b.weight); });
}

// Chance that a row of label +1 scores higher than one of -1, ties half: the Mann-Whitney statistic with weights.
double area_under_curve(std::vector<Scored> rows) {
    sort_by_score(rows);
    double area = 0, below = 0, above = 0;
    for (size_t i = 0; i < rows.size();) {
        double negative = 0, positive = 0;
        size_t j = i;
        for (; j < rows.size() && rows[j].score == rows[i].score; ++j) (rows[j].label > 0 ? positive : negative) += rows[j].weight;
        area += positive * (below + negative / 2);
        below += negative;
        above += positive;
        i = j;
    }
    if (!(below > 0 && above > 0)) fail(SL_ERROR_INVALID_DATA, "auc is undefined: all rows that count have the same label");
    return area / below / above;
}

// Sum over the bins of abs(sum of w (p - [y = +1])), over the total weight; `score` is p. What rows of one p have too much goes to the bins
// in the shares in which their weight does.
double calibration_error(std::vector<Scored> rows) {
    constexpr int kBins = 10;
    sort_by_score(rows);
    double total = 0;
    for (const Scored& row : rows) total += row.weight;
    int bins_left = kBins;
    double error = 0, in_bin = 0, room = total / kBins;
    for (size_t i = 0; i < rows.size();) {
        double weight = 0, excess = 0;
        size_t j = i;
        for (; j < rows.size() && rows[j].score == rows[i].score; ++j) {
            weight += rows[j].weight;
            excess += rows[j].weight * (rows[j].score - (rows[j].label > 0 ? 1 : 0));
        }
        for (; weight > room && bins_left > 1; --bins_left) {
            const double part = excess * (room / weight);
            error += std::fabs(in_bin + part);
            excess -= part;
            weight -= room;
            in_bin = 0;
            room = total / kBins;
        }
        in_bin += excess;
        room -= weight;
        i = j;
    }
    return (error + std::fabs(in_bin)) / total;
}

// Sum over the rows of their weight times the square of a number: the sum is to be multiplied by 4^exponent, so that no square overflows or
// is lost, whatever the numbers.
struct Squares {
    double sum;
    int exponent;
};
template <class Number>
Squares sum_of_squares(const std::vector<Scored>& rows, Number number) {
    double largest = DBL_MIN, sum = 0;
    for (const Scored& row : rows) largest = std::max(largest, std::fabs(number(row)));
    const int exponent = std::ilogb(std::min(largest, DBL_MAX));
    for (const Scored& row : rows) {
        const double scaled = std::ldexp(number(row), -exponent);
        sum += row.weight * (scaled * scaled);
    }
    return {sum, exponent};
}

Squares squared_errors(const std::vector<Scored>& rows) {
    return sum_of_squares(rows, [](const Scored& row) { return row.score - row.label; });
}

double r_squared(const std::vector<Scored>& rows, double total) {
    double mean = 0;
    for (const Scored& row : rows) mean += row.weight / total * row.label;
    const auto differs = [&](const Scored& row) { return row.label != rows.front().label; };
    if (std::none_of(rows.begin(), rows.end(), differs))
        fail(SL_ERROR_INVALID_DATA, "r2 is undefined: all rows that count have the same label");
    const Squares errors = squared_errors(rows), deviations = sum_of_squares(rows, [=](const Scored&row) { return row.label - mean; });
    return 1 - std::ldexp(errors.sum / deviations.sum, 2 * (errors.exponent - deviations.exponent));
}

double value_of(const Model& model, const Dataset& data, std::string_view metric) {
    const auto* const known = std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const Metric& m) { return m.name == metric; });
    if (known == std::end(kMetrics)) {
        std::string names;
        for (const Metric& m : kMetrics) names += concat(names.empty() ? "" : ", ", m.name);
        fail(SL_ERROR_INVALID_ARGUMENT, "there is no metric '", metric.substr(0, 40), "'; it is one of ", names);
    }
    const Loss& loss = model.loss();
    if (known->needs == Needs::two_labels && !loss.has_two_labels())
        fail(SL_ERROR_STATE, metric, " needs loss log, hinge or squared_hinge; this model's is ", model.options().get("loss"));
    if (known->needs == Needs::probabilities && loss.kind() != LossKind::log)
        fail(SL_ERROR_STATE, metric, " needs loss log; this model's is ", model.options().get("loss"));
    const double penalty = metric == "objective" ? model.penalty() : 0;

    const LabelPair labels = loss.has_two_labels() ? model.labels().for_data(data) : LabelPair();
    double largest = 0;
    for (size_t r = 0; r < data.rows(); ++r) largest = std::max(largest, data.weight(r));
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;  // taken off all weights, so that no sum or product of them overflows
    std::vector<Scored> rows;
    double total = 0;
    for (size_t r = 0; r < data.rows(); ++r) {
        const double weight = std::ldexp(data.weight(r), -exponent);
        if (weight == 0) continue;
        with_row(r, [&] {
            rows.push_back({model.score(data.row(r)), loss.has_two_labels() ? labels.sign(data.label(r)) : data.label(r), weight});
        });
        total += weight;
    }
    if (rows.empty()) fail(SL_ERROR_INVALID_DATA, metric, " is undefined: the data set has no rows of weight above 0");
    if (metric == "auc") return area_under_curve(std::move(rows));
    if (metric == "r2") return r_squared(rows, total);
    const auto mean = [&](auto term) {
        double sum = 0;
        for (const Scored& row : rows) sum += row.weight * term(row);
        if (std::isfinite(sum)) return sum / total;
        sum = 0;  // of terms near the largest double, and infinite if one is
        for (const Scored& row : rows) sum += row.weight * (term(row) * 0x1p-64);
        return sum / total * 0x1p64;
    };
    if (metric == "brier" || metric == "calibration_error") {
        for (Scored& row : rows) row.score = model.probability(row.score);
        if (metric == "calibration_error") return calibration_error(std::move(rows));
        return mean([](const Scored& row) { return std::pow(row.score - (row.label > 0 ? 1 : 0), 2); });
    }
    if (metric == "error_rate") return mean([](const Scored& row) { return (row.score > 0) == (row.label > 0) ? 0.0 : 1.0; });
    if (metric == "mae") return mean([](const Scored& row) { return std::fabs(row.score - row.label); });
    if (metric == "rmse") {
        const Squares errors = squared_errors(rows);
        return std::ldexp(std::sqrt(errors.sum / total), errors.exponent);
    }
    return mean([&](const Scored& row) { return loss.value(row.score, row.label); }) + penalty;  // loss, objective, log_loss
}

}  // namespace

double evaluate(const Model& model, const Dataset& data, std::string_view metric) {
    const double value = value_of(model, data, metric);
    if (!std::isfinite(value)) fail(SL_ERROR_INVALID_DATA, metric, " is beyond what a double can hold");
    return value;
}

}  // namespace sparselin
