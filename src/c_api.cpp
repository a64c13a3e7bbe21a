// The only file with C linkage: handles, argument checks and one exception barrier; no arithmetic.
#include <sparselin.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "arithmetic.h"
#include "data_file.h"
#include "dataset.h"
#include "error.h"
#include "file.h"
#include "metrics.h"
#include "model.h"
#include "model_file.h"
#include "options.h"
#include "svmlight.h"

using namespace sparselin;

// A handle begins with a word that tells its kind and that it is alive.
template <uint32_t word>
struct Handle {
    uint32_t magic = word;
    bool in_use = false, unwanted = false;  // see InUse
    ~Handle() { *const_cast<volatile uint32_t*>(&magic) = 0; }
    static constexpr uint32_t kMagic = word;
};
struct sl_options : Handle<0x6f6c7331> {
    Options options;
};
struct sl_model : Handle<0x6f6c7332> {
    explicit sl_model(Model m) : model(std::move(m)) {}
    Model model;
};
struct sl_dataset : Handle<0x6f6c7333> {
    explicit sl_dataset(Dataset d) : data(std::move(d)) {}
    Dataset data;
};
struct sl_reader : Handle<0x6f6c7334> {
    explicit sl_reader(SvmlightReader r) : reader(std::move(r)) {}
    SvmlightReader reader;
};

