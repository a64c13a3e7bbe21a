#include "data_file.h"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>

#include "archive.h"
#include "error.h"
#include "little_endian.h"
#include "random.h"
#include "system.h"

namespace sparselin {
namespace {

constexpr uint32_t kDataVersion = 1;
constexpr uint32_t kWeights = 1, kShortValues = 2, kNoValues = 4;  // flags
constexpr size_t kDataHeader = 40, kDataChecksum = 8;
constexpr size_t kPiece = size_t{1} << 16;  // bytes, a multiple of 32

// Of 8-byte words, in four lanes, so that none waits for the one before. A change of one word always shows.
class Checksum {
  public:
    void add(const unsigned char* bytes, size_t count) {                      // a multiple of 8; of 32 but for the last piece of an array
        uint64_t a = lanes_[0], b = lanes_[1], c = lanes_[2], d = lanes_[3];  // in registers: what bytes point to might be this
        size_t k = 0;
        for (; k + 32 <= count; k += 32) {
            a = step(a, load<uint64_t>(bytes + k));
            b = step(b, load<uint64_t>(bytes + k + 8));
            c = step(c, load<uint64_t>(bytes + k + 16));
            d = step(d, load<uint64_t>(bytes + k + 24));
        }
        if (k < count) a = step(a, load<uint64_t>(bytes + k));
        if (k + 8 < count) b = step(b, load<uint64_t>(bytes + k + 8));
        if (k + 16 < count) c = step(c, load<uint64_t>(bytes + k + 16));
        lanes_[0] = a;
        lanes_[1] = b;
        lanes_[2] = c;
        lanes_[3] = d;
    }
    uint64_t value() const {
        uint64_t sum = 0;
        for (const uint64_t lane : lanes_) sum = mix64(sum + lane);
        return sum;
    }

  private:
    static uint64_t step(uint64_t lane, uint64_t word) {
        const uint64_t sum = (lane ^ word) * 0x9e3779b97f4a7c15u;
        return sum ^ sum >> 32;
    }
    uint64_t lanes_[4] = {1, 2, 3, 4};
};

template <class Count>
Count padded(Count bytes) {
    return (bytes + 7) / 8 * 8;
}

// Arrays of numbers of type Stored, each filled up with zeros to a multiple of 8 bytes.
class ArrayWriter {
  public:
    explicit ArrayWriter(const PutBytes& put) : put_(put), piece_(kPiece) {}

    template <class Stored, class Array>
    void array(const Array& numbers) {
        constexpr size_t kStep = kPiece / sizeof(Stored);
        for (size_t first = 0; first < numbers.size(); first += kStep) {
            const size_t count = std::min(kStep, numbers.size() - first);
            for (size_t k = 0; k < count; ++k) store(&piece_[k * sizeof(Stored)], static_cast<Stored>(numbers[first + k]));
            const size_t bytes = padded(count * sizeof(Stored));
            std::fill(piece_.begin() + static_cast<std::ptrdiff_t>(count * sizeof(Stored)),
                      piece_.begin() + static_cast<std::ptrdiff_t>(bytes), static_cast<unsigned char>(0));
            checksum_.add(piece_.data(), bytes);
            put_({reinterpret_cast<const char*>(piece_.data()), bytes});
        }
    }
    void header(const std::string& bytes) {
        checksum_.add(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
        put_(bytes);
    }
    void checksum() {
        Writer end;
        end.put(checksum_.value());
        put_(end.bytes());
    }

  private:
    const PutBytes& put_;
    std::vector<unsigned char> piece_;
    Checksum checksum_;
};

class ArrayReader {
  public:
    explicit ArrayReader(Stream& stream) : stream_(stream), piece_(kPiece) {}

    template <class Stored, class Array>
    Array array(uint64_t size) {
        constexpr size_t kStep = kPiece / sizeof(Stored);
        if (size > SIZE_MAX / sizeof(double)) throw std::bad_alloc();
        const auto all = static_cast<size_t>(size);
        Array numbers(stream_.size() ? all : 0);  // otherwise it grows as there are bytes, since the header may lie
        for (size_t first = 0; first < all; first += kStep) {
            const size_t count = std::min(kStep, all - first);
            if (numbers.size() < first + count) numbers.resize(std::min(all, std::max(first + count, 2 * numbers.size())));
            // A whole piece of numbers that are held as they are stored is read to where it will be, which saves a copy.
            if constexpr (sizeof(Stored) == sizeof numbers[0]) {
                if (count == kStep) {
                    auto* const place = reinterpret_cast<unsigned char*>(&numbers[first]);
                    next(place, kPiece);
                    for (size_t k = 0; k < count; ++k) numbers[first + k] = load<Stored>(place + k * sizeof(Stored));
                    continue;
                }
            }
            next(piece_.data(), padded(count * sizeof(Stored)));
            for (size_t k = 0; k < count; ++k) numbers[first + k] = load<Stored>(&piece_[k * sizeof(Stored)]);
        }
        return numbers;
    }
    std::string_view header() {
        next(piece_.data(), kDataHeader);
        return {reinterpret_cast<const char*>(piece_.data()), kDataHeader};
    }
    void checksum() {
        const uint64_t sum = checksum_.value();
        next(piece_.data(), kDataChecksum);
        if (load<uint64_t>(piece_.data()) != sum) fail(SL_ERROR_FORMAT, "the data set is damaged: its checksum does not fit its bytes");
    }
    bool is_at_end() { return stream_.read(piece_.data(), 1) == 0; }

