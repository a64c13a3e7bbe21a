#include "reading.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "columns.h"
#include "output.h"
#include "report.h"

namespace cli {

namespace {
constexpr uint64_t kMostRows = 512;  // rows that are still in the cache when they are learned
constexpr auto kMoment = std::chrono::milliseconds(10);
constexpr size_t kAhead = 4;      // chunks
constexpr unsigned kThreads = 4;  // that a whole file is read in, unless they are said; more have to wait for the one that gathers rows

// The library knows lines and columns, the input why it could not be read, and the user wants to hear which file it was.
Failure with_name(const Input& input, const LibraryError& error) {
    return Failure(kBadData, input.name() + ": " + (input.failure().empty() ? error.what() : input.failure()));
}
}  // namespace

Reading reading_for(const sl_model* model, const std::string& file, const std::string& format, const GivenOptions& options, Purpose purpose,
                    bool learns) {
    Reading reading;
    reading.text = reading_options(model, options);
    reading.threads_given = gives(options, "threads");
    reading.purpose = purpose;
    const std::string wanted = format.empty() ? format_of_name(file) : format;
    Encoder encoder = encoder_of(model);
    if (!encoder && (wanted == "csv" || wanted == "tsv"))
        throw Failure(kBadUsage, file + " is a table, but the model was not trained on one: it has no names for the columns");
    if (wanted.empty() && file != "-" && Columns::are_in(encoder))
        throw Failure(kBadUsage,
                      file +
                          " does not end in .csv or .tsv, and the model was trained on a table, whose features svmlight text does "
                          "not have: say --format csv, tsv or svmlight");
    if (!encoder || wanted == "svmlight" || (wanted.empty() && file != "-")) return reading;
    reading.columns = std::make_shared<Columns>(std::move(encoder), learns);
    if (!wanted.empty()) reading.columns->set_format(wanted);
    return reading;
}

Reading reading_for_new(const sl_model* model, const std::string& file, const ColumnArguments& columns, const GivenOptions& options,
                        const std::string& weights) {
    const std::string format = columns.format.empty() ? format_of_name(file) : columns.format;
    Reading reading;
    reading.text = reading_options(model, options);
    reading.threads_given = gives(options, "threads");
    reading.weights = weights;
    if (format == "csv" || format == "tsv") {
        if (!weights.empty()) throw Failure(kBadUsage, "--weights is for svmlight text: a table has --weight COLUMN");
        reading.columns = std::make_shared<Columns>(format, columns, options, has_labels(model));
        if (const std::string classes = model_option(model, "classes"); classes != "auto")
            reading.columns->set_most_words(std::stoul(classes));
        return reading;
    }
    if (!columns.given().empty())
        throw Failure(kBadUsage, columns.given() + " is for tables: give the file a name that ends in .csv or .tsv, or add --format csv");
    for (const auto& [name, value] : options)
        if (!is_for(name, Reads::kModel))
            throw Failure(kBadUsage, "--" + name + " is for tables, whose text and categories become features");
    return reading;
}

WeightReader::WeightReader(const std::string& path)
    : input_(path), reader_([this](char* buffer, size_t capacity) { return input_.read(buffer, capacity); }, ',') {}

double WeightReader::next() {
    double weight = 0;
    try {
        if (!reader_.next(fields_)) throw Failure(kBadData, "there are fewer weights than examples");
        if (fields_.size() != 1 || read_number(fields_[0], weight) != Numeral::number || weight < 0)
            throw Failure(kBadData, "line " + std::to_string(fields_.line) + ": one weight is wanted, a number of at least 0");
    } catch (const Failure& failure) {
        throw Failure(kBadData, input_.name() + ": " + (input_.failure().empty() ? failure.what() : input_.failure()));
    }
    return weight;
}

Data WeightReader::weigh(Data data) {
    uint64_t rows = 0, nonzeros = 0;
    call(sl_dataset_shape, data.get(), &rows, &nonzeros, nullptr);
    std::vector<int64_t> row_pointers(1, 0);
    std::vector<uint32_t> indices(nonzeros);
    std::vector<double> values(nonzeros), labels(rows), weights(rows);
    size_t at = 0;
    for (uint64_t r = 0; r < rows; ++r) {
        size_t count = 0;
        call(sl_dataset_row, data.get(), r, indices.data() + at, values.data() + at, nonzeros - at, &count, &labels[r], nullptr);
        row_pointers.push_back(static_cast<int64_t>(at += count));
        weights[r] = next();
    }
    return make<sl_dataset>(sl_dataset_from_csr, size_t{rows}, row_pointers.data(), indices.data(), values.data(), labels.data(),
                            weights.data());
}

void WeightReader::finish() {
    if (reader_.next(fields_)) throw Failure(kBadData, input_.name() + ": there are more weights than examples");
}

int64_t LabelFiller::read_for_library(void* filler, void* buffer, size_t capacity) noexcept {
    try {
        return static_cast<LabelFiller*>(filler)->read(static_cast<char*>(buffer), capacity);
    } catch (const std::bad_alloc&) {
        return -1;
    }
}

int64_t LabelFiller::read(char* buffer, size_t capacity) {
    if (is_binary_) return input_.read(buffer, capacity);
    while (done_ == ready_.size() && !at_end_) {
        ready_.clear();
        done_ = 0;
        const int64_t count = input_.read(buffer, capacity);
        if (count < 0) return count;
        if (at_start_ && count > 0 && buffer[0] == '\x89') {
            is_binary_ = true;
            return count;
        }
        at_end_ = count == 0;
        take({buffer, static_cast<size_t>(count)});
        if (at_end_ && in_head_) end_head(false);
    }
    const size_t count = ready_.copy(buffer, capacity, done_);
    done_ += count;
    return static_cast<int64_t>(count);
}

void LabelFiller::take(std::string_view text) {
    constexpr size_t kLongestIndex = 16;
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // of byte order
    for (size_t i = 0; i < text.size(); ++i) {
        if (!in_head_) {
            const size_t end = std::min(text.find_first_of("\r\n", i), text.size());
            ready_ += text.substr(i, end - i);
            i = end;
            if (i == text.size()) return;
            in_head_ = true;
        }
        const char c = text[i];
        const bool ends_line = c == '\n' || c == '\r', ends_head = ends_line || c == ' ' || c == '\t' || c == '#';
        if (ends_head) {
            if (c == '#' || !head_.empty()) end_head(false);
            ready_ += c;
            in_head_ = in_head_ || ends_line;
            continue;
        }
        head_ += c;
        if (at_start_ && head_ == kMark) {
            ready_ += head_;
            head_.clear();
        } else if (c == ':' || head_.size() > kLongestIndex) {
            end_head(c == ':');
        }
    }
}

void LabelFiller::end_head(bool is_index) {
    if (is_index) ready_ += "0 ";
    ready_ += head_;
    head_.clear();
    in_head_ = false;
    at_start_ = false;
}

namespace {

std::unique_ptr<TableReader> table_of(Input& input, const Reading& reading) {
    if (!reading.columns) return nullptr;
    auto table = std::make_unique<TableReader>(input, *reading.columns, reading.purpose, reading.with);
    if (reading.columns->are_new() && !reading.quiet) tell(input.name() + " is read as follows" + reading.columns->describe());
    return table;
}

// What is to be said when all is read.
void finish_table(const Input& input, const Reading& reading, const TableReader& table) {
    if (const std::string missing = table.missing(); !missing.empty() && !reading.quiet)
        tell(input.name() + " lacks values, which are features that are not there: " + missing);
    const bool needs_both = reading.purpose == Purpose::kValidate || (reading.purpose == Purpose::kTrain && reading.columns->are_new());
    if (needs_both && !reading.columns->positive().empty() && !table.saw_positive())
        throw Failure(kBadData, input.name() + ": no label is '" + reading.columns->positive() + "', as --positive says");
    if (const auto& words = reading.columns->words(); reading.purpose == Purpose::kTrain && !words.empty() && words.size() < 3)
        throw Failure(kBadData, input.name() + ": all labels are '" + words[0] +
                                    (words.size() == 2 ? "' or '" + words[1] + "': say which is 1, --positive '" + words[0] + "'" : "'"));
}

sl_read_fn source_of(const Reading& reading) {
    return reading.purpose == Purpose::kPredict ? &LabelFiller::read_for_library : &Input::read_for_library;
}

void* user_of(const Reading& reading, Input& input, LabelFiller& filler) {
    return reading.purpose == Purpose::kPredict ? static_cast<void*>(&filler) : &input;
}

}  // namespace

Data read_all(Input& input, const Reading& reading) {
    Data data;
    if (const auto table = table_of(input, reading)) {
        data = table->next(SIZE_MAX);
        finish_table(input, reading, *table);
    } else {
        if (!reading.threads_given)
            call(sl_options_set_number, reading.text.get(), "threads", std::clamp(std::thread::hardware_concurrency(), 1u, kThreads));
        try {
            LabelFiller filler(input);
            data = make<sl_dataset>(sl_dataset_read, source_of(reading), user_of(reading, input, filler), reading.text.get());
        } catch (const LibraryError& error) {
            throw with_name(input, error);
        }
    }
    if (reading.weights.empty()) return data;
    WeightReader weights(reading.weights);
    data = weights.weigh(std::move(data));
    weights.finish();
    return data;
}

ChunkReader::ChunkReader(Input& input, const Reading& reading, uint64_t border)
    : input_(input), reading_(reading), filler_(input), table_(table_of(input, reading)), border_(border) {
    reader_ = make<sl_reader>(sl_reader_create, source_of(reading), user_of(reading, input, filler_), reading.text.get());
    if (!reading.weights.empty()) weights_ = std::make_unique<WeightReader>(reading.weights);
    try {
        thread_ = std::thread([this] { read_ahead(); });
    } catch (const std::system_error&) {
    }
}

ChunkReader::~ChunkReader() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    input_.stop();
    thread_.join();
}

