// Training a model.
#include "c_api.h"

using namespace sparselin;

namespace {

// Of row r + 1 the indices, to look ahead; none where for_each_row() will refuse its pointers.
RawRow row_after(size_t r, size_t rows, const int64_t* row_pointers, const uint32_t* indices) {
    const int64_t begin = row_pointers[r + 1], end = r + 1 < rows ? row_pointers[r + 2] : begin;
    if (!indices || end <= begin || static_cast<uint64_t>(end) >= SIZE_MAX / sizeof(double)) return RawRow{nullptr, nullptr, 0};
    return RawRow{indices + begin, nullptr, static_cast<size_t>(end - begin)};
}

// Calls work(model, data, done), which counts the rows that are done.
template <class Work>
sl_status over_rows(sl_model* model, const sl_dataset* data, size_t* rows_done, sl_error* error, Work work) {
    size_t done = 0;
    const sl_status status = barrier(error, [&] {
        Model& m = checked(model, "model").model;
        work(m, checked(data, "data").data, done);
    });
    if (rows_done) *rows_done = done;
    return status;
}

}  // namespace

extern "C" {

sl_status sl_model_observe(sl_model* model, const uint32_t* indices, const double* values, size_t count, double weight, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.observe(row_of(indices, values, count), weight); });
}

sl_status sl_model_observe_dataset(sl_model* model, const sl_dataset* data, size_t* rows_done, sl_error* error) {
    return over_rows(model, data, rows_done, error, [](Model& m, const Dataset& d, size_t& done) { m.observe(d, 0, d.rows(), done); });
}

sl_status sl_model_observe_rows(sl_model* model, const sl_dataset* data, uint64_t first, uint64_t count, size_t* rows_done,
                                sl_error* error) {
    return over_rows(model, data, rows_done, error, [=](Model& m, const Dataset& d, size_t& done) {
        need_rows(d, first, count);
        m.observe(d, static_cast<size_t>(first), static_cast<size_t>(count), done);
    });
}

sl_status sl_model_feed(sl_model* model, const uint32_t* indices, const double* values, size_t count, double label, double weight,
                        sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.feed(row_of(indices, values, count), label, weight); });
}

sl_status sl_model_feed_csr(sl_model* model, size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values,
                            const double* labels, const double* weights, size_t* rows_done, sl_error* error) {
    size_t done = 0;
    const sl_status status = barrier(error, [&] {
        Model& m = checked(model, "model").model;
        if (rows > 0) need(labels, "labels (with rows above 0)");
        for_each_row({rows, row_pointers, indices, values}, [&](size_t r, const RawRow& row) {
            const RawRow next = row_after(r, rows, row_pointers, indices);
            m.prefetch(next.indices, next.count);
            with_row(r, [&] { m.feed(row, labels[r], weights ? weights[r] : 1); });
            ++done;
        });
    });
    if (rows_done) *rows_done = done;
    return status;
}

sl_status sl_model_feed_dataset(sl_model* model, const sl_dataset* data, size_t* rows_done, sl_error* error) {
    return over_rows(model, data, rows_done, error, [](Model& m, const Dataset& d, size_t& done) { m.feed(d, 0, d.rows(), done); });
}

sl_status sl_model_feed_rows(sl_model* model, const sl_dataset* data, uint64_t first, uint64_t count, size_t* rows_done, sl_error* error) {
    return over_rows(model, data, rows_done, error, [=](Model& m, const Dataset& d, size_t& done) {
        need_rows(d, first, count);
        m.feed(d, static_cast<size_t>(first), static_cast<size_t>(count), done);
    });
}

sl_status sl_model_fit(sl_model* model, const sl_dataset* data, sl_progress_fn progress, void* user, sl_error* error) {
    return barrier(error, [&] {
        sl_model& m = checked(model, "model");
        const Dataset& d = checked(data, "data").data;
        const InUse<sl_model> use(m);
        m.model.fit(d, progress, user);
    });
}

sl_status sl_model_fit_state(const sl_model* model, const sl_dataset* data, sl_fit_state* state, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        need(state, "state");
        *state = m.fit_state(d);
    });
}

sl_status sl_model_set_threads(sl_model* model, uint32_t threads, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.set_threads(threads); });
}

sl_status sl_model_finalize(sl_model* model, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.finalize(); });
}

}  // extern "C"
