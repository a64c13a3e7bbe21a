// Bytes of a model, as they come and with a checksum that fits: refused, or a model that saves to what loads to the same again, and that
// an application may use. A call that fails leaves it as it was.
#include "fuzz.h"

namespace {

using namespace fuzz;

void check_round_trip(const sl_model* model, sl_keep keep) {
    const std::string bytes = bytes_of(model, keep);
    sl_model* again = model_of(bytes);
    CHECK(bytes_of(again, keep) == bytes);
    sl_model_free(again);
}

void check_unchanged(const sl_model* model, sl_status status, const std::string& before, const sl_error& error) {
    told(status, error);
    if (status != SL_OK) CHECK_SAYING(bytes_of(model) == before, "%s", error.message);
}

// Whether it can be saved, which training on from a made-up file may have put an end to. What is saved can be loaded.
bool saves(const sl_model* model) {
    size_t size = 0;
    sl_error error;
    const sl_keep keep = can_train(model) ? SL_KEEP_EVERYTHING : SL_KEEP_PREDICTOR;
    const sl_status status = told(sl_model_to_bytes(model, keep, nullptr, 0, &size, &error), error);
    CHECK_SAYING(status == SL_OK || status == SL_ERROR_DIVERGED, "%s", error.message);
    if (status != SL_OK) return false;
    check_round_trip(model, keep);
    check_round_trip(model, SL_KEEP_PREDICTOR);
    return true;
}

void use(sl_model* model) {
    static const uint32_t near[] = {0, 1, 2, 5, 9}, far[] = {3, 4000000000u};
    static const double values[] = {1, -2, 1e-3, 3, 1e10};
    sl_error error;
    for (int round = 0; round < 3; ++round) {
        const std::string before = bytes_of(model);
        double score = 0, value = 0;
        told(sl_model_predict(model, near, values, 5, &score, &error), error);
        told(sl_model_predict(model, far, nullptr, 2, &score, &error), error);
        (void)sl_model_probability(model, score, &value, nullptr);
        (void)sl_model_label(model, score, &value, nullptr);
        (void)sl_model_mean_loss(model, &value, nullptr);
        size_t count = 0, classes = 0;
        CHECK_SAYING(sl_model_classes(model, &classes, &error) == SL_OK, "%s", error.message);
        std::vector<double> scores(classes);
        told(sl_model_scores(model, near, values, 5, scores.data(), classes, &error), error);
        (void)sl_model_probabilities(model, scores.data(), 1, scores.data(), nullptr);
        (void)sl_model_predicted_labels(model, scores.data(), 1, &value, nullptr);
        CHECK_SAYING(sl_model_class_nonzeros(model, classes - 1, nullptr, nullptr, 0, &count, &error) == SL_OK, "%s", error.message);
        CHECK_SAYING(bytes_of(model) == before, "looking has changed the model");
        const sl_status status = sl_model_feed(model, near, values, 5, round ? 1 : -1, 1, &error);
        if (!saves(model)) return;
        check_unchanged(model, status, before, error);
    }
    std::string before = bytes_of(model);
    const sl_status status = sl_model_feed(model, far, nullptr, 2, 1, 1, &error);
    if (!saves(model)) return;
    check_unchanged(model, status, before, error);
    before = bytes_of(model);
    check_unchanged(model, sl_model_observe(model, near, values, 5, 1, &error), before, error);
    const std::string learned = bytes_of(model);
    CHECK_SAYING(sl_model_finalize(model, &error) == SL_OK, "%s", error.message);
    CHECK_SAYING(bytes_of(model) == learned, "laying out for prediction has changed the model");
    sl_model* copy = nullptr;
    CHECK_SAYING(sl_model_clone(model, &copy, &error) == SL_OK, "%s", error.message);
    CHECK(bytes_of(copy) == learned);
    sl_model_free(copy);
}

void load(const std::string& bytes) {
    sl_model* model = nullptr;
    sl_error error;
    const sl_status status = told(sl_model_from_bytes(bytes.data(), bytes.size(), &model, &error), error);
    if (status != SL_OK) {
        CHECK_SAYING(status == SL_ERROR_FORMAT || status == SL_ERROR_VERSION, "%s", error.message);
        CHECK(!model);
        return;
    }
    if (can_train(model)) check_round_trip(model, SL_KEEP_EVERYTHING);
    check_round_trip(model, SL_KEEP_PREDICTOR);
    use(model);
    sl_model_free(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    load(bytes);
    if (size >= BODY_AT + CRC_SIZE) {
        seal_bytes(reinterpret_cast<unsigned char*>(bytes.data()), size);
        load(bytes);
    }
    return 0;
}
