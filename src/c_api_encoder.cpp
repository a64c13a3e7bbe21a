// Features by name.
#include "c_api.h"
#include "system.h"

using namespace sparselin;

extern "C" {

sl_status sl_encoder_create(const sl_options* options, sl_encoder** encoder, sl_error* error) {
    return barrier(error, [&] {
        need(encoder, "encoder");
        *encoder = new sl_encoder(Encoder(options ? checked(options, "options").options : Options()));
    });
}

void sl_encoder_free(sl_encoder* encoder) { free_handle(encoder); }

sl_status sl_encoder_cross(sl_encoder* encoder, const char* first, const char* second, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(first, "first");
        need(second, "second");
        e.cross(first, second);
    });
}

sl_status sl_encoder_set_threads(sl_encoder* encoder, uint32_t threads, sl_error* error) {
    return barrier(error, [&] { checked(encoder, "encoder").encoder.set_threads(threads); });
}

sl_status sl_encoder_clear(sl_encoder* encoder, sl_error* error) {
    return barrier(error, [&] { checked(encoder, "encoder").encoder.clear(); });
}

sl_status sl_encoder_number(sl_encoder* encoder, const char* name, double value, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(name, "name");
        e.number(name, value);
    });
}

sl_status sl_encoder_category(sl_encoder* encoder, const char* name, const char* value, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(name, "name");
        need(value, "value");
        e.category(name, value);
    });
}

sl_status sl_encoder_text(sl_encoder* encoder, const char* name, const char* text, size_t length, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(name, "name");
        if (length > 0) need(text, "text (with a length above 0)");
        e.text(name, {text, length});
    });
}

sl_status sl_encoder_row(sl_encoder* encoder, const uint32_t** indices, const double** values, size_t* count, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(indices, "indices");
        need(values, "values");
        need(count, "count");
        const Row row = e.row();
        *indices = row.indices;
        *values = row.values;
        *count = row.count;
    });
}

sl_status sl_encoder_texts(sl_encoder* encoder, const char* name, const char* const* texts, const size_t* lengths, size_t rows,
                           const double* labels, const double* weights, sl_dataset** data, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(name, "name");
        if (rows > 0) need(texts, "texts (with rows above 0)");
        need_countable(rows, "rows");
        need(data, "data");
        auto made = std::make_unique<sl_dataset>(Dataset());
        made->data = e.texts(name, {texts, lengths, rows}, labels, weights);
        *data = made.release();
    });
}

sl_status sl_encoder_freeze(sl_encoder* encoder, sl_error* error) {
    return barrier(error, [&] { checked(encoder, "encoder").encoder.freeze(); });
}

sl_status sl_encoder_memory(const sl_encoder* encoder, uint64_t* bytes, sl_error* error) {
    return barrier(error, [&] {
        const Encoder& e = checked(encoder, "encoder").encoder;
        need(bytes, "bytes");
        *bytes = e.bytes();
    });
}

sl_status sl_encoder_dimension(const sl_encoder* encoder, uint64_t* dimension, sl_error* error) {
    return barrier(error, [&] {
        const Encoder& e = checked(encoder, "encoder").encoder;
        need(dimension, "dimension");
        *dimension = e.dimension();
    });
}

sl_status sl_encoder_name(const sl_encoder* encoder, uint32_t index, char* name, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] { put_text(std::string(checked(encoder, "encoder").encoder.name(index)), name, capacity, length); });
}

sl_status sl_encoder_option(const sl_encoder* encoder, const char* name, char* value, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Encoder& e = checked(encoder, "encoder").encoder;
        need(name, "name");
        put_text(e.options().get(name), value, capacity, length);
    });
}

sl_status sl_encoder_set_note(sl_encoder* encoder, const char* note, sl_error* error) {
    return barrier(error, [&] {
        Encoder& e = checked(encoder, "encoder").encoder;
        need(note, "note");
        e.set_note(note);
    });
}

sl_status sl_encoder_note(const sl_encoder* encoder, char* note, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] { put_text(checked(encoder, "encoder").encoder.note(), note, capacity, length); });
}

sl_status sl_encoder_save(const sl_encoder* encoder, const char* path, sl_error* error) {
    return barrier(error, [&] {
        const Encoder& e = checked(encoder, "encoder").encoder;
        need(path, "path");
        replace_file(path, encoder_to_bytes(e));
    });
}

sl_status sl_encoder_load(const char* path, sl_encoder** encoder, sl_error* error) {
    return barrier(error, [&] {
        need(path, "path");
        need(encoder, "encoder");
        *encoder = new sl_encoder(load_encoder(path));
    });
}

sl_status sl_encoder_to_bytes(const sl_encoder* encoder, void* bytes, size_t capacity, size_t* length, sl_error* error) {
    return barrier(error, [&] {
        const Encoder& e = checked(encoder, "encoder").encoder;
        put_bytes(encoder_to_bytes(e), bytes, capacity, length);
    });
}

sl_status sl_encoder_from_bytes(const void* bytes, size_t length, sl_encoder** encoder, sl_error* error) {
    return barrier(error, [&] {
        need(bytes, "bytes");
        need(encoder, "encoder");
        *encoder = new sl_encoder(encoder_from_bytes({static_cast<const char*>(bytes), length}));
    });
}

sl_status sl_model_set_encoder(sl_model* model, const sl_encoder* encoder, sl_error* error) {
    return barrier(error, [&] {
        Model& m = checked(model, "model").model;
        m.set_encoder(encoder ? &checked(encoder, "encoder").encoder : nullptr);
    });
}

sl_status sl_model_encoder(const sl_model* model, sl_encoder** copy, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(copy, "copy");
        if (!m.encoder()) fail(SL_ERROR_STATE, "the model has no encoder: sl_model_set_encoder gives it one");
        *copy = new sl_encoder(*m.encoder());
    });
}

}  // extern "C"
