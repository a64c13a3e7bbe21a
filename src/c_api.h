// What every file with C linkage shares: handles, the exception barrier, argument checks. A function that can fail is one call of
// barrier(), whose body checks the handles first (checked), then the other pointers (need), asks the library, and writes its outputs last:
//
//     sl_status sl_model_steps(const sl_model* model, uint64_t* steps, sl_error* error) {
//         return barrier(error, [&] {
//             const Model& m = checked(model, "model").model;
//             need(steps, "steps");
//             *steps = m.steps();
//         });
//     }
#pragma once
#include <sparselin.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arithmetic.h"
#include "dataset.h"
#include "dataset_reader.h"
#include "encoder.h"
#include "error.h"
#include "model.h"
#include "options.h"
#include "search.h"

namespace sparselin {

// A handle begins with a word that tells its kind and that it is alive.
template <uint32_t word>
struct Handle {
    uint32_t magic = word;
    bool in_use = false, unwanted = false;  // see InUse
    ~Handle() { *const_cast<volatile uint32_t*>(&magic) = 0; }
    static constexpr uint32_t kMagic = word;
};

}  // namespace sparselin

struct sl_options : sparselin::Handle<0x6f6c7331> {
    sparselin::Options options;
};
struct sl_model : sparselin::Handle<0x6f6c7332> {
    explicit sl_model(sparselin::Model m) : model(std::move(m)) {}
    sparselin::Model model;
};
struct sl_dataset : sparselin::Handle<0x6f6c7333> {
    explicit sl_dataset(sparselin::Dataset d) : data(std::move(d)) {}
    sparselin::Dataset data;
};
struct sl_builder : sparselin::Handle<0x6f6c7336> {
    sparselin::Dataset data;
    sparselin::RowBuffer buffer;
};
struct sl_reader : sparselin::Handle<0x6f6c7334> {
    explicit sl_reader(sparselin::DatasetReader r) : reader(std::move(r)) {}
    sparselin::DatasetReader reader;
};
struct sl_encoder : sparselin::Handle<0x6f6c7335> {
    explicit sl_encoder(sparselin::Encoder e) : encoder(std::move(e)) {}
    sparselin::Encoder encoder;
};
struct sl_search : sparselin::Handle<0x6f6c7337> {
    explicit sl_search(sparselin::SearchResult r) : result(std::move(r)) {}
    sparselin::SearchResult result;
};

namespace sparselin {

// Reports the exception that is being caught; `system` becomes the system's number of its reason, 0 if there is none.
sl_status report_caught(sl_error* error, int& system) noexcept;

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

inline void need(const void* pointer, const char* name) {
    if (!pointer) fail(SL_ERROR_INVALID_ARGUMENT, name, " is NULL");
}

// Refuses a number of array entries that no memory can hold, before anything is read beyond the arrays.
inline void need_countable(uint64_t count, const char* name) {
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

// The number behind an enumeration, to which a caller in C may have given any value.
inline int number_of(const sl_keep& keep) {
    int number;
    static_assert(sizeof number == sizeof keep);
    std::memcpy(&number, &keep, sizeof number);
    return number;
}

inline RawRow row_of(const uint32_t* indices, const double* values, size_t count) {
    if (count > 0) need(indices, "indices (with a count above 0)");
    need_countable(count, "count");
    return RawRow{indices, values, count};
}

[[noreturn]] void refuse_pointers(const char* what, size_t r, int64_t begin, int64_t end);

// A matrix as a caller hands it in; what: what its rows are called.
struct RawMatrix {
    size_t rows;
    const int64_t* row_pointers;
    const uint32_t* indices;
    const double* values;
    const char* what = "row";
};

// Calls visit(r, row) for each of so many rows (or columns) of a matrix whose arrays are checked as far as they can be.
template <class Visit>
void for_each_row(const RawMatrix& matrix, size_t first, size_t count, Visit visit) {
    const auto [rows, row_pointers, indices, values, what] = matrix;
    if (rows == 0) return;
    need(row_pointers, concat(what, "_pointers (with ", what, "s above 0)").c_str());
    need_countable(rows, concat(what, "s").c_str());
    for (size_t r = first; r < first + count; ++r) {
        const int64_t begin = row_pointers[r], end = row_pointers[r + 1];
        if (begin < 0 || end < begin) refuse_pointers(what, r, begin, end);
        need_countable(static_cast<uint64_t>(end), "the end of a row or column");
        if (end > begin) need(indices, "the array of indices (with nonzeros)");
        visit(r, RawRow{indices + begin, values ? values + begin : nullptr, static_cast<size_t>(end - begin)});
    }
}

template <class Visit>
void for_each_row(const RawMatrix& matrix, Visit visit) {
    for_each_row(matrix, 0, matrix.rows, visit);
}

inline void need_rows(const Dataset& data, uint64_t first, uint64_t count) {
    if (first > data.rows() || count > data.rows() - first)
        fail(SL_ERROR_INVALID_ARGUMENT, "there are no ", count, " rows from row ", first, " on; the data set has ", uint64_t{data.rows()});
}

// The two-call pattern: how many bytes the text needs, and the text itself where it fits.
inline void put_text(std::string_view text, char* value, size_t capacity, size_t* length) {
    need(length, "length");
    if (capacity > 0) need(value, "value (with a capacity above 0)");
    *length = text.size() + 1;
    if (*length > capacity) return;
    std::memcpy(value, text.data(), text.size());
    value[text.size()] = 0;
}

// The same of numbers.
template <class Number>
void put_numbers(const std::vector<Number>& all, Number* numbers, size_t capacity, size_t* count, const char* name) {
    need(count, "count");
    if (capacity > 0 && !numbers) need(nullptr, concat(name, " (with a capacity above 0)").c_str());
    *count = all.size();
    if (*count <= capacity) std::copy(all.begin(), all.end(), numbers);
}

// The same of bytes.
inline void put_bytes(const std::string& kept, void* bytes, size_t capacity, size_t* length) {
    need(length, "length");
    if (capacity > 0) need(bytes, "bytes (with a capacity above 0)");
    *length = kept.size();
    if (*length <= capacity) std::memcpy(bytes, kept.data(), kept.size());
}

// A call that reads one value out of a model.
template <class Value, class Get>
sl_status get_value(const sl_model* model, Value* value, const char* name, sl_error* error, Get get) noexcept {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(value, name);
        *value = get(m);
    });
}

}  // namespace sparselin
