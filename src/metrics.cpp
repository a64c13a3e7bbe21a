#include "metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
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

// What becomes of the scores of so many rows, which may be written over.
using TakeScores = std::function<void(size_t first, size_t count, double* scores)>;

// Rows and their scores, wherever they come from.
struct ScoredRows {
    size_t rows, classes;                                // `classes` scores a row
    const double* weights;                               // null: all 1
    std::function<void(const TakeScores& take)> pieces;  // of all rows, in any order and any thread; but for those of weight 0
    std::function<double(size_t r)> label;               // as the loss takes it
    double weight(size_t r) const { return weights ? weights[r] : 1; }
};

// Scores that a caller has.
std::function<void(const TakeScores&)> given(const double* scores, size_t rows, size_t classes) {
    return [=](const TakeScores& take) {
        std::vector<double> held(classes);
        for (size_t r = 0; r < rows; ++r) {
            std::copy_n(scores + r * classes, classes, held.data());
            take(r, 1, held.data());
        }
    };
}

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

// Calls visit(r, weight) for every row of weight above 0.
template <class Visit>
void for_each_weight(const ScoredRows& rows, Visit visit) {
    const int exponent = weight_exponent(rows);
    for (size_t r = 0; r < rows.rows; ++r)
        if (const double weight = rows.weights ? std::ldexp(rows.weights[r], exponent) : 1; weight > 0) visit(r, weight);
}

// term(r, scores) of every row of weight above 0, found where its scores are: what is left to be done in the rows' order is little.
template <class Term>
std::vector<double> for_each_scored(const ScoredRows& rows, Term term) {
    std::vector<double> terms(rows.rows);
    rows.pieces([&](size_t first, size_t count, double* scores) {
        for (size_t i = 0; i < count; ++i)
            if (rows.weight(first + i) > 0) terms[first + i] = term(first + i, scores + i * rows.classes);
    });
    return terms;
}

// The number of a row's class, 0 or 1 of two labels.
size_t class_of(const ScoredRows& rows, size_t r) {
    const double label = rows.label(r);
    return rows.classes == 1 ? size_t{label > 0} : static_cast<size_t>(label);
}

std::vector<double> predicted_classes(const ScoredRows& rows) {
    return for_each_scored(rows, [&](size_t, const double* scores) { return static_cast<double>(predicted_class(scores, rows.classes)); });
}

double of_tally(const ScoredRows& rows, std::string_view metric) {
    Tally tally(std::max<size_t>(rows.classes, 2));
    const std::vector<double> predicted = predicted_classes(rows);
    for_each_weight(rows, [&](size_t r, double weight) { tally.add(class_of(rows, r), static_cast<size_t>(predicted[r]), weight); });
    return metric == "f1" ? tally.f1() : metric == "mcc" ? tally.correlation() : tally.macro_f1();
}

void check_one_of_two(double label, std::string_view name) {
    if (label != 1 && label != 0 && label != -1)
        fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", but for ", name, " it is -1 (or 0) or 1");
}

void need_weight(const ScoredRows& rows, std::string_view name) {
    const auto counts = [](double weight) { return weight > 0; };
    if (rows.weights ? std::none_of(rows.weights, rows.weights + rows.rows, counts) : rows.rows == 0)
        fail(SL_ERROR_INVALID_DATA, name, " is undefined: there are no rows of weight above 0");
}

double value_of(const ScoredRows& from, const Loss& loss, std::string_view metric) {
    need_weight(from, metric);
    if (metric == "f1" || metric == "macro_f1" || metric == "mcc") return of_tally(from, metric);
    const auto mean = [&](auto term) {
        const std::vector<double> terms = for_each_scored(from, term);
        double sum = 0, total = 0;
        for_each_weight(from, [&](size_t r, double weight) {
            sum += weight * terms[r];
            total += weight;
        });
        if (std::isfinite(sum)) return sum / total;
        sum = 0;  // of terms near the largest double, and infinite if one is
        for_each_weight(from, [&](size_t r, double weight) { sum += weight * (terms[r] * 0x1p-64); });
        return sum / total * 0x1p64;
    };
    const auto probability = [](const double* score) { return 1 / (1 + exponential(-*score)); };
    if (metric == "error_rate")
        return mean([&](size_t r, const double* scores) { return predicted_class(scores, from.classes) == class_of(from, r) ? 0.0 : 1.0; });
    if (metric == "mae") return mean([&](size_t r, const double* score) { return std::fabs(*score - from.label(r)); });
    if (metric == "brier")
        return mean([&](size_t r, const double* score) {
            const double miss = probability(score) - (from.label(r) > 0 ? 1 : 0);
            return miss * miss;
        });
    if (is_of_a_model(metric) || metric == "log_loss")
        return mean([&](size_t r, double* scores) {
            if (from.classes == 1) return loss.value(*scores, from.label(r));
            const size_t y = class_of(from, r);
            return metric == "log_loss" ? loss.log_loss(scores, from.classes, y) : loss.at(scores, from.classes, y, scores);
        });

    const bool of_probabilities = metric == "calibration_error";
    const std::vector<double> scores =
        for_each_scored(from, [&](size_t, const double* score) { return of_probabilities ? probability(score) : *score; });
    std::vector<Scored> rows;
    double total = 0;
    for_each_weight(from, [&](size_t r, double weight) {
        rows.push_back({scores[r], from.label(r), weight});
        total += weight;
    });
    if (metric == "auc") return area_under_curve(std::move(rows));
    if (metric == "average_precision") return average_precision(std::move(rows));
    if (metric == "calibration_error") return calibration_error(std::move(rows));
    if (metric == "r2") return r_squared(rows, total);
    return root_mean_squared_error(rows, total);
}

