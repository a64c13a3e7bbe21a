// The orders of fit, golden: computed by another program from the definition in random.h, the same on every platform for good.
#include <sparselin.h>

#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "random.h"

namespace {

using sparselin::RandomStream;

int failures = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    ++failures;
    std::fprintf(stderr, "%s\n", what.c_str());
}

constexpr size_t kRows = 12;

struct Golden {
    uint64_t seed, pass;
    uint64_t shuffled[kRows];  // a permutation of the rows
    uint64_t replaced[kRows];  // as many draws with replacement
};

// clang-format off
constexpr Golden kGolden[] = {
    {0u, 0, {9, 6, 5, 7, 1, 0, 3, 8, 11, 10, 2, 4}, {4, 3, 3, 5, 7, 5, 1, 2, 5, 3, 9, 11}},
    {0u, 1, {0, 9, 2, 3, 6, 10, 8, 1, 7, 11, 4, 5}, {5, 5, 6, 9, 2, 1, 9, 4, 10, 11, 11, 9}},
    {0u, 2, {6, 7, 1, 3, 11, 9, 5, 2, 4, 10, 0, 8}, {8, 0, 0, 6, 3, 9, 0, 11, 9, 4, 7, 10}},
    {1u, 0, {8, 7, 9, 11, 1, 10, 6, 3, 5, 4, 2, 0}, {0, 2, 5, 6, 4, 11, 4, 3, 0, 7, 3, 5}},
    {1u, 1, {1, 3, 11, 10, 9, 7, 2, 6, 0, 5, 4, 8}, {8, 5, 6, 1, 9, 4, 5, 4, 8, 3, 2, 10}},
    {1u, 2, {8, 1, 11, 0, 10, 5, 6, 4, 9, 7, 2, 3}, {3, 3, 8, 10, 6, 10, 10, 5, 1, 0, 9, 4}},
    {42u, 0, {3, 7, 1, 9, 10, 5, 6, 11, 2, 0, 4, 8}, {8, 4, 0, 2, 3, 11, 11, 9, 1, 7, 10, 8}},
    {42u, 1, {6, 4, 8, 3, 1, 11, 10, 7, 0, 5, 9, 2}, {2, 10, 6, 0, 11, 9, 5, 2, 10, 3, 9, 9}},
    {42u, 2, {3, 6, 4, 9, 5, 0, 2, 11, 10, 7, 8, 1}, {1, 8, 8, 11, 2, 4, 0, 0, 3, 0, 0, 0}},
    {UINT64_MAX, 0, {7, 4, 5, 10, 11, 0, 8, 2, 1, 9, 3, 6}, {6, 3, 11, 2, 4, 2, 1, 2, 11, 0, 6, 2}},
    {UINT64_MAX, 1, {3, 8, 2, 4, 11, 10, 5, 7, 0, 6, 9, 1}, {1, 10, 7, 0, 11, 9, 10, 2, 5, 10, 1, 8}},
    {UINT64_MAX, 2, {2, 3, 8, 10, 11, 6, 9, 5, 4, 1, 7, 0}, {0, 8, 2, 6, 7, 2, 2, 0, 4, 1, 6, 11}},
};
// clang-format on

void golden_streams() {
    // The first numbers of seed 0, pass 0: what all that follows is made of.
    const RandomStream random(0, 0);
    expect(random.draw(0) == 0x568a9b0b1a2c05ecu && random.draw(1) == 0x44e5b8b147ef718bu, "the numbers of seed 0, pass 0 have changed");
    for (const Golden& g : kGolden) {
        const std::string name = "seed " + std::to_string(g.seed) + ", pass " + std::to_string(g.pass);
        const RandomStream stream(g.seed, g.pass);
        uint64_t order[kRows];
        for (uint64_t i = 0; i < kRows; ++i) order[i] = i;
        sparselin::shuffle(order, kRows, stream);
        expect(std::memcmp(order, g.shuffled, sizeof order) == 0, name + ": another permutation");
        for (uint64_t i = 0; i < kRows; ++i) expect(stream.below(kRows, i) == g.replaced[i], name + ": another draw with replacement");
    }
}

#ifdef __SIZEOF_INT128__
void high_half_of_a_product() {
    __extension__ using Wide = unsigned __int128;
    const RandomStream random(7, 7);
    for (uint64_t i = 0; i < 10000; ++i) {
        const uint64_t n = i % 3 == 0 ? UINT64_MAX - i : random.draw(i + 20000) >> (i % 60);
        expect(random.below(n, i) == static_cast<uint64_t>(static_cast<Wide>(random.draw(i)) * n >> 64),
               "below() is not the product's high half");
    }
}
#else
void high_half_of_a_product() {}
#endif

