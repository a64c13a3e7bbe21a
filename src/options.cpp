#include "options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "error.h"
#include "number.h"
#include "schedule.h"

namespace sparselin {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFinite = std::numeric_limits<double>::max();
constexpr double kPositive = std::numeric_limits<double>::denorm_min();
constexpr double kBelowOne = 1 - std::numeric_limits<double>::epsilon() / 2;
constexpr double kCountable = 9007199254740992.0;  // 2^53

struct TableRow {
    Options::Description text;
    double low, high;          // of numbers and integers, both included
    const char* range;         // the same in words
    const char* reader = "";   // "OPTION=a|b": what another option has to be for this one to be read; "" where it always is
    const char* nothing = "";  // a value that, like the default, may be given where it is not read
};

constexpr TableRow kTable[] = {
    {{"preset", "none|dekel-sgd|dekel-asgd|dekel-casgd|xu-asgd|lipton-sgd|lipton-fobos|langford-tg|langford-rounding", "none",
      "Set the options that make the algorithm of a paper; options set after it win."},
     0,
     0,
     ""},
    {{"loss", "log|hinge|squared_hinge|squared|absolute|huber|epsilon_insensitive|quantile", "log",
      "Loss to minimise. The first three are for two labels, the others for any number."},
     0,
     0,
     ""},
    {{"huber_delta", "number", "1", "Loss huber: errors up to this size count squared, larger ones linearly."},
     kPositive,
     kFinite,
     "above 0",
     "loss=huber"},
    {{"epsilon", "number", "0.1", "Loss epsilon_insensitive: errors up to this size cost nothing."},
     0,
     kFinite,
     "at least 0",
     "loss=epsilon_insensitive"},
    {{"quantile", "number", "0.5",
      "Loss quantile: which quantile of the label to predict. Far from 1/2, of skewed labels, `noise` of 0.06 or more passes come closer."},
     kPositive,
     kBelowOne,
     "between 0 and 1",
     "loss=quantile"},
    {{"update", "sgd|fobos|truncated_gradient|rounding", "sgd",
      "What a step does with the penalties: gradient and shrinkage together (sgd), shrinkage after the gradient (fobos), or, every "
      "`period` steps, shrinkage by gravity (truncated_gradient) or rounding to 0 (rounding)."},
     0,
     0,
     ""},
    {{"l1", "number", "0", "Weight of the penalty |w|_1, which makes weights exactly 0. For sgd and fobos."},
     0,
     kFinite,
     "at least 0",
     "update=sgd|fobos"},
    {{"l2", "number|auto", "auto",
      "Weight of the penalty |w|^2 / 2. For sgd and fobos. auto is 1e-6, and 0 for the losses whose slope does not grow with the labels "
      "(absolute, epsilon_insensitive, quantile, huber), beside which no fixed penalty suits labels of every size."},
     0,
     kFinite,
     "at least 0, or auto",
     "update=sgd|fobos",
     "0"},
    {{"gravity", "number", "0", "Pull towards 0 a step, times the learning rate. For truncated_gradient."},
     0,
     kFinite,
     "at least 0",
     "update=truncated_gradient"},
    {{"theta", "number", "inf",
      "Only weights up to this magnitude are shrunk or rounded. For truncated_gradient and rounding; rounding must be given one."},
     0,
     kInfinity,
     "at least 0",
     "update=truncated_gradient|rounding"},
    {{"period", "integer", "1", "Steps between two truncations or roundings. For truncated_gradient and rounding."},
     1,
     kCountable,
     "from 1 to 9007199254740992",
     "update=truncated_gradient|rounding"},
    {{"schedule", "adaptive|xu|constant|inverse_scaling|inverse_lambda", "adaptive",
      "Learning rate at step t: eta0 (1 + decay eta0 t)^-power (xu), that or eta0 (1 + noise tau)^-1/2, whichever is less, where tau is "
      "the "
      "sum of the squared slopes so far (adaptive: steps stay long while the labels can be told apart, and shrink where they are noisy), "
      "eta0, eta0 t^-power, or 1 / (l2 t)."},
     0,
     0,
     ""},
    {{"eta0", "number|auto", "auto",
      "First learning rate. auto takes it from the curvature of the rows as they come, and caps every step."},
     kPositive,
     kFinite,
     "above 0, or auto",
     "schedule=adaptive|xu|constant|inverse_scaling"},
    {{"power", "number|auto", "auto", "How fast the learning rate falls. auto is 2/3 for loss squared and 3/4 otherwise."},
     0,
     16,
     "from 0 to 16, or auto",
     "schedule=adaptive|xu|inverse_scaling"},
    {{"decay", "number|auto", "auto",
      "Schedules xu and adaptive: when the learning rate begins to fall. auto is l2 for xu, and l1 + l2 + gravity for adaptive."},
     0,
     kFinite,
     "at least 0, or auto",
     "schedule=adaptive|xu"},
    {{"noise", "number|auto", "auto",
      "Schedule adaptive: how soon noise shortens the steps. auto is 0 for losses of any label, else 16 / ((n + 1) (d + 1)) with n the "
      "mean "
      "number of nonzeros and d the number of features so far, but at least 1/256 for loss log and 1/4096 for the hinges."},
     0,
     kFinite,
     "at least 0, or auto",
     "schedule=adaptive",
     "0"},
    {{"average", "polynomial|uniform|none", "polynomial",
      "The predictor returned: an average of the iterates that favours late ones, their plain mean, or the last one."},
     0,
     0,
     ""},
    {{"average_start", "integer|auto", "0", "Steps to make before averaging starts. auto starts it when a trial average predicts better."},
     0,
     kCountable,
     "from 0 to 9007199254740992, or auto",
     "average=polynomial|uniform"},
    {{"average_power", "number", "3", "Average polynomial: iterate k of the average weighs about k^average_power."},
     0,
     16,
     "from 0 to 16",
     "average=polynomial"},
    {{"sparse_average", "boolean", "false",
      "Whether the average is 0 wherever the last iterate is, or was within the last sixteenth of the steps. With l1, gravity or rounding: "
      "a model as small as the best one, and nearly as good as the average."},
     0,
     0,
     "",
     "average=polynomial|uniform"},
    {{"bias", "boolean", "true", "Whether the predictor has a constant term."}, 0, 0, ""},
    {{"bias_regularized", "boolean", "false", "Whether l2 acts on the bias too."}, 0, 0, "", "bias=true"},
    {{"normalize", "none|sqrt_nnz|l2", "none",
      "Divide each example by the square root of its number of nonzeros, or by its length, in training and in prediction."},
     0,
     0,
     ""},
    {{"scale", "auto|none|rms|max_abs", "auto",
      "Divide each feature by the root mean square or the largest magnitude of its nonzero values, as observed before training. auto is "
      "rms if anything was observed and center is off, and none otherwise."},
     0,
     0,
     ""},
    {{"center", "boolean", "false",
      "Subtract each feature's mean, as observed before training, without making examples dense. Units stay as they are: with columns that "
      "deviate by much more than 1 ask for scale rms too, or the bias takes many passes to learn."},
     0,
     0,
     ""},
    {{"clip_min", "number", "-inf", "Scores are raised to at least this, in training before the loss is taken."},
     -kInfinity,
     kInfinity,
     ""},
    {{"clip_max", "number", "inf", "Scores are lowered to at most this, in training before the loss is taken."}, -kInfinity, kInfinity, ""},
    {{"storage", "auto|dense|hash", "auto",
      "Where weights live: an array over all features, a hash table of the features seen, or whichever is better at the time. Changes no "
      "number."},
     0,
     0,
     ""},
    {{"dimension", "integer", "0", "Number of features; larger indices are refused. 0 grows as indices come."},
     0,
     4294967296.0,
     "from 0 to 4294967296"},
    {{"epochs", "integer", "1", "Passes of fit over its data."}, 1, kCountable, "from 1 to 9007199254740992"},
    {{"sampling", "shuffle|sequential|with_replacement", "shuffle",
      "Order of a pass of fit: a new permutation each pass, the order of the data, or as many draws with replacement."},
     0,
     0,
     ""},
    {{"seed", "integer", "0", "Fixes the order of fit for good, on every machine and in every language. Any 64-bit number."},
     0,
     18446744073709551615.0,
     "from 0 to 18446744073709551615"},
    {{"index_base", "one|zero", "one", "What svmlight text calls the first feature."}, 0, 0, ""},
    {{"threads", "integer", "1", "Threads for reading text; 0 for as many as the machine has cores. Changes no number."},
     0,
     1024,
     "from 0 to 1024"},
};
constexpr size_t kRows = sizeof kTable / sizeof *kTable;

struct PresetRow {
    std::string_view preset, name, value;
};
constexpr PresetRow kPresets[] = {
    {"dekel-sgd", "average", "none"},
    {"dekel-sgd", "center", "false"},
    {"dekel-asgd", "average", "uniform"},
    {"dekel-asgd", "center", "false"},
    {"dekel-casgd", "average", "uniform"},
    {"dekel-casgd", "center", "true"},
    {"dekel-", "update", "sgd"},
    {"dekel-", "schedule", "inverse_lambda"},
    {"dekel-", "average_start", "0"},
    {"dekel-", "bias_regularized", "true"},
    {"dekel-", "scale", "none"},
    {"xu-asgd", "update", "sgd"},
    {"xu-asgd", "schedule", "xu"},
    {"xu-asgd", "eta0", "auto"},
    {"xu-asgd", "average", "uniform"},
    {"xu-asgd", "average_start", "auto"},
    {"xu-asgd", "scale", "none"},
    {"lipton-sgd", "update", "sgd"},
    {"lipton-fobos", "update", "fobos"},
    {"lipton-", "schedule", "inverse_scaling"},
    {"lipton-", "power", "0.5"},
    {"lipton-", "average", "none"},
    {"lipton-", "scale", "none"},
    {"langford-tg", "update", "truncated_gradient"},
    {"langford-rounding", "update", "rounding"},
    {"langford-", "schedule", "constant"},
    {"langford-", "period", "10"},
    {"langford-", "storage", "hash"},
    {"langford-", "scale", "none"},
    {"langford-", "average", "none"},
};

// What other libraries (scikit-learn, glmnet, LIBLINEAR, Vowpal Wabbit) call options of ours, for suggestions.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"alpha", "l2"},
    {"lambda", "l2"},
    {"penalty", "l2"},
    {"C", "l2"},
    {"lambda1", "l1"},
    {"lambda2", "l2"},
    {"learning_rate", "eta0"},
    {"step_size", "eta0"},
    {"lr", "eta0"},
    {"power_t", "power"},
    {"family", "loss"},
    {"objective", "loss"},
    {"standardize", "scale"},
    {"standardise", "scale"},
    {"intercept", "bias"},
    {"fit_intercept", "bias"},
    {"max_iter", "epochs"},
    {"passes", "epochs"},
    {"iterations", "epochs"},
    {"random_state", "seed"},
    {"shuffle", "sampling"},
    {"n_features", "dimension"},
    {"tau", "quantile"},
    {"delta", "huber_delta"},
    {"n_jobs", "threads"},
    {"zero_based", "index_base"},
};

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// Names and values from outside, short enough for a message.
std::string shown(std::string_view text) { return text.size() <= 40 ? std::string(text) : concat(text.substr(0, 37), "..."); }

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t above = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, above + 1, diagonal + (a[i] != b[j])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

