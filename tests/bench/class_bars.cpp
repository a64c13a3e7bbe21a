// Several classes: a pass and a prediction beside bare loops over the same blocks of numbers, and beside as many passes of two labels.
#include <cmath>
#include <cstdlib>

#include "bars.h"
#include "floors.h"

namespace bench {
namespace {

struct Kind {
    const char* name;
    Classes floor;
    Settings settings;
};
const Kind kKinds[] = {{"softmax", Classes::softmax, {}}, {"one_vs_rest, hinge", Classes::one_vs_rest_hinge, {{"loss", "hinge"}}}};

// The floor has to have learned what the library has, or it is none.
void check_same(ClassAsgd& floor, const Learner& learner) {
    for (size_t k : {size_t{0}, floor.classes - 1})
        for (uint32_t index : {floor.matrix.indices.front(), floor.matrix.indices.back()}) {
            double weight;
            sl_error error;
            check(sl_model_class_weight(learner.handle, k, index, &weight, &error), error);
            if (std::fabs(weight - floor.average(index, k)) <= 1e-6 * std::fabs(weight)) continue;
            std::fprintf(stderr, "class %zu, feature %u: the library's average is %.12g, the floor's %.12g\n", k, index, weight,
                         floor.average(index, k));
            std::exit(1);
        }
}

Settings hashed(Settings settings) {
    settings.emplace_back("storage", "hash");
    return settings;
}

double bytes_a_feature(const Learner& learner, const Matrix& matrix) {
    uint64_t bytes;
    sl_error error;
    check(sl_model_memory(learner.handle, &bytes, &error), error);
    return static_cast<double>(bytes) / static_cast<double>(matrix.distinct());
}

void classes(Table& table, size_t count, double of_two_labels) {
    const Matrix matrix = classified_words(table.rows(20000), 47236, 75.7, count, 1);
    const std::string title = std::to_string(count) + " classes";
    table.heading(title + ": " + std::to_string(matrix.rows()) + " documents of 47,236 features");
    const Data data(matrix);
    Matrix pair = matrix;
    for (double& label : pair.labels) label = label == 0 ? 1 : -1;
    const Data two_labels(pair);
    sl_error error;
    for (const Kind& kind : kKinds) {
        const Settings loss = kind.floor == Classes::one_vs_rest_hinge ? Settings{{"loss", "hinge"}} : Settings{};
        const Learner dense(with(matrix, kind.settings)), hash(with(matrix, hashed(kind.settings))), two_dense(with(matrix, loss));
        ClassAsgd floor(matrix, count, false), hash_floor(matrix, count, true);
        dense.fit(data);
        hash.fit(data);
        class_pass(floor, kind.floor);
        check_same(floor, dense);
        class_pass(hash_floor, kind.floor);
        check_same(hash_floor, hash);
        const std::vector<double> times =
            table.race(matrix.nonzeros(), {[&] { class_pass(floor, kind.floor); }, [&] { dense.fit(data); }, [&] { hash.fit(data); },
                                           [&] { two_dense.fit(two_labels); }, [&] { class_pass(hash_floor, kind.floor); }});
        const std::string name = title + ", " + kind.name;
        const auto passes = static_cast<double>(count);
        table.add(name + ", dense, beside bare arrays", times[1], times[0], 1.25);
        table.add(name + ", hash, beside a bare hash table", times[2], times[4], 1.25);
        table.add(name + ", dense, beside as many passes of two labels", times[1], passes * times[3], of_two_labels);
        if (kind.floor != Classes::softmax) continue;
        table.add(name + ", dense: bytes a feature", bytes_a_feature(dense, matrix), 16 * passes + 8, 1.05);
        table.add(name + ", hash: bytes a feature", bytes_a_feature(hash, matrix), 16 * passes + 8, 1.05);
        std::vector<double> scores(matrix.rows() * count), weights(matrix.features * count),
            hashed_weights(hash_floor.places.size() * count);
        std::vector<double> ones(matrix.rows());
        for (const Learner* one : {&dense, &hash, &two_dense}) check(sl_model_finalize(one->handle, &error), error);
        for (uint32_t i : matrix.indices)
            for (size_t k = 0; weights[i * count] == 0 && k < count; ++k)
                check(sl_model_class_weight(dense.handle, k, i, &weights[i * count + k], &error), error);
        for (uint32_t i : matrix.indices) std::copy_n(&weights[i * count], count, &hashed_weights[hash_floor.places[i] * count]);
        const auto predict = [&](const Learner& learner) {
            return [&] { check(sl_model_scores_dataset(learner.handle, data.handle, scores.data(), scores.size(), &error), error); };
        };
        const auto predict_one = [&](const Learner& learner) {
            return [&] { check(sl_model_predict_dataset(learner.handle, two_labels.handle, ones.data(), ones.size(), &error), error); };
        };
        const std::vector<double> predicted = table.race(
            matrix.nonzeros(),
            {[&] { class_products(matrix, floor.places, count, weights.data(), scores.data()); }, predict(dense), predict(hash),
             predict_one(two_dense), [&] { class_products(matrix, hash_floor.places, count, hashed_weights.data(), scores.data()); }});
        table.add(title + ", prediction, dense, beside bare arrays", predicted[1], predicted[0], 1.25);
        table.add(title + ", prediction, hash, beside a bare hash table", predicted[2], predicted[4], 1.25);
        table.add(title + ", prediction, dense, beside as many of two labels", predicted[1], passes * predicted[3], of_two_labels);
    }
}

}  // namespace

void class_bars(Table& table) {
    classes(table, 20, 0.5);
    classes(table, 51, 0.35);
}

}  // namespace bench
