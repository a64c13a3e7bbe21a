#include "model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>

#include "arithmetic.h"
#include "class_loops.h"
#include "class_weights.h"
#include "elementary.h"
#include "error.h"
#include "random.h"
#include "row_scan.h"
#include "sorted.h"

namespace sparselin {
namespace {

// Calls the progress function about fifty times a second, looking at the clock only every so many numbers.
class Reporter {
  public:
    Reporter(sl_progress_fn function, void* user) : function_(function), user_(user), last_(Clock::now()) {}

    // Counts a row and the numbers that were read or written for it; throws SL_ERROR_CANCELLED if it was time to report and
    // the function asks to stop.
    template <class Progress>
    void work(uint64_t numbers, Progress progress) {
        if (!function_ || (work_ += numbers + 16) < kWork) return;
        work_ = 0;
        const Clock::time_point now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        report(progress());
    }
    void report(const sl_progress& progress) const {
        if (function_ && function_(&progress, user_) != 0)
            fail(SL_ERROR_CANCELLED, "cancelled after ", progress.rows, " of ", progress.rows_total, " rows");
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr uint64_t kWork = 1 << 16;  // about a millisecond
    sl_progress_fn function_;
    void* user_;
    uint64_t work_ = 0;
    Clock::time_point last_;
};

// The rows of a pass in the order that the options fix.
class PassOrder {
  public:
    PassOrder(Sampling sampling, size_t rows, const RandomStream& random) : sampling_(sampling), rows_(rows), random_(random) {
        if (sampling != Sampling::shuffle) return;
        order_.resize(rows);
        for (size_t i = 0; i < rows; ++i) order_[i] = i;
        shuffle(order_.data(), rows, random);
    }
    bool is_sequential() const { return sampling_ == Sampling::sequential; }
    uint64_t operator[](uint64_t i) const {
        switch (sampling_) {
            case Sampling::shuffle: return order_[static_cast<size_t>(i)];
            case Sampling::sequential: return i;
            case Sampling::with_replacement: return random_.below(rows_, i);
        }
        return 0;
    }

