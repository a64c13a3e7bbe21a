#include "dataset_reader.h"

#include <algorithm>
#include <utility>

#include "data_file.h"
#include "error.h"
#include "system.h"

namespace sparselin {

DatasetReader::DatasetReader(Stream stream, uint32_t index_base, uint32_t threads)
    : stream_(std::move(stream)), index_base_(index_base), threads_(threads) {}

void DatasetReader::next(size_t rows, Dataset& data) {
    if (failure_) std::rethrow_exception(failure_);
    try {
        if (!has_begun_) {
            if (stream_.begins_with(kDataMagic))
                saved_ = read_data(stream_);
            else
                text_.emplace(std::move(stream_), index_base_, threads_);
            has_begun_ = true;
        }
        if (text_) {
            text_->next(rows, data);
        } else if (data.rows() == 0 && rows_given_ == 0 && rows >= saved_.rows()) {
            std::swap(data, saved_);
        } else {
            const size_t count = std::min(rows, saved_.rows() - rows_given_);
            data.append(saved_, rows_given_, count);
            rows_given_ += count;
        }
    } catch (...) {
        failure_ = std::current_exception();
        throw;
    }
}

Dataset load_dataset(const char* path, uint32_t index_base, uint32_t threads) {
    InputFile file(path);
    Stream stream(&InputFile::read, &file, file.size());
    bool is_text = true;
    try {
        is_text = !stream.begins_with(kDataMagic);
        return is_text ? load_svmlight(std::move(stream), index_base, threads) : read_data(stream);
    } catch (const Error& error) {
        if (file.error()) fail_io("read", path, file.error());
        if (is_text) throw;
        fail(error.status(), shown_path(path), ": ", error.message());
    }
}

}  // namespace sparselin
