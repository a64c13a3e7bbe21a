// The life of a model: options, learner, predictor, labels, and the loop over a data set.
#pragma once
#include <sparselin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "crew.h"
#include "dataset.h"
#include "encoder.h"
#include "labels.h"
#include "learner.h"
#include "options.h"
#include "predictor.h"

namespace sparselin {

class ClassWeights;

class Model {
  public:
    explicit Model(const Options& options);
    Model(const Model& other);
    Model(Model&&) = default;

    // All that a model is but its options, or all that predicting needs.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive, bool everything) {
        self.label_fields(self, archive);
        if (everything) {
            archive(self.passes_, self.position_.active, self.position_.fingerprint, self.position_.epochs, self.position_.rows);
            Learner::fields(*self.learner_, archive);
        } else if constexpr (Archive::reads) {
            self.predictor_ = std::make_unique<Predictor>(self.settings_.storage, self.settings_.scores());
            self.learner_.reset();
            Predictor::fields(*self.predictor_, archive);
        } else {
            const Predictor predictor = self.predictor();
            Predictor::fields(predictor, archive);
        }
        bool encodes = self.encoder_ != nullptr;
        archive(encodes);
        if (!encodes) return;
        if constexpr (Archive::reads)
            self.encoder_ = std::make_unique<Encoder>(Encoder::read(archive));
        else
            self.encoder_->write(archive);
    }

