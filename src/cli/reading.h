// svmlight text from an Input, tables, or binary data files, to the library's rows.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "input.h"
#include "library.h"
#include "table.h"

namespace cli {

// How an input is read.
struct Reading {
    Options text;                      // of svmlight text
    bool threads_given = false;        // or there are as many as whole files are read in by default
    std::shared_ptr<Columns> columns;  // of a table; null: svmlight text
    Purpose purpose = Purpose::kTrain;
    std::string with;     // a column of the table that is copied; empty: none
    std::string weights;  // a file of weights, one a row; empty: none
    bool quiet = true;    // about how columns are read, and values that are missing
};

// Of a file for a model. `format` as the command line says; empty: as the file's name ends, or as the model was trained. `learns`: whether
// names that the model's encoder does not know are new features.
Reading reading_for(const sl_model* model, const std::string& file, const std::string& format, const GivenOptions& options, Purpose purpose,
                    bool learns = false);

// Of a file for a new model, which learns it.
Reading reading_for_new(const sl_model* model, const std::string& file, const ColumnArguments& columns, const GivenOptions& options,
                        const std::string& weights);

// The weights of a file, in turn.
class WeightReader {
  public:
    explicit WeightReader(const std::string& path);

    // The same rows with their weights. Throws Failure where there are not as many.
    Data weigh(Data data);
    void finish();

  private:
    double next();

    Input input_;
    CsvReader reader_;
    Fields fields_;
};

// svmlight text for rows that are only predicted: lines that begin with an index, and so lack a label, get the label 0.
class LabelFiller {
  public:
    explicit LabelFiller(Input& input) : input_(input) {}
    static int64_t read_for_library(void* filler, void* buffer, size_t capacity) noexcept;

  private:
    int64_t read(char* buffer, size_t capacity);
    void take(std::string_view text);
    void end_head(bool is_index);

    Input& input_;
    std::string ready_;
    size_t done_ = 0;   // of what is ready
    std::string head_;  // of the line, while it is not known what it is
    bool in_head_ = true, at_start_ = true, at_end_ = false, is_binary_ = false;
};

// The whole input, text or binary. Errors name the file.
Data read_all(Input& input, const Reading& reading);

struct Chunk {
    Data data;
    uint64_t rows = 0;
    std::vector<std::string> copied;  // fields of the column that is copied
    double fraction = -1;             // of the input read so far; -1 where its size is not known
};

// The input in chunks that take a moment each, so that memory stays small however long the rows are, and a slow pipe is not waited for.
// They are read a few ahead by a thread of their own, to which the input belongs meanwhile: whoever works with one chunk does not wait for
// the next. Where no thread can be had, they are read as they are asked for.
class ChunkReader {
  public:
    // The first `border` rows end a chunk.
    ChunkReader(Input& input, const Reading& reading, uint64_t border = 0);
    ~ChunkReader();
    ChunkReader(const ChunkReader&) = delete;
    ChunkReader& operator=(const ChunkReader&) = delete;

    // No rows at the end. What goes wrong is told when its turn comes.
    Chunk next();

  private:
    Chunk read();
    void read_ahead();

    // Of the thread that reads.
    Input& input_;
    const Reading& reading_;
    LabelFiller filler_;
    std::unique_ptr<TableReader> table_;
    std::unique_ptr<WeightReader> weights_;
    Reader reader_;
    uint64_t border_;
    uint64_t rows_ = 0;
    uint64_t chunk_rows_ = 1;

    std::mutex mutex_;  // for what follows
    std::condition_variable changed_;
    std::deque<Chunk> ready_;
    std::exception_ptr failure_;  // of the chunk after those
    bool at_end_ = false, over_ = false;

    std::thread thread_;
};

}  // namespace cli
