// Data sets, and readers of text that make them.
#include <cstring>
#include <memory>

#include "c_api.h"
#include "data_file.h"

using namespace sparselin;

namespace {

Settings reading_settings(const sl_options* options) {
    return options ? checked(options, "options").options.settings() : Options().settings();
}

DatasetReader reader_of(sl_read_fn read, void* user, const sl_options* options) {
    const Settings settings = reading_settings(options);
    return DatasetReader(Stream(read, user), settings.index_base, settings.threads);
}

}  // namespace

extern "C" {

sl_status sl_dataset_from_csr(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const double* labels,
                              const double* weights, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(data, "data");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        for_each_row({rows, row_pointers, indices, values}, [](size_t, const RawRow&) {});
        *data = new sl_dataset(Dataset::from_csr(rows, row_pointers, indices, values, labels, weights));
    });
}

sl_status sl_dataset_from_csc(size_t rows, size_t columns, const int64_t* column_pointers, const uint32_t* row_indices,
                              const double* values, const double* labels, const double* weights, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(data, "data");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        need_countable(rows, "rows");
        if (columns > uint64_t{1} << 32) fail(SL_ERROR_INVALID_ARGUMENT, "columns is ", uint64_t{columns}, ", more than 2^32");
        for_each_row({columns, column_pointers, row_indices, values, "column"}, [](size_t, const RawRow&) {});
        *data = new sl_dataset(Dataset::from_csc(rows, columns, column_pointers, row_indices, values, labels, weights));
    });
}

sl_status sl_dataset_with_labels(const sl_dataset* data, const double* labels, const double* weights, sl_dataset** relabelled,
                                 sl_error* error) {
    return barrier(error, [&] {
        const Dataset& d = checked(data, "data").data;
        need(relabelled, "relabelled");
        *relabelled = new sl_dataset(d.with_labels(labels, weights));
    });
}

sl_status sl_dataset_load(const char* path, const sl_options* options, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(path, "path");
        need(data, "data");
        const Settings settings = reading_settings(options);
        *data = new sl_dataset(load_dataset(path, settings.index_base, settings.threads));
    });
}

sl_status sl_dataset_save(const sl_dataset* data, const char* path, sl_error* error) {
    return barrier(error, [&] {
        const Dataset& d = checked(data, "data").data;
        need(path, "path");
        save_data_file(d, path);
    });
}

sl_status sl_dataset_read(sl_read_fn read, void* user, const sl_options* options, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(reinterpret_cast<const void*>(read), "read");
        need(data, "data");
        auto all = std::make_unique<sl_dataset>(Dataset());
        reader_of(read, user, options).next(SIZE_MAX, all->data);
        *data = all.release();
    });
}

sl_status sl_builder_create(uint64_t rows, uint64_t nonzeros, sl_builder** builder, sl_error* error) {
    return barrier(error, [&] {
        need(builder, "builder");
        need_countable(rows, "rows");
        need_countable(nonzeros, "nonzeros");
        auto made = std::make_unique<sl_builder>();
        made->data.reserve(static_cast<size_t>(rows), static_cast<size_t>(nonzeros));
        *builder = made.release();
    });
}

sl_status sl_builder_add(sl_builder* builder, const uint32_t* indices, const double* values, size_t count, double label, double weight,
                         sl_error* error) {
    return barrier(error, [&] {
        sl_builder& b = checked(builder, "builder");
        const RawRow row = row_of(indices, values, count);
        with_row(b.data.rows(), [&] { b.data.add(row, label, weight, b.buffer); });
    });
}

sl_status sl_builder_finish(sl_builder* builder, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        sl_builder& b = checked(builder, "builder");
        need(data, "data");
        auto made = std::make_unique<sl_dataset>(Dataset());
        std::swap(made->data, b.data);
        *data = made.release();
    });
}

void sl_builder_free(sl_builder* builder) { free_handle(builder); }

void sl_dataset_free(sl_dataset* data) { free_handle(data); }

sl_status sl_dataset_shape(const sl_dataset* data, uint64_t* rows, uint64_t* nonzeros, uint64_t* dimension, sl_error* error) {
    return barrier(error, [&] {
        const Dataset& d = checked(data, "data").data;
        if (rows) *rows = d.rows();
        if (nonzeros) *nonzeros = d.nonzeros();
        if (dimension) *dimension = d.dimension();
    });
}

sl_status sl_dataset_row(const sl_dataset* data, uint64_t row, uint32_t* indices, double* values, size_t capacity, size_t* count,
                         double* label, double* weight, sl_error* error) {
    return barrier(error, [&] {
        const Dataset& d = checked(data, "data").data;
        need(count, "count");
        if (capacity > 0) need(indices, "indices (with a capacity above 0)");
        if (capacity > 0) need(values, "values (with a capacity above 0)");
        if (row >= d.rows()) fail(SL_ERROR_INVALID_ARGUMENT, "there is no row ", row, "; the data set has ", uint64_t{d.rows()});
        const auto r = static_cast<size_t>(row);
        *count = static_cast<size_t>(d.nonzeros(r, 1));
        if (label) *label = d.label(r);
        if (weight) *weight = d.weight(r);
        if (*count > capacity || *count == 0) return;
        ValueBuffer buffer;
        const Row held = d.row(r, buffer);
        std::memcpy(indices, held.indices, held.count * sizeof *indices);
        std::memcpy(values, held.values, held.count * sizeof *values);
    });
}

sl_status sl_reader_create(sl_read_fn read, void* user, const sl_options* options, sl_reader** reader, sl_error* error) {
    return barrier(error, [&] {
        need(reinterpret_cast<const void*>(read), "read");
        need(reader, "reader");
        *reader = new sl_reader(reader_of(read, user, options));
    });
}

sl_status sl_reader_next(sl_reader* reader, size_t rows, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        sl_reader& r = checked(reader, "reader");
        need(data, "data");
        if (rows == 0) fail(SL_ERROR_INVALID_ARGUMENT, "rows is 0, but at least one must be asked for");
        auto chunk = std::make_unique<sl_dataset>(Dataset());
        const InUse<sl_reader> use(r);
        r.reader.next(rows, chunk->data);
        *data = chunk.release();
    });
}

void sl_reader_free(sl_reader* reader) { free_handle(reader); }

}  // extern "C"
