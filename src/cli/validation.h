// Early stopping: how a model does after each pass of its training on rows that it does not learn, and the best that it was.
#pragma once
#include <string>

#include "library.h"
#include "output.h"

namespace cli {

// The same rows twice: in either all of those weigh 0 that are the other's.
struct Parts {
    Data learned, held_out;
    uint64_t rows_held_out;
};

// Holds out about a share of the rows, the same ones as `tune`, and fixes the labels of a new model, of which either part may lack one.
Parts hold_out(sl_model* model, const sl_dataset* data, double share);

// By what a model is judged: what was given, or where that is empty what goes with its loss.
struct Metric {
    Metric(const sl_model* model, const std::string& given);
    std::string name;
    bool larger_is_better;
};

class Validation {
  public:
    // `name`: what the data are called in messages. `patience`: passes without gain to go on for; 0: all there are.
    Validation(Data data, const std::string& name, Metric metric, uint64_t patience);

    // Looks at a model before it is fitted. Where it `goes_on` with a fit, it is the best so far.
    void begin(const sl_model* model, bool goes_on);

    // Whether a pass has ended that was not looked at: as this report of the fit has it, to data of so many rows, or the last one had.
    bool is_due(const sl_progress& progress, uint64_t rows);
    bool is_due() const { return passes_done_ > last_pass_; }

    // Looks at a model after a pass. Whether to go on.
    bool look(const sl_model* model);
    bool has_looked() const { return has_looked_; }
    std::string account() const;  // of the last look

    // The model after the best pass; null where there was none.
    Model take_best() { return std::move(best_); }
    uint64_t best_pass() const { return best_pass_; }

    void report(Output& output, const std::string& most_passes) const;
    void write_curve(const std::string& path) const;

  private:
    double judge(const sl_model* model) const;
    void keep(const sl_model* model, double value);

    Data data_;
    std::string name_;
    Metric metric_;
    uint64_t patience_;
    Model best_;
    double best_value_ = 0, last_value_ = 0, last_loss_ = 0;
    uint64_t best_pass_ = 0, last_pass_ = 0, passes_done_ = 0;
    bool has_begun_ = false, has_looked_ = false, tells_loss_ = true;
    double steps_ = 0, loss_sum_ = 0;  // of the model at the last look
    std::string curve_;
};

}  // namespace cli
