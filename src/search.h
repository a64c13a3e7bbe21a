// Models of a grid of options, each judged on rows that it did not learn.
#pragma once
#include <sparselin.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dataset.h"
#include "options.h"

namespace sparselin {

// See sl_search_run for what these mean.
struct SearchPlan {
    const Options& options;
    std::string_view grid;
    const Dataset& data;
    const Dataset* test;  // null: `folds` or `holdout` says which rows judge
    uint32_t folds;
    double holdout;
    std::string_view metric;  // empty: as the loss says
    uint32_t threads;
    sl_progress_fn progress;
    void* user;
};

struct SearchModel {
    Options options;
    std::string settings;        // what the grid has for it
    std::vector<double> labels;  // those of the whole data set; none of a loss that has none
    std::vector<double> values;  // of the metric, one a split
    double mean = 0, standard_error = 0, nonzeros = 0;
};

struct SearchResult {
    std::string metric;
    bool larger_is_better = false;
    size_t split_count = 0;
    std::vector<uint32_t> splits;  // of each row the split that it judges, or their number if it judges none; empty with a test set
    std::vector<SearchModel> models;
    size_t best = 0, sparsest = 0;
};

SearchResult search(const SearchPlan& plan);

}  // namespace sparselin