double finite(double value, std::string_view metric) {
    if (!std::isfinite(value)) fail(SL_ERROR_INVALID_DATA, metric, " is beyond what a double can hold");
    return value;
}

// What a model scores; `labels` are those of labels_for.
ScoredRows rows_of(const Model& model, const Dataset& data, const Labels& labels) {
    return {data.rows(), model.scores(), data.weights().empty() ? nullptr : data.weights().data(),
            [&](const TakeScores& take) {
                model.score_pieces(data.rows(), data.nonzeros(), [&](size_t first, size_t count, Model::Buffer& buffer) {
                    constexpr size_t kScores = 1 << 12;  // at a time, so that they are in the cache when they are taken
                    const size_t most = std::max<size_t>(kScores / model.scores(), 1);
                    std::vector<double> scores(std::min(most, count) * model.scores());
                    for (const size_t end = first + count; first < end; first += most) {
                        model.scores(data, first, std::min(most, end - first), false, buffer, scores.data());
                        take(first, std::min(most, end - first), scores.data());
                    }
                });
            },
            [&](size_t r) { return model.loss().has_labels() ? labels.taken(data.label(r)) : data.label(r); }};
}

}  // namespace

void check_metric(const Model& model, std::string_view name) {
    const Metric& metric = metric_of(name, model.scores(), true);
    if (metric.needs == Needs::labels) model.loss().require_labels(name, "needs");
    if (metric.needs == Needs::probabilities) model.loss().require_probabilities(name, "needs");
}

std::string_view usual_metric(const Loss& loss) {
    return loss.has_probabilities() ? "log_loss" : loss.has_labels() ? "error_rate" : "loss";
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
        if (classes == 1 && !any_number) check_one_of_two(label, name);
    };
    for (size_t r = 0; r < rows; ++r) with_row(r, [&] { check(r); });
    const ScoredRows from{rows, classes, weights, given(scores, rows, classes),
                          [=](size_t r) { return classes > 1 || any_number || labels[r] > 0 ? labels[r] : -1; }};
    return finite(value_of(from, Loss(Options().settings()), name), name);
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): what a std::function took, it frees

void calibration(const double* probabilities, size_t rows, const double* labels, const double* weights, size_t bins, double* predicted,
                 double* observed, double* chance) {
    constexpr size_t kMostBins = size_t{1} << 20;
    if (bins < 1 || bins > kMostBins)
        fail(SL_ERROR_INVALID_ARGUMENT, "bins is ", uint64_t{bins}, ", but must be from 1 to ", uint64_t{kMostBins});
    const auto check = [&](size_t r) {
        if (!(probabilities[r] >= 0 && probabilities[r] <= 1))
            fail(SL_ERROR_INVALID_DATA, "the probability is ", probabilities[r], ", but must be from 0 to 1");
        check_label_and_weight(labels[r], weights ? weights[r] : 1);
        check_one_of_two(labels[r], "calibration");
    };
    for (size_t r = 0; r < rows; ++r) with_row(r, [&] { check(r); });
    const ScoredRows from{rows, 1, weights, nullptr, nullptr};
    need_weight(from, "calibration");
    std::vector<Scored> scored;
    for_each_weight(from, [&](size_t r, double weight) { scored.push_back({probabilities[r], labels[r], weight}); });
    double total = 0;
    const std::vector<CalibrationBin> found = calibration_bins(std::move(scored), bins, total);
    const double size = total / static_cast<double>(bins);
    for (size_t k = 0; k < bins; ++k) {
        predicted[k] = found[k].predicted / size;
        observed[k] = found[k].observed / size;
        if (chance) chance[k] = std::sqrt(std::max(found[k].variance, 0.0)) / size;
    }
}

void confusion(const Model& model, const Dataset& data, double* counts) {
    const size_t classes = model.require_labels().count();
    const Labels labels = labels_for(model, data);
    const ScoredRows rows = rows_of(model, data, labels);
    const std::vector<double> predicted = predicted_classes(rows);
    double total = 0;
    for (size_t r = 0; r < data.rows(); ++r) total += data.weight(r);
    if (!std::isfinite(total)) fail(SL_ERROR_INVALID_DATA, "the weights of the rows add up to more than a double can hold");
    std::fill_n(counts, classes * classes, 0.0);
    for_each_weight(rows,
                    [&](size_t r, double) { counts[class_of(rows, r) * classes + static_cast<size_t>(predicted[r])] += data.weight(r); });
}

}  // namespace sparselin