  private:
    Sampling sampling_;
    uint64_t rows_;
    RandomStream random_;
    std::vector<uint64_t> order_;
};

// At least how many features the rows that will be learned have: as many as it takes for automatic storage to be an array from the start,
// or fewer, and then all. Mostly the first rows tell.
uint64_t features_of(const Dataset& data) {
    const uint64_t enough = (data.dimension() + FeatureStore<Weight>::kWidest - 1) / FeatureStore<Weight>::kWidest;
    if (data.nonzeros() < enough) return 0;
    std::vector<bool> seen(static_cast<size_t>(data.dimension()));
    uint64_t count = 0;
    for (size_t r = 0; r < data.rows() && count < enough; ++r) {
        const Row row = data.pattern(r);
        for (size_t j = 0; j < row.count && data.weight(r) > 0; ++j) {
            count += !seen[row.indices[j]];
            seen[row.indices[j]] = true;
        }
    }
    return count;
}

// Asks the memory for the rows that come after row i of the order, so that they are there when they are learned, and so are their weights.
// Rows that come as they lie, the memory brings by itself. What that gains is in tests/bench/README.md.
[[gnu::always_inline]] inline void look_ahead(const Learner& learner, const Dataset& data, const PassOrder& order, uint64_t i) {
    constexpr uint64_t kSoon = 4, kLater = 8;
    const auto row = [&](uint64_t ahead) { return static_cast<size_t>(order[std::min<uint64_t>(i + ahead, data.rows() - 1)]); };
    if (!order.is_sequential()) data.prefetch(row(kSoon), row(kLater));
    const Row next = data.pattern(row(1));
    learner.prefetch(next.indices, next.count);
}

}  // namespace

Model::Model(const Options& options)
    : options_(options), settings_(options.settings()), loss_(settings_), learner_(std::make_unique<Learner>(settings_)) {
    require_exact_arithmetic();
}

Model::Model(const Model& other)
    : options_(other.options_),
      settings_(other.settings_),
      signed_indices_(other.signed_indices_),
      loss_(other.loss_),
      labels_(other.labels_),
      learner_(other.learner_ ? std::make_unique<Learner>(*other.learner_) : nullptr),
      predictor_(other.predictor_ ? std::make_unique<Predictor>(*other.predictor_) : nullptr),
      passes_(other.passes_),
      position_(other.position_),
      encoder_(other.encoder_ ? std::make_unique<Encoder>(*other.encoder_) : nullptr) {}

Learner& Model::learner() {
    if (!learner_) fail(SL_ERROR_STATE, "this model was saved as a predictor and cannot be trained on");
    return *learner_;
}

void Model::observe(const RawRow& raw, double weight, const IndexBounds& bounds) {
    Learner& learner = this->learner();
    check_label_and_weight(0, weight);
    const Row row = buffer_.canonical(raw, bounds);
    if (weight == 0) return;
    learner.observe(row, weight);
    predictor_.reset();  // which knows the dimension
}

void Model::observe(const Dataset& data, size_t first, size_t count, size_t& rows_done) {
    ValueBuffer values;
    for (rows_done = 0; rows_done < count; ++rows_done) {
        const size_t r = first + rows_done;
        const Row row = data.row(r, values);
        with_row(r, [&] { observe(RawRow{row.indices, row.values, row.count}, data.weight(r), {settings_.dimension, false}); });
    }
}

void Model::step(const Row& row, double label, double weight) {
    if (!learner_->is_raw()) return learner_->step(row, label, weight);
    std::unique_ptr<Learner> ready = learner_->ready();
    ready->step(row, label, weight);
    learner_ = std::move(ready);
}

void Model::feed(const RawRow& raw, double label, double weight, const IndexBounds& bounds) {
    Learner& learner = this->learner();
    if (settings_.balance)
        fail(SL_ERROR_STATE, "the option balance goes by the labels of a whole data set: fit one, or feed with weights or positive_weight");
    check_label_and_weight(label, weight);
    Labels fixed;  // by this row, if none were
    if (loss_.has_labels()) {
        if (!labels_.known()) fixed = Labels::standard(learner.classes());
        label = (labels_.known() ? labels_ : fixed).taken(label);
    }
    const Row row = buffer_.canonical(raw, bounds);
    weight = ClassWeights(settings_).weighed(label, weight);
    if (weight == 0) return;
    step(row, label, weight);
    if (fixed.known()) labels_ = std::move(fixed);
    predictor_.reset();
}

void Model::feed(const Dataset& data, size_t first, size_t count, size_t& rows_done) {
    ValueBuffer values;
    for (rows_done = 0; rows_done < count; ++rows_done) {
        const size_t r = first + rows_done;
        const Row row = data.row(r, values);
        const Row next = data.pattern(std::min(r + 1, data.rows() - 1));
        prefetch(next.indices, next.count);
        with_row(r, [&] { feed(RawRow{row.indices, row.values, row.count}, data.label(r), data.weight(r), {settings_.dimension, false}); });
    }
}

Model Model::merged(const std::vector<const Model*>& models, const Model* begin, double parts) {
    if (!(parts >= 1 && std::isfinite(parts)))
        fail(SL_ERROR_INVALID_ARGUMENT, "parts is ", parts, ", but must be a finite number of at least 1");
    if (models.empty()) fail(SL_ERROR_INVALID_ARGUMENT, "there is no model to merge");
    const Model& first = *models[0];
    std::vector<const Learner*> learners;
    for (size_t m = 0; m < models.size(); ++m) {
        const Model& model = *models[m];
        const auto refuse = [m](sl_status status, auto... parts) { fail(status, "model number ", uint64_t{m}, parts...); };
        if (!model.learner_) refuse(SL_ERROR_STATE, " was saved as a predictor, which cannot be merged");
        if (model.learner_->is_raw())
            refuse(SL_ERROR_STATE, " starts from another model and has learned nothing yet; start what is merged instead");
        if (const std::string_view name = model.options_.first_other(first.options_); !name.empty())
            refuse(SL_ERROR_INVALID_ARGUMENT, " has the option ", name, " at ", model.options_.get(name), ", and model number 0 at ",
                   first.options_.get(name));
        if ((model.steps() > 0) != (first.steps() > 0))
            refuse(SL_ERROR_STATE, model.steps() > 0 ? " is trained, and model number 0 is not" : " is not trained, and model number 0 is");
        if (model.labels_.all() != first.labels_.all())
            refuse(SL_ERROR_INVALID_ARGUMENT, " has other labels (", model.labels_.text(), ") than model number 0 (", first.labels_.text(),
                   ")");
        if (model.encodes_otherwise(first))
            refuse(SL_ERROR_INVALID_ARGUMENT, " has another encoder than model number 0; copies of one encoder merge, and hashed features");
        learners.push_back(model.learner_.get());
    }
    if (begin) begin->check_begins(models);
    if (models.size() == 1 && parts == 1) return Model(first);
    Model sum = first.untrained();
    sum.learner_ = Learner::merged(sum.settings_, learners, {begin ? begin->learner_.get() : nullptr, parts});
    for (const Model* model : models) sum.passes_ = std::max(sum.passes_, model->passes_);
    return sum;
}

bool Model::encodes_otherwise(const Model& other) const {
    if (!encoder_ || !other.encoder_) return !encoder_ != !other.encoder_;
    return encoder_to_bytes(*encoder_) != encoder_to_bytes(*other.encoder_);
}

// That models may have begun a round as copies of this one, and have learned since. They are alike in all that merging asks for.
void Model::check_begins(const std::vector<const Model*>& models) const {
    const Model& first = *models[0];
    if (!learner_) fail(SL_ERROR_STATE, "the model that the round began with was saved as a predictor");
    if (learner_->is_raw())
        fail(SL_ERROR_STATE,
             "the model that the round began with starts from another model and has learned nothing yet: feed it a row before");
    if (const std::string_view name = options_.first_other(first.options_); !name.empty())
        fail(SL_ERROR_INVALID_ARGUMENT, "the model that the round began with has the option ", name, " at ", options_.get(name),
             ", and model number 0 at ", first.options_.get(name));
    if (labels_.known() && labels_.all() != first.labels_.all())
        fail(SL_ERROR_INVALID_ARGUMENT, "the model that the round began with has other labels (", labels_.text(), ") than model number 0 (",
             first.labels_.text(), ")");
    if (encodes_otherwise(first))
        fail(SL_ERROR_INVALID_ARGUMENT, "the model that the round began with has another encoder than model number 0");
    for (size_t m = 0; m < models.size(); ++m)
        if (!models[m]->learner_->goes_on_from(*learner_))
            fail(SL_ERROR_INVALID_ARGUMENT, "model number ", uint64_t{m}, ", of ", models[m]->steps(),
                 " steps, is no copy of the model that the round began with, of ", steps(), " steps, that has learned something since");
}

void Model::start(const Model& source) {
    if (learner().steps() > 0)
        fail(SL_ERROR_STATE, "this model has made ", learner_->steps(), " steps; only one that has made none can start from another");
    if (source.steps() == 0) fail(SL_ERROR_STATE, "the model to start from has learned nothing");
    if (loss_.has_labels() != source.loss_.has_labels())
        fail(SL_ERROR_INVALID_ARGUMENT, "the model to start from has the loss ", source.options_.get("loss"), ", and this one ",
             options_.get("loss"), ": one is for labels of any number, and the other is not");
    if (settings_.normalize != source.settings_.normalize)
        fail(SL_ERROR_INVALID_ARGUMENT, "the model to start from has the option normalize at ", source.options_.get("normalize"),
             ", and this one at ", options_.get("normalize"), ": its weights are for other rows");
    if (settings_.schedule == ScheduleKind::inverse_lambda)
        fail(SL_ERROR_STATE, "the schedule inverse_lambda forgets in its first step where it started");
    const size_t count = source.scores();
    if (labels_.known() && labels_.all() != source.labels_.all())
        fail(SL_ERROR_INVALID_ARGUMENT, "the model to start from has other labels (", source.labels_.text(), ") than this one (",
             labels_.text(), ")");
    if (loss_.has_labels() && settings_.classes != 0 && settings_.classes != source.labels_.count())
        fail(SL_ERROR_INVALID_ARGUMENT, "the model to start from has ", uint64_t{source.labels_.count()},
             " labels, but the option classes is ", settings_.classes);
    check_classes(source.labels_.count());
    std::vector<uint32_t> indices;
    std::vector<double> biases(count);
    for (size_t k = 0; k < count; ++k) {
        biases[k] = source.bias(k);
        for (const auto& [index, weight] : source.nonzeros(k)) indices.push_back(index);
    }
    sort_distinct(indices);
    if (settings_.dimension && !indices.empty() && indices.back() >= settings_.dimension)
        fail(SL_ERROR_INVALID_DATA, "the model to start from has a weight of index ", indices.back(),
             ", which is not below the option dimension, ", settings_.dimension);
    std::vector<double> weights;
    weights.reserve(indices.size() * count);
    for (const uint32_t index : indices)
        for (size_t k = 0; k < count; ++k) weights.push_back(source.weight(index, k));
    if (settings_.nonnegative)
        for (size_t i = 0; i < weights.size(); ++i)
            if (weights[i] < 0)
                fail(SL_ERROR_INVALID_DATA, "the model to start from has the weight ", weights[i], " of index ", indices[i / count],
                     ", and this one's option nonnegative allows none below 0");
    Settings settings = settings_;
    if (loss_.has_labels() && count > 1) settings.classes = static_cast<uint32_t>(count);
    Labels labels = source.labels_;
    learner_ = std::make_unique<Learner>(settings, *learner_, indices, weights, biases);
    settings_.classes = settings.classes;
    labels_ = std::move(labels);
    gathering_ = Gathering();
    position_ = FitPosition();
    predictor_.reset();
}

// Gathers the statistics of a data set, which has at least so many `features`. If it was stopped in the midst of the same data, it goes on
// from there.
void Model::gather(const Dataset& data, const Settings& settings, uint64_t features, sl_progress_fn progress, void* user) {
    Gathering gathering = std::exchange(gathering_, Gathering());
    if (!gathering.learner || gathering.fingerprint != data.fingerprint()) {
        gathering = {std::make_unique<Learner>(settings, *learner_), 0, 0};
        gathering.learner->expect_observed(data.dimension(), features);
    }
    Reporter reporter(progress, user);
    const sl_progress none{0, 0, settings_.epochs * data.rows(), 0, 0};
    ValueBuffer values;
    try {
        while (gathering.rows < data.rows()) {
            const size_t r = gathering.rows;
            const Row row = data.row(r, values), next = data.pattern(std::min(r + 1, data.rows() - 1));
            gathering.learner->prefetch(next.indices, next.count);
            if (data.weight(r) > 0) gathering.learner->observe(row, data.weight(r));
            ++gathering.rows;
            reporter.work(row.count, [&] { return none; });
        }
    } catch (const Error& error) {
        if (error.status() != SL_ERROR_CANCELLED) throw;
        gathering.fingerprint = data.fingerprint();
        position_ = FitPosition{true, gathering.fingerprint, 0, 0};
        gathering_ = std::move(gathering);
        throw;
    }
    gathering_ = std::move(gathering);
}

void Model::fit(const Dataset& data, sl_progress_fn progress, void* user) {
    learner();
    if (data.rows() > 0 && settings_.epochs > INT64_MAX / data.rows())
        fail(SL_ERROR_INVALID_OPTION, "the option epochs is ", settings_.epochs, ", which with ", uint64_t{data.rows()},
             " rows makes more than 2^63 steps");
    for (size_t r = 0; settings_.dimension && data.dimension() > settings_.dimension && r < data.rows(); ++r)
        if (data.pattern(r).dimension() > settings_.dimension)
            with_row(r, [&] {
                fail(SL_ERROR_INVALID_DATA, "index ", data.pattern(r).dimension() - 1, " is not below the option dimension, ",
                     settings_.dimension);
            });
    const Labels labels = loss_.has_labels() ? labels_.for_data(data, settings_.classes) : labels_;
    check_classes(labels.count());
    const ClassWeights class_weights(settings_, data, labels);
    Settings settings = settings_;
    if (labels.count() > 2) settings.classes = static_cast<uint32_t>(labels.count());
    FitPosition position;
    if (position_.active && position_.fingerprint == data.fingerprint()) position = position_;
    const uint64_t features = settings_.storage == Storage::automatic && learner_->steps() == 0 ? features_of(data) : 0;
    std::unique_ptr<Learner> before;  // the learner as it was before statistics were gathered, or classes found
    bool gathered = false;
    if (learner_->steps() == 0 && learner_->statistics().wanted() && !learner_->statistics().observed()) {
        gather(data, settings, features, progress, user);
        before = std::exchange(learner_, std::move(gathering_.learner));
        gathered = true;
    } else if (settings.scores() != learner_->classes()) {
        before = std::exchange(learner_, std::make_unique<Learner>(settings, *learner_));
    }
    const uint64_t steps = learner_->steps();
    const auto stopped = [&](bool cancelled) {
        const bool learned = learner_->steps() > steps;
        if (!learned && before) {
            std::swap(learner_, before);
            if (gathered) gathering_.learner = std::move(before);
            gathering_.fingerprint = data.fingerprint();
        }
        if (cancelled)
            position_ = FitPosition{true, data.fingerprint(), position.epochs, position.rows};
        else if (learned)
            position_ = FitPosition();
    };
    try {
        learner_->expect(data.dimension(), features);
        run_passes(data, labels, class_weights, position, progress, user);
    } catch (const Error& error) {
        stopped(error.status() == SL_ERROR_CANCELLED);
        throw;
    } catch (const std::bad_alloc&) {
        stopped(false);
        throw;
    }
    position_ = FitPosition{false, data.sample_fingerprint(), 0, 0};
    gathering_ = Gathering();
}

sl_fit_state Model::fit_state(const Dataset& data) const {
    if (position_.active) return position_.fingerprint == data.fingerprint() ? SL_FIT_STOPPED : SL_FIT_NEW;
    return position_.fingerprint == data.sample_fingerprint() ? SL_FIT_DONE : SL_FIT_NEW;
}

void Model::run_passes(const Dataset& data, const Labels& labels, const ClassWeights& class_weights, FitPosition& position,
                       sl_progress_fn progress, void* user) {
    const size_t rows = data.rows();
    const auto report = [&] {
        const double mean_loss = learner_->steps() > 0 ? learner_->mean_loss() : 0;
        return sl_progress{learner_->steps(), position.epochs * rows + position.rows, settings_.epochs * rows, mean_loss, position.epochs};
    };
    Reporter reporter(progress, user);
    ValueBuffer values;
    Labels fixed = labels;  // by the first row that is learned
    while (position.epochs < settings_.epochs && rows > 0) {
        const PassOrder order(settings_.sampling, rows, RandomStream(settings_.seed, passes_));
        while (position.rows < rows) {
            const size_t r = static_cast<size_t>(order[position.rows]);
            look_ahead(*learner_, data, order, position.rows);
            const Row row = data.row(r, values);
            const uint64_t settled = learner_->settled();
            double weight = data.weight(r);
            if (weight > 0) {  // else no labels may be known
                with_row(r, [&] {
                    const double label = loss_.has_labels() ? labels.taken(data.label(r)) : data.label(r);
                    weight = class_weights.weighed(label, weight);
                    if (weight > 0) step(row, label, weight);
                });
            }
            if (weight > 0) {
                if (!labels_.known() && fixed.known()) {
                    labels_ = std::move(fixed);
                    if (labels_.count() > 2) settings_.classes = static_cast<uint32_t>(labels_.count());
                }
                predictor_.reset();
            }
            ++position.rows;
            reporter.work(row.count * learner_->classes() + learner_->settled() - settled, report);
        }
        position.rows = 0;
        ++passes_;
        ++position.epochs;
        reporter.report(report());
    }
}

Predictor Model::predictor(bool alone) const {
    if (predictor_ && !(alone && learner_)) return *predictor_;
    const size_t classes = scores();
    std::vector<uint32_t> indices;
    std::vector<double> weights(classes);
    learner_->for_each_index([&](uint32_t index) {
        learner_->weights(index, weights.data());
        if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 0; })) indices.push_back(index);
    });
    sort_distinct(indices);
    const uint64_t widest = indices.empty() ? 0 : uint64_t{indices.back()} + 1;
    const bool fits =
        !alone && widest <= learner_->dense_size() && settings_.storage != Storage::hash;  // an array costs half of what there is
    Predictor predictor(fits ? Storage::dense : settings_.storage, classes, alone ? Predictor::kWidest : FeatureStore<double>::kWidest);
    for (size_t k = 0; k < classes; ++k) predictor.biases[k] = bias(k);
    predictor.dimension = dimension();
    predictor.steps = steps();
    predictor.mean_loss = steps() > 0 ? mean_loss() : 0;
    if (classes == 1) {
        if (alone)
            predictor.weights.make_least_room(widest, indices.size());
        else
            predictor.weights.make_room(widest, indices.size());
        for (const uint32_t index : indices) predictor.weights.at(index) = learner_->weight(index);
        return predictor;
    }
    if (alone)
        predictor.blocks.make_least_room(widest, indices.size());
    else
        predictor.blocks.make_room(widest, indices.size());
    std::vector<double*> blocks(indices.size());
    predictor.blocks.locate(indices.data(), indices.size(), blocks.data());
    for (size_t i = 0; i < indices.size(); ++i) learner_->weights(indices[i], blocks[i]);
    return predictor;
}

