#include <algorithm>
#include <cmath>

#include "error.h"
#include "model.h"
#include "sorted.h"

namespace sparselin {

Model Model::merged(const std::vector<const Model*>& models, const Model* begin, double parts) {
    if (!(parts >= 1 && std::isfinite(parts)))
        fail(SL_ERROR_INVALID_ARGUMENT, "parts is ", parts, ", but must be a finite number of at least 1");
    if (models.empty()) fail(SL_ERROR_INVALID_ARGUMENT, "there is no model to merge");
    const Model& first = *models[0];
    std::vector<const Learner*> learners;
    for (size_t m = 0; m < models.size(); ++m) {
        const std::string name = concat("model number ", m);
        models[m]->check_alike(name, first);
        if ((models[m]->steps() > 0) != (first.steps() > 0))
            fail(SL_ERROR_STATE, name,
                 first.steps() > 0 ? " is not trained, and model number 0 is" : " is trained, and model number 0 is not");
        if (models[m]->labels_.all() != first.labels_.all()) models[m]->refuse_labels(name, first);
        learners.push_back(models[m]->learner_.get());
    }
    if (begin) {
        const std::string name = "the model that the round began with";
        begin->check_alike(name, first);
        if (begin->labels_.known() && begin->labels_.all() != first.labels_.all()) begin->refuse_labels(name, first);
        for (size_t m = 0; m < models.size(); ++m)
            if (!learners[m]->goes_on_from(*begin->learner_))
                fail(SL_ERROR_INVALID_ARGUMENT, "model number ", m, ", of ", models[m]->steps(), " steps, is no copy of ", name, ", of ",
                     begin->steps(), " steps, that has learned something since");
    }
    if (models.size() == 1 && parts == 1) return Model(first);
    Model sum = first.untrained();
    sum.learner_ = Learner::merged(sum.settings_, learners, {begin ? begin->learner_.get() : nullptr, parts});
    for (const Model* model : models) sum.passes_ = std::max(sum.passes_, model->passes_);
    return sum;
}

// That a model, which messages call so, can be merged with another one, or have been what its round began with.
void Model::check_alike(const std::string& name, const Model& other) const {
    if (!learner_) fail(SL_ERROR_STATE, name, " was saved as a predictor, which cannot be merged");
    if (learner_->is_raw())
        fail(SL_ERROR_STATE, name, " starts from another model and has learned nothing yet; start what is merged instead");
    if (const std::string_view option = options_.first_other(other.options_); !option.empty())
        fail(SL_ERROR_INVALID_ARGUMENT, name, " has the option ", option, " at ", options_.get(option), ", and model number 0 at ",
             other.options_.get(option));
    if (!encoder_ != !other.encoder_ || (encoder_ && encoder_to_bytes(*encoder_) != encoder_to_bytes(*other.encoder_)))
        fail(SL_ERROR_INVALID_ARGUMENT, name, " has another encoder than model number 0; copies of one encoder merge, and hashed features");
}

void Model::refuse_labels(const std::string& name, const Model& other) const {
    fail(SL_ERROR_INVALID_ARGUMENT, name, " has other labels (", labels_.text(), ") than model number 0 (", other.labels_.text(), ")");
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
    if (encoder_ && source.encoder_ && !encoder_->has_indices_of(*source.encoder_))
        fail(SL_ERROR_INVALID_ARGUMENT,
             "the encoder of the model to start from gives names other indices than this one's: its weights are for other features");
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

}  // namespace sparselin
