#include "search.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>

#include "crew.h"
#include "error.h"
#include "metrics.h"
#include "model.h"
#include "random.h"
#include "system.h"

namespace sparselin {
namespace {

constexpr size_t kMostModels = 65536;

// What stands before the first of `ends`, which is taken away with it.
std::string_view take(std::string_view& text, std::string_view ends) {
    const size_t at = std::min(text.find_first_of(ends), text.size());
    const std::string_view first = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return first;
}

void give(SearchModel& model, std::string_view name, std::string_view value) {
    model.options.set(name, value);
    model.settings += concat(model.settings.empty() ? "" : " ", name, "=", model.options.get(name));
}

// Without sparse averages no l1 would make a model smaller. They are left to whoever says anything about averages, and of centered rows
// they cannot be sparse.
bool averages_are_left_open(const Options& options) {
    const char* const names[] = {"preset", "average", "sparse_average", "center"};
    return std::none_of(std::begin(names), std::end(names), [&](const char* name) { return options.was_named(name); });
}

// "l1=0,1e-6 l2=0,1e-4": every combination, of which the last name's values change fastest.
std::vector<SearchModel> models_of(const Options& options, std::string_view grid) {
    std::vector<SearchModel> models{{options, "", {}, {}}};
    std::vector<std::string_view> names;
    while (!grid.empty()) {
        std::string_view axis = take(grid, " \t\r\n");
        if (axis.empty()) continue;
        const std::string_view text = axis, name = take(axis, "=");
        if (axis.empty() || axis.back() == ',')
            fail(SL_ERROR_INVALID_ARGUMENT, "the grid has '", shown(text), "'; it is made of parts such as l1=0,1e-6 with blanks between");
        if (!(Options::users(name) & kForModels))
            fail(SL_ERROR_INVALID_OPTION, "the grid has the option ", name, ", which models do not read");
        if (std::find(names.begin(), names.end(), name) != names.end())
            fail(SL_ERROR_INVALID_ARGUMENT, "the grid has the option ", name, " twice; its values go into one list");
        names.push_back(name);
        std::vector<SearchModel> more;
        for (const SearchModel& model : models) {
            for (std::string_view values = axis; !values.empty();) {
                const std::string_view value = take(values, ",");
                SearchModel next = model;
                give(next, name, value);
                if (more.size() == kMostModels)
                    fail(SL_ERROR_INVALID_ARGUMENT, "the grid has more than ", uint64_t{kMostModels}, " models");
                more.push_back(std::move(next));
            }
        }
        models = std::move(more);
    }
    if (!names.empty() && averages_are_left_open(models[0].options))
        for (SearchModel& model : models) give(model, "sparse_average", "true");
    return models;
}

// Runs `body`, whose errors are about a model.
template <class Body>
void with_model(const SearchModel& model, Body body) {
    try {
        body();
    } catch (const Error& error) {
        if (model.settings.empty()) throw;
        const std::string message = concat("the model of ", shown(model.settings), ": ", reason_of(error.message(), error.row()));
        if (error.row() != Error::kNoRow) throw_row_error(error.status(), static_cast<uint64_t>(error.row()), message);
        throw Error(error.status(), message, Error::kNoRow, error.system());
    }
}

Model untrained(const SearchModel& from) {
    Model model(from.options);
    if (!from.labels.empty()) model.set_labels(from.labels.data(), from.labels.size());
    return model;
}

// Finds what can be found wrong before the first fit, and the labels, which a split may lack.
void prepare(SearchModel& from, const SearchPlan& plan, std::string_view metric) {
    with_model(from, [&] {
        Model model(from.options);
        if (model.loss().has_labels()) from.labels = model.labels().for_data(plan.data, model.settings().classes).all();
        check_metric(untrained(from), metric);
    });
}

std::string metric_of(const SearchPlan& plan, const std::vector<SearchModel>& models) {
    if (!plan.metric.empty()) return std::string(plan.metric);
    for (const SearchModel& model : models)
        if (model.options.get("loss") != models[0].options.get("loss"))
            fail(SL_ERROR_INVALID_ARGUMENT, "the grid has models of the losses ", models[0].options.get("loss"), " and ",
                 model.options.get("loss"), "; name a metric by which to compare them");
    std::string metric;
    with_model(models[0], [&] { metric = usual_metric(Model(models[0].options).loss()); });
    return metric;
}

// The rows in a random order, and by label where there are classes, are dealt out one after another: so every split has its share of every
// class, to one row.
std::vector<uint32_t> splits_of(const SearchPlan& plan, const Model& first) {
    const Dataset& data = plan.data;
    std::vector<uint64_t> order;
    for (size_t r = 0; r < data.rows(); ++r)
        if (data.weight(r) > 0) order.push_back(r);
    shuffle(order.data(), order.size(), RandomStream(first.settings().seed, UINT64_MAX));
    if (first.loss().has_labels())
        std::stable_sort(order.begin(), order.end(),
                         [&](uint64_t a, uint64_t b) { return data.label(static_cast<size_t>(a)) < data.label(static_cast<size_t>(b)); });
    if (order.size() < 2 || order.size() < plan.folds)
        fail(SL_ERROR_INVALID_DATA, "there are ", uint64_t{order.size()}, " rows of weight above 0, too few ",
             plan.folds ? concat("for ", plan.folds, " folds") : "to hold some out");
    const auto held_out = [&](uint64_t count) { return std::floor(static_cast<double>(count) * plan.holdout); };
    std::vector<uint32_t> splits(data.rows(), std::max(plan.folds, 1u));
    for (size_t i = 0; i < order.size(); ++i) {
        uint32_t& split = splits[static_cast<size_t>(order[i])];
        if (plan.folds)
            split = static_cast<uint32_t>(i % plan.folds);
        else if (held_out(i + 1) > held_out(i))
            split = 0;
    }
    if (!plan.folds && held_out(order.size()) < 1)
        fail(SL_ERROR_INVALID_DATA, "holdout is ", plan.holdout, ", which of ", uint64_t{order.size()}, " rows holds out none");
    return splits;
}

// The fits of a search, each of which any thread may take. They are taken in order, and if one fails those before it are finished, so that
// any number of threads tells the same failure.
class Fits {
  public:
    Fits(const SearchPlan& plan, SearchResult& result)
        : plan_(plan), result_(result), count_(result.models.size() * result.split_count), limit_(count_) {
        nonzeros_.resize(count_);
        for (const SearchModel& model : result.models)
            rows_total_ += model.options.settings().epochs * plan.data.rows() * result.split_count;
    }