Model Model::untrained() const {
    Model model(options_);
    model.signed_indices_ = signed_indices_;
    model.labels_ = labels_;
    if (has_classes()) model.become(settings_.classes);
    model.set_encoder(encoder());
    return model;
}

Model Model::alone() const {
    Model model = untrained();
    model.learner_.reset();
    model.predictor_ = std::make_unique<Predictor>(predictor(true));
    return model;
}

void Model::finalize() {
    if (!predictor_) predictor_ = std::make_unique<Predictor>(predictor());
}

// Where it can be, a row is found valid and multiplied in one pass.
double Model::predict(const RawRow& raw, RowBuffer& buffer) const {
    double sum;
    if (predictor_ && raw.values && settings_.normalize == Normalize::none && predictor_->weights.is_dense() &&
        scan_product(raw, predictor_->weights.dense(), predictor_->weights.dense_size(), sum))
        return answer(sum + predictor_->biases[0]);
    return score(buffer.canonical(raw, {0, signed_indices_}));
}

double Model::score(const Row& row) const { return score(row, row.values); }

template <class Number>
double Model::score(const Row& row, const Number* values) const {
    const auto dot = [&](auto weight) { return sum_in_lanes(row.count, [&](size_t j) { return weight(row.indices[j]) * values[j]; }); };
    double sum;
    if (!predictor_) {
        sum = dot([&](uint32_t index) { return learner_->weight(index); });
    } else if (predictor_->weights.is_dense() && row.dimension() <= predictor_->weights.dense_size()) {
        const double* weights = predictor_->weights.dense();
        sum = dot([=](uint32_t index) { return weights[index]; });
    } else {
        sum = dot([&](uint32_t index) { return predictor_->weights.read(index); });
    }
    Row whole = row;
    if constexpr (std::is_same_v<Number, double>) whole.values = values;  // which a norm is taken from where it is tiny: of floats none is
    return answer(sum / Statistics::normalizer(settings_.normalize, whole) + bias());
}

