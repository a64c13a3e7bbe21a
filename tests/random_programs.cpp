// Random options on random small problems, from the whole option table: settings that SPEC forbids must be refused, all others must follow
// the dense twin at every step, and give the same bits in every storage, fed singly, in batches or by fit, cloned, finalized or kept
// half-way.
//   random_programs [--seed N] [--count M]     programs N to N + M - 1; a failure names its own N
#include <sparselin.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "reference/library_run.h"

namespace {

using namespace dense_twin;

void expect_near(double actual, long double expected, long double scale, const char* what, size_t i, size_t step) {
    const long double size = std::max({1.0L, std::fabs(expected), scale});
    if (!(std::fabs(actual - expected) <= 1e-9L * size))
        fail("step %zu: %s %zu is %.17g, the twin has %.17Lg (scale %.3Lg)", step, what, i, actual, expected, scale);
}

// Why the comparison with the twin ended before the rows did.
enum class Cut { none, exploded, tie, ill_conditioned };

using Exact = Twin<long double>;
using Rounded = Twin<double>;

// The twin in double precision, with its last bits disturbed, is no judge; but where it strays from the exact one, no program in double
// precision can be held to it.
Cut reason_to_cut(const Exact& exact, const Rounded& rounded) {
    if (!(exact.scale_of_run() < 1e6L)) return Cut::exploded;
    if (exact.closest_choice() < 1e-10L) return Cut::tie;
    const auto w = exact.iterate();
    const auto r = rounded.iterate();
    for (size_t i = 0; i < w.size(); ++i)
        if (!(std::fabs(w[i] - r[i]) <= 1e-11L * std::max(1.0L, exact.scale_of_run()))) return Cut::ill_conditioned;
    return Cut::none;
}

void compare_with_twin(const sl_model* model, const Program& program, const Matrix& probes, const Exact& twin, size_t step) {
    const View view(model, program.features, probes);
    if (view.classes != twin.classes()) fail("step %zu: %zu classes, the twin has %zu", step, view.classes, twin.classes());
    if (view.steps != twin.steps()) fail("step %zu: steps is %" PRIu64 ", the twin has %" PRIu64, step, view.steps, twin.steps());
    for (size_t i = 0; i < program.features.size(); ++i) {
        const uint32_t j = program.features[i];
        for (size_t k = 0; k < view.classes; ++k) {
            const double weight = view.weights[i * view.classes + k];
            expect_near(weight, twin.weight(j, k), twin.scale_of(j), "weight", j, step);
            if (twin.weight(j, k) == 0 && weight != 0) fail("step %zu: weight %zu is %.17g, the twin has 0", step, size_t{j}, weight);
        }
    }
    long double bias_scale = twin.scale_of_run();
    for (size_t i = 0; i < program.probes.size(); ++i) {
        const long double scale = std::max(twin.scale_of_score(program.probes[i]), twin.scale_of_run());
        bias_scale = std::max(bias_scale, scale);
        for (size_t k = 0; k < view.classes; ++k)
            expect_near(view.scores[i * view.classes + k], twin.score(program.probes[i], k), scale, "score", i, step);
    }
    for (size_t k = 0; k < view.classes; ++k) expect_near(view.biases[k], twin.bias(k), bias_scale, "bias", k, step);
    if (twin.steps()) expect_near(view.mean_loss, twin.mean_loss(), bias_scale * bias_scale, "mean loss", 0, step);
}

void compare_objective(const sl_model* model, const Program& program, const Matrix& m, const Exact& twin) {
    std::vector<SparseRow> rows;
    long double scale = 1;
    for (const Example& e : program.rows) {
        rows.push_back(e.x);
        scale = std::max(scale, twin.scale_of_score(e.x) + std::fabs(e.label));
    }
    sl_error error;
    double objective = 0;
    check(sl_model_evaluate(model, dataset_of(m).get(), "objective", &objective, &error), error);
    expect_near(objective, twin.objective(rows, m.labels, m.weights), scale * scale, "objective", 0, m.labels.size());
}

void expect_status(sl_status expected, sl_status actual, const char* what) {
    if (actual != expected) fail("%s gives %s, not %s", what, sl_status_name(actual), sl_status_name(expected));
}

// What must be refused at this point of the model's life, and leave no trace.
void check_refusals(sl_model* model, const Program& program, const Settings& settings, const Matrix& probes, bool fresh) {
    const View before(model, program.features, probes);
    const uint32_t index = program.features[0];
    const double value = 1;
    if (!fresh || !settings.takes_statistics())
        expect_status(SL_ERROR_STATE, sl_model_observe(model, &index, &value, 1, 1, nullptr), "observing out of time");
    if (fresh && settings.needs_statistics())
        expect_status(SL_ERROR_STATE, sl_model_feed(model, &index, &value, 1, 1, 1, nullptr), "feeding before observing");
    const double dimension = settings.number("dimension");
    if (dimension > 0 && dimension < 4294967296) {
        const uint32_t beyond = static_cast<uint32_t>(dimension);
        expect_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &beyond, &value, 1, 1, 1, nullptr), "an index beyond the dimension");
    }
    const double nan = std::nan("");
    expect_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, &nan, 1, 1, 1, nullptr), "a value that is not a number");
    const double beyond = settings.scores() > 1 ? static_cast<double>(settings.scores()) : 2;
    if (settings.two_labels())
        expect_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, &index, &value, 1, beyond, 1, nullptr), "a label that there is not");
    View(model, program.features, probes).expect_same(before, "after a refused call");
}

