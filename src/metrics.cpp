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
enum class Needs { any_loss, labels, probabilities };

struct Metric {
    std::string_view name;
    Needs needs;
    bool of_classes;  // whether it is one of several classes, too
};
constexpr Metric kMetrics[] = {
    {"loss", Needs::any_loss, true},        {"objective", Needs::any_loss, true},
    {"error_rate", Needs::labels, true},    {"macro_f1", Needs::labels, true},
    {"auc", Needs::labels, false},          {"log_loss", Needs::probabilities, true},
    {"brier", Needs::probabilities, false}, {"calibration_error", Needs::probabilities, false},
    {"rmse", Needs::any_loss, false},       {"mae", Needs::any_loss, false},
    {"r2", Needs::any_loss, false},
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

// The labels by which a model judges a data set; unknown of a loss that has none.
Labels labels_for(const Model& model, const Dataset& data) {
    if (!model.loss().has_labels()) return Labels();
    Labels labels = model.labels().for_data(data, model.settings().classes);
    if (labels.count() > 2 && !model.has_classes())
        fail(SL_ERROR_STATE, "no example has fixed the labels yet; those of the data set are of ", uint64_t{labels.count()}, " classes");
    return labels;
}

// What all weights of a data set are to be multiplied by 2 to the power of, so that no sum or product of them overflows.
int weight_exponent(const Dataset& data) {
    double largest = 0;
    for (size_t r = 0; r < data.rows(); ++r) largest = std::max(largest, data.weight(r));
    return largest > 0 ? -std::ilogb(largest) : 0;
}

// Calls visit(r, class, weight, scores) for every row of weight above 0 of a model that has labels.
template <class Visit>
void for_each_scored(const Model& model, const Dataset& data, const Labels& labels, Visit visit) {
    const int exponent = weight_exponent(data);
    Model::Buffer buffer;
    std::vector<double> scores(model.scores());
    for (size_t r = 0; r < data.rows(); ++r) {
        const double weight = std::ldexp(data.weight(r), exponent);
        if (weight == 0) continue;
        with_row(r, [&] { model.scores(data.row(r), buffer, scores.data()); });
        const double taken = labels.taken(data.label(r));
        visit(r, labels.count() == 2 ? size_t{taken > 0} : static_cast<size_t>(taken), weight, scores.data());
    }
}

// Mean of F1 = 2 true / (labelled + predicted) over the classes that occur, as labels or as predictions.
double macro_f1(const Model& model, const Dataset& data, const Labels& labels) {
    std::vector<double> right(labels.count()), either(labels.count());
    for_each_scored(model, data, labels, [&](size_t, size_t y, double weight, const double* scores) {
        const size_t predicted = model.predicted_class(scores);
        if (predicted == y) right[y] += weight;
        either[y] += weight;
        either[predicted] += weight;
    });
    double sum = 0, classes = 0;
    for (size_t k = 0; k < labels.count(); ++k) {
        if (either[k] == 0) continue;
        sum += 2 * right[k] / either[k];
        classes += 1;
    }
    return sum / classes;
}

// A metric of a model of several classes: a weighted mean over the rows.
double value_of_classes(const Model& model, const Dataset& data, const Labels& labels, std::string_view metric) {
    const Loss& loss = model.loss();
    const size_t classes = model.scores();
    std::vector<double> slopes(classes);
    double sum = 0, total = 0;
    for_each_scored(model, data, labels, [&](size_t, size_t y, double weight, const double* scores) {
        total += weight;
        if (metric == "error_rate")
            sum += model.predicted_class(scores) == y ? 0 : weight;
        else
            sum += weight * (metric == "log_loss" ? loss.log_loss(scores, classes, y) : loss.at(scores, classes, y, slopes.data()));
    });
    return sum / total;
}

double value_of(const Model& model, const Dataset& data, std::string_view metric) {
    const auto* const known = std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const Metric& m) { return m.name == metric; });
    const auto names = [](bool of_classes) {
        std::string names;
        for (const Metric& m : kMetrics)
            if (m.of_classes || !of_classes) names += concat(names.empty() ? "" : ", ", m.name);
        return names;
    };
    if (known == std::end(kMetrics))
        fail(SL_ERROR_INVALID_ARGUMENT, "there is no metric '", metric.substr(0, 40), "'; it is one of ", names(false));
    const Loss& loss = model.loss();
    if (known->needs == Needs::labels && !loss.has_labels())
        fail(SL_ERROR_STATE, metric, " needs loss log, hinge or squared_hinge; this model's is ", model.options().get("loss"));
    if (known->needs == Needs::probabilities && loss.kind() != LossKind::log)
        fail(SL_ERROR_STATE, metric, " needs loss log; this model's is ", model.options().get("loss"));
    if (model.has_classes() && !known->of_classes)
        fail(SL_ERROR_STATE, metric, " is not defined for a model of ", uint64_t{model.scores()}, " classes; there is ", names(true));
    const double penalty = metric == "objective" ? model.penalty() : 0;

    const Labels labels = labels_for(model, data);
    const auto counts = [](double weight) { return weight > 0; };
    if (data.weights().empty() ? data.rows() == 0 : std::none_of(data.weights().begin(), data.weights().end(), counts))
        fail(SL_ERROR_INVALID_DATA, metric, " is undefined: the data set has no rows of weight above 0");
    if (metric == "macro_f1") return macro_f1(model, data, labels);
    if (model.has_classes()) return value_of_classes(model, data, labels, metric) + penalty;
    const int exponent = weight_exponent(data);
    std::vector<Scored> rows;
    double total = 0;
    for (size_t r = 0; r < data.rows(); ++r) {
        const double weight = std::ldexp(data.weight(r), exponent);
        if (weight == 0) continue;
        with_row(r, [&] {
            rows.push_back({model.score(data.row(r)), loss.has_labels() ? labels.taken(data.label(r)) : data.label(r), weight});
        });
        total += weight;
    }
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

void confusion(const Model& model, const Dataset& data, double* counts) {
    const size_t classes = model.require_labels().count();
    const Labels labels = labels_for(model, data);
    struct Cell {
        size_t row, at;
    };
    std::vector<Cell> cells;
    double total = 0;
    for_each_scored(model, data, labels, [&](size_t r, size_t y, double, const double* scores) {
        cells.push_back({r, y * classes + model.predicted_class(scores)});
        total += data.weight(r);
    });
    if (!std::isfinite(total)) fail(SL_ERROR_INVALID_DATA, "the weights of the rows add up to more than a double can hold");
    std::fill_n(counts, classes * classes, 0.0);
    for (const Cell& cell : cells) counts[cell.at] += data.weight(cell.row);
}

}  // namespace sparselin
