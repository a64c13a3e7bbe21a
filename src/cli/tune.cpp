// The command that chooses a model's options by data that the models did not learn.
#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "output.h"
#include "progress.h"
#include "reading.h"
#include "report.h"
#include "system.h"

namespace cli {

namespace {

const std::pair<const char*, const char*> kStandardGrid[] = {{"l1", "0,1e-6,1e-5,1e-4"}, {"l2", "1e-7,1e-6,1e-5"}};

bool is_given(const TuneArguments& arguments, const std::string& name) {
    const auto has_name = [&](const auto& option) { return option.first == name; };
    if (std::any_of(arguments.options.begin(), arguments.options.end(), has_name)) return true;
    const std::string start = name + "=";
    return std::any_of(arguments.grid.begin(), arguments.grid.end(), [&](const std::string& axis) { return axis.rfind(start, 0) == 0; });
}

std::string grid_of(const TuneArguments& arguments) {
    std::string grid;
    for (const std::string& axis : arguments.grid) grid += axis + " ";
    for (const auto& [name, values] : kStandardGrid)
        if (arguments.grid.empty() && !is_given(arguments, name)) grid += std::string(name) + "=" + values + " ";
    return grid;
}

// All that the models have in common. How many threads there are is said of the search, and not of each fit.
Options common_options(const TuneArguments& arguments) {
    GivenOptions given = arguments.options;
    given.erase(std::remove_if(given.begin(), given.end(), [](const auto& option) { return option.first == "threads"; }), given.end());
    return make_options(given);
}

int watch(const sl_progress* progress, void* user) {
    static_cast<Progress*>(user)->learning(progress->rows, static_cast<double>(progress->rows) / static_cast<double>(progress->rows_total),
                                           progress->mean_loss);
    return stop_signal() != 0;
}

void report_search(Output& output, const sl_search* search) {
    size_t models = 0, splits = 0, best = 0, sparsest = 0;
    call(sl_search_shape, search, &models, &splits, &best, &sparsest);
    size_t length = 0;
    char metric[32];
    call(sl_search_metric, search, metric, sizeof metric, &length, nullptr);
    const auto line = [&](const std::string& value, const std::string& error, const std::string& nonzeros, const std::string& model) {
        char text[120];
        static_cast<void>(std::snprintf(text, sizeof text, "%-18s%-16s%-16s", value.c_str(), error.c_str(), nonzeros.c_str()));
        output.write(text + model + "\n");
    };
    line(metric, "standard error", "nonzeros", "model");
    for (size_t i = 0; i < models; ++i) {
        double mean = 0, error = 0, nonzeros = 0;
        call(sl_search_model, search, i, &mean, &error, &nonzeros);
        const std::string mark = std::string(i == best ? "  best" : "") + (i == sparsest ? "  sparsest within one standard error" : "");
        line(rounded(mean, 6), splits > 1 ? rounded(error, 3) : "-", rounded(nonzeros, 6), text_of(sl_search_settings, search, i) + mark);
    }
}

}  // namespace

int run_tune(const TuneArguments& arguments) {
    if (!arguments.model.empty()) {
        for (const std::string& input : {arguments.file, arguments.test, arguments.weights})
            if (same_file(arguments.model, input)) throw Failure(kBadUsage, "--model " + arguments.model + " is a file to be read");
        if (const std::string why = why_not_written(arguments.model); !why.empty())
            throw Failure(kBadData, "cannot save to " + arguments.model + ": " + why);
    }
    const uint32_t threads = threads_of(arguments.options);
    const Options common = common_options(arguments);
    const Model reader = make<sl_model>(sl_model_create, common.get());
    Input input(arguments.file);
    catch_stop_signals();
    input.set_go_on([] { return stop_signal() == 0; });
    Reading reading = reading_for_new(reader.get(), arguments.file, arguments.columns, arguments.options, arguments.weights);
    reading.quiet = arguments.quiet;
    const Data data = read_all(input, reading);
    if (reading.columns) reading.columns->give_encoder_to(reader.get(), false);
    Data test;
    if (!arguments.test.empty()) {
        Input test_input(arguments.test);
        test = read_all(test_input,
                        reading_for(reader.get(), arguments.test, arguments.columns.format, arguments.options, Purpose::kValidate));
    }
    const uint32_t folds = test || arguments.holdout > 0 ? 0 : arguments.folds;
    Progress shown(arguments.quiet);
    const auto search =
        make<sl_search>(sl_search_run, common.get(), grid_of(arguments).c_str(), data.get(), test.get(), folds, arguments.holdout,
                        arguments.metric.empty() ? nullptr : arguments.metric.c_str(), threads, watch, static_cast<void*>(&shown));
    shown.clear();
    Output output("-");
    report_search(output, search.get());
    size_t best = 0, sparsest = 0;
    call(sl_search_shape, search.get(), nullptr, nullptr, &best, &sparsest);
    const size_t chosen = arguments.sparsest ? sparsest : best;
    const Model model = make<sl_model>(sl_model_create, make<sl_options>(sl_search_options, search.get(), chosen).get());
    call(sl_model_fit, model.get(), data.get(), watch, static_cast<void*>(&shown));
    shown.clear();
    if (reading.columns) reading.columns->give_encoder_to(model.get(), false);
    if (!arguments.model.empty()) call(sl_model_save, model.get(), SL_KEEP_EVERYTHING, arguments.model.c_str());
    output.write("\n" + report_line("trained", text_of(sl_search_settings, search.get(), chosen)));
    output.write(report_line("examples", std::to_string(rows_of(data.get()))));
    output.write(report_line("nonzero weights", std::to_string(nonzero_weights(model.get()))));
    output.finish();
    return 0;
}

}  // namespace cli
