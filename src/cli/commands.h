// The commands, each with what its command line says. They return the exit code or throw Failure.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "columns.h"
#include "option_table.h"

namespace cli {

struct TrainArguments {
    std::string file;
    std::string model;                    // empty: not saved
    std::string from;                     // empty: a new model
    std::string start;                    // empty: a new model begins at 0
    std::string test;                     // empty: none
    std::string validate, metric, curve;  // empty: none
    double holdout = 0;
    uint64_t patience = 0;
    std::string names;    // empty: none
    std::string weights;  // empty: none
    ColumnArguments columns;
    bool predictor_only = false;
    double checkpoint = 0;
    bool again = false;
    bool stream = false;
    uint64_t skip = 0;
    bool top_given = false;
    size_t top = 12;
    bool quiet = false;
    GivenOptions options;

    bool streams() const { return stream || file == "-"; }
    bool validates() const { return !validate.empty() || holdout > 0; }
    std::string part() const { return model + ".part"; }  // of a stream that failed
};
void check(const TrainArguments& arguments);  // throws what is wrong about them
// To take a run up from a model that it saved, of a stream behind so many of its rows.
std::string command_to_go_on(const TrainArguments& arguments, const std::string& from, uint64_t skip);
int run_train(const TrainArguments& arguments);

struct TuneArguments {
    std::string file, model, test, weights, metric;  // empty: none
    std::vector<std::string> grid;                   // empty: the standard one
    ColumnArguments columns;
    uint32_t folds = 5;
    double holdout = 0;
    bool sparsest = false, quiet = false;
    GivenOptions options;
};
int run_tune(const TuneArguments& arguments);

struct PredictArguments {
    std::string model, file;
    std::string output = "-";
    std::string format, with;
    bool probability = false, label = false, scores = false;
    GivenOptions options;
};
int run_predict(const PredictArguments& arguments);

struct EvaluateArguments {
    std::string model, file, format, weights;
    std::string plot;  // empty: none
    std::vector<std::string> metrics;
    GivenOptions options;
};
int run_evaluate(const EvaluateArguments& arguments);

struct ConvertArguments {
    std::string file, output;
    bool text = false;
    GivenOptions options;
};
int run_convert(const ConvertArguments& arguments);

struct MergeArguments {
    std::string output;
    std::vector<std::string> models;
};
int run_merge(const MergeArguments& arguments);

struct InspectArguments {
    std::string model, names;
    size_t top = 12;
    bool all = false, json = false;
};
int run_inspect(const InspectArguments& arguments);

}  // namespace cli