void Model::scores(const RawRow& raw, Buffer& buffer, double* scores) const {
    if (has_classes())
        this->scores(buffer.row.canonical(raw, {0, signed_indices_}), buffer, scores);
    else
        *scores = predict(raw, buffer.row);
}

void Model::scores(const Row& row, Buffer& buffer, double* scores) const {
    if (!has_classes()) {
        *scores = score(row);
        return;
    }
    const size_t classes = this->scores();
    if (predictor_) {
        buffer.numbers.assign(classes, 0);  // of a feature that has none
        buffer.blocks.resize(row.count);
        for (size_t j = 0; j < row.count; ++j) {
            const double* const block = predictor_->blocks.find(row.indices[j]);
            buffer.blocks[j] = block ? block : buffer.numbers.data();
        }
        const auto value = [](const double* w, auto v) { return load<decltype(v)>(w); };
        sum_blocks(
            classes, row.count, [at = buffer.blocks.data()](size_t j) { return at[j]; }, row.values, value, scores);
    } else {
        buffer.numbers.assign(5 * classes, 0);
        double *const lanes = buffer.numbers.data(), *const weights = lanes + 4 * classes;
        for (size_t j = 0; j < row.count; ++j) {
            double* const lane = lanes + j % 4 * classes;
            learner_->weights(row.indices[j], weights);
            for (size_t k = 0; k < classes; ++k) lane[k] += weights[k] * row.values[j];
        }
        for (size_t k = 0; k < classes; ++k)
            scores[k] = (lanes[k] + lanes[classes + k]) + (lanes[2 * classes + k] + lanes[3 * classes + k]);
    }
    const double divisor = Statistics::normalizer(settings_.normalize, row);
    for (size_t k = 0; k < classes; ++k) scores[k] = answer(scores[k] / divisor + bias(k));
}

