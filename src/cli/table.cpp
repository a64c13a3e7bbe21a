#include "table.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "output.h"

namespace cli {

namespace {

constexpr size_t kSampleRows = 1000, kSampleBytes = size_t{1} << 26;
constexpr size_t kLongestShown = 40;  // bytes of a value in a message

std::string shown(std::string_view value) {
    std::string text(value.substr(0, kLongestShown));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = '?';
    return "'" + text + (value.size() > kLongestShown ? "...'" : "'");
}

}  // namespace

TableReader::TableReader(Input& input, Columns& columns, Purpose purpose, const std::string& with)
    : input_(input),
      columns_(columns),
      purpose_(purpose),
      reader_([&input](char* buffer, size_t capacity) { return input.read(buffer, capacity); }, delimiter_of(columns.format())) {
    Fields header;
    if (!next_record(header)) throw Failure(kBadData, input.name() + " is empty: a table begins with a line of column names");
    std::unordered_map<std::string_view, size_t> places;
    names_.reserve(header.size());
    for (size_t i = 0; i < header.size(); ++i) {
        if (header[i].find('\0') != std::string_view::npos)
            refuse(header, "", "a NUL byte stands in the header: text is wanted, in UTF-8 if it is not ASCII");
        names_.emplace_back(header[i]);
        if (const auto [place, is_new] = places.emplace(header[i], i); !is_new)
            refuse(header, "",
                   "the column " + shown(header[i]) + " is there twice, as number " + std::to_string(place->second + 1) + " and as " +
                       std::to_string(i + 1) + ": give each a name of its own");
    }
    if (!columns.are_decided()) {
        std::vector<Fields> sample;
        size_t bytes = 0;
        Fields fields;
        while (sample.size() < kSampleRows && bytes < kSampleBytes && next_record(fields)) {
            check_size(fields);
            bytes += fields.bytes();
            sample.push_back(std::move(fields));
            fields = Fields();
        }
        columns.decide(names_, sample);
        sample_.assign(std::make_move_iterator(sample.begin()), std::make_move_iterator(sample.end()));
    }
    find_columns();
    if (with.empty()) return;
    const auto place = std::find(names_.begin(), names_.end(), with);
    if (place == names_.end()) throw Failure(kBadUsage, "--with: " + no_such_column(with, names_, " in " + input.name()));
    copied_place_ = static_cast<size_t>(place - names_.begin());
}

// Columns that nobody knows are passed over.
void TableReader::find_columns() {
    std::unordered_map<std::string_view, size_t> places;
    for (size_t i = 0; i < names_.size(); ++i) places.emplace(names_[i], i);
    for (const Columns::Column& column : columns_.all()) {
        const bool is_feature = column.kind <= Columns::kText;
        if (!is_feature && purpose_ == Purpose::kPredict) continue;
        const auto place = places.find(column.name);
        if (place == places.end())
            throw Failure(kBadData, input_.name() + ": " + no_such_column(column.name, names_, ", which the model was trained on"));
        used_.push_back({&column, place->second});
    }
}

bool TableReader::next_record(Fields& fields) {
    if (!sample_.empty()) {
        fields = std::move(sample_.front());
        sample_.pop_front();
        return true;
    }
    try {
        return reader_.next(fields);
    } catch (const Failure& failure) {
        std::string text = input_.failure().empty() ? failure.what() : input_.failure();
        throw Failure(kBadData, input_.name() + ": " + text);
    }
}

void TableReader::refuse(const Fields& fields, const std::string& column, const std::string& what) const {
    throw Failure(kBadData, input_.name() + ": line " + std::to_string(fields.line) + (column.empty() ? "" : ", column " + shown(column)) +
                                ": " + what);
}

void TableReader::check_size(const Fields& fields) const {
    if (fields.size() == names_.size()) return;
    const std::string last = fields.size() < names_.size() ? names_[fields.size()] : "";
    refuse(fields, last,
           "it has " + std::to_string(fields.size()) + " fields, but the header has " + std::to_string(names_.size()) +
               ": a field with the delimiter inside must be in quotes, and a missing value is an empty field");
}

double TableReader::number_of(const Fields& fields, size_t place, const std::string& name) const {
    double value = 0;
    const std::string_view field = fields[place];
    switch (read_number(field, value)) {
        case Numeral::number: break;
        case Numeral::not_finite:
            refuse(fields, name, shown(field) + " is not a finite number: leave the field empty where there is no value");
        case Numeral::none:
            refuse(fields, name,
                   shown(field) + " is not a number: leave the field empty where there is no value, or train with --category " + name);
    }
    return value;
}

double TableReader::label_of(const Fields& fields, size_t place, const std::string& name) {
    const std::string_view field = fields[place];
    if (is_missing(field)) refuse(fields, name, "the label is missing: take the row out, or fill it in");
    if (!columns_.positive().empty()) {
        const bool is_positive = field == columns_.positive();
        saw_positive_ = saw_positive_ || is_positive;
        if (!is_positive && columns_.are_new()) columns_.see_other(field);
        return is_positive ? 1 : -1;
    }
    if (columns_.have_words()) {
        const double number = columns_.number_of(field);
        const std::vector<std::string>& words = columns_.words();
        if (number < 0)
            refuse(fields, name, "the label " + shown(field) + " is none of those that the model was trained on: " + listed(words));
        if (const size_t most = columns_.most_words(); words.size() > most)
            refuse(fields, name,
                   "the label " + shown(field) + " is one more than --classes says: " + listed({words.begin(), words.end() - 1}));
        return number;
    }
    double value = 0;
    switch (read_number(field, value)) {
        case Numeral::number: return value;
        case Numeral::not_finite: refuse(fields, name, "the label " + shown(field) + " is not a finite number");
        case Numeral::none: break;
    }
    refuse(fields, name, "the label " + shown(field) + " is not a number" + values_of_label(field, place));
}

// What to do about labels that are words, from what is seen of them.
std::string TableReader::values_of_label(std::string_view field, size_t place) const {
    std::set<std::string> values = {std::string(field)};
    for (const Fields& fields : sample_)
        if (!is_missing(fields[place]) && values.size() < 3) values.emplace(fields[place]);
    if (values.size() == 2)
        return ": say which is 1, --positive '" + *values.begin() + "' or --positive '" + *values.rbegin() + "'; the other is -1";
    return ": say which value is 1, with --positive VALUE, and all others are -1; or shuffle the table, if each value is to be a class, so "
           "that its first rows show three of them";
}

void TableReader::encode(const Fields& fields) {
    sl_encoder* const encoder = columns_.encoder().get();
    double label = 0, weight = 1;
    const std::lock_guard<std::mutex> lock(columns_.mutex());
    call(sl_encoder_clear, encoder);
    for (Used& used : used_) {
        const std::string& name = used.column->name;
        const std::string_view field = fields[used.place];
        if (used.column->kind == Columns::kLabel) {
            label = label_of(fields, used.place, name);
            continue;
        }
        if (is_missing(field)) {
            if (used.column->kind == Columns::kWeight) refuse(fields, name, "the weight is missing");
            ++used.missing;
            continue;
        }
        try {
            switch (used.column->kind) {
                case Columns::kNumber: call(sl_encoder_number, encoder, name.c_str(), number_of(fields, used.place, name)); break;
                case Columns::kCategory:
                    if (field.find('\0') != field.npos)
                        refuse(fields, name, "a NUL byte stands in it: take it out, or train with --text " + name);
                    call(sl_encoder_category, encoder, name.c_str(), field.data());
                    break;
                case Columns::kText: call(sl_encoder_text, encoder, name.c_str(), field.data(), field.size()); break;
                case Columns::kWeight:
                    weight = number_of(fields, used.place, name);
                    if (weight < 0) refuse(fields, name, "the weight " + shown(field) + " is negative");
                    break;
                case Columns::kLabel:
                case Columns::kIgnored: break;
            }
        } catch (const LibraryError& error) {
            refuse(fields, name, error.what());
        }
    }
    const uint32_t* indices = nullptr;
    const double* values = nullptr;
    size_t count = 0;
    try {
        call(sl_encoder_row, encoder, &indices, &values, &count);
    } catch (const LibraryError& error) {
        refuse(fields, "", error.what());
    }
    indices_.insert(indices_.end(), indices, indices + count);
    values_.insert(values_.end(), values, values + count);
    row_pointers_.push_back(static_cast<int64_t>(indices_.size()));
    labels_.push_back(label);
    weights_.push_back(weight);
    if (copied_place_ != SIZE_MAX) copied_.emplace_back(fields[copied_place_]);
}

Data TableReader::next(size_t rows) {
    row_pointers_.assign(1, 0);
    indices_.clear();
    values_.clear();
    labels_.clear();
    weights_.clear();
    copied_.clear();
    Fields fields;
    while (labels_.size() < rows && next_record(fields)) {
        check_size(fields);
        encode(fields);
    }
    return make<sl_dataset>(sl_dataset_from_csr, labels_.size(), row_pointers_.data(), indices_.data(), values_.data(), labels_.data(),
                            weights_.data());
}

std::string TableReader::missing() const {
    std::string text;
    size_t columns = 0;
    for (const Used& used : used_) {
        if (used.missing == 0) continue;
        constexpr size_t kMostColumns = 20;
        if (++columns <= kMostColumns) text += (text.empty() ? "" : ", ") + used.column->name + " " + std::to_string(used.missing);
    }
    return text;
}

}  // namespace cli
