// Averages of many steps, where weights beyond theta are flagged: nothing that rounding takes from a step may add up. Beside the dense
// recursion in long double. The number of steps is the argument; without one there are as many as show the worst kind of drift.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "example.h"
#include "learner.h"
#include "options.h"
#include "random.h"

namespace {

using sparselin::RandomStream;
using Numbers = std::array<long double, 3>;

struct Case {
    const char* name;
    std::vector<std::pair<const char*, const char*>> options;
    long double theta, pull;  // pull: what a weight within theta moves towards 0 by, every `period` steps
    uint64_t period;
};

const Case kCases[] = {
    {"rounding", {{"update", "rounding"}, {"theta", "4"}, {"period", "1000"}}, 4, 4, 1000},
    {"truncated gradient",
     {{"update", "truncated_gradient"}, {"gravity", "0.01"}, {"theta", "0.6"}, {"period", "10"}},
     0.6,
     static_cast<long double>(0.01) * 10 * static_cast<long double>(0.01),
     10},
};

// The largest difference of an averaged weight after so many steps.
long double drift(const Case& one, uint64_t steps) {
    sparselin::Options options;
    for (const auto& [name, value] : one.options) options.set(name, value);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"loss", "squared"}, {"schedule", "constant"}, {"eta0", "0.01"}, {"average", "uniform"}, {"scale", "none"}, {"bias", "false"}})
        options.set(name, value);
    sparselin::Learner learner(options.settings());
    const long double eta = 0.01, truth[] = {0.57L, -0.9L, 0.61L};
    Numbers w{}, sum{};
    const RandomStream random(1, 0);
    sparselin::RowBuffer buffer;
    for (uint64_t t = 1; t <= steps; ++t) {
        const auto draw = [&](uint64_t i) { return static_cast<double>(random.draw(5 * t + i) >> 11) * 0x1p-52 - 1; };
        const uint64_t present = random.draw(5 * t + 3);
        uint32_t indices[3];
        double values[3];
        size_t count = 0;
        double label = 0.3 * draw(4);
        for (uint32_t j = 0; j < 3; ++j) {
            if ((present >> (8 * j)) % 4 == 0) continue;
            indices[count] = j;
            values[count++] = draw(j);
            label += static_cast<double>(truth[j]) * draw(j);
        }
        learner.step(buffer.canonical({indices, values, count}), label, 1);
        long double p = 0;
        for (size_t k = 0; k < count; ++k) p += w[indices[k]] * values[k];
        for (size_t k = 0; k < count; ++k) w[indices[k]] -= eta * (p - label) * values[k];
        for (size_t j = 0; j < 3; ++j) {
            const long double magnitude = std::fabs(w[j]);
            if (t % one.period == 0 && magnitude <= one.theta) w[j] = magnitude <= one.pull ? 0 : std::copysign(magnitude - one.pull, w[j]);
            sum[j] += w[j];
        }
    }
    long double largest = 0;
    for (uint32_t j = 0; j < 3; ++j) largest = std::max(largest, std::fabs(learner.weight(j) - sum[j] / static_cast<long double>(steps)));
    return largest;
}

}  // namespace

int main(int argc, char** argv) {
    const auto steps = static_cast<uint64_t>(argc > 1 ? std::strtod(argv[1], nullptr) : 1e6 / SL_SHARE);
    int failures = 0;
    for (const Case& one : kCases) {
        const long double difference = drift(one, steps);
        const bool holds = difference <= 1e-9L;
        failures += !holds;
        std::printf("%s, %llu steps: %.2Lg%s\n", one.name, static_cast<unsigned long long>(steps), difference, holds ? "" : ", too much");
    }
    return failures != 0;
}