void Model::scores(const Dataset& data, size_t first, size_t count, double* scores, bool every) const {
    const size_t classes = this->scores();
    score_pieces(count, data.nonzeros(first, count), [&](size_t from, size_t rows, Buffer& buffer) {
        for (size_t i = from; i < from + rows; ++i)
            if (every || data.weight(first + i) > 0)
                with_row(first + i, [&] {
                    if (has_classes())
                        this->scores(data.row(first + i, buffer.row_values), buffer, scores + i * classes);
                    else
                        scores[i] = data.with_values(first + i, buffer.row_values,
                                                     [&](const auto* values) { return score(data.pattern(first + i), values); });
                });
    });
}

void Model::set_threads(uint32_t threads) { settings_.threads = checked_threads(threads); }

double Model::answer(double score) const {
    if (!std::isfinite(score)) fail(SL_ERROR_INVALID_DATA, "the score of the example overflows; scale its values down");
    return settings_.clipped(score);
}

void Model::require_one_score(const char* call) const {
    if (has_classes())
        fail(SL_ERROR_STATE, "this model tells ", uint64_t{scores()}, " classes apart, each with a score of its own; use ", call);
}

double Model::probability(double score) const {
    if (loss_.kind() != LossKind::log) fail(SL_ERROR_STATE, "probabilities need loss log; this model's is ", options_.get("loss"));
    if (std::isnan(score)) fail(SL_ERROR_INVALID_DATA, "the score is nan");
    return 1 / (1 + exponential(-score));
}

