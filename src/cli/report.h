// What the program says about a model, on standard output.
#pragma once
#include <string>
#include <vector>

#include "library.h"
#include "output.h"

namespace cli {

// The metrics of `names`, or where there are none, those that suit the model's loss. `prefix` stands before each name.
void report_metrics(Output& output, const sl_model* model, const sl_dataset* data, const std::vector<std::string>& names,
                    const std::string& prefix);

// The `count` largest weights each way. names[i] is feature i; a feature without one goes by its number in the text files.
void report_top(Output& output, const sl_model* model, const std::vector<std::string>& names, size_t count);

size_t nonzero_weights(const sl_model* model);

// The loss of each example before it was learned; "none yet" before the first step.
std::string mean_loss_text(const sl_model* model);

// Whether the model's loss is for two labels; and a line with the pair, where it is known.
bool has_two_labels(const sl_model* model);
void report_labels(Output& output, const sl_model* model);

}  // namespace cli
