// A search among models beside their fits alone.
#include "bars.h"
#include "programs.h"

namespace bench {
namespace {

constexpr uint32_t kFolds = 5;

// Fewer models, not fewer rows, where it shall be quick: what a search takes beside its fits is not the same a row.
size_t models_of(const Table& table) { return table.quick() ? 2 : 12; }

void search_of(const Table& table, const Data& data, uint32_t threads, sl_search** found) {
    sl_error error;
    check(sl_search_run(nullptr, table.quick() ? "l1=0,1e-5" : "l1=0,1e-6,1e-5,1e-4 l2=1e-7,1e-6,1e-5", data.handle, nullptr, kFolds, 0,
                        nullptr, threads, nullptr, nullptr, found, &error),
          error);
}

// What whoever has no search does, but for judging: a loop over models and folds, of which the data sets are there.
class ByHand {
  public:
    ByHand(const Data& data, const sl_search* search, size_t rows, size_t models) : options_(models) {
        sl_error error;
        size_t count;
        std::vector<uint32_t> splits(rows);
        check(sl_search_splits(search, splits.data(), rows, &count, &error), error);
        std::vector<double> weights(rows);
        for (uint32_t fold = 0; fold < kFolds; ++fold) {
            for (size_t r = 0; r < rows; ++r) weights[r] = splits[r] != fold;
            check(sl_dataset_with_labels(data.handle, nullptr, weights.data(), &learned_[fold], &error), error);
        }
        for (size_t i = 0; i < models; ++i) check(sl_search_options(search, i, &options_[i], &error), error);
    }
    ~ByHand() {
        for (sl_dataset* data : learned_) sl_dataset_free(data);
        for (sl_options* options : options_) sl_options_free(options);
    }
    ByHand(const ByHand&) = delete;
    ByHand& operator=(const ByHand&) = delete;

    void fit_all() const {
        sl_error error;
        for (const sl_options* options : options_)
            for (const sl_dataset* data : learned_) {
                sl_model* model = nullptr;
                check(sl_model_create(options, &model, &error), error);
                check(sl_model_fit(model, data, nullptr, nullptr, &error), error);
                sl_model_free(model);
            }
    }

  private:
    sl_dataset* learned_[kFolds] = {};
    std::vector<sl_options*> options_;
};

}  // namespace

void search_bars(Table& table) {
    const size_t models = models_of(table);
    table.heading("Search: " + std::to_string(models) + " models in 5 folds, a nonzero of each fit");
    const Matrix matrix = words(100000, 47236, 75.7, 1);
    const Data data(matrix);
    sl_search* search = nullptr;
    search_of(table, data, 1, &search);
    const ByHand by_hand(data, search, matrix.rows(), models);
    sl_search_free(search);
    const auto in_threads = [&](uint32_t threads) {
        return [&, threads] {
            sl_search* found = nullptr;
            search_of(table, data, threads, &found);
            sl_search_free(found);
        };
    };
    const std::function<void()> fits = [&] { by_hand.fit_all(); };
    const size_t nonzeros = matrix.nonzeros() * models * (kFolds - 1);
    const std::vector<double> times = table.race(nonzeros, {fits, in_threads(1)});
    table.add("r100, one thread, beside the fits alone", times[1], times[0], 1.15);
    const std::vector<double> walls = race_by_the_wall(table, nonzeros, {fits, in_threads(2)});
    table.add("r100, two threads, beside the fits alone in one, by the wall", walls[1], walls[0], 0.6);
}

}  // namespace bench