    void run() {
        std::vector<std::thread> helpers;
        const size_t threads = std::min(thread_count(checked_threads(plan_.threads)), count_);
        while (helpers.size() + 1 < threads && start_thread(helpers, [this] { work(false); })) {
        }
        work(true);
        if (plan_.progress) watch(helpers.size() + 1);
        for (std::thread& helper : helpers) helper.join();
        if (failure_) with_model(result_.models[limit_ / result_.split_count], [&] { std::rethrow_exception(failure_); });
        if (!cancelled_) report();
        if (cancelled_) fail(SL_ERROR_CANCELLED, "cancelled after ", done_.load(), " of ", uint64_t{count_}, " fits");
        for (size_t i = 0; i < count_; ++i)
            result_.models[i / result_.split_count].nonzeros += nonzeros_[i] / static_cast<double>(result_.split_count);
    }

  private:
    struct Fit {
        Fits& fits;
        size_t number;
        bool callers;  // whether it runs in the thread that may report
        uint64_t rows;
    };

    static int on_progress(const sl_progress* progress, void* user) {
        Fit& fit = *static_cast<Fit*>(user);
        fit.fits.rows_ += progress->rows - fit.rows;
        fit.rows = progress->rows;
        if (fit.callers) fit.fits.report();
        return fit.fits.cancelled_ || fit.number > fit.fits.limit_;
    }

    void report() {
        if (!plan_.progress || cancelled_) return;
        const sl_progress progress{0, rows_, rows_total_, 0, done_};
        if (plan_.progress(&progress, plan_.user) != 0) cancelled_ = true;
    }

    void work(bool callers) noexcept {
        for (size_t i; !cancelled_ && (i = next_++) < limit_;) {
            try {
                fit_and_judge(i, callers);
                ++done_;
            } catch (const Error& error) {
                if (error.status() != SL_ERROR_CANCELLED) failed(i);
            } catch (...) {
                failed(i);
            }
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        ++finished_;
        all_finished_.notify_one();
    }

    void failed(size_t i) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (i >= limit_) return;
        limit_ = i;
        failure_ = std::current_exception();
    }

    // The thread that called has no more to do but to report, until so many threads have finished.
    void watch(size_t threads) {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!all_finished_.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(20),
                                         [&] { return finished_ == threads; })) {
            lock.unlock();
            report();
            lock.lock();
        }
    }

