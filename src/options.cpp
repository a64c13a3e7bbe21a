#include "options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "edit_distance.h"
#include "error.h"
#include "number.h"
#include "schedule.h"

namespace sparselin {
namespace {

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

size_t row_of(std::string_view name) {
    for (size_t i = 0; i < kOptionCount; ++i)
        if (name == kOptions[i].text.name) return i;
    std::string_view nearest;
    size_t distance = SIZE_MAX;
    const auto consider = [&](std::string_view word, std::string_view option) {
        const size_t d = edit_distance(name.substr(0, 40), word);
        if (d < distance) nearest = option, distance = d;
    };
    for (const OptionRow& row : kOptions) consider(row.text.name, row.text.name);
    for (const auto& [word, option] : kOtherWords) consider(word, option);
    fail(SL_ERROR_INVALID_OPTION, "there is no option '", shown(name), "'; the nearest name is '", nearest, "'");
}

[[noreturn]] void refuse(const OptionRow& row, std::string_view value, std::string_view wanted) {
    fail(SL_ERROR_INVALID_OPTION, "the option ", row.text.name, " is '", shown(value), "', but must be ", wanted);
}

// Whether `value` is among the choices "a|b|c".
bool is_among(std::string_view choices, std::string_view value) {
    while (!choices.empty()) {
        const size_t bar = choices.find('|');
        if (choices.substr(0, bar) == value) return true;
        choices = bar == choices.npos ? "" : choices.substr(bar + 1);
    }
    return false;
}

std::string_view without_plus(std::string_view text) { return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text; }

// Of an integer option; the 64-bit ones have no exact double.
uint64_t highest(const OptionRow& row) { return row.high >= 0x1p64 ? UINT64_MAX : static_cast<uint64_t>(row.high); }

// The value in the form in which it is kept.
std::string canonical(const OptionRow& row, std::string_view value) {
    const std::string_view kind = row.text.kind;
    if (kind == "boolean") {
        if (value == "true" || value == "1") return "true";
        if (value == "false" || value == "0") return "false";
        refuse(row, value, "true or false");
    }
    if (starts_with(kind, "number")) {
        if (kind == "number|auto" && value == "auto") return "auto";
        double number;
        const Reading reading = read_number(without_plus(value), number);
        if (reading == Reading::too_small || reading == Reading::too_large)
            fail(SL_ERROR_INVALID_OPTION, "the option ", row.text.name, " is '", shown(value), "', which is too ",
                 reading == Reading::too_small ? "small" : "large", " for a double");
        if (reading == Reading::none || !(number >= row.low && number <= row.high))
            refuse(row, value, concat("a number", *row.range ? " " : "", row.range));
        return to_text(number);
    }
    if (starts_with(kind, "integer")) {
        if (kind == "integer|auto" && value == "auto") return "auto";
        uint64_t number;
        if (!read_whole(without_plus(value), number) || number < static_cast<uint64_t>(row.low) || number > highest(row))
            refuse(row, value, concat("a whole number ", row.range));
        return std::to_string(number);
    }
    if (!is_among(kind, value)) refuse(row, value, concat("one of ", kind));
    return std::string(value);
}

}  // namespace

const Options::Changed* Options::changed(size_t i) const {
    for (const Changed& c : changed_)
        if (c.row == i) return &c;
    return nullptr;
}

std::string_view Options::value(size_t i) const {
    const Changed* const c = changed(i);
    return c ? std::string_view(c->value) : kOptions[i].text.standard;
}

bool Options::was_set(size_t i) const {
    const Changed* const c = changed(i);
    return c && c->set;
}

void Options::change(size_t i, std::string value, bool set) {
    const bool stays = set || value != kOptions[i].text.standard;
    const auto place = std::find_if(changed_.begin(), changed_.end(), [=](const Changed& c) { return c.row == i; });
    if (place == changed_.end()) {
        if (stays) changed_.push_back({i, set, std::move(value)});
    } else if (stays) {
        *place = {i, set, std::move(value)};
    } else {
        changed_.erase(place);
    }
}

void Options::set(std::string_view name, std::string_view text) {
    const size_t i = row_of(name);
    std::string kept = canonical(kOptions[i], text);
    if (name == "preset") {
        Options changed = *this;
        for (const PresetRow& row : kPresets)
            if (starts_with(text, row.preset)) changed.restore(row.name, row.value, false);
        *this = std::move(changed);
    }
    named_.set(i);
    if (value(i) != kept)
        change(i, std::move(kept), true);  // what a preset chose may be said again, as when a model's options are set anew
}

// As it was, whatever a preset may mean by now.
void Options::restore(std::string_view name, std::string_view value, bool set) {
    const size_t i = row_of(name);
    change(i, canonical(kOptions[i], value), set);
}

void Options::set_number(std::string_view name, double value) {
    const OptionRow& row = kOptions[row_of(name)];
    const std::string_view kind = row.text.kind;
    if (starts_with(kind, "integer")) {
        if (!(value >= 0 && value <= kCountable && value == std::floor(value)))
            refuse(row, to_text(value), concat("a whole number ", row.range, "; beyond 2^53 set it as text"));
        set(name, std::to_string(static_cast<uint64_t>(value)));
    } else if (starts_with(kind, "number") || kind == "boolean") {
        set(name, to_text(value));
    } else {
        refuse(row, to_text(value), concat("one of ", kind));
    }
}

std::string_view Options::get(std::string_view name) const { return value(row_of(name)); }

bool Options::was_named(std::string_view name) const { return named_[row_of(name)]; }

std::string_view Options::first_other(const Options& other) const {
    for (size_t i = 0; i < kOptionCount; ++i)
        if (const std::string_view name = kOptions[i].text.name;
            (users(name) & kForModels) && name != "threads" && value(i) != other.value(i))
            return name;
    return "";
}

// A default asks for nothing, and what a preset chose nobody asked for.
bool Options::has_been_asked_for(size_t i) const {
    return was_set(i) && value(i) != kOptions[i].text.standard && value(i) != kOptions[i].nothing;
}

double Options::number(std::string_view name) const {
    double number = 0;
    read_number(value(name), number);
    return number;
}

uint64_t Options::integer(std::string_view name) const {
    uint64_t number = 0;
    read_whole(value(name), number);
    return number;
}

uint32_t Options::users(std::string_view name) { return kOptions[row_of(name)].users; }

// Whether the option that decides about it says that this one is read.
bool Options::is_read(std::string_view name) const {
    const auto [option, choices] = kOptions[row_of(name)].reader;
    return !*option || is_among(choices, value(option));
}

void Options::exclude(bool excluded, std::string_view a, std::string_view b, std::string_view why) const {
    if (excluded) fail(SL_ERROR_INVALID_OPTION, a, " = ", value(a), " and ", b, " = ", value(b), " exclude each other: ", why);
}

void Options::refuse_without_effect(OptionUser user) const {
    for (size_t i = 0; i < kOptionCount; ++i) {
        if (!has_been_asked_for(i)) continue;
        const std::string_view name = kOptions[i].text.name;
        if (!(kOptions[i].users & user))
            fail(SL_ERROR_INVALID_OPTION, "the option ", name,
                 user == kForModels ? " is for encoders, not for models and data: give it to sl_encoder_create"
                                    : " is for models and data, not for encoders: give it to sl_model_create");
        const auto [option, choices] = kOptions[i].reader;
        exclude(!is_read(name), name, option, concat(name, " has no effect unless ", option, " is ", in_words(choices)));
    }
}

EncoderSettings Options::encoder_settings() const {
    refuse_without_effect(kForEncoders);
    EncoderSettings s;
    s.has_dictionary = chosen(kFeatureKinds, value("features")).value == FeatureKind::dictionary;
    s.hash_bits = static_cast<uint32_t>(integer("hash_bits"));
    s.hash_sign = boolean("hash_sign");
    s.hash_as_spark = chosen(kHashLikes, value("hash_like")).value == HashLike::spark;
    s.keep_names = boolean("keep_names");
    exclude(s.hash_sign && s.hash_as_spark, "hash_sign", "hash_like", "HashingTF knows no signs");
    exclude(s.hash_sign && s.hash_bits == 32, "hash_sign", "hash_bits", "the sign is one of the 32 bits");
    s.min_count = integer("min_count");
    s.tokens.kind = chosen(kTokenKinds, value("tokens")).value;
    s.tokens.ngram_min = static_cast<uint32_t>(integer("ngram_min"));
    s.tokens.ngram_max = static_cast<uint32_t>(integer("ngram_max"));
    exclude(s.tokens.ngram_min > s.tokens.ngram_max, "ngram_min", "ngram_max", "no number lies between them");
    s.tokens.lowercase = boolean("lowercase");
    s.threads = static_cast<uint32_t>(integer("threads"));
    return s;
}

Settings Options::settings() const {
    refuse_without_effect(kForModels);
    Settings s;
    const LossTraits& loss = chosen(kLosses, value("loss"));
    s.loss = loss.kind;
    s.huber_delta = number("huber_delta");
    s.epsilon = number("epsilon");
    s.quantile = number("quantile");
    s.classes = value("classes") == "auto" ? 0 : static_cast<uint32_t>(integer("classes"));
    s.multiclass = chosen(kMulticlasses, value("multiclass")).value;
    exclude(s.classes == 2 && s.multiclass != Multiclass::automatic, "multiclass", "classes", "multiclass has no effect on two classes");
    exclude(s.multiclass == Multiclass::softmax && loss.multiclass != Multiclass::softmax, "multiclass", "loss",
            concat("softmax is made of loss ", in_words(kLossesWithSoftmax.data())));
    if (s.multiclass == Multiclass::automatic) s.multiclass = loss.multiclass;
    s.balance = boolean("balance");
    s.positive_weight = number("positive_weight");
    exclude(s.classes > 2 && s.positive_weight != 1, "positive_weight", "classes", "positive_weight is for two labels");
    exclude(s.balance && s.positive_weight != 1, "positive_weight", "balance", "either says what the labels count");
    s.update = chosen(kUpdates, value("update")).value;
    const bool lipton = s.update == Update::sgd || s.update == Update::fobos;
    s.l1 = is_read("l1") ? number("l1") : 0;
    s.l2 = !is_read("l2") ? 0 : value("l2") == "auto" ? loss.l2 : number("l2");
    s.gravity = is_read("gravity") ? number("gravity") : 0;
    s.theta = is_read("theta") ? number("theta") : kInfinity;
    s.period = is_read("period") ? integer("period") : 1;
    exclude(s.update == Update::rounding && std::isinf(s.theta), "update", "theta",
            "rounding needs a finite theta, below which weights become 0");

    s.schedule = chosen(kSchedules, value("schedule")).value;
    s.eta0_auto = value("eta0") == "auto" && s.schedule != ScheduleKind::inverse_lambda;
    s.eta0 = number("eta0");
    s.power = value("power") == "auto" ? loss.power : number("power");
    const double penalties = s.schedule == ScheduleKind::adaptive ? s.l1 + s.l2 + s.gravity : s.l2;
    s.decay = value("decay") == "auto" ? penalties : number("decay");
    s.noise_auto = is_read("noise") && value("noise") == "auto" && loss.noise > 0;
    s.noise = !is_read("noise") ? 0 : value("noise") == "auto" ? loss.noise : number("noise");
    exclude(s.schedule == ScheduleKind::inverse_lambda && s.l2 == 0 && lipton, "schedule", "l2",
            "the learning rate is 1 / (l2 t), which needs l2 > 0");
    exclude(s.schedule == ScheduleKind::inverse_lambda && !lipton, "schedule", "update",
            "the learning rate is 1 / (l2 t), and l2 belongs to sgd and fobos");
    const double eta = s.eta0_auto ? 0 : learning_rate(s, 2, s.eta0);
    exclude(s.update == Update::sgd && eta * s.l2 > 1, "eta0", "l2",
            concat("at step 2 the learning rate is ", eta, ", so that 1 - eta l2 is below 0 and all that was learned is lost"));

    s.average = chosen(kAverages, value("average")).value;
    s.average_start_auto = s.average != Average::none && value("average_start") == "auto";
    s.average_start = s.average == Average::none ? 0 : integer("average_start");
    s.average_power = s.average == Average::polynomial ? number("average_power") : 0;
    const bool shrinks = s.l1 > 0 || s.gravity > 0 || s.update == Update::rounding;  // nothing else makes weights 0
    s.sparse_average = shrinks && s.average != Average::none && boolean("sparse_average");
    s.bias = boolean("bias");
    s.bias_regularized = s.bias && boolean("bias_regularized");
    s.normalize = chosen(kNormalizes, value("normalize")).value;
    s.scale = chosen(kScales, value("scale")).value;
    s.center = boolean("center");
    exclude(s.center && s.l1 > 0, "center", "l1", "only l2 can be centered");
    exclude(s.center && !lipton, "center", "update", "only sgd and fobos can be centered");
    s.nonnegative = boolean("nonnegative");
    exclude(s.center && s.nonnegative, "center", "nonnegative",
            "centered rows move every weight, and only those of a row's features are looked at");
    exclude(s.center && boolean("sparse_average"), "center", "sparse_average", "centered weights are never exactly 0");
    if (s.center && s.scale == Scale::automatic) s.scale = Scale::none;
    s.clip_min = number("clip_min");
    s.clip_max = number("clip_max");
    exclude(!(s.clip_min <= s.clip_max) || s.clip_min == kInfinity || s.clip_max == -kInfinity, "clip_min", "clip_max",
            "no score lies between them");

    s.storage = chosen(kStorages, value("storage")).value;
    s.dimension = integer("dimension");
    s.epochs = integer("epochs");
    s.sampling = chosen(kSamplings, value("sampling")).value;
    s.seed = integer("seed");
    s.index_base = chosen(kIndexBases, value("index_base")).value;
    s.threads = static_cast<uint32_t>(integer("threads"));
    return s;
}

}  // namespace sparselin