size_t row_of(std::string_view name) {
    for (size_t i = 0; i < kRows; ++i)
        if (name == kTable[i].text.name) return i;
    std::string_view nearest;
    size_t distance = SIZE_MAX;
    const auto consider = [&](std::string_view word, std::string_view option) {
        const size_t d = edit_distance(name.substr(0, 40), word);
        if (d < distance) nearest = option, distance = d;
    };
    for (const TableRow& row : kTable) consider(row.text.name, row.text.name);
    for (const auto& [word, option] : kOtherWords) consider(word, option);
    fail(SL_ERROR_INVALID_OPTION, "there is no option '", shown(name), "'; the nearest name is '", nearest, "'");
}

[[noreturn]] void refuse(const TableRow& row, std::string_view value, std::string_view wanted) {
    fail(SL_ERROR_INVALID_OPTION, "the option ", row.text.name, " is '", shown(value), "', but must be ", wanted);
}

// The position of `value` among the choices "a|b|c", or SIZE_MAX.
size_t choice(std::string_view choices, std::string_view value) {
    for (size_t i = 0; !choices.empty(); ++i) {
        const size_t bar = choices.find('|');
        if (choices.substr(0, bar) == value) return i;
        choices = bar == choices.npos ? "" : choices.substr(bar + 1);
    }
    return SIZE_MAX;
}

