#include "bench.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {

using sparselin::RandomStream;

double label_of(const uint32_t* indices, const double* values, size_t count) {
    const RandomStream rule(1, 0), noise(2, 0);
    const auto number = [](uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-52 - 1; };  // in [-1, 1)
    double score = 0;
    for (size_t j = 0; j < count; ++j) score += number(rule.draw(indices[j])) * values[j];
    return score + 0.3 * number(noise.draw(indices[0] * uint64_t{31} + indices[count - 1])) > 0 ? 1 : -1;
}

Rows make_rows(size_t count, size_t length, uint64_t features, Law law, uint64_t seed) {
    Rows rows{count, length, {0}, {}, {}, {}};
    const RandomStream random(seed, 0);
    uint64_t draws = 0;
    const auto unit = [&] { return static_cast<double>(random.draw(draws++) >> 11) * 0x1p-53; };
    const double n = static_cast<double>(features);
    const auto draw = [&] {
        if (law == Law::uniform) return static_cast<uint32_t>(unit() * n);
        const auto rank = static_cast<uint64_t>(std::exp(unit() * std::log(n + 1))) - 1;
        return static_cast<uint32_t>(std::min(rank, features - 1) * 2654435761u % features);  // a prime: no two ranks meet
    };
    std::vector<uint32_t> row;
    for (size_t r = 0; r < count; ++r) {
        row.clear();
        while (row.size() < length) {
            while (row.size() < length) row.push_back(draw());
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
        }
        rows.indices.insert(rows.indices.end(), row.begin(), row.end());
        for (size_t j = 0; j < length; ++j) rows.values.push_back((0.5 + unit()) / std::sqrt(static_cast<double>(length)));
        rows.pointers.push_back(static_cast<int64_t>(rows.indices.size()));
        rows.labels.push_back(label_of(row.data(), &rows.values[r * length], length));
    }
    return rows;
}

void gather_scatter(const Rows& rows, size_t first, size_t count, Entry* entries) {
    for (size_t r = first; r < first + count; ++r) {
        const uint32_t* indices = &rows.indices[r * rows.length];
        const double* values = &rows.values[r * rows.length];
        double lane0 = 0, lane1 = 0, lane2 = 0, lane3 = 0;
        size_t j = 0;
        for (; j + 4 <= rows.length; j += 4) {
            lane0 += entries[indices[j]].w * values[j];
            lane1 += entries[indices[j + 1]].w * values[j + 1];
            lane2 += entries[indices[j + 2]].w * values[j + 2];
            lane3 += entries[indices[j + 3]].w * values[j + 3];
        }
        for (; j < rows.length; ++j) lane0 += entries[indices[j]].w * values[j];
        const double dot = (lane0 + lane1) + (lane2 + lane3), change = 1e-6 * (rows.labels[r] - dot);
        for (j = 0; j < rows.length; ++j) {
            Entry& entry = entries[indices[j]];
            const double move = change * values[j];
            entry.w += move;
            entry.a -= 0.5 * move;
        }
    }
}

void feed(Model& model, const Rows& rows, size_t first, size_t count) {
    for (size_t r = first; r < first + count; ++r) {
        const size_t begin = r * rows.length;
        model.feed(&rows.indices[begin], &rows.values[begin], rows.length, rows.labels[r]);
    }
}

void feed_csr(Model& model, const Rows& rows, size_t first, size_t count) {
    sl_error error;
    const sl_status status = sl_model_feed_csr(model.get(), count, &rows.pointers[first], rows.indices.data(), rows.values.data(),
                                               &rows.labels[first], nullptr, nullptr, &error);
    check(status, error);
}

std::vector<double> best_of_rounds(size_t rounds, const Rows& rows, const std::vector<Candidate>& candidates) {
    constexpr size_t kPiece = 500;
    std::vector<std::vector<double>> best(candidates.size());
    for (const Candidate& candidate : candidates) candidate(0, rows.count);
    for (size_t round = 0; round < rounds; ++round)
        for (size_t c = 0; c < candidates.size(); ++c)
            for (size_t first = 0, piece = 0; first < rows.count; first += kPiece, ++piece) {
                const double start = seconds();
                candidates[c](first, std::min(kPiece, rows.count - first));
                const double time = seconds() - start;
                if (round == 0)
                    best[c].push_back(time);
                else
                    best[c][piece] = std::min(best[c][piece], time);
            }
    std::vector<double> nanoseconds;
    for (const auto& pieces : best)
        nanoseconds.push_back(1e9 * std::accumulate(pieces.begin(), pieces.end(), 0.0) / static_cast<double>(rows.nonzeros()));
    return nanoseconds;
}

size_t rounds_from(int argc, char** argv, size_t standard) {
    const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : static_cast<long>(standard);
    if (argc <= 2 && rounds > 0) return static_cast<size_t>(rounds);
    std::fprintf(stderr, "usage: %s [ROUNDS]\n", argv[0]);
    std::exit(2);
}

}  // namespace bench
