// Whether the labels of a stream come in runs too long for a random order, as where rows are sorted by them. Of two labels, told by their
// sign.
#pragma once
#include <sparselin.h>

#include <cstdint>

namespace cli {

class LabelWatch {
  public:
    // Looks at the labels of some rows, and says so once where a run has ended that is too long.
    void look_at(const sl_dataset* data);

    // Says it of the run that the stream ends in.
    void finish();

  private:
    void judge();

    double label_ = 0;  // of the run
    uint64_t run_ = 0;
    uint64_t counts_[2] = {0, 0};  // of the smaller and the larger label
    bool told_run_ = false, told_zero_ = false;
};

}  // namespace cli
