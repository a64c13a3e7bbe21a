// Prediction beside bare products, and what rows and models hold of memory.
#include <algorithm>

#include "bars.h"
#include "floors.h"
#include "programs.h"

namespace bench {
namespace {

void predicting(Table& table, const std::string& name, const Matrix& matrix) {
    const Data data(matrix);
    const Learner learner({{"scale", "none"}, {"storage", "dense"}}), hashed({{"scale", "none"}, {"storage", "hash"}});
    learner.fit(data);
    hashed.fit(data);
    sl_error error;
    check(sl_model_finalize(hashed.handle, &error), error);
    const Peak peak;
    check(sl_model_finalize(learner.handle, &error), error);
    const double megabytes = peak.megabytes();
    const std::vector<double> values(matrix.values.begin(), matrix.values.end());
    std::vector<double> scores(matrix.rows()), weights(matrix.features);
    for (uint32_t i = 0; i < matrix.features; ++i) check(sl_model_weight(learner.handle, i, &weights[i], &error), error);
    std::vector<std::function<void()>> passes = {
        [&] {
            check(sl_model_predict_csr(learner.handle, matrix.rows(), matrix.pointers.data(), matrix.indices.data(), values.data(),
                                       scores.data(), &error),
                  error);
        },
        [&] { check(sl_model_predict_dataset(learner.handle, data.handle, scores.data(), scores.size(), &error), error); },
        [&] { check(sl_model_predict_dataset(hashed.handle, data.handle, scores.data(), scores.size(), &error), error); },
    };
    for (const DotFloor& floor : dot_floors())  // each with weights of its own, so that none finds them in the cache that another has left
        passes.push_back([&, floor, own = weights] { floor.pass(matrix, values.data(), own.data(), scores.data()); });
    const std::vector<double> times = table.race(matrix.nonzeros(), passes);
    const double floor = *std::min_element(times.begin() + 3, times.end());
    table.add(name + ", predict_csr, finalized, beside bare products", times[0], floor, 1.1, megabytes);
    table.add(name + ", predict_dataset, finalized", times[1], floor, 0);
    table.add(name + ", predict_dataset, finalized, hash storage", times[2], floor, 0);
    const auto in_threads = [&](uint32_t threads, auto call) {
        return [&, threads, call] {
            check(sl_model_set_threads(learner.handle, threads, &error), error);
            call();
        };
    };
    const auto evaluate = [&] {
        double loss;
        check(sl_model_evaluate(learner.handle, data.handle, "log_loss", &loss, &error), error);
    };
    const std::vector<double> walls = race_by_the_wall(table, matrix.nonzeros(),
                                                       {in_threads(1, passes[0]), in_threads(2, passes[0]), in_threads(1, passes[1]),
                                                        in_threads(2, passes[1]), in_threads(1, evaluate), in_threads(2, evaluate)});
    const char* const calls[] = {"predict_csr", "predict_dataset", "evaluate"};
    for (size_t k = 0; k < 3; ++k)
        table.add(name + ", " + calls[k] + ", two threads beside one, by the wall", walls[2 * k + 1], walls[2 * k], 1 / 1.85);
}

uint64_t memory_of(const Learner& learner) {
    sl_error error;
    uint64_t bytes;
    check(sl_model_memory(learner.handle, &bytes, &error), error);
    return bytes;
}

// Bytes where other lines have nanoseconds. all_ones: the values are, else they are floats.
void holding(Table& table, const std::string& name, const Matrix& matrix, bool all_ones) {
    const std::vector<double> values(matrix.values.begin(), matrix.values.end());
    sl_error error;
    sl_dataset* data = nullptr;
    const Peak peak;
    check(sl_dataset_from_csr(matrix.rows(), matrix.pointers.data(), matrix.indices.data(), values.data(), matrix.labels.data(), nullptr,
                              &data, &error),
          error);
    table.add(name + ", rows as they are made: bytes a nonzero", 1e6 * peak.megabytes() / static_cast<double>(matrix.nonzeros()),
              (all_ones ? 4 : 8) + 24 * static_cast<double>(matrix.rows()) / static_cast<double>(matrix.nonzeros()), 1.05);
    const Learner learner({{"scale", "none"}, {"storage", "dense"}});
    check(sl_model_fit(learner.handle, data, nullptr, nullptr, &error), error);
    sl_dataset_free(data);
    const auto features = static_cast<double>(matrix.features);
    const auto training = static_cast<double>(memory_of(learner));
    table.add(name + ", model: bytes a feature", training / features, 16, 1.05);
    check(sl_model_finalize(learner.handle, &error), error);
    table.add(name + ", predictor on top: bytes a feature", (static_cast<double>(memory_of(learner)) - training) / features, 8, 1.05);
}

}  // namespace

void prediction_bars(Table& table) {
    table.heading("Prediction");
    predicting(table, "r100", words(table.rows(100000), 47236, 75.7, 1));
    predicting(table, "m200", words(table.rows(200000), 260941, 88.5, 4));
    table.heading("Memory: bytes, where it says ns/nz");
    holding(table, "m200", words(table.rows(200000), 260941, 88.5, 4), false);
    holding(table, "a24", ads(table.rows(1000000), 24, 3), true);
}

}  // namespace bench
