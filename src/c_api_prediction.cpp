// Scores of a model, and how good they are.
#include <algorithm>
#include <vector>

#include "c_api.h"
#include "metrics.h"

using namespace sparselin;

namespace {

// Refuses an output array with too little room for so many rows of `each` numbers.
void need_room(const void* numbers, const char* name, size_t rows, size_t each, size_t capacity) {
    if (rows > 0) need(numbers, concat(name, " (with rows above 0)").c_str());
    need_countable(rows, "rows");
    if (capacity / each < rows)  // NOLINT(clang-analyzer-core.DivideZero): a model has one score at least
        fail(SL_ERROR_INVALID_ARGUMENT, "there is room for ", uint64_t{capacity}, " ", name, ", but ", uint64_t{rows}, " rows of ",
             uint64_t{each}, " need ", static_cast<double>(rows) * static_cast<double>(each));
}

// The scores of all rows, once all are found valid.
void put_scores(const Model& m, const RawMatrix& matrix, double* scores) {
    const size_t classes = m.scores();
    std::vector<double> found(matrix.rows * classes);
    const auto pointer = [&](size_t r) { return matrix.row_pointers ? static_cast<uint64_t>(matrix.row_pointers[r]) : 0; };
    const uint64_t nonzeros =
        matrix.rows > 0 ? pointer(matrix.rows) - pointer(0) : 0;  // if the pointers, which are not checked yet, are right
    m.score_pieces(matrix.rows, nonzeros, [&](size_t first, size_t count, Model::Buffer& buffer) {
        for_each_row(matrix, first, count,
                     [&](size_t r, const RawRow& row) { with_row(r, [&] { m.scores(row, buffer, &found[r * classes]); }); });
    });
    std::copy(found.begin(), found.end(), scores);
}

// The same of `count` rows from row `first` on, which are there.
void put_scores(const Model& m, const Dataset& d, size_t first, size_t count, double* scores) {
    std::vector<double> found(count * m.scores());
    m.score_pieces(count, d.nonzeros(first, count), [&](size_t from, size_t rows, Model::Buffer& buffer) {
        m.scores(d, first + from, rows, true, buffer, found.data() + from * m.scores());
    });
    std::copy(found.begin(), found.end(), scores);
}

}  // namespace

extern "C" {

sl_status sl_model_predict(const sl_model* model, const uint32_t* indices, const double* values, size_t count, double* score,
                           sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(score, "score");
        m.require_one_score("sl_model_scores");
        RowBuffer buffer;
        *score = m.predict(row_of(indices, values, count), buffer);
    });
}

sl_status sl_model_predict_csr(const sl_model* model, size_t rows, const int64_t* row_pointers, const uint32_t* indices,
                               const double* values, double* scores, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need_room(scores, "scores", rows, 1, rows);
        m.require_one_score("sl_model_scores_csr");
        put_scores(m, {rows, row_pointers, indices, values}, scores);
    });
}

sl_status sl_model_predict_dataset(const sl_model* model, const sl_dataset* data, double* scores, size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need_room(scores, "scores", d.rows(), 1, capacity);
        m.require_one_score("sl_model_scores_dataset");
        put_scores(m, d, 0, d.rows(), scores);
    });
}

sl_status sl_model_predict_rows(const sl_model* model, const sl_dataset* data, uint64_t first, uint64_t count, double* scores,
                                sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need_rows(d, first, count);
        if (count > 0) need(scores, "scores (with rows above 0)");
        m.require_one_score("sl_model_scores_rows");
        put_scores(m, d, static_cast<size_t>(first), static_cast<size_t>(count), scores);
    });
}

sl_status sl_model_scores(const sl_model* model, const uint32_t* indices, const double* values, size_t count, double* scores,
                          size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need_room(scores, "scores", 1, m.scores(), capacity);
        std::vector<double> found(m.scores());
        Model::Buffer buffer;
        m.scores(row_of(indices, values, count), buffer, found.data());
        std::copy(found.begin(), found.end(), scores);
    });
}