bool parse(std::string_view text, uint64_t& number) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

std::string_view without_plus(std::string_view text) { return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text; }

// Of an integer option; the 64-bit ones have no exact double.
uint64_t highest(const TableRow& row) { return row.high >= 0x1p64 ? UINT64_MAX : static_cast<uint64_t>(row.high); }

// The value in the form in which it is kept.
std::string canonical(const TableRow& row, std::string_view value) {
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
        if (!parse(without_plus(value), number) || number < static_cast<uint64_t>(row.low) || number > highest(row))
            refuse(row, value, concat("a whole number ", row.range));
        return std::to_string(number);
    }
    if (choice(kind, value) == SIZE_MAX) refuse(row, value, concat("one of ", kind));
    return std::string(value);
}

// "a", "a or b", "a, b or c" of "a|b|c".
std::string in_words(std::string_view choices) {
    std::string words(choices);
    const size_t last = words.rfind('|');
    if (last != words.npos) words.replace(last, 1, " or ");
    for (size_t bar; (bar = words.find('|')) != words.npos;) words.replace(bar, 1, ", ");
    return words;
}

double automatic_l2(LossKind loss) {
    switch (loss) {
        case LossKind::absolute:
        case LossKind::huber:
        case LossKind::epsilon_insensitive:
        case LossKind::quantile: return 0;
        default: return 1e-6;
    }
}