  private:
    void next(unsigned char* to, size_t bytes) {
        for (size_t held = 0; held < bytes;) {
            const size_t count = stream_.read(to + held, bytes - held);
            if (count == 0) fail(SL_ERROR_FORMAT, "not a whole data set: it ends at byte ", at_ + held);
            held += count;
        }
        at_ += bytes;
        checksum_.add(to, bytes);
    }
    Stream& stream_;
    std::vector<unsigned char> piece_;
    uint64_t at_ = 0;
    Checksum checksum_;
};

uint64_t file_size(uint64_t rows, uint64_t nonzeros, uint32_t flags) {
    return kDataHeader + rows * (flags & kWeights ? 24 : 16) +
           padded(nonzeros * (flags & kNoValues      ? 0
                              : flags & kShortValues ? 4
                                                     : 8)) +
           padded(nonzeros * 4) + kDataChecksum;
}

Dataset read_rows(Stream& stream) {
    ArrayReader file(stream);
    Reader header(file.header());
    uint32_t version, flags;
    uint64_t rows, nonzeros, length;
    header.get_raw(kDataMagic.size());
    header(version, flags, rows, nonzeros, length);
    if (version > kDataVersion)
        fail(SL_ERROR_VERSION, "the data set has format ", version, ", but this version of the library reads up to ", kDataVersion,
             "; use a newer one");
    header.check(version > 0 && flags <= (kWeights | kNoValues), "its header is of no known kind");
    // Counts below 2^56 overflow nothing; others are beyond any file.
    if ((rows | nonzeros) >> 56 || length != file_size(rows, nonzeros, flags))
        fail(SL_ERROR_FORMAT, "its header is wrong: ", rows, " rows and ", nonzeros, " nonzeros do not take ", length, " bytes");
    if (stream.size() && length != stream.size())
        fail(SL_ERROR_FORMAT, "not a whole data set: it should have ", length, " bytes, but has ", stream.size());
    auto ends = file.array<uint64_t, std::vector<uint64_t>>(rows);
    auto labels = file.array<double, std::vector<double>>(rows);
    auto weights = file.array<double, std::vector<double>>(flags & kWeights ? rows : 0);
    Values values;
    if (flags & kShortValues) values = Values(file.array<float, LargeVector<float>>(nonzeros));
    if (!(flags & (kShortValues | kNoValues))) values = Values(file.array<double, LargeVector<double>>(nonzeros));
    auto indices = file.array<uint32_t, LargeVector<uint32_t>>(nonzeros);
    if (flags & kNoValues) values = Values(indices.size());
    file.checksum();
    if (!file.is_at_end()) fail(SL_ERROR_FORMAT, "not a whole data set: it should have ", length, " bytes, but has more");
    return Dataset::from_parts(std::move(ends), std::move(indices), std::move(values), std::move(labels), std::move(weights));
}

}  // namespace

void save_data_file(const Dataset& data, const char* path) {
    const Values& values = data.values();
    const uint32_t flags = (data.weights().empty() ? 0 : kWeights) | (values.kind() == Values::Kind::ones     ? kNoValues
                                                                      : values.kind() == Values::Kind::floats ? kShortValues
                                                                                                              : 0);
    Writer header;
    header.put_raw(kDataMagic);
    header(kDataVersion, flags, uint64_t{data.rows()}, data.nonzeros(), file_size(data.rows(), data.nonzeros(), flags));
    replace_file(path, [&](const PutBytes& put) {
        ArrayWriter file(put);
        file.header(header.bytes());
        file.array<uint64_t>(data.ends());
        file.array<double>(data.labels());
        file.array<double>(data.weights());
        file.array<float>(values.floats());
        file.array<double>(values.doubles());
        file.array<uint32_t>(data.indices());
        file.checksum();
    });
}

Dataset read_data(Stream& stream) {
    try {
        return read_rows(stream);
    } catch (const Error& error) {
        if (error.status() != SL_ERROR_INVALID_DATA) throw;
        throw Error(SL_ERROR_FORMAT, error.message(), error.row());
    }
}

}  // namespace sparselin
