// What a model of two labels does on data, as a picture.
#pragma once
#include <string>

#include "library.h"

namespace cli {

// Throws Failure where the model has not two labels.
void require_plottable(const sl_model* model);

// Writes ROC, precision against recall and, where the loss gives probabilities, calibration to a file, as SVG.
void plot(const std::string& path, const sl_model* model, const sl_dataset* data);

}  // namespace cli