double least_noise(LossKind loss) {
    switch (loss) {
        case LossKind::log: return 1.0 / 256;
        case LossKind::hinge:
        case LossKind::squared_hinge: return 1.0 / 4096;
        default: return 0;
    }
}

template <class Enum>
Enum choice_of(std::string_view name, std::string_view value) {
    return static_cast<Enum>(choice(kTable[row_of(name)].text.kind, value));
}

}  // namespace

Options::Options() : set_(kRows, 0) {
    for (const TableRow& row : kTable) values_.emplace_back(row.text.standard);
}

size_t Options::count() { return kRows; }
Options::Description Options::describe(size_t i) { return kTable[i].text; }

void Options::set(std::string_view name, std::string_view value) {
    const size_t i = row_of(name);
    std::string kept = canonical(kTable[i], value);
    if (name == "preset") {
        Options changed = *this;
        for (const PresetRow& row : kPresets)
            if (starts_with(value, row.preset)) changed.restore(row.name, row.value, false);
        *this = std::move(changed);
    }
    if (values_[i] == kept) return;  // so that what a preset chose may be said again, as when a model's options are read and set
    values_[i] = std::move(kept);
    set_[i] = 1;
}

// As it was, whatever a preset may mean by now.
void Options::restore(std::string_view name, std::string_view value, bool set) {
    const size_t i = row_of(name);
    values_[i] = canonical(kTable[i], value);
    set_[i] = set ? 1 : 0;
}

