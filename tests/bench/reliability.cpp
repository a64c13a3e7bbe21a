// Whether probabilities can be taken at their word: default models after one pass over noisy clicks and the mail, and in ten bins of equal
// count, by predicted probability, the mean prediction on the test rows and the share of the larger label, with what chance does to the
// latter.
//   reliability TRAIN,TEST CSV    of the mail; reliability.R draws the file
#include <sparselin.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "sets.h"

namespace {

void write_bins(std::FILE* csv, const bench::Set& set) {
    constexpr size_t kBins = 10;
    sl_error error;
    const bench::Model model({});
    bench::check(sl_model_fit(model.get(), set.train.get(), nullptr, nullptr, &error), error);
    uint64_t count = 0;
    bench::check(sl_dataset_shape(set.test.get(), &count, nullptr, nullptr, &error), error);
    std::vector<double> scores(count);
    bench::check(sl_model_predict_dataset(model.get(), set.test.get(), scores.data(), count, &error), error);

    std::vector<std::pair<double, double>> rows;  // probability, and 1 for the larger label
    for (uint64_t r = 0; r < count; ++r) {
        double probability = 0, label = 0;
        size_t nonzeros = 0;
        bench::check(sl_model_probability(model.get(), scores[r], &probability, &error), error);
        bench::check(sl_dataset_row(set.test.get(), r, nullptr, nullptr, 0, &nonzeros, &label, nullptr, &error), error);
        rows.emplace_back(probability, label > 0 ? 1 : 0);
    }
    std::sort(rows.begin(), rows.end());
    for (size_t bin = 0; bin < kBins; ++bin) {
        const size_t begin = count * bin / kBins, end = count * (bin + 1) / kBins;
        const auto n = static_cast<double>(end - begin);
        double predicted = 0, seen = 0, variance = 0;
        for (size_t r = begin; r < end; ++r) {
            predicted += rows[r].first / n;
            seen += rows[r].second / n;
            variance += rows[r].first * (1 - rows[r].first) / n / n;
        }
        std::fprintf(csv, "%s,%zu,%.5g,%.5g,%.5g\n", set.name.c_str(), end - begin, predicted, seen, std::sqrt(variance));
    }
    std::printf("%s, %llu test rows:", set.name.c_str(), static_cast<unsigned long long>(count));
    for (const char* metric : {"log_loss", "brier", "calibration_error"}) {
        double value = 0;
        bench::check(sl_model_evaluate(model.get(), set.test.get(), metric, &value, &error), error);
        std::printf("  %s %.4f", metric, value);
    }
    if (std::isfinite(set.truth)) std::printf("  log_loss of the truth %.4f", set.truth);
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) bench::stop("usage: reliability TRAIN,TEST CSV");
    bench::Set mail = bench::load(argv[1]);
    mail.name = "the mail";
    std::FILE* csv = std::fopen(argv[2], "w");
    if (!csv) bench::stop("cannot write " + std::string(argv[2]));
    std::fprintf(csv, "set,rows,predicted,seen,by chance\n");
    write_bins(csv, bench::clicks(1));
    write_bins(csv, mail);
    if (std::fclose(csv) != 0) bench::stop("cannot write " + std::string(argv[2]));
    return 0;
}
