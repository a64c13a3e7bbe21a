// r = (c s - sum_k p_k t_k) / sqrt((s^2 - sum_k p_k^2) (s^2 - sum_k t_k^2)) is Matthews' correlation, of several classes Gorodkin's (2004),
// with s the weight of all rows, c of those that are right, t_k of class k and p_k of those predicted to be of it.
#include "figures.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <tuple>
#include <utility>

#include "error.h"

namespace sparselin {
namespace {

// In an order that the data set's does not change, so that the sums of tied rows do not either.
void sort_by_score(std::vector<Scored>& rows) {
    std::sort(rows.begin(), rows.end(),
              [](const Scored& a, const Scored& b) { return std::tie(a.score, a.label, a.weight) < std::tie(b.score, b.label, b.weight); });
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

// Half of (sum n)^2 - sum n^2: exactly 0 where one of the numbers is all.
double products_of_pairs(const std::vector<double>& numbers) {
    double sum = 0, before = 0;
    for (const double n : numbers) {
        sum += n * before;
        before += n;
    }
    return sum;
}

}  // namespace

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

double average_precision(std::vector<Scored> rows) {
    sort_by_score(rows);
    double sum = 0, right = 0, all = 0;
    for (size_t i = rows.size(); i > 0;) {  // from the highest score down, tied rows at once
        const double score = rows[i - 1].score;
        double positive = 0;
        for (; i > 0 && rows[i - 1].score == score; --i) {
            all += rows[i - 1].weight;
            if (rows[i - 1].label > 0) positive += rows[i - 1].weight;
        }
        right += positive;
        sum += positive * (right / all);
    }
    if (right == 0) fail(SL_ERROR_INVALID_DATA, "average_precision is undefined: no row that counts has the larger label");
    return sum / right;
}

// What rows of one p have too much for a bin goes to the next ones, in the shares in which their weight does.
std::vector<CalibrationBin> calibration_bins(std::vector<Scored> rows, size_t bins, double& total) {
    sort_by_score(rows);
    total = 0;
    for (const Scored& row : rows) total += row.weight;
    const double size = total / static_cast<double>(bins);
    std::vector<CalibrationBin> found(bins);
    auto bin = found.begin();
    double room = size;
    for (size_t i = 0; i < rows.size();) {
        double weight = 0;
        CalibrationBin left;
        size_t j = i;
        for (; j < rows.size() && rows[j].score == rows[i].score; ++j) {
            const auto [p, label, w] = rows[j];
            const double positive = label > 0 ? 1 : 0;
            weight += w;
            left.predicted += w * p;
            left.observed += w * positive;
            left.excess += w * (p - positive);
            left.variance += w * w * (p * (1 - p));
        }
        const auto give = [&](double share) {
            for (double CalibrationBin::*const sum :
                 {&CalibrationBin::predicted, &CalibrationBin::observed, &CalibrationBin::excess, &CalibrationBin::variance}) {
                const double part = left.*sum * share;
                (*bin).*sum += part;
                left.*sum -= part;
            }
        };
        for (; weight > room && bin + 1 != found.end(); ++bin) {
            give(room / weight);
            weight -= room;
            room = size;
        }
        give(1);
        room -= weight;
        i = j;
    }
    return found;
}

double calibration_error(std::vector<Scored> rows) {
    double error = 0, total = 0;
    for (const CalibrationBin& bin : calibration_bins(std::move(rows), 10, total)) error += std::fabs(bin.excess);
    return error / total;
}

double root_mean_squared_error(const std::vector<Scored>& rows, double total) {
    const Squares errors = squared_errors(rows);
    return std::ldexp(std::sqrt(errors.sum / total), errors.exponent);
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

void Tally::add(size_t label, size_t prediction, double weight) {
    labelled[label] += weight;
    predicted[prediction] += weight;
    if (label == prediction) right[label] += weight;
}

double Tally::f1() const {
    const double either = labelled[1] + predicted[1];
    if (either == 0) fail(SL_ERROR_INVALID_DATA, "f1 is undefined: no row that counts has the larger label, or is predicted to have it");
    return 2 * right[1] / either;
}

double Tally::macro_f1() const {
    double sum = 0, classes = 0;
    for (size_t k = 0; k < labelled.size(); ++k) {
        const double either = labelled[k] + predicted[k];
        if (either == 0) continue;
        sum += 2 * right[k] / either;
        classes += 1;
    }
    return sum / classes;
}

double Tally::correlation() const {
    const double of_labels = products_of_pairs(labelled), of_predictions = products_of_pairs(predicted);
    if (of_labels == 0 || of_predictions == 0) return 0;
    double s = 0, c = 0, chance = 0;
    for (size_t k = 0; k < labelled.size(); ++k) {
        s += labelled[k];
        c += right[k];
        chance += labelled[k] * predicted[k];
    }
    return (c * s - chance) / (2 * (std::sqrt(of_labels) * std::sqrt(of_predictions)));
}

}  // namespace sparselin