namespace {

// Whether a character stays on its line and leaves those beside it where they are: it is no control character, line or paragraph separator,
// or mark of the direction of writing.
bool is_printable(uint32_t c) noexcept {
    const auto within = [=](uint32_t first, uint32_t last) { return c >= first && c <= last; };
    return !(c < 0x20 || within(0x7f, 0x9f) || c == 0x61c || within(0x200e, 0x200f) || within(0x2028, 0x202e) || within(0x2066, 0x2069));
}

// Bytes of the printable UTF-8 character at `text`, 0 if there is none.
size_t character_size(const char* text) noexcept {
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // fewer bytes would do for what is below
    const auto first = static_cast<unsigned char>(*text);
    const size_t size = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    uint32_t character = size < 2 ? first : first & (0x7f >> size);
    for (size_t k = 1; k < size; ++k) {
        if ((text[k] & 0xc0) != 0x80) return 0;
        character = character << 6 | (text[k] & 0x3f);
    }
    const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
    return character >= kLeast[size] && character <= 0x10ffff && !is_surrogate && is_printable(character) ? size : 0;
}

sl_status report(sl_status status, const char* message, sl_error* error) noexcept {
    if (!error) return status;
    error->status = status;
    // One printable line of UTF-8, whatever names from outside are in it: other bytes become question marks.
    size_t length = 0;
    while (*message) {
        const size_t size = character_size(message);
        if (length + std::max<size_t>(size, 1) >= sizeof error->message) break;
        if (size == 0) {
            error->message[length++] = '?';
            ++message;
        }
        for (size_t k = 0; k < size; ++k) error->message[length++] = *message++;
    }
    error->message[length] = '\0';
    return status;
}

// Of the exception that is being caught.
sl_status report_caught(sl_error* error, int& system) noexcept {
    try {
        throw;
    } catch (const Error& e) {
        system = e.system();
        return report(e.status(), e.message().c_str(), error);
    } catch (const std::bad_alloc&) {
        return report(SL_ERROR_OUT_OF_MEMORY, "out of memory", error);
    } catch (const std::length_error&) {
        return report(SL_ERROR_OUT_OF_MEMORY, "out of memory: more was asked for than there can be", error);
    } catch (const std::exception& e) {
        return report(SL_ERROR_INTERNAL, e.what(), error);
    } catch (...) {
        return report(SL_ERROR_INTERNAL, "an unknown exception", error);
    }
}

template <class Body>
sl_status barrier(sl_error* error, Body body) noexcept {
    const StandardEnvironment environment;
    sl_status status;
    int system = 0;
    try {
        body();
        return SL_OK;
    } catch (...) {
        status = report_caught(error, system);
    }
    if (status == SL_ERROR_IO) errno = system;  // last of all, since destructors may change it
    return status;
}

void need(const void* pointer, const char* name) {
    if (!pointer) fail(SL_ERROR_INVALID_ARGUMENT, name, " is NULL");
}

// Refuses a number of array entries that no memory can hold, before anything is read beyond the arrays.
void need_countable(uint64_t count, const char* name) {
    if (count >= SIZE_MAX / sizeof(double)) fail(SL_ERROR_INVALID_ARGUMENT, name, " is ", count, ", more than memory can hold");
}

// The handle itself, checked.
template <class H>
H& checked(H* handle, const char* name) {
    need(handle, name);
    if (handle->magic != std::remove_const_t<H>::kMagic)
        fail(SL_ERROR_INVALID_ARGUMENT, name, " is not a handle of the right kind, or was freed");
    if (handle->in_use) fail(SL_ERROR_STATE, name, " is in use by the call that called this function, which may not use it too");
    return *handle;
}

// While a call on a handle calls back, it may not be used, and if it is freed it goes when the call ends.
template <class H>
class InUse {
  public:
    explicit InUse(H& handle) : handle_(handle) { handle_.in_use = true; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    ~InUse() {
        handle_.in_use = false;
        if (handle_.unwanted) delete &handle_;
    }

  private:
    H& handle_;
};

template <class H>
void free_handle(H* handle) {
    if (!handle || handle->magic != H::kMagic) return;
    if (handle->in_use)
        handle->unwanted = true;
    else
        delete handle;
}

// The number behind an enumeration, which a caller in C may have given any value.
int number_of(const sl_keep& keep) {
    int number;
    static_assert(sizeof number == sizeof keep);
    std::memcpy(&number, &keep, sizeof number);
    return number;
}

RawRow row_of(const uint32_t* indices, const double* values, size_t count) {
    if (count > 0) need(indices, "indices (with a count above 0)");
    need_countable(count, "count");
    return RawRow{indices, values, count};
}

// Calls visit(r, row) for each row (or column) of a matrix whose arrays are checked as far as they can be.
template <class Visit>
void for_each_row(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const char* what, Visit visit) {
    if (rows == 0) return;
    need(row_pointers, concat(what, "_pointers (with ", what, "s above 0)").c_str());
    need_countable(rows, concat(what, "s").c_str());
    for (size_t r = 0; r < rows; ++r) {
        const int64_t begin = row_pointers[r], end = row_pointers[r + 1];
        if (begin < 0 || end < begin)
            fail(SL_ERROR_INVALID_ARGUMENT, what, " ", uint64_t{r}, ": its pointers are ", begin, " and ", end,
                 ", which do not ascend from 0");
        need_countable(static_cast<uint64_t>(end), "the end of a row or column");
        if (end > begin) need(indices, "the array of indices (with nonzeros)");
        visit(r, RawRow{indices + begin, values ? values + begin : nullptr, static_cast<size_t>(end - begin)});
    }
}

// Of row r + 1 the indices, to look ahead; none where for_each_row() will refuse its pointers.
RawRow row_after(size_t r, size_t rows, const int64_t* row_pointers, const uint32_t* indices) {
    const int64_t begin = row_pointers[r + 1], end = r + 1 < rows ? row_pointers[r + 2] : begin;
    if (!indices || end <= begin || static_cast<uint64_t>(end) >= SIZE_MAX / sizeof(double)) return RawRow{nullptr, nullptr, 0};
    return RawRow{indices + begin, nullptr, static_cast<size_t>(end - begin)};
}

void put_text(const std::string& text, char* value, size_t capacity, size_t* length) {
    need(length, "length");
    if (capacity > 0) need(value, "value (with a capacity above 0)");
    *length = text.size() + 1;
    if (*length <= capacity) std::memcpy(value, text.c_str(), *length);
}

Settings reading_settings(const sl_options* options) {
    return options ? checked(options, "options").options.settings() : Options().settings();
}

SvmlightReader text_reader(sl_read_fn read, void* user, const sl_options* options) {
    const Settings settings = reading_settings(options);
    return SvmlightReader(read, user, settings.index_base, settings.threads);
}

template <class Value, class Get>
sl_status get_value(const sl_model* model, Value* value, const char* name, sl_error* error, Get get) noexcept {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(value, name);
        *value = get(m);
    });
}

}  // namespace

