#include "model.h"

#include <algorithm>
#include <cmath>

#include "arithmetic.h"
#include "class_loops.h"
#include "elementary.h"
#include "error.h"
#include "row_scan.h"
#include "sorted.h"

namespace sparselin {

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
    const uint64_t widest = dimension_of(indices);
    Predictor predictor(settings_.storage, classes);
    for (size_t k = 0; k < classes; ++k) predictor.biases[k] = bias(k);
    predictor.dimension = dimension();
    predictor.steps = steps();
    predictor.mean_loss = steps() > 0 ? mean_loss() : 0;
    if (classes == 1) {
        if (alone) {
            predictor.weights.make_least_room(widest, indices.size());
        } else {
            predictor.weights.make_room(widest, indices.size());
            if (widest <= learner_->dense_size()) predictor.weights.expect(widest, widest);  // an array costs half of what there is
        }
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

// Of a row whose values lie there as floats they are not its own: those are for a norm that is tiny, which the squares of floats never are.
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
        double lanes[4] = {};  // as of sum_in_lanes
        predictor_->weights.read_row(row.indices, row.count, [&](size_t j, double weight) { lanes[j % 4] += weight * values[j]; });
        sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    }
    return answer(sum / Statistics::normalizer(settings_.normalize, row) + bias());
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
        predictor_->blocks.find_row(row.indices, row.count, buffer.numbers.data(), buffer.blocks.data());
        const auto weight = [](const auto& w) __attribute__((always_inline)) { return w; };
        sum_blocks(classes, row.count, buffer.blocks.data(), row.values, weight, scores);
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
    for (size_t k = 0; k < classes; ++k) scores[k] = answer(scores[k] / divisor + (predictor_ ? predictor_->biases[k] : learner_->bias(k)));
}

void Model::scores(const Dataset& data, size_t first, size_t count, bool every, Buffer& buffer, double* scores) const {
    const size_t classes = this->scores();
    const auto ahead = [&](size_t i) { return std::min(first + i, data.rows() - 1); };
    for (size_t i = 0; i < count; ++i) {
        if (has_classes()) data.prefetch(ahead(i + 4), ahead(i + 8));  // while the weights of all classes keep the memory busy
        if (!every && data.weight(first + i) == 0) continue;
        with_row(first + i, [&] {
            if (const float* const floats = has_classes() ? nullptr : data.floats(first + i))
                scores[i] = score(data.pattern(first + i), floats);
            else
                this->scores(data.row(first + i, buffer.row_values), buffer, scores + i * classes);
        });
    }
}

void Model::set_threads(uint32_t threads) { settings_.threads = checked_threads(threads); }

void Model::refuse_overflow() { fail(SL_ERROR_INVALID_DATA, "the score of the example overflows; scale its values down"); }

void Model::require_one_score(const char* call) const {
    if (has_classes())
        fail(SL_ERROR_STATE, "this model tells ", uint64_t{scores()}, " classes apart, each with a score of its own; use ", call);
}

double Model::probability(double score) const {
    loss_.require_probabilities("probabilities", "need");
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
    loss_.require_probabilities("probabilities", "need");
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
    loss_.require_labels("labels", "need");
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
    loss_.require_labels("labels", "need");
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
    std::vector<uint32_t> indices;
    const auto take = [&](uint32_t index) { indices.push_back(index); };
    if (learner_) {
        learner_->for_each_index(take);
    } else {
        predictor_->weights.for_each([&](uint32_t index, double) { take(index); });
        predictor_->blocks.for_each([&](uint32_t index, const double*) { take(index); });
    }
    sort_distinct(indices);
    std::vector<std::pair<uint32_t, double>> weights;
    for (const uint32_t index : indices)
        if (const double weight = this->weight(index, k); weight != 0) weights.emplace_back(index, weight);
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
