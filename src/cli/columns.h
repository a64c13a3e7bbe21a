// How the columns of a table become features, labels and weights: what the command line and the first rows say, and what a model's file
// keeps.
#pragma once
#include <mutex>
#include <string>
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

    // To be decided when a table is seen. Throws Failure where they make no encoder.
    Columns(const std::string& format, const ColumnArguments& arguments, const GivenOptions& options);

    // As a model keeps them in its encoder, for which names are learned or not.
    Columns(Encoder encoder, bool learns);

    bool are_new() const { return !arguments_.label.empty(); }
    bool are_decided() const { return decided_; }
    void decide(const std::vector<std::string>& names, const std::vector<Fields>& sample);

    void set_format(const std::string& format) { format_ = format; }  // of another table with the same columns
    const std::string& format() const { return format_; }
    const std::vector<Column>& all() const { return columns_; }  // but those that are ignored
    const std::string& positive() const { return positive_; }
    std::string describe() const;

    Encoder& encoder() { return encoder_; }
    std::mutex& mutex() { return mutex_; }  // whoever uses the encoder while rows are read holds it
    static const char* name_of(Kind kind);
    void give_encoder_to(sl_model* model, bool frozen);

  private:
    Kind guess(size_t column, const std::vector<Fields>& sample) const;

    std::string format_, positive_;
    ColumnArguments arguments_;
    std::vector<Column> columns_;
    std::vector<std::string> ignored_;
    std::vector<std::string> crosses_;
    bool decided_ = false;
    Encoder encoder_;
    std::mutex mutex_;
};

// `names`, where there is none that is meant; with the nearest.
std::string no_such_column(const std::string& name, const std::vector<std::string>& names);

}  // namespace cli
