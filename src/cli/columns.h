// How the columns of a table become features, labels and weights: what the command line and the first rows say, and what a model's file
// keeps.
#pragma once
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "csv.h"
#include "option_table.h"

namespace cli {

// What the command line says.
struct ColumnArguments {
    std::string format;  // svmlight, csv or tsv; empty: as the file's name ends
    std::string label, positive, weight;
    std::vector<std::string> text, category, number, ignore, cross;

    // The first of the options, but for the format, that was given; empty: none.
    std::string given() const;
};

// As the name of a file ends, plain or gzip: csv, tsv, or empty.
std::string format_of_name(const std::string& path);

char delimiter_of(const std::string& format);

// Whether a field says that there is no value.
bool is_missing(std::string_view field);

enum class Numeral { number, not_finite, none };
Numeral read_number(std::string_view text, double& value);

class Columns {
  public:
    enum Kind : uint8_t { kNumber, kCategory, kText, kLabel, kWeight, kIgnored };
    struct Column {
        std::string name;
        Kind kind;
    };

    // To be decided when a table is seen. Throws Failure where they make no encoder. `tells_labels_apart`: labels may be words.
    Columns(const std::string& format, const ColumnArguments& arguments, const GivenOptions& options, bool tells_labels_apart);

    // As a model keeps them in its encoder, for which names are learned or not.
    Columns(Encoder encoder, bool learns);
    static bool are_in(const Encoder& encoder);  // which may be null

    bool are_new() const { return !arguments_.label.empty(); }
    bool are_decided() const { return decided_; }
    void decide(const std::vector<std::string>& names, const std::vector<Fields>& sample);

    void set_format(const std::string& format) { format_ = format; }  // of another table with the same columns
    const std::string& format() const { return format_; }
    const std::vector<Column>& all() const { return columns_; }  // but those that are ignored
    const std::string& positive() const { return positive_; }
    const std::string& negative() const { return negative_; }  // the only other word; empty: there are several
    std::string describe() const;

    // Labels that are words have numbers, in the order in which they were first seen; number_of() gives -1 for one that a model which was
    // loaded does not know. see_other() takes note of a label that is not --positive, for negative().
    bool have_words() const { return has_words_; }
    double number_of(std::string_view word);
    void set_most_words(size_t count) { most_words_ = count; }
    size_t most_words() const { return most_words_; }
    const std::vector<std::string>& words() const { return words_; }
    void see_other(std::string_view word);

    Encoder& encoder() { return encoder_; }
    std::mutex& mutex() { return mutex_; }  // whoever uses the encoder while rows are read holds it
    static const char* name_of(Kind kind);
    void give_encoder_to(sl_model* model, bool frozen);

  private:
    Kind guess(size_t column, const std::vector<Fields>& sample) const;
    std::string note() const;

    std::string format_, positive_, negative_;
    bool tells_labels_apart_ = false, has_words_ = false, others_differ_ = false;
    std::vector<std::string> words_;
    size_t most_words_ = SIZE_MAX;
    std::unordered_map<std::string, size_t> numbers_;
    ColumnArguments arguments_;
    std::vector<Column> columns_;
    std::vector<std::string> ignored_;
    bool decided_ = false;
    Encoder encoder_;
    std::mutex mutex_;
};

// What labels are called: by the words of the table that a model was trained on, or by their numbers.
class LabelNames {
  public:
    explicit LabelNames(const sl_model* model);
    std::string operator[](double label) const;

  private:
    std::vector<std::string> words_;
    std::string positive_, negative_;
};

// Names for a message, which are cut off where they are many.
std::string listed(const std::vector<std::string>& names);

// Says that there is no column `name` (of which more can be said) among `names`, and which is the nearest, or which there are where none is
// near.
std::string no_such_column(const std::string& name, const std::vector<std::string>& names, const std::string& which = "");

}  // namespace cli