void Model::check_scores(const double* scores, size_t rows) const {
    const size_t classes = this->scores();
    for (size_t r = 0; r < rows; ++r)
        for (size_t k = 0; k < classes; ++k)
            if (const double score = scores[r * classes + k]; has_classes() ? !std::isfinite(score) : std::isnan(score))
                with_row(r, [&] { fail(SL_ERROR_INVALID_DATA, "the score of class ", uint64_t{k}, " is ", score); });
}

void Model::probabilities(const double* scores, size_t rows, double* probabilities) const {
    if (loss_.kind() != LossKind::log) fail(SL_ERROR_STATE, "probabilities need loss log; this model's is ", options_.get("loss"));
    check_scores(scores, rows);
    const size_t classes = this->scores();
    for (size_t r = 0; r < rows; ++r) {
        if (has_classes())
            loss_.probabilities(scores + r * classes, classes, probabilities + r * classes);
        else
            probabilities[r] = probability(scores[r]);
    }
}

void Model::predicted_labels(const double* scores, size_t rows, double* labels) const {
    const std::vector<double>& all = require_labels().all();
    check_scores(scores, rows);
    for (size_t r = 0; r < rows; ++r) labels[r] = all[predicted_class(scores + r * this->scores(), this->scores())];
}

const Labels& Model::require_labels() const {
    if (!loss_.has_labels()) fail(SL_ERROR_STATE, "labels need loss log, hinge or squared_hinge; this model's is ", options_.get("loss"));
    if (!labels_.known()) fail(SL_ERROR_STATE, "no example has fixed the labels yet");
    return labels_;
}