struct Tally {
    size_t models = 0, of_classes = 0, refused = 0, steps = 0, exploded = 0, ties = 0, ill_conditioned = 0, fitted = 0, kept = 0;
};

// Feeds the program to one model row by row, beside the twin. Returns the rows fed: all, or those before one that overflowed.
size_t run_beside_twin(sl_model* model, const Program& program, const Matrix& m, const Matrix& probes, Dice& dice, Tally& tally) {
    const Settings settings(program.options);
    Exact exact(settings, program.features);
    Rounded rounded(settings, program.features);
    check_refusals(model, program, settings, probes, true);
    if (program.observe) {
        observe(model, m);
        for (const Example& e : program.rows) {
            exact.observe(e.x, e.weight);
            rounded.observe(e.x, e.weight);
        }
    }
    Cut cut = Cut::none;
    for (size_t r = 0; r < program.rows.size(); ++r) {
        const Example& e = program.rows[r];
        if (cut != Cut::none) {
            sl_error error;
            const sl_status status = sl_model_feed(model, m.indices_of(r), m.values_of(r), m.count(r), e.label, e.weight, &error);
            if (status == SL_ERROR_DIVERGED && cut == Cut::exploded) return r;
            check(status, error);
            continue;
        }
        feed(model, m, r);
        exact.feed(e.x, e.label, e.weight);
        rounded.feed(e.x, e.label, e.weight);
        rounded.disturb([&] { return dice.any(); });
        cut = reason_to_cut(exact, rounded);
        if (cut == Cut::none) compare_with_twin(model, program, probes, exact, r + 1);
        ++tally.steps;
    }
    tally.exploded += cut == Cut::exploded;
    tally.ties += cut == Cut::tie;
    tally.ill_conditioned += cut == Cut::ill_conditioned;
    if (exact.steps() > 0) check_refusals(model, program, settings, probes, false);
    if (cut == Cut::none && exact.steps() > 0) compare_objective(model, program, m, exact);
    return program.rows.size();
}

// The model after a way to bytes and back.
Model kept(Model model, Tally& tally) {
    size_t length = 0;
    sl_error error;
    check(sl_model_to_bytes(model.get(), SL_KEEP_EVERYTHING, nullptr, 0, &length, &error), error);
    std::vector<unsigned char> bytes(length);
    check(sl_model_to_bytes(model.get(), SL_KEEP_EVERYTHING, bytes.data(), bytes.size(), &length, &error), error);
    sl_model* loaded = nullptr;
    check(sl_model_from_bytes(bytes.data(), bytes.size(), &loaded, &error), error);
    ++tally.kept;
    return Model(loaded);
}

// The same training in another way: other storage, batches, and with some of finalize, clone and keeping in between.
void run_another_way(const sl_model* reference, const Program& program, const Matrix& m, const Matrix& probes, size_t rows, Dice& dice,
                     Tally& tally) {
    const char* const storages[] = {"hash", "auto", "dense"};
    const char* storage = storages[dice.below(program.huge ? 2 : 3)];
    const bool finalizes = dice.chance(0.4), clones = dice.chance(0.4), keeps = dice.chance(0.4);
    const size_t largest = dice.chance(0.3) ? 1 : 1 + dice.below(40);
    Model model = create_valid(program.options, "storage", storage);
    if (program.observe) observe(model.get(), m);
    for (size_t r = 0; r < rows;) {
        const size_t batch = std::min<size_t>(rows - r, 1 + dice.below(largest));
        size_t done = 0;
        sl_error error;
        check(sl_model_feed_csr(model.get(), batch, m.pointers.data() + r, m.indices.data(), m.ones ? nullptr : m.values.data(),
                                m.labels.data() + r, m.weights.data() + r, &done, &error),
              error);
        if (done != batch) fail("rows_done is %zu, not %zu", done, batch);
        r += batch;
        if (finalizes && dice.chance(0.3)) {
            const View before(model.get(), program.features, probes);
            check(sl_model_finalize(model.get(), &error), error);
            View(model.get(), program.features, probes).expect_same(before, "before and after finalize");
        }
        if (clones && dice.chance(0.2)) model = clone_of(model.get());
        if (keeps && dice.chance(0.2)) model = kept(std::move(model), tally);
    }
    const std::string what = std::string(storage) + " storage, batches up to " + std::to_string(largest) +
                             (finalizes ? ", finalized" : "") + (clones ? ", cloned" : "") + (keeps ? ", kept" : "");
    View(model.get(), program.features, probes).expect_same(View(reference, program.features, probes), what.c_str());
}

