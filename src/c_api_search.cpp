// Choosing a model.
#include <memory>

#include "c_api.h"

using namespace sparselin;

namespace {

const SearchModel& model_of(const sl_search* search, size_t i) {
    const SearchResult& found = checked(search, "search").result;
    if (i >= found.models.size())
        fail(SL_ERROR_INVALID_ARGUMENT, "there is no model number ", uint64_t{i}, "; the search had ", uint64_t{found.models.size()},
             ", from 0 on");
    return found.models[i];
}

}  // namespace

extern "C" {

sl_status sl_search_run(const sl_options* options, const char* grid, const sl_dataset* data, const sl_dataset* test, uint32_t folds,
                        double holdout, const char* metric, uint32_t threads, sl_progress_fn progress, void* user, sl_search** search,
                        sl_error* error) {
    return barrier(error, [&] {
        const Options base = options ? checked(options, "options").options : Options();
        need(grid, "grid");
        const Dataset& d = checked(data, "data").data;
        const Dataset* const t = test ? &checked(test, "test").data : nullptr;
        need(search, "search");
        *search = new sl_search(sparselin::search({base, grid, d, t, folds, holdout, metric ? metric : "", threads, progress, user}));
    });
}

void sl_search_free(sl_search* search) { free_handle(search); }

sl_status sl_search_shape(const sl_search* search, size_t* models, size_t* splits, size_t* best, size_t* sparsest, sl_error* error) {
    return barrier(error, [&] {
        const SearchResult& found = checked(search, "search").result;
        if (models) *models = found.models.size();
        if (splits) *splits = found.split_count;
        if (best) *best = found.best;
        if (sparsest) *sparsest = found.sparsest;
    });
}

sl_status sl_search_metric(const sl_search* search, char* metric, size_t capacity, size_t* length, int* larger_is_better, sl_error* error) {
    return barrier(error, [&] {
        const SearchResult& found = checked(search, "search").result;
        put_text(found.metric, metric, capacity, length);
        if (larger_is_better) *larger_is_better = found.larger_is_better;
    });
}

sl_status sl_search_model(const sl_search* search, size_t i, double* mean, double* standard_error, double* nonzeros, sl_error* error) {
    return barrier(error, [&] {
        const SearchModel& model = model_of(search, i);
        if (mean) *mean = model.mean;
        if (standard_error) *standard_error = model.standard_error;
        if (nonzeros) *nonzeros = model.nonzeros;
    });
}

sl_status sl_search_settings(const sl_search* search, size_t i, char* settings, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] { put_text(model_of(search, i).settings, settings, capacity, length); });
}

sl_status sl_search_options(const sl_search* search, size_t i, sl_options** options, sl_error* error) {
    return barrier(error, [&] {
        const SearchModel& model = model_of(search, i);
        need(options, "options");
        auto copy = std::make_unique<sl_options>();
        copy->options = model.options;
        *options = copy.release();
    });
}

sl_status sl_search_values(const sl_search* search, size_t i, double* values, size_t capacity, size_t* count, sl_error* error) {
    return barrier(error, [&] {
        const SearchModel& model = model_of(search, i);
        put_numbers(model.values, values, capacity, count, "values");
    });
}

sl_status sl_search_splits(const sl_search* search, uint32_t* splits, size_t capacity, size_t* count, sl_error* error) {
    return barrier(error, [&] { put_numbers(checked(search, "search").result.splits, splits, capacity, count, "splits"); });
}

}  // extern "C"