    // The rows of a split that a model learns, or those that judge it: the others weigh nothing.
    Dataset part(size_t split, bool judging) const {
        std::vector<double> weights(plan_.data.rows());
        for (size_t r = 0; r < weights.size(); ++r)
            if ((result_.splits[r] == split) == judging) weights[r] = plan_.data.weight(r);
        return plan_.data.with_labels(nullptr, weights.data());
    }

    void fit_and_judge(size_t i, bool callers) {
        SearchModel& from = result_.models[i / result_.split_count];
        const size_t split = i % result_.split_count;
        Model model = untrained(from);
        Fit fit{*this, i, callers, 0};
        if (plan_.test)
            model.fit(plan_.data, on_progress, &fit);
        else
            model.fit(part(split, false), on_progress, &fit);
        model.finalize();
        from.values[split] = plan_.test ? evaluate(model, *plan_.test, result_.metric) : evaluate(model, part(split, true), result_.metric);
        for (size_t k = 0; k < model.scores(); ++k) nonzeros_[i] += static_cast<double>(model.nonzeros(k).size());
    }

    const SearchPlan& plan_;
    SearchResult& result_;
    const size_t count_;
    std::vector<double> nonzeros_;
    uint64_t rows_total_ = 0;
    std::atomic<size_t> next_{0}, limit_;  // fits from limit_ on are not wanted: there are no more, or one failed there
    std::atomic<uint64_t> rows_{0}, done_{0};
    std::atomic<bool> cancelled_{false};
    std::mutex mutex_;  // for what follows
    std::exception_ptr failure_;
    std::condition_variable all_finished_;
    size_t finished_ = 0;
};

void summarize(SearchModel& model) {
    const auto count = static_cast<double>(model.values.size());
    double n = 0, largest = 0, squares = 0;
    for (const double value : model.values) model.mean += (value - model.mean) / ++n;
    for (const double value : model.values) largest = std::max(largest, std::fabs(value - model.mean));
    if (largest == 0) return;
    for (const double value : model.values) squares += (value - model.mean) / largest * ((value - model.mean) / largest);
    model.standard_error = largest * std::sqrt(squares / ((count - 1) * count));
}

void choose(SearchResult& result) {
    const auto cost = [&](const SearchModel& model) { return result.larger_is_better ? -model.mean : model.mean; };
    const auto first_of = [&](auto before) {
        return static_cast<size_t>(std::min_element(result.models.begin(), result.models.end(), before) - result.models.begin());
    };
    const auto better = [&](const SearchModel& a, const SearchModel& b) {
        return cost(a) != cost(b) ? cost(a) < cost(b) : a.nonzeros < b.nonzeros;
    };
    result.best = first_of(better);
    const SearchModel& best = result.models[result.best];
    const double most = cost(best) + best.standard_error;
    result.sparsest = first_of([&](const SearchModel& a, const SearchModel& b) {
        const bool within = cost(a) <= most;
        if (within != (cost(b) <= most)) return within;
        return a.nonzeros != b.nonzeros ? a.nonzeros < b.nonzeros : cost(a) < cost(b);
    });
}

}  // namespace

SearchResult search(const SearchPlan& plan) {
    if ((plan.folds != 0) + (plan.holdout != 0) + (plan.test != nullptr) != 1)
        fail(SL_ERROR_INVALID_ARGUMENT, "models are judged by folds, a holdout or a test set, and of these one alone is given");
    if (plan.folds == 1) fail(SL_ERROR_INVALID_ARGUMENT, "folds is 1, but must be 2 or more");
    if (!(plan.holdout >= 0 && plan.holdout < 1))
        fail(SL_ERROR_INVALID_ARGUMENT, "holdout is ", plan.holdout, ", but must be above 0 and below 1");
    SearchResult result;
    result.models = models_of(plan.options, plan.grid);
    result.metric = metric_of(plan, result.models);
    result.larger_is_better = larger_is_better(result.metric);
    result.split_count = std::max(plan.folds, 1u);
    for (SearchModel& model : result.models) prepare(model, plan, result.metric);
    if (!plan.test) result.splits = splits_of(plan, Model(result.models[0].options));
    for (SearchModel& model : result.models) model.values.resize(result.split_count);  // no more than rows, by now
    Fits(plan, result).run();
    for (SearchModel& model : result.models) summarize(model);
    choose(result);
    return result;
}

}  // namespace sparselin
