// Whether the labels of a stream come in runs too long for a random order, as where rows are sorted by them.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace cli {

class LabelWatch {
  public:
    // `name`: what a label is called.
    explicit LabelWatch(std::function<std::string(double)> name) : name_(std::move(name)) {}

    // Looks at the labels of some rows that the model has learned, and says so once where a run has ended that is too long.
    void look_at(const sl_model* model, const sl_dataset* data);

    // Says it of the run that the stream ends in.
    void finish();

  private:
    void end_run();

    const std::function<std::string(double)> name_;
    double label_ = 0;  // of the run
    uint64_t run_ = 0, all_ = 0;
    std::map<double, uint64_t> counts_;  // of the runs that have ended
    bool told_run_ = false, told_zero_ = false;
};

}  // namespace cli
