#include "matrices.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "draws.h"

namespace bench {
namespace {

// A number in [-1, 1) that belongs to `key` for good.
double number_of(uint64_t key) { return static_cast<double>(sparselin::mix64(key * 0x9e3779b97f4a7c15u + 1) >> 11) * 0x1p-52 - 1; }

// x in [0, end) with density (x + shift)^-exponent.
double power_law(double unit, double end, double shift, double exponent) {
    const double e = 1 - exponent, low = std::pow(shift, e), high = std::pow(end + shift, e);
    return std::pow(low + unit * (high - low), 1 / e) - shift;
}

std::vector<uint32_t> permutation(uint32_t n, uint64_t seed) {
    std::vector<uint64_t> order(n);
    for (uint32_t i = 0; i < n; ++i) order[i] = i;
    sparselin::shuffle(order.data(), n, sparselin::RandomStream(seed, 0));
    return {order.begin(), order.end()};
}

template <class Feature, class Value>
Matrix drawn(size_t rows, uint64_t features, double length, uint64_t seed, Feature feature, Value value) {
    Draws draws(seed);
    Matrix matrix;
    matrix.features = features;
    std::vector<uint32_t> row;
    for (size_t r = 0; r < rows; ++r) {
        const double many = static_cast<double>(r);
        const auto wanted = static_cast<size_t>(std::floor((many + 1) * length) - std::floor(many * length));
        row.clear();
        while (row.size() < wanted) {
            while (row.size() < wanted) row.push_back(static_cast<uint32_t>(feature(draws)));
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
        }
        double score = 0;
        for (const uint32_t index : row) {
            matrix.indices.push_back(index);
            matrix.values.push_back(static_cast<float>(value(draws)));
            score += number_of(index) * static_cast<double>(matrix.values.back());
        }
        matrix.pointers.push_back(static_cast<int64_t>(matrix.indices.size()));
        matrix.labels.push_back(score > 0 ? 1 : -1);
    }
    return matrix;
}

}  // namespace

size_t Matrix::distinct() const {
    std::vector<bool> seen(static_cast<size_t>(features));
    for (const uint32_t index : indices) seen[index] = true;
    return static_cast<size_t>(std::count(seen.begin(), seen.end(), true));
}

namespace {

// label(draws, topic, score) is the label of a row, the score being a hidden linear rule's.
template <class Label>
Matrix make_words(size_t rows, uint32_t features, double length, uint64_t seed, Label label) {
    constexpr double kSpread = 0.68, kTopical = 0.3, kShift = 200, kExponent = 2, kTopicShift = 50;
    constexpr uint64_t kTopics = 60, kTopicWords = 2000;
    Draws draws(seed);
    const std::vector<uint32_t> names = permutation(features, seed + 1);
    Matrix matrix;
    matrix.features = features;
    std::vector<uint32_t> tokens;
    std::vector<std::pair<uint32_t, double>> row;
    for (size_t r = 0; r < rows; ++r) {
        const double log_length = std::log(length) - kSpread * kSpread / 2 + kSpread * draws.normal();
        const auto wanted = static_cast<size_t>(std::clamp(1.2 * std::exp(log_length), 2.0, 900.0));  // a sixth are repetitions
        const uint64_t topic = draws.below(kTopics);
        tokens.clear();
        while (tokens.size() < wanted) {
            double rank;
            if (draws.unit() < kTopical) {
                const double place = std::floor(power_law(draws.unit(), kTopicWords, 5, 1.001));
                const double where = (number_of(topic * kTopicWords + static_cast<uint64_t>(place)) + 1) / 2;
                rank = kTopicShift * (std::exp(where * std::log((features + kTopicShift) / kTopicShift)) - 1);
            } else {
                rank = power_law(draws.unit(), features, kShift, kExponent);
            }
            tokens.push_back(static_cast<uint32_t>(std::min(rank, features - 1.0)));
        }
        std::sort(tokens.begin(), tokens.end());
        row.clear();
        double squares = 0, score = 0;
        for (size_t i = 0; i < tokens.size();) {
            size_t end = i;
            while (end < tokens.size() && tokens[end] == tokens[i]) ++end;
            const double rarity = std::log((features + kShift) / (features / (tokens[i] + kShift) + kShift)) + 0.5;
            const double value = (1 + std::log(static_cast<double>(end - i))) * rarity;
            squares += value * value;
            score += number_of(uint64_t{tokens[i]} << 20) * value + 0.5 * value * number_of(topic << 50);
            row.emplace_back(names[tokens[i]], value);
            i = end;
        }
        std::sort(row.begin(), row.end());
        for (const auto& [index, value] : row) {
            matrix.indices.push_back(index);
            matrix.values.push_back(static_cast<float>(value / std::sqrt(squares)));
        }
        matrix.pointers.push_back(static_cast<int64_t>(matrix.indices.size()));
        matrix.labels.push_back(label(draws, topic, score / std::sqrt(squares)));
    }
    return matrix;
}

}  // namespace

Matrix words(size_t rows, uint32_t features, double length, uint64_t seed) {
    return make_words(rows, features, length, seed,
                      [](Draws& draws, uint64_t, double score) { return score + 0.1 * draws.normal() > 0 ? 1.0 : -1.0; });
}

Matrix classified_words(size_t rows, uint32_t features, double length, size_t classes, uint64_t seed) {
    return make_words(rows, features, length, seed, [classes](Draws& draws, uint64_t topic, double) {
        return static_cast<double>((draws.unit() < 0.1 ? draws.below(classes) : topic) % classes);
    });
}

Matrix ads(size_t rows, unsigned bits, uint64_t seed) {
    constexpr uint64_t kFields = 40;
    Draws draws(seed);
    const auto share = [&](uint64_t key) { return (number_of(seed * 1000 + key) + 1) / 2; };
    double sizes[kFields], exponents[kFields];
    for (uint64_t f = 0; f < kFields; ++f) {
        sizes[f] = 10 * std::exp(share(f) * std::log(2e6));
        exponents[f] = 0.8501 + 0.5 * share(100 + f);
    }
    Matrix matrix;
    matrix.features = uint64_t{1} << bits;
    matrix.eta0 = 0.05;
    matrix.indices.reserve(rows * kFields);
    std::vector<uint32_t> row;
    for (size_t r = 0; r < rows; ++r) {
        row.clear();
        double score = -3;
        for (uint64_t f = 0; f < kFields; ++f) {
            const auto value = static_cast<uint64_t>(power_law(draws.unit(), sizes[f], 1, exponents[f]));
            const uint64_t hash = sparselin::mix64(f << 40 ^ value * 0x9e3779b97f4a7c15u ^ seed);
            score += 0.6 * number_of(hash);
            row.push_back(static_cast<uint32_t>(hash & (matrix.features - 1)));
        }
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        matrix.indices.insert(matrix.indices.end(), row.begin(), row.end());
        matrix.pointers.push_back(static_cast<int64_t>(matrix.indices.size()));
        matrix.labels.push_back(draws.unit() < 1 / (1 + std::exp(-score)) ? 1 : -1);
    }
    matrix.values.assign(matrix.indices.size(), 1.0f);
    return matrix;
}

Matrix uniform(size_t rows, uint64_t features, double length, uint64_t seed) {
    const double norm = std::sqrt(length);
    return drawn(
        rows, features, length, seed, [&](Draws& draws) { return draws.below(features); },
        [&](Draws& draws) { return (0.5 + draws.unit()) / norm; });
}

Matrix bags(size_t rows, uint64_t features, double length, uint64_t seed) {
    Matrix matrix = drawn(
        rows, features, length, seed,
        [&](Draws& draws) {
            const double rank = power_law(draws.unit(), static_cast<double>(features), 10, 1 + 1e-9);
            return std::min(static_cast<uint64_t>(rank), features - 1) * 2654435761u % features;  // a prime: no two ranks meet
        },
        [](Draws&) { return 1.0; });
    matrix.eta0 = 0.05;
    return matrix;
}

}  // namespace bench
