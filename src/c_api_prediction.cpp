// Scores of a model, and how good they are.
#include <algorithm>
#include <vector>

#include "c_api.h"
#include "metrics.h"

using namespace sparselin;

namespace {

// Scores of `count` rows from row `first` on, which are there.
void predict_rows(const Model& model, const Dataset& data, size_t first, size_t count, double* scores) {
    if (count > 0) need(scores, "scores (with rows above 0)");
    std::vector<double> found(count);  // until all are found finite
    for (size_t i = 0; i < count; ++i) with_row(first + i, [&] { found[i] = model.score(data.row(first + i)); });
    std::copy(found.begin(), found.end(), scores);
}

}  // namespace

extern "C" {

sl_status sl_model_predict(const sl_model* model, const uint32_t* indices, const double* values, size_t count, double* score,
                           sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(score, "score");
        RowBuffer buffer;
        *score = m.predict(row_of(indices, values, count), buffer);
    });
}

sl_status sl_model_predict_csr(const sl_model* model, size_t rows, const int64_t* row_pointers, const uint32_t* indices,
                               const double* values, double* scores, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        if (rows > 0) need(scores, "scores (with rows above 0)");
        need_countable(rows, "rows");
        std::vector<double> found(rows);  // until all rows are found valid
        RowBuffer buffer;
        for_each_row(rows, row_pointers, indices, values, "row",
                     [&](size_t r, const RawRow& row) { with_row(r, [&] { found[r] = m.predict(row, buffer); }); });
        std::copy(found.begin(), found.end(), scores);
    });
}

sl_status sl_model_predict_dataset(const sl_model* model, const sl_dataset* data, double* scores, size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        if (capacity < d.rows())
            fail(SL_ERROR_INVALID_ARGUMENT, "there is room for ", uint64_t{capacity}, " scores, but the data set has ", uint64_t{d.rows()},
                 " rows");
        predict_rows(m, d, 0, d.rows(), scores);
    });
}

sl_status sl_model_predict_rows(const sl_model* model, const sl_dataset* data, uint64_t first, uint64_t count, double* scores,
                                sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need_rows(d, first, count);
        predict_rows(m, d, static_cast<size_t>(first), static_cast<size_t>(count), scores);
    });
}

sl_status sl_model_probability(const sl_model* model, double score, double* probability, sl_error* error) {
    return get_value(model, probability, "probability", error, [&](const Model& m) { return m.probability(score); });
}

sl_status sl_model_label(const sl_model* model, double score, double* label, sl_error* error) {
    return get_value(model, label, "label", error, [&](const Model& m) {
        const LabelPair& labels = m.require_labels();
        if (score != score) fail(SL_ERROR_INVALID_DATA, "the score is nan");
        return score > 0 ? labels.larger() : labels.smaller();
    });
}

sl_status sl_model_labels(const sl_model* model, double* smaller, double* larger, sl_error* error) {
    return barrier(error, [&] {
        const LabelPair& labels = checked(model, "model").model.require_labels();
        need(smaller, "smaller");
        need(larger, "larger");
        *smaller = labels.smaller();
        *larger = labels.larger();
    });
}

sl_status sl_model_evaluate(const sl_model* model, const sl_dataset* data, const char* metric, double* value, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need(metric, "metric");
        need(value, "value");
        *value = evaluate(m, d, metric);
    });
}

}  // extern "C"
