#include "metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "elementary.h"
#include "error.h"
#include "figures.h"

namespace sparselin {
namespace {

// What a metric asks of the loss.
enum class Needs { any_loss, labels, probabilities };

struct Metric {
    std::string_view name;
    Needs needs;
    bool of_classes;  // whether it is one of several classes, too
    bool larger_is_better = false;
};
constexpr Metric kMetrics[] = {
    {"loss", Needs::any_loss, true},
    {"objective", Needs::any_loss, true},
    {"error_rate", Needs::labels, true},
    {"f1", Needs::labels, false, true},
    {"macro_f1", Needs::labels, true, true},
    {"mcc", Needs::labels, true, true},
    {"auc", Needs::labels, false, true},
    {"average_precision", Needs::labels, false, true},
    {"log_loss", Needs::probabilities, true},
    {"brier", Needs::probabilities, false},
    {"calibration_error", Needs::probabilities, false},
    {"rmse", Needs::any_loss, false},
    {"mae", Needs::any_loss, false},
    {"r2", Needs::any_loss, false, true},
};

bool is_of_a_model(std::string_view metric) { return metric == "loss" || metric == "objective"; }

// The metric of a name, among those of so many scores a row, and of scores without a model where there is none.
const Metric& metric_of(std::string_view name, size_t classes, bool of_a_model) {
    const auto names = [&](bool of_classes) {
        std::string names;
        for (const Metric& m : kMetrics)
            if ((m.of_classes || !of_classes) && (of_a_model || !is_of_a_model(m.name))) names += concat(names.empty() ? "" : ", ", m.name);
        return names;
    };
    for (const Metric& m : kMetrics) {
        if (m.name != name || (!of_a_model && is_of_a_model(name))) continue;
        if (classes > 1 && !m.of_classes)
            fail(of_a_model ? SL_ERROR_STATE : SL_ERROR_INVALID_ARGUMENT, name, " is not defined for ", of_a_model ? "a model of " : "",
                 uint64_t{classes}, " classes; there is ", names(true));
        return m;
    }
    fail(SL_ERROR_INVALID_ARGUMENT, "there is no metric '", name.substr(0, 40), of_a_model ? "'" : "' of scores", "; it is one of ",
         names(false));
}

// Rows and their scores, wherever they come from.
struct ScoredRows {
    size_t rows, classes;                                                    // `classes` scores a row
    const double* weights;                                                   // null: all 1
    std::function<void(size_t first, size_t count, double* scores)> scores;  // of so many rows, but for those of weight 0
    std::function<double(size_t r)> label;                                   // as the loss takes it
    double weight(size_t r) const { return weights ? weights[r] : 1; }
};

// The labels by which a model judges a data set; unknown of a loss that has none.
Labels labels_for(const Model& model, const Dataset& data) {
    if (!model.loss().has_labels()) return Labels();
    Labels labels = model.labels().for_data(data, model.settings().classes);
    if (labels.count() > 2 && !model.has_classes())
        fail(SL_ERROR_STATE, "no example has fixed the labels yet; those of the data set are of ", uint64_t{labels.count()}, " classes");
    return labels;
}

// What all weights are to be multiplied by 2 to the power of, so that no sum or product of them overflows.
int weight_exponent(const ScoredRows& rows) {
    double largest = 0;
    for (size_t r = 0; r < rows.rows; ++r) largest = std::max(largest, rows.weight(r));
    return largest > 0 ? -std::ilogb(largest) : 0;
}

// Calls visit(r, weight, scores) for every row of weight above 0.
template <class Visit>
void for_each_scored(const ScoredRows& rows, Visit visit) {
    constexpr size_t kScores = 1 << 19;  // at a time
    const int exponent = weight_exponent(rows);
    const size_t most = std::max<size_t>(kScores / rows.classes, 1);
    std::vector<double> scores(std::min(most, rows.rows) * rows.classes);
    for (size_t first = 0; first < rows.rows; first += most) {
        const size_t count = std::min(most, rows.rows - first);
        rows.scores(first, count, scores.data());
        for (size_t i = 0; i < count; ++i)
            if (const double weight = std::ldexp(rows.weight(first + i), exponent); weight > 0)
                visit(first + i, weight, scores.data() + i * rows.classes);
    }
}

// The number of a row's class, 0 or 1 of two labels.
size_t class_of(const ScoredRows& rows, size_t r) {
    const double label = rows.label(r);
    return rows.classes == 1 ? size_t{label > 0} : static_cast<size_t>(label);
}

double of_tally(const ScoredRows& rows, std::string_view metric) {
    Tally tally(std::max<size_t>(rows.classes, 2));
    for_each_scored(rows, [&](size_t r, double weight, const double* scores) {
        tally.add(class_of(rows, r), predicted_class(scores, rows.classes), weight);
    });
    return metric == "f1" ? tally.f1() : metric == "mcc" ? tally.correlation() : tally.macro_f1();
}

// A metric of several classes: a weighted mean over the rows.
double of_classes(const ScoredRows& rows, const Loss& loss, std::string_view metric) {
    std::vector<double> slopes(rows.classes);
    double sum = 0, total = 0;
    for_each_scored(rows, [&](size_t r, double weight, const double* scores) {
        const size_t y = class_of(rows, r);
        total += weight;
        if (metric == "error_rate")
            sum += predicted_class(scores, rows.classes) == y ? 0 : weight;
        else
            sum +=
                weight * (metric == "log_loss" ? loss.log_loss(scores, rows.classes, y) : loss.at(scores, rows.classes, y, slopes.data()));
    });
    return sum / total;
}

double value_of(const ScoredRows& from, const Loss& loss, std::string_view metric) {
    const auto counts = [](double weight) { return weight > 0; };
    if (from.weights ? std::none_of(from.weights, from.weights + from.rows, counts) : from.rows == 0)
        fail(SL_ERROR_INVALID_DATA, metric, " is undefined: there are no rows of weight above 0");
    if (metric == "f1" || metric == "macro_f1" || metric == "mcc") return of_tally(from, metric);
    if (from.classes > 1) return of_classes(from, loss, metric);
    std::vector<Scored> rows;
    double total = 0;
    for_each_scored(from, [&](size_t r, double weight, const double* scores) {
        rows.push_back({*scores, from.label(r), weight});
        total += weight;
    });
    if (metric == "auc") return area_under_curve(std::move(rows));
    if (metric == "average_precision") return average_precision(std::move(rows));
    if (metric == "r2") return r_squared(rows, total);
    if (metric == "rmse") return root_mean_squared_error(rows, total);
    const auto mean = [&](auto term) {
        double sum = 0;
        for (const Scored& row : rows) sum += row.weight * term(row);
        if (std::isfinite(sum)) return sum / total;
        sum = 0;  // of terms near the largest double, and infinite if one is
        for (const Scored& row : rows) sum += row.weight * (term(row) * 0x1p-64);
        return sum / total * 0x1p64;
    };
    if (metric == "brier" || metric == "calibration_error") {
        for (Scored& row : rows) row.score = 1 / (1 + exponential(-row.score));
        if (metric == "calibration_error") return calibration_error(std::move(rows));
        return mean([](const Scored& row) {
            const double miss = row.score - (row.label > 0 ? 1 : 0);
            return miss * miss;
        });
    }
    if (metric == "error_rate") return mean([](const Scored& row) { return (row.score > 0) == (row.label > 0) ? 0.0 : 1.0; });
    if (metric == "mae") return mean([](const Scored& row) { return std::fabs(row.score - row.label); });
    return mean([&](const Scored& row) { return loss.value(row.score, row.label); });  // loss, objective, log_loss
}

double finite(double value, std::string_view metric) {
    if (!std::isfinite(value)) fail(SL_ERROR_INVALID_DATA, metric, " is beyond what a double can hold");
    return value;
}

// What a model scores; `labels` are those of labels_for.
ScoredRows rows_of(const Model& model, const Dataset& data, const Labels& labels) {
    return {data.rows(), model.scores(), data.weights().empty() ? nullptr : data.weights().data(),
            [&](size_t first, size_t count, double* scores) { model.scores(data, first, count, scores, false); },
            [&](size_t r) { return model.loss().has_labels() ? labels.taken(data.label(r)) : data.label(r); }};
}

}  // namespace

void check_metric(const Model& model, std::string_view name) {
    const Metric& metric = metric_of(name, model.scores(), true);
    if (metric.needs == Needs::labels && !model.loss().has_labels())
        fail(SL_ERROR_STATE, name, " needs loss log, hinge or squared_hinge; this model's is ", model.options().get("loss"));
    if (metric.needs == Needs::probabilities && model.loss().kind() != LossKind::log)
        fail(SL_ERROR_STATE, name, " needs loss log; this model's is ", model.options().get("loss"));
}

std::string_view usual_metric(const Loss& loss) {
    return loss.kind() == LossKind::log ? "log_loss" : loss.has_labels() ? "error_rate" : "loss";
}

bool larger_is_better(std::string_view name) { return metric_of(name, 1, true).larger_is_better; }

double evaluate(const Model& model, const Dataset& data, std::string_view name) {
    check_metric(model, name);
    const double penalty = name == "objective" ? model.penalty() : 0;
    const Labels labels = labels_for(model, data);
    return finite(value_of(rows_of(model, data, labels), model.loss(), name) + penalty, name);
}

double evaluate_scores(std::string_view name, const double* scores, size_t rows, size_t classes, const double* labels,
                       const double* weights) {
    if (classes < 1 || classes == 2 || classes > kMostClasses)
        fail(SL_ERROR_INVALID_ARGUMENT, "classes is ", uint64_t{classes}, "; it is 1, for a score a row, or from 3 to ",
             uint64_t{kMostClasses});
    const Metric& metric = metric_of(name, classes, false);
    const bool any_number = metric.needs == Needs::any_loss;
    const auto check = [&](size_t r) {
        for (size_t k = 0; k < classes; ++k)
            if (const double score = scores[r * classes + k]; !std::isfinite(score))
                fail(SL_ERROR_INVALID_DATA, "the score", classes > 1 ? concat(" of class ", uint64_t{k}) : "", " is ", score);
        const double label = labels[r];
        check_label_and_weight(label, weights ? weights[r] : 1);
        if (classes > 1 && !(label >= 0 && label < static_cast<double>(classes) && label == std::floor(label)))
            fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", but of ", uint64_t{classes}, " classes it is a whole number from 0 to ",
                 uint64_t{classes - 1});
        if (classes == 1 && !any_number && label != 1 && label != 0 && label != -1)
            fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", but for ", name, " it is -1 (or 0) or 1");
    };
    for (size_t r = 0; r < rows; ++r) with_row(r, [&] { check(r); });
    const ScoredRows from{rows, classes, weights,
                          [=](size_t first, size_t count, double* found) { std::copy_n(scores + first * classes, count * classes, found); },
                          [=](size_t r) { return classes > 1 || any_number || labels[r] > 0 ? labels[r] : -1; }};
    return finite(value_of(from, Loss(Options().settings()), name), name);
}

void confusion(const Model& model, const Dataset& data, double* counts) {
    const size_t classes = model.require_labels().count();
    const Labels labels = labels_for(model, data);
    const ScoredRows rows = rows_of(model, data, labels);
    struct Cell {
        size_t row, at;
    };
    std::vector<Cell> cells;
    double total = 0;
    for_each_scored(rows, [&](size_t r, double, const double* scores) {
        cells.push_back({r, class_of(rows, r) * classes + predicted_class(scores, rows.classes)});
        total += data.weight(r);
    });
    if (!std::isfinite(total)) fail(SL_ERROR_INVALID_DATA, "the weights of the rows add up to more than a double can hold");
    std::fill_n(counts, classes * classes, 0.0);
    for (const Cell& cell : cells) counts[cell.at] += data.weight(cell.row);
}

}  // namespace sparselin