extern "C" {

const char* sl_version(void) {
#define SL_TEXT_(x) #x
#define SL_TEXT(x) SL_TEXT_(x)
    return SL_TEXT(SL_VERSION_MAJOR) "." SL_TEXT(SL_VERSION_MINOR) "." SL_TEXT(SL_VERSION_PATCH);
}
int sl_version_number(void) { return 10000 * SL_VERSION_MAJOR + 100 * SL_VERSION_MINOR + SL_VERSION_PATCH; }

const char* sl_status_name(sl_status status) {
    static constexpr const char* kNames[] = {"SL_OK",
                                             "SL_ERROR_INVALID_ARGUMENT",
                                             "SL_ERROR_INVALID_OPTION",
                                             "SL_ERROR_INVALID_DATA",
                                             "SL_ERROR_STATE",
                                             "SL_ERROR_OUT_OF_MEMORY",
                                             "SL_ERROR_IO",
                                             "SL_ERROR_FORMAT",
                                             "SL_ERROR_VERSION",
                                             "SL_ERROR_DIVERGED",
                                             "SL_ERROR_CANCELLED",
                                             "SL_ERROR_INTERNAL"};
    const auto i = static_cast<size_t>(status);
    return i < sizeof kNames / sizeof *kNames ? kNames[i] : "SL_ERROR_UNKNOWN";
}

sl_status sl_options_create(sl_options** options, sl_error* error) {
    return barrier(error, [&] {
        need(options, "options");
        *options = new sl_options();
    });
}

void sl_options_free(sl_options* options) { free_handle(options); }

sl_status sl_options_set(sl_options* options, const char* name, const char* value, sl_error* error) {
    return barrier(error, [&] {
        Options& o = checked(options, "options").options;
        need(name, "name");
        need(value, "value");
        o.set(name, value);
    });
}

sl_status sl_options_set_number(sl_options* options, const char* name, double value, sl_error* error) {
    return barrier(error, [&] {
        Options& o = checked(options, "options").options;
        need(name, "name");
        o.set_number(name, value);
    });
}

sl_status sl_options_get(const sl_options* options, const char* name, char* value, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Options& o = checked(options, "options").options;
        need(name, "name");
        put_text(o.get(name), value, capacity, length);
    });
}

size_t sl_option_count(void) { return Options::count(); }

sl_status sl_option_describe(size_t i, const char** name, const char** kind, const char** standard, const char** help, sl_error* error) {
    return barrier(error, [&] {
        if (i >= Options::count())
            fail(SL_ERROR_INVALID_ARGUMENT, "there is no option number ", uint64_t{i}, "; there are ", uint64_t{Options::count()});
        const Options::Description row = Options::describe(i);
        if (name) *name = row.name;
        if (kind) *kind = row.kind;
        if (standard) *standard = row.standard;
        if (help) *help = row.help;
    });
}

sl_status sl_model_create(const sl_options* options, sl_model** model, sl_error* error) {
    return barrier(error, [&] {
        need(model, "model");
        *model = new sl_model(Model(options ? checked(options, "options").options : Options()));
    });
}

sl_status sl_model_clone(const sl_model* model, sl_model** copy, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(copy, "copy");
        *copy = new sl_model(m);
    });
}

sl_status sl_model_take_indices_as_signed(sl_model* model, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.take_indices_as_signed(); });
}

void sl_model_free(sl_model* model) { free_handle(model); }

sl_status sl_model_observe(sl_model* model, const uint32_t* indices, const double* values, size_t count, double weight, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.observe(row_of(indices, values, count), weight); });
}

sl_status sl_model_observe_dataset(sl_model* model, const sl_dataset* data, size_t* rows_done, sl_error* error) {
    size_t done = 0;
    const sl_status status = barrier(error, [&] {
        Model& m = checked(model, "model").model;
        m.observe(checked(data, "data").data, done);
    });
    if (rows_done) *rows_done = done;
    return status;
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
        for_each_row(rows, row_pointers, indices, values, "row", [&](size_t r, const RawRow& row) {
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
    size_t done = 0;
    const sl_status status = barrier(error, [&] {
        Model& m = checked(model, "model").model;
        const Dataset& d = checked(data, "data").data;
        m.feed(d, done);
    });
    if (rows_done) *rows_done = done;
    return status;
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

sl_status sl_model_finalize(sl_model* model, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.finalize(); });
}

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
        if (d.rows() > 0) need(scores, "scores (with rows above 0)");
        if (capacity < d.rows())
            fail(SL_ERROR_INVALID_ARGUMENT, "there is room for ", uint64_t{capacity}, " scores, but the data set has ", uint64_t{d.rows()},
                 " rows");
        std::vector<double> found(d.rows());  // until all are found finite
        for (size_t r = 0; r < d.rows(); ++r) with_row(r, [&] { found[r] = m.score(d.row(r)); });
        std::copy(found.begin(), found.end(), scores);
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

sl_status sl_model_dimension(const sl_model* model, uint64_t* dimension, sl_error* error) {
    return get_value(model, dimension, "dimension", error, [](const Model& m) { return m.dimension(); });
}

sl_status sl_model_steps(const sl_model* model, uint64_t* steps, sl_error* error) {
    return get_value(model, steps, "steps", error, [](const Model& m) { return m.steps(); });
}

sl_status sl_model_mean_loss(const sl_model* model, double* loss, sl_error* error) {
    return get_value(model, loss, "loss", error, [](const Model& m) { return m.mean_loss(); });
}

sl_status sl_model_bias(const sl_model* model, double* bias, sl_error* error) {
    return get_value(model, bias, "bias", error, [](const Model& m) { return m.bias(); });
}

sl_status sl_model_weight(const sl_model* model, uint32_t index, double* weight, sl_error* error) {
    return get_value(model, weight, "weight", error, [&](const Model& m) { return m.weight(index); });
}

sl_status sl_model_nonzeros(const sl_model* model, uint32_t* indices, double* weights, size_t capacity, size_t* count, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(count, "count");
        if (capacity > 0) need(indices, "indices (with a capacity above 0)");
        if (capacity > 0) need(weights, "weights (with a capacity above 0)");
        const auto nonzeros = m.nonzeros();
        *count = nonzeros.size();
        if (*count > capacity) return;
        for (size_t i = 0; i < nonzeros.size(); ++i) {
            indices[i] = nonzeros[i].first;
            weights[i] = nonzeros[i].second;
        }
    });
}

