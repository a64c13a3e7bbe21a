#include "columns.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "../edit_distance.h"
#include "../number.h"
#include "output.h"

namespace cli {

namespace {

constexpr size_t kMostNames = 20;         // that a message lists
constexpr size_t kLongestToCompare = 64;  // letters of a name
const char kNote[] = "sparselin table";

// By Kind.
const char* const kKinds[] = {"number", "category", "text", "label", "weight", "ignored"};

std::string line_of(const std::string& what, const std::string& name) { return csv_field(what, ',') + "," + csv_field(name, ',') + "\n"; }

Encoder encoder_for(const GivenOptions& given) {
    Options options = make_options(given, Reads::kEncoder);
    // Names are worth having, where nobody asks for hashing.
    const auto hashes = [](const auto& option) {
        const std::string& name = option.first;
        return name == "features" || name == "keep_names" || name.rfind("hash_", 0) == 0;
    };
    if (std::none_of(given.begin(), given.end(), hashes)) call(sl_options_set, options.get(), "features", "dictionary");
    return make<sl_encoder>(sl_encoder_create, options.get());
}

}  // namespace

std::string ColumnArguments::given() const {
    if (!label.empty()) return "--label";
    if (!positive.empty()) return "--positive";
    if (!weight.empty()) return "--weight";
    if (!text.empty()) return "--text";
    if (!category.empty()) return "--category";
    if (!number.empty()) return "--number";
    if (!ignore.empty()) return "--ignore";
    return cross.empty() ? "" : "--cross";
}

std::string format_of_name(const std::string& path) {
    std::string name = path;
    const auto ends_with = [&](const std::string& end) {
        return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    if (ends_with(".gz")) name.resize(name.size() - 3);
    return ends_with(".csv") ? "csv" : ends_with(".tsv") ? "tsv" : "";
}

char delimiter_of(const std::string& format) { return format == "tsv" ? '\t' : ','; }

bool is_missing(std::string_view field) { return field.empty() || field == "NA"; }

Numeral read_number(std::string_view text, double& value) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const sparselin::Reading reading = sparselin::read_number(text, value);
    if (reading == sparselin::Reading::none) return Numeral::none;
    return reading == sparselin::Reading::number && std::isfinite(value) ? Numeral::number : Numeral::not_finite;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
    return text;
}

std::string no_such_column(const std::string& name, const std::vector<std::string>& names, const std::string& which) {
    std::string nearest;
    size_t distance = SIZE_MAX;
    for (const std::string& other : names) {
        if (other.size() > kLongestToCompare || name.size() > kLongestToCompare) continue;
        if (const size_t d = sparselin::edit_distance(name, other); d < distance) {
            nearest = other;
            distance = d;
        }
    }
    const std::string message = "there is no column '" + name + "'" + which;
    if (distance <= name.size() / 2) return message + "; the nearest is '" + nearest + "'";
    return message + (names.empty() ? "" : "; there are " + listed(names));
}

Columns::Columns(const std::string& format, const ColumnArguments& arguments, const GivenOptions& options, bool tells_labels_apart)
    : format_(format),
      positive_(arguments.positive),
      tells_labels_apart_(tells_labels_apart),
      arguments_(arguments),
      encoder_(encoder_for(options)) {
    if (arguments.label.empty()) throw Failure(kBadUsage, "a table needs --label COLUMN, the column that is to be predicted");
    for (const std::string& cross : arguments.cross) {
        const size_t star = cross.find('*');
        if (star == cross.npos || star == 0 || star + 1 == cross.size())
            throw Failure(kBadUsage, "--cross " + cross + ": it wants the names of two columns with a * between");
        call(sl_encoder_cross, encoder_.get(), cross.substr(0, star).c_str(), cross.substr(star + 1).c_str());
    }
}

bool Columns::are_in(const Encoder& encoder) { return encoder && text_of(sl_encoder_note, encoder.get()).rfind(kNote, 0) == 0; }

Columns::Columns(Encoder encoder, bool learns) : decided_(true), encoder_(std::move(encoder)) {
    std::string note = text_of(sl_encoder_note, encoder_.get());
    size_t at = 0;
    CsvReader reader(
        [&](char* buffer, size_t capacity) {
            const size_t count = note.copy(buffer, capacity, at);
            at += count;
            return static_cast<int64_t>(count);
        },
        ',');
    Fields fields;
    const auto strange = [] {
        return Failure(kBadData,
                       "the model carries an encoder, but it was not made of a table by this program: how columns are read is not known");
    };
    if (!reader.next(fields) || fields.size() != 2 || fields[0] != kNote) throw strange();
    format_ = fields[1];
    while (reader.next(fields)) {
        if (fields.size() != 2) throw strange();
        if (fields[0] == "positive") {
            positive_ = fields[1];
            continue;
        }
        if (fields[0] == "negative") {
            negative_ = fields[1];
            continue;
        }
        if (fields[0] == "class") {
            has_words_ = true;
            numbers_.emplace(fields[1], words_.size());
            words_.emplace_back(fields[1]);
            continue;
        }
        const auto kind = std::find(std::begin(kKinds), std::end(kKinds), fields[0]);
        if (kind == std::end(kKinds)) throw strange();
        columns_.push_back({std::string(fields[1]), static_cast<Kind>(kind - std::begin(kKinds))});
    }
    if (!learns) call(sl_encoder_freeze, encoder_.get());
}

Columns::Kind Columns::guess(size_t column, const std::vector<Fields>& sample) const {
    double value = 0;
    for (const Fields& fields : sample)
        if (!is_missing(fields[column]) && read_number(fields[column], value) == Numeral::none) return kCategory;
    return kNumber;
}

void Columns::decide(const std::vector<std::string>& names, const std::vector<Fields>& sample) {
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
    constexpr Kind kOpen = static_cast<Kind>(kIgnored + 1);
    std::vector<Kind> kinds(names.size(), kOpen);
    const auto name = [&](const std::string& column, Kind kind) {
        const auto place = places.find(column);
        const std::string option = std::string("--") + (kind == kIgnored ? "ignore" : kKinds[kind]);
        if (place == places.end()) throw Failure(kBadUsage, option + ": " + no_such_column(column, names));
        Kind& known = kinds[place->second];
        if (known != kOpen) throw Failure(kBadUsage, option + ": the column '" + column + "' is named twice");
        known = kind;
    };
    name(arguments_.label, kLabel);
    if (!arguments_.weight.empty()) name(arguments_.weight, kWeight);
    for (const std::string& column : arguments_.text) name(column, kText);
    for (const std::string& column : arguments_.category) name(column, kCategory);
    for (const std::string& column : arguments_.number) name(column, kNumber);
    for (const std::string& column : arguments_.ignore) name(column, kIgnored);

    // Two words are for --positive; of a table that is sorted by label the first rows may show one.
    const size_t label = places.find(arguments_.label)->second;
    if (tells_labels_apart_ && positive_.empty() && guess(label, sample) == kCategory) {
        std::set<std::string_view> words;
        for (const Fields& fields : sample)
            if (!is_missing(fields[label])) words.insert(fields[label]);
        has_words_ = words.size() != 2;
    }

    bool learns = false;
    for (size_t i = 0; i < names.size(); ++i) {
        const Kind kind = kinds[i] == kOpen ? guess(i, sample) : kinds[i];
        learns = learns || kind <= kText;
        if (kind == kIgnored) {
            ignored_.push_back(names[i]);
            continue;
        }
        columns_.push_back({names[i], kind});
    }
    if (!learns) throw Failure(kBadUsage, "no column is left to learn from");
    for (const std::string& cross : arguments_.cross) {
        for (const std::string& column : {cross.substr(0, cross.find('*')), cross.substr(cross.find('*') + 1)}) {
            const auto place = places.find(column);
            if (place == places.end()) throw Failure(kBadUsage, "--cross: " + no_such_column(column, names));
            if (kinds[place->second] != kOpen && kinds[place->second] > kText)
                throw Failure(kBadUsage, "--cross: the column '" + column + "' is not learned from");
        }
    }
    decided_ = true;
}

std::string Columns::note() const {
    std::string note = line_of(kNote, format_);
    for (const Column& column : columns_) note += line_of(kKinds[column.kind], column.name);
    if (!positive_.empty()) note += line_of("positive", positive_);
    if (!negative_.empty() && !others_differ_) note += line_of("negative", negative_);
    for (const std::string& word : words_) note += line_of("class", word);
    return note;
}

double Columns::number_of(std::string_view word) {
    const auto found = numbers_.find(std::string(word));
    if (found != numbers_.end()) return static_cast<double>(found->second);
    if (!are_new()) return -1;
    numbers_.emplace(word, words_.size());
    words_.emplace_back(word);
    return static_cast<double>(words_.size() - 1);
}

void Columns::see_other(std::string_view word) {
    if (negative_.empty()) negative_ = word;
    others_differ_ = others_differ_ || word != negative_;
}

std::string Columns::describe() const {
    std::string text;
    const auto add = [&](const char* what, const std::string& value) {
        if (!value.empty()) text += "\n  " + std::string(what) + std::string(12 - std::string(what).size(), ' ') + value;
    };
    const auto of_kind = [&](Kind kind) {
        std::vector<std::string> names;
        for (const Column& column : columns_)
            if (column.kind == kind) names.push_back(column.name);
        return listed(names);
    };
    add("label", of_kind(kLabel) + (has_words_          ? ", each value of which is a class"
                                    : positive_.empty() ? ""
                                                        : ", where '" + positive_ + "' is 1 and all else -1"));
    add("weight", of_kind(kWeight));
    add("numbers", of_kind(kNumber));
    add("categories", of_kind(kCategory));
    add("texts", of_kind(kText));
    add("crosses", listed(arguments_.cross));
    add("ignored", listed(ignored_));
    return text;
}

const char* Columns::name_of(Kind kind) { return kKinds[kind]; }

void Columns::give_encoder_to(sl_model* model, bool frozen) {
    const std::lock_guard<std::mutex> lock(mutex_);
    call(sl_encoder_set_note, encoder_.get(), note().c_str());
    call(sl_model_set_encoder, model, encoder_.get());
    if (!frozen) return;
    Encoder copy = make<sl_encoder>(sl_model_encoder, model);
    call(sl_encoder_freeze, copy.get());
    call(sl_model_set_encoder, model, copy.get());
}

LabelNames::LabelNames(const sl_model* model) {
    Encoder encoder = encoder_of(model);
    if (!Columns::are_in(encoder)) return;
    const Columns columns(std::move(encoder), false);
    words_ = columns.words();
    positive_ = columns.positive();
    negative_ = columns.negative();
}

std::string LabelNames::operator[](double label) const {
    if (!words_.empty() && label >= 0 && label < static_cast<double>(words_.size())) return words_[static_cast<size_t>(label)];
    if (positive_.empty()) return shortest(label);
    return label == 1 ? positive_ : negative_.empty() ? "not " + positive_ : negative_;
}

}  // namespace cli
