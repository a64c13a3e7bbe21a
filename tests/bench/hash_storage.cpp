// Hash storage: what 10 million distinct 32-bit features take, and what a step costs beside dense storage, which holds the same features
// under the numbers 0 to 10^7 - 1. And what default storage makes of a single huge index.
#include <algorithm>
#include <memory>

#include "bench.h"

namespace {

using bench::Law;
using bench::Model;
using bench::Rows;
using sparselin::RandomStream;

constexpr uint32_t kFeatures = 10000000;
constexpr size_t kLength = 80;

// The 32-bit feature of a number: a bijection (the finalizer of MurmurHash3), so that distinct numbers give distinct features.
uint32_t feature_of(uint32_t number) {
    number = (number ^ (number >> 16)) * 0x85ebca6b;
    number = (number ^ (number >> 13)) * 0xc2b2ae35;
    return number ^ (number >> 16);
}

// The rows with each number replaced by its feature.
Rows hashed(Rows rows) {
    for (size_t r = 0; r < rows.count; ++r) {
        const auto begin = rows.indices.begin() + static_cast<ptrdiff_t>(r * rows.length);
        std::transform(begin, begin + static_cast<ptrdiff_t>(rows.length), begin, feature_of);
        std::sort(begin, begin + static_cast<ptrdiff_t>(rows.length));
    }
    return rows;
}

// Must come first, as it reports the peak memory of the process.
void print_memory() {
    Model model({{"storage", "hash"}});
    const double before = bench::peak_megabytes();
    std::vector<uint32_t> row(kLength);
    std::printf("Hash storage while it fills, without what the process holds anyway\n%12s%18s%16s%18s\n", "features", "model, MB",
                "bytes each", "peak so far, MB");
    double least = 1e9, most = 0;
    uint32_t next = 1000;
    for (uint32_t stored = 0; stored < kFeatures; stored += kLength) {
        for (uint32_t j = 0; j < kLength; ++j) row[j] = feature_of(stored + j);
        std::sort(row.begin(), row.end());
        model.feed(row.data(), nullptr, kLength, stored % 3 ? 1 : -1);
        const uint32_t features = stored + kLength;
        const double bytes = static_cast<double>(model.memory()), each = bytes / features;
        if (features >= 10000) {
            least = std::min(least, each);
            most = std::max(most, each);
        }
        if (features < next) continue;
        std::printf("%12u%18.2f%16.1f%18.1f\n", features, bytes / 1e6, each, bench::peak_megabytes() - before);
        next = std::min(kFeatures, next < 1000000 ? next * 10 : next + 1500000);
    }
    std::printf("From 10,000 features on: %.1f to %.1f bytes each\n", least, most);
}

void print_huge_index() {
    Model model({});
    const uint32_t index = 4294967295;
    model.feed(&index, nullptr, 1, 1);
    std::printf("\nDefault storage after one example with index 4294967295: %.3f MB\n", static_cast<double>(model.memory()) / 1e6);
}

// Rows that name each of the numbers once, in random order.
Rows all_numbers() {
    Rows rows{kFeatures / kLength, kLength, {0}, {}, {}, {}};
    std::vector<uint64_t> order(kFeatures);
    for (uint64_t i = 0; i < kFeatures; ++i) order[i] = i;
    sparselin::shuffle(order.data(), kFeatures, RandomStream(3, 0));
    rows.indices.assign(order.begin(), order.end());
    rows.values.assign(kFeatures, 0.1);
    for (size_t r = 0; r < rows.count; ++r) {
        const auto begin = rows.indices.begin() + static_cast<ptrdiff_t>(r * kLength);
        std::sort(begin, begin + kLength);
        rows.pointers.push_back(static_cast<int64_t>((r + 1) * kLength));
        rows.labels.push_back(bench::label_of(&*begin, &rows.values[r * kLength], kLength));
    }
    return rows;
}

void print_times(size_t rounds) {
    const Rows filling = all_numbers(), filling_hashed = hashed(filling);
    std::unique_ptr<Model> dense, table;
    double fill_dense = 1e9, fill_table = 1e9;
    const auto fill = [&](std::unique_ptr<Model>& model, const char* storage, const Rows& rows, double& best) {
        model = std::make_unique<Model>(Model::Settings{{"storage", storage}});
        const double start = bench::seconds();
        bench::feed_csr(*model, rows, 0, rows.count);
        best = std::min(best, 1e9 * (bench::seconds() - start) / static_cast<double>(rows.nonzeros()));
    };
    for (size_t round = 0; round < std::min<size_t>(rounds, 4); ++round) {
        fill(dense, "dense", filling, fill_dense);
        fill(table, "hash", filling_hashed, fill_table);
    }
    std::printf("\nThe same rows of %zu nonzeros over %u features: ns a nonzero\n%-42s%10s%10s%10s\n", kLength, kFeatures, "", "dense",
                "hash", "ratio");
    const auto print = [](const char* name, double d, double h) { std::printf("%-42s%10.1f%10.1f%8.2f x\n", name, d, h, h / d); };
    print("empty at first, each feature once", fill_dense, fill_table);
    for (const Law law : {Law::uniform, Law::zipf}) {
        const Rows rows = bench::make_rows(10000, kLength, kFeatures, law, 2), rows_hashed = hashed(rows);
        const auto times = bench::best_of_rounds(rounds, rows,
                                                 {[&](size_t first, size_t count) { bench::feed_csr(*dense, rows, first, count); },
                                                  [&](size_t first, size_t count) { bench::feed_csr(*table, rows_hashed, first, count); }});
        print(law == Law::uniform ? "all stored, uniform" : "all stored, zipf", times[0], times[1]);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const size_t rounds = bench::rounds_from(argc, argv, 20);
    print_memory();
    print_huge_index();
    print_times(rounds);
}
