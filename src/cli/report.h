// What the program says about a model, on standard output.
#pragma once
#include <string>
#include <vector>

#include "library.h"
#include "output.h"

namespace cli {

// The metrics of `names`, or where there are none, those that suit the model's loss. `prefix` stands before each name. `file` is named
// where its rows are at fault.
void report_metrics(Output& output, const sl_model* model, const sl_dataset* data, const std::string& file,
                    const std::vector<std::string>& names, const std::string& prefix);

// What features are called: by the lines of a file, by the encoder that the model carries, or by their numbers in text files.
class FeatureNames {
  public:
    FeatureNames(const sl_model* model, std::vector<std::string> lines);

    bool are_known() const { return !lines_.empty() || encoder_; }
    std::string number(uint32_t index) const { return std::to_string(uint64_t{index} + index_base_); }
    std::string operator[](uint32_t index) const;  // empty: none

  private:
    std::vector<std::string> lines_;
    Encoder encoder_;
    uint32_t index_base_;
};

// The `count` largest weights each way.
void report_top(Output& output, const sl_model* model, const FeatureNames& names, size_t count);

// All weights, as lines of name, number, class and weight.
void report_all(Output& output, const sl_model* model, const FeatureNames& names);

// What the model is, but for its weights.
void report_json(Output& output, const sl_model* model);

size_t nonzero_weights(const sl_model* model);  // of all classes
std::vector<double> biases_of(const sl_model* model);

// The loss of each example before it was learned; "none yet" before the first step.
std::string mean_loss_text(const sl_model* model);

// Whether the model's loss tells labels apart, and whether it gives probabilities; those labels that it has, none where they are not known;
// whether a label is one of them, or of those that a stream begins with; and a line with them.
bool has_labels(const sl_model* model);
bool has_probabilities(const sl_model* model);
std::vector<double> labels_of(const sl_model* model);
bool takes_label(const sl_model* model, double label);
void report_labels(Output& output, const sl_model* model);

}  // namespace cli
