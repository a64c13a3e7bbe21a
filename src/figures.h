// Figures of merit of rows whose scores are known.
#pragma once
#include <cstddef>
#include <vector>

namespace sparselin {

// A row of weight above 0; its label is -1 or +1, or of figures about numbers any number.
struct Scored {
    double score, label, weight;
};

// Chance that a row of label +1 scores higher than one of -1, ties half: the Mann-Whitney statistic with weights.
double area_under_curve(std::vector<Scored> rows);

// Mean of the precision at the score of each row of label +1: the share of that label among the rows that score as high or higher.
double average_precision(std::vector<Scored> rows);

// Of the rows in ascending order of their probabilities, which the scores are here, a part of a share of the total weight: sums of weight
// times probability, of the weight of label +1, of the first less the second, and of the squares of weights times p (1 - p).
struct CalibrationBin {
    double predicted = 0, observed = 0, excess = 0, variance = 0;
};
std::vector<CalibrationBin> calibration_bins(std::vector<Scored> rows, size_t bins, double& total);

// How far probabilities are from frequencies, over ten such bins.
double calibration_error(std::vector<Scored> rows);

double root_mean_squared_error(const std::vector<Scored>& rows, double total);
double r_squared(const std::vector<Scored>& rows, double total);

// The weight of the rows of each class, of those that are predicted to be of it, and of those of which both is so.
struct Tally {
    explicit Tally(size_t classes) : labelled(classes), predicted(classes), right(classes) {}
    void add(size_t label, size_t prediction, double weight);
    double f1() const;           // 2 right / (labelled + predicted) of class 1
    double macro_f1() const;     // mean of the same over the classes that occur, as labels or as predictions
    double correlation() const;  // of labels and predictions, 0 where either are all of one class

    std::vector<double> labelled, predicted, right;
};

}  // namespace sparselin