// Every permutation of 4 rows is as likely as any other over the seeds, and over the passes of one seed: chi-squared of 24 - 1.
void fair_shuffles() {
    for (const bool over_seeds : {true, false}) {
        constexpr int kDraws = 24000;
        std::vector<int> counts(256, 0);
        for (uint64_t i = 0; i < kDraws; ++i) {
            uint64_t order[] = {0, 1, 2, 3};
            sparselin::shuffle(order, 4, over_seeds ? RandomStream(i, 0) : RandomStream(3, i));
            ++counts[order[0] + 4 * order[1] + 16 * order[2] + 64 * order[3]];
        }
        double chi_squared = 0;
        int permutations = 0;
        for (const int count : counts) {
            if (count == 0) continue;
            ++permutations;
            chi_squared += (count - 1000.0) * (count - 1000.0) / 1000;
        }
        expect(permutations == 24 && chi_squared < 49.7, "permutations are not equally likely");  // exceeded once in 1000
    }
}

sl_model* new_model(uint64_t seed, const char* sampling, const char* epochs) {
    sl_options* options = nullptr;
    sl_model* model = nullptr;
    sl_options_create(&options, nullptr);
    const std::string text = std::to_string(seed);
    const char* const settings[][2] = {{"loss", "squared"},    {"schedule", "constant"}, {"eta0", "0.1"},       {"scale", "none"},
                                       {"sampling", sampling}, {"epochs", epochs},       {"seed", text.c_str()}};
    for (const auto& s : settings) expect(sl_options_set(options, s[0], s[1], nullptr) == SL_OK, s[0]);
    expect(sl_model_create(options, &model, nullptr) == SL_OK, "create");
    sl_options_free(options);
    return model;
}

std::vector<double> weights_of(const sl_model* model) {
    std::vector<double> weights(kRows + 1);
    for (uint32_t j = 0; j <= kRows; ++j) expect(sl_model_weight(model, j, &weights[j], nullptr) == SL_OK, "weight");
    return weights;
}

// Three passes of one fit, a pass each of three fits, and feeding in the golden orders: the same bits.
void orders_of_fit() {
    std::vector<int64_t> pointers{0};
    std::vector<uint32_t> indices;
    std::vector<double> values, labels;
    for (uint32_t r = 0; r < kRows; ++r) {
        indices.insert(indices.end(), {r, r + 1});
        values.insert(values.end(), {1 + r / 7.0, -0.3});
        pointers.push_back(static_cast<int64_t>(indices.size()));
        labels.push_back(r % 5 - 1.7);
    }
    sl_dataset* data = nullptr;
    expect(sl_dataset_from_csr(kRows, pointers.data(), indices.data(), values.data(), labels.data(), nullptr, &data, nullptr) == SL_OK,
           "data");
    for (const bool shuffles : {true, false})
        for (size_t first = 0; first < std::size(kGolden); first += 3) {
            const char* sampling = shuffles ? "shuffle" : "with_replacement";
            sl_model* one_fit = new_model(kGolden[first].seed, sampling, "3");
            sl_model* three_fits = new_model(kGolden[first].seed, sampling, "1");
            sl_model* fed = new_model(0, "sequential", "1");
            expect(sl_model_fit(one_fit, data, nullptr, nullptr, nullptr) == SL_OK, "fit");
            for (size_t pass = 0; pass < 3; ++pass) {
                expect(sl_model_fit(three_fits, data, nullptr, nullptr, nullptr) == SL_OK, "fit");
                const Golden& golden = kGolden[first + pass];
                for (const uint64_t r : shuffles ? golden.shuffled : golden.replaced)
                    expect(sl_model_feed(fed, &indices[2 * r], &values[2 * r], 2, labels[r], 1, nullptr) == SL_OK, "feed");
            }
            const std::string name = std::string(sampling) + ", seed " + std::to_string(kGolden[first].seed);
            expect(weights_of(one_fit) == weights_of(fed), name + ": three passes of a fit are not in the golden order");
            expect(weights_of(three_fits) == weights_of(fed), name + ": three fits are not in the golden order");
            for (sl_model* model : {one_fit, three_fits, fed}) sl_model_free(model);
        }
    sl_dataset_free(data);
}

}  // namespace

int main() {
    golden_streams();
    high_half_of_a_product();
    fair_shuffles();
    orders_of_fit();
    std::printf("orders: %zu golden orders, %d failures\n", 2 * std::size(kGolden), failures);
    return failures ? 1 : 0;
}