    void observe(const RawRow& raw, double weight) { observe(raw, weight, bounds()); }
    void observe(const Dataset& data, size_t first, size_t count, size_t& rows_done);
    void feed(const RawRow& raw, double label, double weight) { feed(raw, label, weight, bounds()); }
    void feed(const Dataset& data, size_t first, size_t count, size_t& rows_done);
    // Tells that a row of these indices will be fed soon, which pays where the weights outgrow the caches.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        if (learner_) learner_->prefetch(indices, count);
    }
    void fit(const Dataset& data, sl_progress_fn progress, void* user);
    // What models of the same options and labels have observed or learned, together. The order of the list fixes the bits.
    // `begin`, if any, is what all were copies of when a round of so many parts began: see Learner::Round.
    static Model merged(const std::vector<const Model*>& models, const Model* begin, double parts);
    // Begins at what another model returns, before the first step. All or nothing.
    void start(const Model& source);
    sl_fit_state fit_state(const Dataset& data) const;
    void finalize();
    Model alone() const;  // what predicting needs of it, as a model that can only predict

    // From here on indices beyond INT32_MAX are refused, but for those of data sets.
    void take_indices_as_signed() { signed_indices_ = true; }

    // What made its rows, carried along. Null takes it out.
    void set_encoder(const Encoder* encoder) { encoder_ = encoder ? std::make_unique<Encoder>(*encoder) : nullptr; }
    const Encoder* encoder() const { return encoder_.get(); }

    // How many scores a row has: 1, or with three classes and more one for each.
    size_t scores() const { return settings_.scores(); }
    bool has_classes() const { return scores() > 1; }
    // SL_ERROR_STATE naming the call to use, if there are several.
    void require_one_score(const char* call) const;

    // What is the caller's, so that any number of threads may predict.
    struct Buffer {
        RowBuffer row;
        ValueBuffer row_values;  // of one data set
        std::vector<const double*> blocks;
        std::vector<double> numbers;
    };
    // The score of a row, of a model of one; the scores, of any. SL_ERROR_INVALID_DATA if one is not finite.
    double predict(const RawRow& raw, RowBuffer& buffer) const;
    double score(const Row& row) const;
    template <class Number>
    double score(const Row& row, const Number* values) const;  // whose own need not be there
    void scores(const RawRow& raw, Buffer& buffer, double* scores) const;
    void scores(const Row& row, Buffer& buffer, double* scores) const;
    // Of `count` rows of a data set from row `first` on, but for those of weight 0 where not every one counts.
    void scores(const Dataset& data, size_t first, size_t count, bool every, Buffer& buffer, double* scores) const;
    // Calls score(first, count, buffer) until so many rows with so many nonzeros are done, in as many threads as the option says where they
    // are worth it.
    template <class Score>
    void score_pieces(size_t rows, uint64_t nonzeros, Score score) const;
    // Sets the option `threads`; SL_ERROR_INVALID_ARGUMENT if that is more than it may be.
    void set_threads(uint32_t threads);

    double probability(double score) const;
    // Of the scores of so many rows, all of which are checked before the first is written.
    void probabilities(const double* scores, size_t rows, double* probabilities) const;
    void predicted_labels(const double* scores, size_t rows, double* labels) const;

    bool can_train() const { return learner_ != nullptr; }
    const Options& options() const { return options_; }
    const Settings& settings() const { return settings_; }
    const Loss& loss() const { return loss_; }
    // To be set before anything fixed them; in any order.
    void set_labels(const double* labels, size_t count);
    const Labels& labels() const { return labels_; }
    const Labels& require_labels() const;  // the same; SL_ERROR_STATE if there are none

    uint64_t dimension() const { return learner_ ? learner_->dimension() : predictor_->dimension; }
    uint64_t steps() const { return learner_ ? learner_->steps() : predictor_->steps; }
    double mean_loss() const;
    // Of class k, which is 0 where there is one score; SL_ERROR_INVALID_ARGUMENT if there is no such class.
    double bias(size_t k = 0) const;
    double weight(uint32_t index, size_t k = 0) const;
    std::vector<std::pair<uint32_t, double>> nonzeros(size_t k = 0) const;
    double penalty() const;  // of the scaled weights, and of the bias where it is regularized
    uint64_t bytes() const;

  private:
    void check_alike(const std::string& name, const Model& other) const;
    [[noreturn]] void refuse_labels(const std::string& name, const Model& other) const;

    // Where a cancelled fit stopped; or, not active, which data the last fit learned to the end.
    struct FitPosition {
        bool active = false;
        uint64_t fingerprint = 0;
        uint64_t epochs = 0;  // passes of this fit that are complete
        uint64_t rows = 0;    // rows of the next pass that are done
    };

    // Statistics that a fit was gathering when it was cancelled: a learner that is not yet the model's. Not copied or saved.
    struct Gathering {
        std::unique_ptr<Learner> learner;
        uint64_t fingerprint = 0;
        size_t rows = 0;  // that are done
    };

    template <class Self, class Archive>
    static void label_fields(Self& self, Archive& archive) {
        const Loss& loss = self.loss_;
        std::vector<double> labels = self.labels_.all();
        uint64_t count = labels.size();
        archive(count);
        archive.check(count == 0 || (loss.has_labels() && count > 1 && count <= kMostClasses), "it has labels of no number that can be");
        if constexpr (Archive::reads) {
            archive.check(count <= archive.left() / sizeof(double), "there are more labels than bytes");
            labels.resize(static_cast<size_t>(count));
        }
        for (double& label : labels) archive(label);
        if constexpr (Archive::reads) {
            for (size_t k = 1; k < count; ++k) archive.check(labels[k - 1] < labels[k], "the labels do not ascend");
            archive.check(count == 0 || self.settings_.classes == 0 || self.settings_.classes == count, "it has other classes than labels");
            self.labels_ = Labels(std::move(labels));
            if (self.settings_.classes == 0 && count > 2) self.become(static_cast<uint32_t>(count));
        }
    }

    Learner& learner();
    void become(uint32_t classes);
    void check_class(size_t k) const;
    void check_scores(const double* scores, size_t rows) const;
    double answer(double score) const {
        if (!std::isfinite(score)) refuse_overflow();
        return settings_.clipped(score);
    }
    [[noreturn]] static void refuse_overflow();
    IndexBounds bounds() const { return {settings_.dimension, signed_indices_}; }
    void observe(const RawRow& raw, double weight, const IndexBounds& bounds);
    void step(const Row& row, double label, double weight);
    void feed(const RawRow& raw, double label, double weight, const IndexBounds& bounds);
    Model untrained() const;                        // one of the same options, labels and encoder
    Predictor predictor(bool alone = false) const;  // alone: with no training state beside it
    void gather(const Dataset& data, const Settings& settings, uint64_t features, sl_progress_fn progress, void* user);
    void run_passes(const Dataset& data, const Labels& labels, const ClassWeights& class_weights, FitPosition& position,
                    sl_progress_fn progress, void* user);
    void check_classes(size_t count) const;  // whether the options suit so many

    Options options_;
    Settings settings_;  // as the options say, but that `classes` is what labels have made of auto
    bool signed_indices_ = false;
    Loss loss_;
    Labels labels_;
    std::unique_ptr<Learner> learner_;      // none: the model can only predict
    std::unique_ptr<Predictor> predictor_;  // none: not finalized since the last step
    uint64_t passes_ = 0;                   // complete passes of all fits, each of which has an order of its own
    FitPosition position_;
    Gathering gathering_;
    std::unique_ptr<Encoder> encoder_;  // none: rows are made elsewhere
    RowBuffer buffer_;
};

template <class Score>
void Model::score_pieces(size_t rows, uint64_t nonzeros, Score score) const {
    constexpr uint64_t kWork = 1 << 16, kPiecesAThread = 32;  // work that takes longer than it takes to start a thread
    const size_t threads = thread_count(settings_.threads);
    const uint64_t work = std::max(nonzeros, uint64_t{rows}) / std::max<uint64_t>(kWork / scores(), 1);
    const auto pieces = static_cast<size_t>(std::clamp<uint64_t>(std::min(work, threads * kPiecesAThread), 1, std::max<size_t>(rows, 1)));
    do_pieces(threads, pieces, [&] {
        return [&, buffer = Buffer()](size_t p) mutable {
            const size_t first = rows / pieces * p + std::min(p, rows % pieces);
            score(first, rows / pieces + (p < rows % pieces), buffer);
        };
    });
}

}  // namespace sparselin
