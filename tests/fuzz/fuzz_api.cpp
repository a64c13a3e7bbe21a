// A stream of random calls with random arguments. Every model has a twin that takes the same examples one by one, in a table instead of
// an array, and is saved and loaded now and then: the two stay the same to the bit. A call that fails, or that only looks, changes
// nothing.
#include "draws.h"

namespace {

using namespace fuzz;

struct Model {
    sl_model *model = nullptr, *twin = nullptr;
};

struct World {
    Model models[3];
    sl_dataset* data[2] = {};

    ~World() {
        for (const Model& m : models) {
            sl_model_free(m.model);
            sl_model_free(m.twin);
        }
        for (sl_dataset* d : data) sl_dataset_free(d);
    }
};

// What is saved, without the options, among which the storage is told, and without length and checksum.
std::string state_of(const sl_model* model) {
    const std::string bytes = bytes_of(model);
    size_t at = BODY_AT;
    const auto number = [&] {
        uint32_t value = 0;
        for (int i = 0; i < 4; ++i) value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes.at(at++))) << 8 * i;
        return value;
    };
    for (uint32_t options = number(); options > 0; --options) {
        at += number();
        at += number();
        ++at;
    }
    return bytes.substr(at, bytes.size() - CRC_SIZE - at);
}

void free_model(Model& m) {
    sl_model_free(m.model);
    sl_model_free(m.twin);
    m = Model();
}

void create(Model& m, Input& in) {
    sl_options* options = nullptr;
    sl_error error;
    CHECK(sl_options_create(&options, nullptr) == SL_OK);
    const Settings settings = draw_settings(in, options);
    sl_model *model = nullptr, *twin = nullptr;
    const sl_status status = told(sl_model_create(options, &model, &error), error);
    sl_options_free(options);
    CHECK_SAYING(status == SL_OK || (status == SL_ERROR_INVALID_OPTION && !model), "%s", error.message);
    if (status != SL_OK) return;
    CHECK(sl_options_create(&options, nullptr) == SL_OK);
    for (const auto& [name, value] : settings.pairs) CHECK(sl_options_set(options, name.c_str(), value.c_str(), nullptr) == SL_OK);
    CHECK(sl_options_set(options, "storage", "hash", nullptr) == SL_OK);
    CHECK_SAYING(sl_model_create(options, &twin, &error) == SL_OK, "%s", error.message);
    sl_options_free(options);
    free_model(m);
    m = {model, twin};
}

sl_status feed(sl_model* model, const Row& row, sl_error& error) {
    return sl_model_feed(model, row.indices.data(), row.value_data(), row.indices.size(), row.label, row.weight, &error);
}

// A call on many rows ended in `status` with `done` of them learned: the twin learns them one by one, and is stopped by the same row in the
// same way (unless it was for lack of memory).
void follow(Model& m, const std::vector<Row>& rows, size_t done, sl_status status, const sl_error& error) {
    told(status, error);
    CHECK_SAYING(done <= rows.size() && (status != SL_OK || done == rows.size()), "%zu of %zu", done, rows.size());
    sl_error twin_error;
    for (size_t r = 0; r < done; ++r) CHECK_SAYING(feed(m.twin, rows[r], twin_error) == SL_OK, "row %zu: %s", r, twin_error.message);
    if (status == SL_OK || status == SL_ERROR_OUT_OF_MEMORY) return;
    const sl_status again = feed(m.twin, rows[done], twin_error);
    CHECK_SAYING(again == status, "row %zu: %s, but alone %s", done, error.message, twin_error.message);
}

std::vector<Row> rows_of(const sl_dataset* data) {
    uint64_t count = 0;
    CHECK(sl_dataset_shape(data, &count, nullptr, nullptr, nullptr) == SL_OK);
    std::vector<Row> rows(count);
    for (uint64_t r = 0; r < count; ++r) {
        Row& row = rows[r];
        size_t length = 0;
        CHECK(sl_dataset_row(data, r, nullptr, nullptr, 0, &length, nullptr, nullptr, nullptr) == SL_OK);
        row.indices.resize(length);
        row.values.resize(length);
        CHECK(sl_dataset_row(data, r, row.indices.data(), row.values.data(), length, &length, &row.label, &row.weight, nullptr) == SL_OK);
    }
    return rows;
}