Chunk ChunkReader::next() {
    if (!thread_.joinable()) return read();
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || failure_ || at_end_; });
    if (ready_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        return {};
    }
    Chunk chunk = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return chunk;
}

void ChunkReader::read_ahead() {
    std::unique_lock<std::mutex> lock(mutex_);
    try {
        while (!at_end_) {
            changed_.wait(lock, [this] { return over_ || ready_.size() < kAhead; });
            if (over_) return;
            lock.unlock();
            Chunk chunk = read();
            lock.lock();
            at_end_ = chunk.rows == 0;
            if (!at_end_) ready_.push_back(std::move(chunk));
            changed_.notify_all();
        }
    } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        failure_ = std::current_exception();
        changed_.notify_all();
    }
}

Chunk ChunkReader::read() {
    const auto start = std::chrono::steady_clock::now();
    const uint64_t limit = rows_ < border_ ? border_ - rows_ : kMostRows;
    const auto wanted = static_cast<size_t>(std::min(chunk_rows_, limit));
    Chunk chunk;
    if (table_) {
        chunk.data = table_->next(wanted);
        chunk.copied = table_->take_copied();
    } else {
        try {
            chunk.data = make<sl_dataset>(sl_reader_next, reader_.get(), wanted);
        } catch (const LibraryError& error) {
            throw with_name(input_, error);
        }
    }
    chunk.rows = rows_of(chunk.data.get());
    if (weights_) chunk.data = weights_->weigh(std::move(chunk.data));
    if (chunk.rows == 0 && table_) finish_table(input_, reading_, *table_);
    if (chunk.rows == 0 && weights_) weights_->finish();
    chunk.fraction = input_.fraction();
    rows_ += chunk.rows;
    const bool was_fast = std::chrono::steady_clock::now() - start < kMoment;
    chunk_rows_ = was_fast ? std::min(2 * chunk_rows_, kMostRows) : std::max(chunk_rows_ / 2, uint64_t{1});
    return chunk;
}

}  // namespace cli
