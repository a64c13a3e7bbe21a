#include "metrics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "error.h"

namespace sparselin {
namespace {

struct Scored {
    double score, label, weight;
};

// Chance that a row of label +1 scores higher than one of -1, ties half: the Mann-Whitney statistic with weights.
double area_under_curve(std::vector<Scored> rows) {
    std::sort(rows.begin(), rows.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
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

double r_squared(const std::vector<Scored>& rows, double total) {
    double mean = 0, error = 0, variance = 0;
    for (const Scored& row : rows) mean += row.weight / total * row.label;
    for (const Scored& row : rows) {
        error += row.weight * (row.score - row.label) * (row.score - row.label);
        variance += row.weight * (row.label - mean) * (row.label - mean);
    }
    const auto differs = [&](const Scored& row) { return row.label != rows.front().label; };
    if (std::none_of(rows.begin(), rows.end(), differs))
        fail(SL_ERROR_INVALID_DATA, "r2 is undefined: all rows that count have the same label");
    return 1 - error / variance;
}

}  // namespace

double evaluate(const Model& model, const Dataset& data, std::string_view metric) {
    constexpr std::string_view kMetrics[] = {"loss", "objective", "error_rate", "auc", "log_loss", "rmse", "mae", "r2"};
    if (std::find(std::begin(kMetrics), std::end(kMetrics), metric) == std::end(kMetrics))
        fail(SL_ERROR_INVALID_ARGUMENT, "there is no metric '", metric.substr(0, 40),
             "'; it is one of loss, objective, error_rate, auc, log_loss, rmse, mae, r2");
    const Loss& loss = model.loss();
    if ((metric == "error_rate" || metric == "auc") && !loss.has_two_labels())
        fail(SL_ERROR_STATE, metric, " needs loss log, hinge or squared_hinge; this model's is ", model.options().get("loss"));
    if (metric == "log_loss" && loss.kind() != LossKind::log)
        fail(SL_ERROR_STATE, "log_loss needs loss log; this model's is ", model.options().get("loss"));
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
        rows.push_back({model.score(data.row(r)), loss.has_two_labels() ? labels.sign(data.label(r)) : data.label(r), weight});
        total += weight;
    }
    if (rows.empty()) fail(SL_ERROR_INVALID_DATA, metric, " is undefined: the data set has no rows of weight above 0");
    if (metric == "auc") return area_under_curve(std::move(rows));
    if (metric == "r2") return r_squared(rows, total);
    const auto mean = [&](auto term) {
        double sum = 0;
        for (const Scored& row : rows) sum += row.weight * term(row);
        return sum / total;
    };
    if (metric == "error_rate") return mean([](const Scored& row) { return (row.score > 0) == (row.label > 0) ? 0.0 : 1.0; });
    if (metric == "mae") return mean([](const Scored& row) { return std::fabs(row.score - row.label); });
    if (metric == "rmse") return std::sqrt(mean([](const Scored& row) { return (row.score - row.label) * (row.score - row.label); }));
    return mean([&](const Scored& row) { return loss.value(row.score, row.label); }) + penalty;  // loss, objective, log_loss
}

}  // namespace sparselin