int cancel(const sl_progress* progress, void* user) {
    CHECK(progress->rows <= progress->rows_total);
    auto& left = *static_cast<size_t*>(user);
    return left > 0 && --left == 0;
}

void fit(Model& m, const sl_dataset* data, Input& in) {
    const std::string before = bytes_of(m.model);
    size_t calls = in.below(3), twin_calls = calls;
    sl_error error, twin_error;
    const sl_status status = told(sl_model_fit(m.model, data, cancel, &calls, &error), error);
    if (status == SL_ERROR_OUT_OF_MEMORY) {
        sl_model_free(m.twin);
        CHECK_SAYING(sl_model_clone(m.model, &m.twin, &error) == SL_OK, "%s", error.message);
        return;
    }
    if (status != SL_OK && status != SL_ERROR_CANCELLED && status != SL_ERROR_DIVERGED)
        CHECK_SAYING(bytes_of(m.model) == before, "%s", error.message);
    const sl_status again = sl_model_fit(m.twin, data, cancel, &twin_calls, &twin_error);
    CHECK_SAYING(again == status, "%s, and the twin %s", error.message, twin_error.message);
}

void predict(const Model& m, Input& in) {
    const Matrix matrix(in);
    const size_t rows = matrix.rows.size();
    size_t classes = 0;
    CHECK(sl_model_classes(m.model, &classes, nullptr) == SL_OK);
    const size_t total = rows * classes;
    std::vector<double> scores(total + 1, 77), alone(total + 1, 77), twin(total + 1, 77);
    sl_error error;
    const sl_status status = told(sl_model_scores_csr(m.model, rows, matrix.pointers.data(), matrix.indices.data(), matrix.values.data(),
                                                      scores.data(), total, &error),
                                  error);
    sl_status first = SL_OK;
    for (size_t r = 0; r < rows && first == SL_OK; ++r) {
        const Row& row = matrix.rows[r];
        first = sl_model_scores(m.model, row.indices.data(), row.value_data(), row.indices.size(), &alone[r * classes], classes, nullptr);
        if (first == SL_OK)
            CHECK(sl_model_scores(m.twin, row.indices.data(), row.value_data(), row.indices.size(), &twin[r * classes], classes, nullptr) ==
                  SL_OK);
        CHECK(std::memcmp(&alone[r * classes], &twin[r * classes], classes * sizeof(double)) == 0);
    }
    CHECK_SAYING(status == first, "%s", error.message);
    if (status != SL_OK) alone.assign(total + 1, 77);
    CHECK(std::memcmp(scores.data(), alone.data(), (total + 1) * sizeof(double)) == 0);
}

void look(const Model& m, const World& world, Input& in) {
    static const char* const kMetrics[] = {"loss", "objective", "error_rate", "auc", "log_loss", "brier", "calibration_error",
                                           "rmse", "mae",       "r2",         "f1",  "macro_f1", "mcc",   "average_precision",
                                           "",     "x"};
    sl_error error;
    size_t count = 0, classes = 0;
    CHECK(sl_model_classes(m.model, &classes, nullptr) == SL_OK);
    const size_t k = in.bits(2) % classes;
    CHECK(sl_model_class_nonzeros(m.model, k, nullptr, nullptr, 0, &count, nullptr) == SL_OK);
    std::vector<uint32_t> indices(count + 1);
    std::vector<double> weights(count + 1);
    CHECK(sl_model_class_nonzeros(m.model, k, indices.data(), weights.data(), count, &count, nullptr) == SL_OK);
    for (size_t i = 0; i < count; ++i) {
        double weight = 0;
        CHECK(i == 0 || indices[i - 1] < indices[i]);
        CHECK(sl_model_class_weight(m.twin, k, indices[i], &weight, nullptr) == SL_OK && weight == weights[i]);
        CHECK_SAYING(weight != 0 && weight - weight == 0, "index %u has the weight %g", indices[i], weight);
    }
    double a = 0, b = 0;
    const sl_dataset* data = world.data[in.below(2)];
    const char* metric = kMetrics[in.below(sizeof kMetrics / sizeof *kMetrics)];
    const sl_status status = sl_model_evaluate(m.model, data, metric, &a, &error);
    CHECK_SAYING(told(status, error) == sl_model_evaluate(m.twin, data, metric, &b, nullptr) && std::memcmp(&a, &b, sizeof a) == 0, "%s",
                 metric);
    told(sl_model_probability(m.model, draw_value(in), &a, &error), error);
    told(sl_model_label(m.model, draw_value(in), &a, &error), error);
    told(sl_model_labels(m.model, &a, &b, &error), error);
    told(sl_model_mean_loss(m.model, &a, &error), error);
    uint64_t memory = 0;
    CHECK(sl_model_memory(m.model, &memory, nullptr) == SL_OK && memory > 0);
}