sl_status sl_model_scores_csr(const sl_model* model, size_t rows, const int64_t* row_pointers, const uint32_t* indices,
                              const double* values, double* scores, size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need_room(scores, "scores", rows, m.scores(), capacity);
        put_scores(m, {rows, row_pointers, indices, values}, scores);
    });
}

sl_status sl_model_scores_dataset(const sl_model* model, const sl_dataset* data, double* scores, size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need_room(scores, "scores", d.rows(), m.scores(), capacity);
        put_scores(m, d, 0, d.rows(), scores);
    });
}

sl_status sl_model_scores_rows(const sl_model* model, const sl_dataset* data, uint64_t first, uint64_t count, double* scores,
                               size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need_rows(d, first, count);
        need_room(scores, "scores", static_cast<size_t>(count), m.scores(), capacity);
        put_scores(m, d, static_cast<size_t>(first), static_cast<size_t>(count), scores);
    });
}

sl_status sl_model_probability(const sl_model* model, double score, double* probability, sl_error* error) {
    return get_value(model, probability, "probability", error, [&](const Model& m) {
        m.require_one_score("sl_model_probabilities");
        return m.probability(score);
    });
}

sl_status sl_model_probabilities(const sl_model* model, const double* scores, size_t rows, double* probabilities, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need_countable(rows, "rows");
        if (rows > 0) need(scores, "scores (with rows above 0)");
        if (rows > 0) need(probabilities, "probabilities (with rows above 0)");
        m.probabilities(scores, rows, probabilities);
    });
}

sl_status sl_model_label(const sl_model* model, double score, double* label, sl_error* error) {
    return get_value(model, label, "label", error, [&](const Model& m) {
        m.require_one_score("sl_model_predicted_labels");
        double found;
        m.require_labels();
        if (score != score) fail(SL_ERROR_INVALID_DATA, "the score is nan");
        m.predicted_labels(&score, 1, &found);
        return found;
    });
}

sl_status sl_model_predicted_labels(const sl_model* model, const double* scores, size_t rows, double* labels, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need_countable(rows, "rows");
        if (rows > 0) need(scores, "scores (with rows above 0)");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        m.predicted_labels(scores, rows, labels);
    });
}

sl_status sl_model_labels(const sl_model* model, double* smaller, double* larger, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(smaller, "smaller");
        need(larger, "larger");
        m.require_one_score("sl_model_class_labels");
        const std::vector<double>& pair = m.require_labels().all();
        *smaller = pair[0];
        *larger = pair[1];
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

sl_status sl_model_metric(const sl_model* model, const char* metric, char* name, size_t capacity, size_t* length, int* larger_is_better,
                          sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const std::string_view found = metric ? metric : usual_metric(m.loss());
        check_metric(m, found);
        put_text(found, name, capacity, length);
        if (larger_is_better) *larger_is_better = sparselin::larger_is_better(found);
    });
}

sl_status sl_evaluate_scores(const char* metric, const double* scores, size_t rows, size_t classes, const double* labels,
                             const double* weights, double* value, sl_error* error) {
    return barrier(error, [&] {
        need(metric, "metric");
        need(value, "value");
        need_countable(rows, "rows");
        need_countable(static_cast<uint64_t>(std::min(static_cast<double>(rows) * static_cast<double>(classes), 0x1p63)), "rows * classes");
        if (rows > 0) need(scores, "scores (with rows above 0)");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        *value = evaluate_scores(metric, scores, rows, classes, labels, weights);
    });
}

sl_status sl_calibration(const double* probabilities, size_t rows, const double* labels, const double* weights, size_t bins,
                         double* predicted, double* observed, double* chance, sl_error* error) {
    return barrier(error, [&] {
        need_countable(rows, "rows");
        if (rows > 0) need(probabilities, "probabilities (with rows above 0)");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        need(predicted, "predicted");
        need(observed, "observed");
        calibration(probabilities, rows, labels, weights, bins, predicted, observed, chance);
    });
}

sl_status sl_model_confusion(const sl_model* model, const sl_dataset* data, double* counts, size_t capacity, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        const size_t classes = m.require_labels().count();
        need_room(counts, "counts", classes, classes, capacity);
        confusion(m, d, counts);
    });
}

}  // extern "C"
