// Centering beside a column of large mean, in rows that are not full: within 1e-11 of the dense recursion in long double, or within a
// hundred times of what that in double is off.
#include <sparselin.h>

#include <cstdio>

#include "reference/random_draw.h"

namespace {

using dense_twin::Dice;
using dense_twin::Example;
using dense_twin::Setting;
using dense_twin::SparseRow;

constexpr uint32_t kFeatures = 21;  // the first is the large one
constexpr size_t kRows = 400, kProbes = 50;

std::vector<Example> rows_with(double large, double share, bool varies) {
    Dice dice(5);
    std::vector<Example> rows;
    for (size_t r = 0; r < kRows + kProbes; ++r) {
        Example example{{}, 0, 1};
        if (dice.chance(share)) example.x.emplace_back(0u, large * (varies ? dice.uniform(0.5, 1.5) : 1));
        double sum = dice.uniform(-1, 1);
        for (uint32_t j = 1; j < kFeatures; ++j)
            if (dice.chance(0.3)) {
                example.x.emplace_back(j, dice.uniform(-2, 2));
                sum += (static_cast<double>(j % 5) - 2) * example.x.back().second;
            }
        example.label = sum > 0 ? 1 : -1;
        rows.push_back(example);
    }
    return rows;
}

void check(sl_status status, const sl_error& error) {
    if (status == SL_OK) return;
    std::fprintf(stderr, "%s\n", error.message);
    std::exit(1);
}

template <class Call>
void with_arrays(const SparseRow& row, Call call) {
    std::vector<uint32_t> indices;
    std::vector<double> values;
    for (const auto& [j, v] : row) {
        indices.push_back(j);
        values.push_back(v);
    }
    call(indices.data(), values.data(), indices.size());
}

std::vector<double> scores_of_library(const std::vector<Setting>& settings, const std::vector<Example>& rows) {
    sl_error error;
    sl_options* options = nullptr;
    sl_model* model = nullptr;
    check(sl_options_create(&options, &error), error);
    for (const Setting& s : settings) check(sl_options_set(options, s.first.c_str(), s.second.c_str(), &error), error);
    check(sl_model_create(options, &model, &error), error);
    for (size_t r = 0; r < kRows; ++r)
        with_arrays(rows[r].x, [&](auto... row) { check(sl_model_observe(model, row..., 1, &error), error); });
    for (size_t r = 0; r < kRows; ++r)
        with_arrays(rows[r].x, [&](auto... row) { check(sl_model_feed(model, row..., rows[r].label, 1, &error), error); });
    std::vector<double> scores(kProbes);
    for (size_t r = 0; r < kProbes; ++r)
        with_arrays(rows[kRows + r].x, [&](auto... row) { check(sl_model_predict(model, row..., &scores[r], &error), error); });
    sl_options_free(options);
    sl_model_free(model);
    return scores;
}

template <class Real>
std::vector<Real> scores_of_twin(const std::vector<Setting>& settings, const std::vector<Example>& rows) {
    std::vector<uint32_t> features(kFeatures);
    for (uint32_t j = 0; j < kFeatures; ++j) features[j] = j;
    dense_twin::Twin<Real> twin(dense_twin::Settings(settings), features);
    for (size_t r = 0; r < kRows; ++r) twin.observe(rows[r].x, 1);
    for (size_t r = 0; r < kRows; ++r) twin.feed(rows[r].x, rows[r].label, 1);
    std::vector<Real> scores(kProbes);
    for (size_t r = 0; r < kProbes; ++r) scores[r] = twin.score(rows[kRows + r].x);
    return scores;
}

}  // namespace

int main() {
    const std::vector<std::vector<Setting>> models = {
        {{"center", "true"}},
        {{"center", "true"}, {"loss", "squared"}},
        {{"center", "true"}, {"average", "none"}, {"update", "fobos"}, {"l2", "0.01"}},
        {{"center", "true"}, {"average", "uniform"}, {"average_start", "auto"}},
        {{"center", "true"}, {"loss", "hinge"}, {"average", "uniform"}, {"schedule", "inverse_lambda"}, {"l2", "0.1"}},
    };
    int failures = 0;
    double worst_ratio = 0;
    for (size_t m = 0; m < models.size(); ++m)
        for (const double large : {1.0, 1e4, 1e6, 1e8})
            for (const double share : {1.0, 0.9, 0.5, 0.1})
                for (const bool varies : {false, true}) {
                    const std::vector<Example> rows = rows_with(large, share, varies);
                    const auto exact = scores_of_twin<long double>(models[m], rows);
                    const auto rounded = scores_of_twin<double>(models[m], rows);
                    const auto scores = scores_of_library(models[m], rows);
                    long double of_twin = 0, of_library = 0, largest = 1;
                    for (size_t r = 0; r < kProbes; ++r) {
                        of_twin = std::max(of_twin, std::fabs(rounded[r] - exact[r]));
                        of_library = std::max(of_library, std::fabs(scores[r] - exact[r]));
                        largest = std::max(largest, std::fabs(exact[r]));
                    }
                    const long double allowed = std::max(100 * of_twin, 1e-11L * largest);
                    worst_ratio = std::max(worst_ratio, static_cast<double>(of_library / allowed));
                    if (of_library <= allowed) continue;
                    ++failures;
                    std::fprintf(stderr, "model %zu, values of %g in %g of the rows%s: off by %.2Lg, the twin in double by %.2Lg\n", m,
                                 large, share, varies ? ", which vary" : "", of_library, of_twin);
                }
    std::printf("centering beside large means: at most %.3g of what is allowed, %d failures\n", worst_ratio, failures);
    return failures != 0;
}