// Handles that are missing or of another kind, pointers that do not ascend, numbers that are none.
void misuse(const World& world, Input& in) {
    sl_model* model = world.models[in.below(3)].model;
    sl_dataset* data = world.data[in.below(2)];
    sl_error error;
    const auto refused = [&](sl_status status) { CHECK_SAYING(told(status, error) == SL_ERROR_INVALID_ARGUMENT, "%s", error.message); };
    static const int64_t kPointers[] = {0, 2, 1};
    static const uint32_t kIndices[] = {1, 2};
    static const double kNumbers[] = {1, 1};
    double number = 0;
    size_t size = 0;
    sl_model* made = nullptr;
    sl_dataset* made_data = nullptr;
    refused(sl_model_feed(nullptr, kIndices, nullptr, 2, 1, 1, &error));
    refused(sl_model_predict(reinterpret_cast<sl_model*>(data), kIndices, nullptr, 2, &number, &error));
    refused(sl_dataset_shape(reinterpret_cast<sl_dataset*>(model), nullptr, nullptr, nullptr, &error));
    refused(sl_model_fit(model, nullptr, nullptr, nullptr, &error));
    refused(sl_model_from_bytes(nullptr, 5, &made, &error));
    refused(sl_dataset_from_csr(2, kPointers, kIndices, kNumbers, kNumbers, nullptr, &made_data, &error));
    refused(sl_dataset_from_csc(2, 2, kPointers, kIndices, kNumbers, kNumbers, nullptr, &made_data, &error));
    if (!model) return;
    const std::string before = bytes_of(model);
    const sl_keep keep = static_cast<sl_keep>(in.byte());
    const sl_status status = told(sl_model_to_bytes(model, keep, nullptr, 0, &size, &error), error);
    CHECK(status == SL_OK || status == SL_ERROR_STATE || status == SL_ERROR_INVALID_ARGUMENT);
    refused(sl_model_feed(model, nullptr, nullptr, 2, 1, 1, &error));
    refused(sl_model_feed_csr(model, 2, kPointers + 1, kIndices, kNumbers, kNumbers, nullptr, &size, &error));
    std::vector<double> scores(65536);
    refused(sl_model_scores(model, kIndices, nullptr, SIZE_MAX - in.below(200), scores.data(), scores.size(), &error));
    CHECK(size == 0 && !made && !made_data && bytes_of(model) == before);
}

void feed_rows(Model& m, const World& world, Input& in) {
    sl_error error;
    const size_t how = in.below(4);
    if (how < 2) {
        const Row row = draw_row(in);
        const std::string before = bytes_of(m.model);
        const sl_status status = feed(m.model, row, error);
        if (status != SL_OK) CHECK_SAYING(bytes_of(m.model) == before, "%s", error.message);
        follow(m, {row}, status == SL_OK, status, error);
        return;
    }
    size_t done = 77;
    if (how == 2) {
        const Matrix matrix(in);
        const sl_status status = sl_model_feed_csr(m.model, matrix.rows.size(), matrix.pointers.data(), matrix.indices.data(),
                                                   matrix.values.data(), matrix.labels.data(), matrix.weights.data(), &done, &error);
        follow(m, matrix.rows, done, status, error);
    } else if (const sl_dataset* data = world.data[in.below(2)]) {
        const sl_status status = sl_model_feed_dataset(m.model, data, &done, &error);
        follow(m, rows_of(data), done, status, error);
    }
}