void Options::set_number(std::string_view name, double value) {
    const TableRow& row = kTable[row_of(name)];
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

const std::string& Options::get(std::string_view name) const { return values_[row_of(name)]; }

std::string_view Options::value(std::string_view name) const { return values_[row_of(name)]; }

// A default asks for nothing, and what a preset chose nobody asked for.
bool Options::has_been_asked_for(size_t i) const {
    return set_[i] && values_[i] != kTable[i].text.standard && values_[i] != kTable[i].nothing;
}

double Options::number(std::string_view name) const {
    double number = 0;
    read_number(value(name), number);
    return number;
}

uint64_t Options::integer(std::string_view name) const {
    uint64_t number = 0;
    parse(value(name), number);
    return number;
}

Settings Options::settings() const {
    const auto exclude = [&](bool excluded, std::string_view a, std::string_view b, std::string_view why) {
        if (excluded) fail(SL_ERROR_INVALID_OPTION, a, " = ", value(a), " and ", b, " = ", value(b), " exclude each other: ", why);
    };
    const auto reader = [&](std::string_view name) {  // the option that decides whether this one is read, and its choices for which it is
        const std::string_view text = kTable[row_of(name)].reader;
        const size_t equals = std::min(text.find('='), text.size());
        return std::pair(text.substr(0, equals), text.substr(std::min(equals + 1, text.size())));
    };
    const auto is_read = [&](std::string_view name) {
        const auto [option, choices] = reader(name);
        return option.empty() || choice(choices, value(option)) != SIZE_MAX;
    };
    for (size_t i = 0; i < kRows; ++i) {
        const std::string_view name = kTable[i].text.name;
        const auto [option, choices] = reader(name);
        exclude(has_been_asked_for(i) && !is_read(name), name, option,
                concat(name, " has no effect unless ", option, " is ", in_words(choices)));
    }

    Settings s;
    s.loss = choice_of<LossKind>("loss", value("loss"));
    s.huber_delta = number("huber_delta");
    s.epsilon = number("epsilon");
    s.quantile = number("quantile");
    s.update = choice_of<Update>("update", value("update"));
    const bool lipton = s.update == Update::sgd || s.update == Update::fobos;
    s.l1 = is_read("l1") ? number("l1") : 0;
    s.l2 = !is_read("l2") ? 0 : value("l2") == "auto" ? automatic_l2(s.loss) : number("l2");
    s.gravity = is_read("gravity") ? number("gravity") : 0;
    s.theta = is_read("theta") ? number("theta") : kInfinity;
    s.period = is_read("period") ? integer("period") : 1;
    exclude(s.update == Update::rounding && std::isinf(s.theta), "update", "theta",
            "rounding needs a finite theta, below which weights become 0");

    s.schedule = choice_of<ScheduleKind>("schedule", value("schedule"));
    s.eta0_auto = value("eta0") == "auto" && s.schedule != ScheduleKind::inverse_lambda;
    s.eta0 = number("eta0");
    s.power = value("power") == "auto" ? (s.loss == LossKind::squared ? 2.0 / 3 : 0.75) : number("power");
    const double penalties = s.schedule == ScheduleKind::adaptive ? s.l1 + s.l2 + s.gravity : s.l2;
    s.decay = value("decay") == "auto" ? penalties : number("decay");
    const double least = least_noise(s.loss);
    s.noise_auto = is_read("noise") && value("noise") == "auto" && least > 0;
    s.noise = !is_read("noise") ? 0 : value("noise") == "auto" ? least : number("noise");
    exclude(s.schedule == ScheduleKind::inverse_lambda && s.l2 == 0 && lipton, "schedule", "l2",
            "the learning rate is 1 / (l2 t), which needs l2 > 0");
    exclude(s.schedule == ScheduleKind::inverse_lambda && !lipton, "schedule", "update",
            "the learning rate is 1 / (l2 t), and l2 belongs to sgd and fobos");
    const double eta = s.eta0_auto ? 0 : learning_rate(s, 2, s.eta0);
    exclude(s.update == Update::sgd && eta * s.l2 > 1, "eta0", "l2",
            concat("at step 2 the learning rate is ", eta, ", so that 1 - eta l2 is below 0 and all that was learned is lost"));

    s.average = choice_of<Average>("average", value("average"));
    s.average_start_auto = s.average != Average::none && value("average_start") == "auto";
    s.average_start = s.average == Average::none ? 0 : integer("average_start");
    s.average_power = s.average == Average::polynomial ? number("average_power") : 0;
    const bool shrinks = s.l1 > 0 || s.gravity > 0 || s.update == Update::rounding;  // nothing else makes weights 0
    s.sparse_average = shrinks && s.average != Average::none && boolean("sparse_average");
    s.bias = boolean("bias");
    s.bias_regularized = s.bias && boolean("bias_regularized");
    s.normalize = choice_of<Normalize>("normalize", value("normalize"));
    s.scale = choice_of<Scale>("scale", value("scale"));
    s.center = boolean("center");
    exclude(s.center && s.l1 > 0, "center", "l1", "only l2 can be centered");
    exclude(s.center && !lipton, "center", "update", "only sgd and fobos can be centered");
    exclude(s.center && boolean("sparse_average"), "center", "sparse_average", "centered weights are never exactly 0");
    if (s.center && s.scale == Scale::automatic) s.scale = Scale::none;
    s.clip_min = number("clip_min");
    s.clip_max = number("clip_max");
    exclude(!(s.clip_min <= s.clip_max) || s.clip_min == kInfinity || s.clip_max == -kInfinity, "clip_min", "clip_max",
            "no score lies between them");

    s.storage = choice_of<Storage>("storage", value("storage"));
    s.dimension = integer("dimension");
    s.epochs = integer("epochs");
    s.sampling = choice_of<Sampling>("sampling", value("sampling"));
    s.seed = integer("seed");
    s.index_base = value("index_base") == "one" ? 1 : 0;
    s.threads = static_cast<uint32_t>(integer("threads"));
    return s;
}

}  // namespace sparselin
