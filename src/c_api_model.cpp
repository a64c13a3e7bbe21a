// A model's life, looking inside, and keeping it.

#include "c_api.h"
#include "model_file.h"
#include "system.h"

using namespace sparselin;

namespace {

// The two-call pattern, for the weights of class k.
void put_nonzeros(const Model& m, size_t k, uint32_t* indices, double* weights, size_t capacity, size_t* count) {
    need(count, "count");
    if (capacity > 0) need(indices, "indices (with a capacity above 0)");
    if (capacity > 0) need(weights, "weights (with a capacity above 0)");
    const auto nonzeros = m.nonzeros(k);
    *count = nonzeros.size();
    if (*count > capacity) return;
    for (size_t i = 0; i < nonzeros.size(); ++i) {
        indices[i] = nonzeros[i].first;
        weights[i] = nonzeros[i].second;
    }
}

std::vector<const Model*> checked_models(const sl_model* const* models, size_t count) {
    if (count > 0) need(models, "models (with a count above 0)");
    need_countable(count, "count");
    std::vector<const Model*> checked_ones;
    for (size_t m = 0; m < count; ++m) checked_ones.push_back(&checked(models[m], concat("models[", uint64_t{m}, "]").c_str()).model);
    return checked_ones;
}

}  // namespace

extern "C" {

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

sl_status sl_model_predictor(const sl_model* model, sl_model** predictor, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        need(predictor, "predictor");
        *predictor = new sl_model(m.alone());
    });
}

sl_status sl_model_merge(const sl_model* const* models, size_t count, sl_model** merged, sl_error* error) {
    return barrier(error, [&] {
        const std::vector<const Model*> parts = checked_models(models, count);
        need(merged, "merged");
        *merged = new sl_model(Model::merged(parts, nullptr, 1));
    });
}

sl_status sl_model_merge_round(const sl_model* begin, const sl_model* const* models, size_t count, double parts, sl_model** merged,
                               sl_error* error) {
    return barrier(error, [&] {
        const Model& from = checked(begin, "begin").model;
        const std::vector<const Model*> learned = checked_models(models, count);
        need(merged, "merged");
        *merged = new sl_model(Model::merged(learned, &from, parts));
    });
}

sl_status sl_model_start(sl_model* model, const sl_model* source, sl_error* error) {
    return barrier(error, [&] {
        Model& m = checked(model, "model").model;
        m.start(checked(source, "source").model);
    });
}

sl_status sl_model_take_indices_as_signed(sl_model* model, sl_error* error) {
    return barrier(error, [&] { checked(model, "model").model.take_indices_as_signed(); });
}

void sl_model_free(sl_model* model) { free_handle(model); }

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
    return get_value(model, bias, "bias", error, [](const Model& m) {
        m.require_one_score("sl_model_class_bias");
        return m.bias();
    });
}

sl_status sl_model_class_bias(const sl_model* model, size_t k, double* bias, sl_error* error) {
    return get_value(model, bias, "bias", error, [=](const Model& m) { return m.bias(k); });
}

sl_status sl_model_weight(const sl_model* model, uint32_t index, double* weight, sl_error* error) {
    return get_value(model, weight, "weight", error, [=](const Model& m) {
        m.require_one_score("sl_model_class_weight");
        return m.weight(index);
    });
}

sl_status sl_model_class_weight(const sl_model* model, size_t k, uint32_t index, double* weight, sl_error* error) {
    return get_value(model, weight, "weight", error, [=](const Model& m) { return m.weight(index, k); });
}

sl_status sl_model_nonzeros(const sl_model* model, uint32_t* indices, double* weights, size_t capacity, size_t* count, sl_error* error) {
    return barrier(error, [&] {
        const Model& m = checked(model, "model").model;
        m.require_one_score("sl_model_class_nonzeros");
        put_nonzeros(m, 0, indices, weights, capacity, count);
    });
}

sl_status sl_model_class_nonzeros(const sl_model* model, size_t k, uint32_t* indices, double* weights, size_t capacity, size_t* count,
                                  sl_error* error) {
    return barrier(error, [&] { put_nonzeros(checked(model, "model").model, k, indices, weights, capacity, count); });
}

sl_status sl_model_set_labels(sl_model* model, const double* labels, size_t count, sl_error* error) {
    return barrier(error, [&] {
        Model& m = checked(model, "model").model;
        if (count > 0) need(labels, "labels (with a count above 0)");
        need_countable(count, "count");
        m.set_labels(labels, count);
    });
}

sl_status sl_model_classes(const sl_model* model, size_t* count, sl_error* error) {
    return get_value(model, count, "count", error, [](const Model& m) { return m.scores(); });
}

sl_status sl_model_class_labels(const sl_model* model, double* labels, size_t capacity, size_t* count, sl_error* error) {
    return barrier(error, [&] { put_numbers(checked(model, "model").model.require_labels().all(), labels, capacity, count, "labels"); });
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
        put_bytes(model_to_bytes(m, number_of(keep)), bytes, capacity, length);
    });
}

sl_status sl_model_from_bytes(const void* bytes, size_t length, sl_model** model, sl_error* error) {
    return barrier(error, [&] {
        need(bytes, "bytes");
        need(model, "model");
        *model = new sl_model(model_from_bytes({static_cast<const char*>(bytes), length}));
    });
}

}  // extern "C"
