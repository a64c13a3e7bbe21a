// The dense twin against the golden vectors, which come from another program in 60-digit decimals: what the random programs trust.
#include <cstring>

#include "../golden_cases.h"
#include "../reference/dense_twin.h"

namespace {

using dense_twin::Setting;
using dense_twin::SparseRow;
using Twin = dense_twin::Twin<long double>;

long double worst = 0;
int failures = 0, ties = 0;

SparseRow row_of(const golden_rows& rows, size_t r) {
    SparseRow row;
    for (int64_t k = rows.pointers[r]; k < rows.pointers[r + 1]; ++k) row.emplace_back(rows.indices[k], rows.values[k]);
    return row;
}

void check(const golden_case& c, const char* what, size_t i, long double actual, double expected) {
    const long double error = std::fabs(actual - expected) / std::max(1.0, std::fabs(expected));
    worst = std::max(worst, error);
    if (error <= 1e-12L && (expected != 0 || actual == 0)) return;
    ++failures;
    std::fprintf(stderr, "%s: %s %zu is %.17Lg, not %.17g\n", c.name, what, i, actual, expected);
}

void check_predictor(const golden_case& c, const Twin& twin, const golden_predictor* expected) {
    for (size_t k = 0; k < c.classes; ++k) {
        const golden_predictor& of_class = expected[k];
        for (size_t i = 0; i < of_class.count; ++i)
            check(c, "weight", of_class.indices[i], twin.weight(of_class.indices[i], k), of_class.weights[i]);
        check(c, "bias", k, twin.bias(k), of_class.bias);
    }
}

Twin trained(const golden_case& c, std::vector<Setting> options) {
    const dense_twin::Settings settings(options);
    if (!settings.conflicts().empty()) {
        ++failures;
        std::fprintf(stderr, "%s: the twin takes its options to exclude each other\n", c.name);
    }
    const golden_rows& x = c.examples;
    std::vector<uint32_t> features(x.indices, x.indices + x.pointers[x.count]);
    features.insert(features.end(), c.predictions.indices, c.predictions.indices + c.predictions.pointers[c.predictions.count]);
    for (size_t k = 0; k < c.classes; ++k)
        features.insert(features.end(), c.returned[k].indices, c.returned[k].indices + c.returned[k].count);
    Twin twin(settings, features);
    if (golden_observes(&c))
        for (size_t r = 0; r < x.count; ++r) twin.observe(row_of(x, r), x.weights[r]);
    for (size_t pass = 0; pass < c.passes; ++pass)
        for (size_t r = 0; r < x.count; ++r) twin.feed(row_of(x, r), x.numbers[r], x.weights[r]);
    return twin;
}

void run(const golden_case& c) {
    std::vector<Setting> options;
    for (size_t i = 0; i < c.option_count; ++i) options.emplace_back(c.options[i].name, c.options[i].value);
    const Twin returned = trained(c, options);
    // Steps of 0.1 bring a margin to exactly 1 in decimals, but to beside it in binary numbers, on which side depends on their length.
    if (c.classes > 1 && std::strcmp(c.name, "huge_indices") == 0 && returned.closest_choice() < 1e-15L) {
        ++ties;
        return;
    }
    check_predictor(c, returned, c.returned);
    for (size_t r = 0; r < c.predictions.count; ++r)
        for (size_t k = 0; k < c.classes; ++k)
            check(c, "prediction", r, returned.score(row_of(c.predictions, r), k), c.scores[r * c.classes + k]);
    const auto of_averages = [](const Setting& s) { return s.first.rfind("average", 0) == 0; };
    options.erase(std::remove_if(options.begin(), options.end(), of_averages), options.end());
    options.emplace_back("average", "none");
    check_predictor(c, trained(c, options), c.last);
}

bool run_file(const char* path, size_t expected) {
    golden_file all = golden_load(path);
    for (size_t i = 0; i < all.count; ++i) run(*all.cases[i]);
    std::printf("dense twin: %zu golden cases, largest error so far %.3Lg, %d failures\n", all.count, worst, failures);
    const bool complete = all.count == expected;
    golden_free(&all);
    return complete;
}

}  // namespace

int main() {
    const bool pair = run_file(SL_TEST_DATA "/golden.txt", 280), classes = run_file(SL_TEST_DATA "/golden_multi.txt", 106);
    std::printf("%d of them left out for a tie\n", ties);
    return failures == 0 && ties == 1 && pair && classes ? 0 : 1;
}