void observe(Model& m, Input& in) {
    const Row row = draw_row(in);
    const std::string before = bytes_of(m.model);
    sl_error error;
    const auto call = [&](sl_model* model) {
        return sl_model_observe(model, row.indices.data(), row.value_data(), row.indices.size(), row.weight, &error);
    };
    const sl_status status = told(call(m.model), error);
    if (status != SL_OK) CHECK_SAYING(bytes_of(m.model) == before, "%s", error.message);
    if (status != SL_ERROR_OUT_OF_MEMORY) CHECK_SAYING(call(m.twin) == status, "%s", error.message);
}

void make_data(sl_dataset*& data, Input& in) {
    const Matrix matrix(in);
    sl_dataset *made = nullptr, *columns = nullptr;
    sl_error error;
    const sl_status status = told(sl_dataset_from_csr(matrix.rows.size(), matrix.pointers.data(), matrix.indices.data(),
                                                      matrix.values.data(), matrix.labels.data(), matrix.weights.data(), &made, &error),
                                  error);
    CHECK_SAYING(status == SL_OK || (status == SL_ERROR_INVALID_DATA && !made), "%s", error.message);
    // The same arrays are the columns of a matrix, too, if the indices are low enough.
    const sl_status other = told(sl_dataset_from_csc(8, matrix.rows.size(), matrix.pointers.data(), matrix.indices.data(),
                                                     matrix.values.data(), std::vector<double>(8, 1.0).data(), nullptr, &columns, &error),
                                 error);
    CHECK_SAYING(other == SL_OK || (other == SL_ERROR_INVALID_DATA && !columns), "%s", error.message);
    sl_dataset*& kept = in.below(2) && columns ? columns : made;
    if (!kept) return sl_dataset_free(columns);
    sl_dataset_free(data);
    data = kept;
    kept = nullptr;
    sl_dataset_free(made);
    sl_dataset_free(columns);
}

void keep(Model& m, World& world, Input& in) {
    sl_error error;
    sl_model*& changed = in.below(2) ? m.model : m.twin;
    sl_model* copy = nullptr;
    switch (in.below(4)) {
        case 0:
            CHECK_SAYING(sl_model_clone(changed, &copy, &error) == SL_OK, "%s", error.message);
            sl_model_free(changed);
            changed = copy;
            break;
        case 1:
            copy = model_of(bytes_of(changed));
            sl_model_free(changed);
            changed = copy;
            break;
        case 2: {
            Model& other = world.models[in.below(3)];
            const Model made = {model_of(bytes_of(m.model, SL_KEEP_PREDICTOR)), model_of(bytes_of(m.twin, SL_KEEP_PREDICTOR))};
            free_model(other);
            other = made;
            break;
        }
        case 3: {
            const std::string before = bytes_of(changed);
            const sl_status status = told(sl_model_finalize(changed, &error), error);
            CHECK_SAYING(status == SL_OK && bytes_of(changed) == before, "%s", error.message);
            break;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    Input in(bytes, size);
    World world;
    create(world.models[0], in);
    for (int calls = 0; in.left() && calls < 100; ++calls) {
        const size_t which = in.below(16);
        Model& m = world.models[which % 4 % 3];
        const size_t what = in.below(16);
        if (what == 0) create(m, in);
        if (what == 1) make_data(world.data[which % 2], in);
        if (what == 2) misuse(world, in);
        if (!m.model) continue;
        const std::string before = what >= 12 ? bytes_of(m.model) : "";
        if (what >= 3 && what < 8) feed_rows(m, world, in);
        if (what == 8) observe(m, in);
        if (what == 9 && world.data[which % 2]) fit(m, world.data[which % 2], in);
        if (what >= 10 && what < 12) keep(m, world, in);
        if (what >= 12 && what < 14) predict(m, in);
        if (what >= 14) look(m, world, in);
        if (what >= 12) CHECK_SAYING(bytes_of(m.model) == before, "looking has changed the model");
        if (m.model) CHECK_SAYING(state_of(m.model) == state_of(m.twin), "the twins differ after call %d, kind %zu", calls, what);
    }
    return 0;
}
