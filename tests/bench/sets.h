// Data sets on which default options are judged: real ones from files, and made ones whose noise is known.
#pragma once
#include <sparselin.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {

[[noreturn]] void stop(const std::string& what);

struct FreeDataset {
    void operator()(sl_dataset* data) const { sl_dataset_free(data); }
};
using Dataset = std::unique_ptr<sl_dataset, FreeDataset>;

struct Set {
    std::string name;
    Dataset train, test;
    double truth = NAN;  // of a made set with two labels: mean log loss on the test of the probabilities its labels were drawn with
};

// TRAIN,TEST of svmlight text (.gz too), or a file to be split 4 : 1: .csv of numbers with the label last, .tsv of `ham|spam TAB message`,
// the words of which are hashed to 32 bits.
Set load(const std::string& argument);

// 200,000 rows of eight categorical fields with 2,000 values each, 30 % positives; 1 / part of the rows.
Set clicks(size_t part);

// Made sets with two labels (clicks among them) and with numbers to predict, with 1 / part of the rows.
std::vector<Set> two_label_sets(size_t part);
std::vector<Set> regression_sets(size_t part);

}  // namespace bench