// Makes an untrained model one of so many classes. All or nothing.
void Model::become(uint32_t classes) {
    Settings settings = settings_;
    settings.classes = classes;
    learner_ = std::make_unique<Learner>(settings, *learner_);
    settings_.classes = classes;
    gathering_ = Gathering();
    predictor_.reset();
}

void Model::check_classes(size_t count) const {
    if (count > 2 && settings_.positive_weight != 1)
        fail(SL_ERROR_INVALID_DATA, "there are ", uint64_t{count},
             " classes, but the option positive_weight is for two labels; there is balance");
}

void Model::set_labels(const double* given, size_t count) {
    learner();
    if (!loss_.has_labels()) fail(SL_ERROR_STATE, "labels need loss log, hinge or squared_hinge; this model's is ", options_.get("loss"));
    if (labels_.known())
        fail(SL_ERROR_STATE, "this model's ", uint64_t{labels_.count()}, " labels are fixed already, from ", labels_.all().front(), " to ",
             labels_.all().back());
    if (count < 2 || count > kMostClasses)
        fail(SL_ERROR_INVALID_ARGUMENT, "the number of labels is ", uint64_t{count}, ", but must be from 2 to ", kMostClasses);
    if (settings_.classes != 0 && settings_.classes != count)
        fail(SL_ERROR_INVALID_ARGUMENT, "the number of labels is ", uint64_t{count}, ", but the option classes is ", settings_.classes);
    check_classes(count);
    std::vector<double> labels(given, given + count);
    for (size_t k = 0; k < count; ++k) {
        if (!std::isfinite(labels[k])) fail(SL_ERROR_INVALID_DATA, "label number ", uint64_t{k}, " is ", labels[k]);
        labels[k] += 0.0;  // -0 is 0
    }
    std::sort(labels.begin(), labels.end());
    const auto twice = std::adjacent_find(labels.begin(), labels.end());
    if (twice != labels.end()) fail(SL_ERROR_INVALID_DATA, "the label ", *twice, " is there twice");
    if (count > 2 && settings_.classes == 0) become(static_cast<uint32_t>(count));
    labels_ = Labels(std::move(labels));
}