sl_status sl_model_option(const sl_model* model, const char* name, char* value, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(name, "name");
        put_text(m.options().get(name), value, capacity, length);
    });
}

sl_status sl_model_memory(const sl_model* model, uint64_t* bytes, sl_error* error) {
    return get_value(model, bytes, "bytes", error, [](const Model& m) { return m.bytes(); });
}

sl_status sl_model_save(const sl_model* model, sl_keep keep, const char* path, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(path, "path");
        replace_file(path, model_to_bytes(m, number_of(keep)));
    });
}

sl_status sl_model_load(const char* path, sl_model** model, sl_error* error) {
    return barrier(error, [&] {
        need(path, "path");
        need(model, "model");
        *model = new sl_model(load_model(path));
    });
}

sl_status sl_model_to_bytes(const sl_model* model, sl_keep keep, void* bytes, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        if (capacity > 0) need(bytes, "bytes (with a capacity above 0)");
        need(length, "length");
        const std::string kept = model_to_bytes(m, number_of(keep));
        *length = kept.size();
        if (*length <= capacity) std::memcpy(bytes, kept.data(), kept.size());
    });
}

sl_status sl_model_from_bytes(const void* bytes, size_t length, sl_model** model, sl_error* error) {
    return barrier(error, [&] {
        need(bytes, "bytes");
        need(model, "model");
        *model = new sl_model(model_from_bytes({static_cast<const char*>(bytes), length}));
    });
}

sl_status sl_dataset_save(const sl_dataset* data, const char* path, sl_error* error) {
    return barrier(error, [&] {
        const Dataset& d = checked(data, "data").data;
        need(path, "path");
        save_data_file(d, path);
    });
}

sl_status sl_dataset_from_csr(size_t rows, const int64_t* row_pointers, const uint32_t* indices, const double* values, const double* labels,
                              const double* weights, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(data, "data");
        if (rows > 0) need(labels, "labels (with rows above 0)");
        for_each_row(rows, row_pointers, indices, values, "row", [](size_t, const RawRow&) {});
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
        for_each_row(columns, column_pointers, row_indices, values, "column", [](size_t, const RawRow&) {});
        *data = new sl_dataset(Dataset::from_csc(rows, columns, column_pointers, row_indices, values, labels, weights));
    });
}

sl_status sl_dataset_load(const char* path, const sl_options* options, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(path, "path");
        need(data, "data");
        const Settings settings = reading_settings(options);
        InputFile file(path);
        *data = new sl_dataset(is_data_file(file) ? load_data_file(file) : load_svmlight(file, settings.index_base, settings.threads));
    });
}

sl_status sl_dataset_read(sl_read_fn read, void* user, const sl_options* options, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        need(reinterpret_cast<const void*>(read), "read");
        need(data, "data");
        auto all = std::make_unique<sl_dataset>(Dataset());
        text_reader(read, user, options).next(SIZE_MAX, all->data);
        *data = all.release();
    });
}

sl_status sl_reader_create(sl_read_fn read, void* user, const sl_options* options, sl_reader** reader, sl_error* error) {
    return barrier(error, [&] {
        need(reinterpret_cast<const void*>(read), "read");
        need(reader, "reader");
        *reader = new sl_reader(text_reader(read, user, options));
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
        const Row held = d.row(r);
        *count = held.count;
        if (label) *label = d.label(r);
        if (weight) *weight = d.weight(r);
        if (held.count > capacity || held.count == 0) return;
        std::memcpy(indices, held.indices, held.count * sizeof *indices);
        std::memcpy(values, held.values, held.count * sizeof *values);
    });
}

}  // extern "C"
