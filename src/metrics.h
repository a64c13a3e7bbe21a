// Figures of merit of a predictor on a data set.
#pragma once
#include <string_view>

#include "dataset.h"
#include "model.h"

namespace sparselin {

// See sl_model_evaluate for the names, what they mean, and what is thrown when.
double evaluate(const Model& model, const Dataset& data, std::string_view metric);

// Throws what evaluate() would throw for any data set.
void check_metric(const Model& model, std::string_view metric);

// The one that goes with a loss.
std::string_view usual_metric(const Loss& loss);

// Whether a larger value is a better one. Throws if there is no such metric.
bool larger_is_better(std::string_view metric);

// evaluate() of scores from anywhere; see sl_evaluate_scores.
double evaluate_scores(std::string_view metric, const double* scores, size_t rows, size_t classes, const double* labels,
                       const double* weights);

// See sl_calibration; `chance` may be null. All or nothing.
void calibration(const double* probabilities, size_t rows, const double* labels, const double* weights, size_t bins, double* predicted,
                 double* observed, double* chance);

// The weight of the rows by their class and the class predicted, into as many squared numbers as the model has labels. All or nothing.
void confusion(const Model& model, const Dataset& data, double* counts);

}  // namespace sparselin