void Model::check_class(size_t k) const {
    if (k >= scores())
        fail(SL_ERROR_INVALID_ARGUMENT, "there is no class number ", uint64_t{k}, "; this model has ", uint64_t{scores()},
             has_classes() ? " classes, from 0 on" : " score, number 0");
}

double Model::bias(size_t k) const {
    check_class(k);
    return predictor_ ? predictor_->biases[k] : learner_->bias(k);
}

double Model::weight(uint32_t index, size_t k) const {
    check_class(k);
    if (learner_) return learner_->weight(index, k);
    if (!has_classes()) return predictor_->weights.read(index);
    const double* const block = predictor_->blocks.find(index);
    return block ? block[k] : 0;
}

double Model::mean_loss() const {
    if (steps() == 0) fail(SL_ERROR_STATE, "no step has been made yet");
    return learner_ ? learner_->mean_loss() : predictor_->mean_loss;
}

std::vector<std::pair<uint32_t, double>> Model::nonzeros(size_t k) const {
    check_class(k);
    std::vector<std::pair<uint32_t, double>> weights;
    const auto take = [&](uint32_t index) {
        const double weight = this->weight(index, k);
        if (weight != 0) weights.emplace_back(index, weight);
    };
    if (learner_) {
        learner_->for_each_index(take);
    } else {
        predictor_->weights.for_each([&](uint32_t index, double) { take(index); });
        predictor_->blocks.for_each([&](uint32_t index, const double*) { take(index); });
    }
    sort_distinct(weights);
    return weights;
}

double Model::penalty() const {
    if (!learner_) fail(SL_ERROR_STATE, "the objective needs the model's training state, but it was saved as a predictor");
    double absolute = 0, square = 0;
    std::vector<uint32_t> indices;
    learner_->for_each_index([&](uint32_t index) { indices.push_back(index); });
    sort_distinct(indices);
    std::vector<double> weights(scores());
    for (const uint32_t index : indices) {
        learner_->scaled_weights(index, weights.data());
        for (const double w : weights) {
            absolute += std::fabs(w);
            square += w * w;
        }
    }
    for (size_t k = 0; settings_.bias_regularized && k < scores(); ++k) square += learner_->centered_bias(k) * learner_->centered_bias(k);
    const auto part = [](double penalty, double sum) { return penalty > 0 ? penalty * sum : 0; };  // though the sum may be infinite
    return part(settings_.l1, absolute) + part(settings_.l2 / 2, square);
}

uint64_t Model::bytes() const {
    return sizeof *this + labels_.count() * sizeof(double) + options_.bytes() + buffer_.bytes() + (learner_ ? learner_->bytes() : 0) +
           (predictor_ ? predictor_->bytes() : 0) + (gathering_.learner ? gathering_.learner->bytes() : 0) +
           (encoder_ ? encoder_->bytes() : 0);
}

}  // namespace sparselin