void run_fit(const sl_model* reference, const Program& program, const Matrix& m, const Matrix& probes, Tally& tally) {
    const Settings settings(program.options);
    auto options = program.options;
    options.emplace_back("sampling", "sequential");
    const size_t epochs = static_cast<size_t>(settings.number("epochs"));
    const Model fitted = create_valid(options), fed = create_valid(options);
    if (settings.takes_statistics()) observe(fed.get(), m);
    for (size_t pass = 0; pass < epochs; ++pass)
        for (size_t r = 0; r < m.labels.size(); ++r) {
            sl_error error;
            const sl_status status =
                sl_model_feed(fed.get(), m.indices_of(r), m.values_of(r), m.count(r), m.labels[r], m.weights[r], &error);
            if (status == SL_ERROR_DIVERGED) return;
            check(status, error);
        }
    sl_error error;
    check(sl_model_fit(fitted.get(), dataset_of(m).get(), nullptr, nullptr, &error), error);
    const View view(fitted.get(), program.features, probes);
    view.expect_same(View(fed.get(), program.features, probes), "fit and feeding the same rows");
    if (epochs == 1 && program.observe == settings.takes_statistics())
        view.expect_same(View(reference, program.features, probes), "fit and the first run");
    ++tally.fitted;
}

void expect_refused(const std::vector<Setting>& conflicts, sl_status status, const sl_error& error) {
    expect_status(SL_ERROR_INVALID_OPTION, status, (conflicts[0].first + " with " + conflicts[0].second).c_str());
    const std::string message = error.message;
    for (const Setting& pair : conflicts)
        if (message.find(pair.first) != message.npos && message.find(pair.second) != message.npos) return;
    fail("the message does not name %s and %s: %s", conflicts[0].first.c_str(), conflicts[0].second.c_str(), error.message);
}

void run(const Program& program, Dice& dice, Tally& tally) {
    const auto conflicts = Settings(program.options).conflicts();
    Model model;
    sl_error error;
    const sl_status status = create(program.options, model, error);
    if (!conflicts.empty()) {
        expect_refused(conflicts, status, error);
        ++tally.refused;
        return;
    }
    check(status, error);
    const Matrix matrix(program), probes(program.probes, program.ones);
    const size_t rows = run_beside_twin(model.get(), program, matrix, probes, dice, tally);
    run_another_way(model.get(), program, matrix, probes, rows, dice, tally);
    if (rows == program.rows.size() && dice.chance(0.3)) run_fit(model.get(), program, matrix, probes, tally);
    ++tally.models;
    tally.of_classes += Settings(program.options).scores() > 1;
}

}  // namespace

int main(int argc, char** argv) {
    const Seeds seeds(argc, argv, 18000 / SL_SHARE);
    Tally tally;
    const int failures = seeds.failures([&](const Program& program, Dice& dice) { run(program, dice, tally); });
    std::printf("seeds %" PRIu64 " to %" PRIu64
                ": %zu models (%zu of several classes) and %zu steps like the twin's, %zu refused, %zu fitted, kept %zu times%s\n",
                seeds.first, seeds.first + seeds.count - 1, tally.models, tally.of_classes, tally.steps, tally.refused, tally.fitted,
                tally.kept, tally.kept ? "" : " (skipped: this library does not keep models yet)");
    std::printf("comparison cut short: %zu exploded, %zu ties, %zu ill-conditioned\n", tally.exploded, tally.ties, tally.ill_conditioned);
    const bool too_many_cuts = seeds.count >= 1000 && (tally.exploded + tally.ties + tally.ill_conditioned) * 100 > tally.models * 5;
    if (too_many_cuts) std::fprintf(stderr, "FAILED: more than 5 %% of the comparisons were cut short\n");
    return failures || too_many_cuts ? 1 : 0;
}
