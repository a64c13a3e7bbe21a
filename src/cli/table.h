// A table in CSV or TSV to rows.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "columns.h"
#include "input.h"

namespace cli {

enum class Purpose { kTrain, kValidate, kEvaluate, kPredict };

class TableReader {
  public:
    // Reads the header, and where columns are to be decided the first rows, too. `with` is a column that is copied; empty: none.
    TableReader(Input& input, Columns& columns, Purpose purpose, const std::string& with = "");

    // The next `rows` rows at most, fewer only at the end.
    Data next(size_t rows);

    // Of the rows of the last next(): the fields of the column that is copied.
    std::vector<std::string> take_copied() { return std::move(copied_); }

    // Fields without a value so far, by column; empty where there are none.
    std::string missing() const;
    bool saw_positive() const { return saw_positive_; }

  private:
    // A column of the table that is read.
    struct Used {
        const Columns::Column* column;
        size_t place;
        uint64_t missing = 0;
    };

    void find_columns();
    bool next_record(Fields& fields);
    void check_size(const Fields& fields) const;
    void encode(const Fields& fields);
    double label_of(const Fields& fields, size_t place, const std::string& name);
    double number_of(const Fields& fields, size_t place, const std::string& name) const;
    std::string values_of_label(std::string_view field, size_t place) const;
    [[noreturn]] void refuse(const Fields& fields, const std::string& column, const std::string& what) const;

    Input& input_;
    Columns& columns_;
    Purpose purpose_;
    CsvReader reader_;
    std::vector<std::string> names_;
    std::deque<Fields> sample_;  // read, and not handed out
    std::vector<Used> used_;
    size_t copied_place_ = SIZE_MAX;
    bool saw_positive_ = false;

    // Of the rows that are being made.
    std::vector<int64_t> row_pointers_;
    std::vector<uint32_t> indices_;
    std::vector<double> values_, labels_, weights_;
    std::vector<std::string> copied_;
};

}  // namespace cli
