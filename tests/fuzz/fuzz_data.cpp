// Data files, as they come and with counts, length and checksum that fit: what a slow reader by the words of src/README.md takes is loaded,
// to the bit, saved to what loads to the same again, and can be learned; anything else is refused.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "fuzz.h"

namespace {

using namespace fuzz;

constexpr size_t kHeader = 40, kChecksum = 8;
constexpr uint32_t kWeights = 1, kFloats = 2;

// A folder in memory, where there is one: saving flushes.
class Folder {
  public:
    Folder() {
        std::string name = access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz_data.XXXXXX" : "/tmp/fuzz_data.XXXXXX";
        CHECK(mkdtemp(name.data()));
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string file(const char* name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    CHECK(file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush());
}

unsigned char* data_of(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

struct Header {
    uint32_t version, flags;
    uint64_t rows, nonzeros, length;

    explicit Header(std::string bytes)
        : version(static_cast<uint32_t>(get_number(data_of(bytes) + 8, 4))),
          flags(static_cast<uint32_t>(get_number(data_of(bytes) + 12, 4))),
          rows(get_number(data_of(bytes) + 16, 8)),
          nonzeros(get_number(data_of(bytes) + 24, 8)),
          length(get_number(data_of(bytes) + 32, 8)) {}

    // The bytes of header, ends, labels, weights, values and indices.
    std::vector<size_t> sizes() const {
        const auto padded = [](uint64_t size) { return static_cast<size_t>((size + 7) / 8 * 8); };
        return {kHeader,
                padded(8 * rows),
                padded(8 * rows),
                padded(flags & kWeights ? 8 * rows : 0),
                padded(nonzeros * (flags & kFloats ? 4 : 8)),
                padded(4 * nonzeros)};
    }
};

// With as many rows and nonzeros as there is room for, and the length and checksum of that.
std::string sealed(std::string bytes) {
    const Header given(bytes);
    const uint64_t room = bytes.size() - kHeader - kChecksum;
    const uint64_t rows = given.rows % (room / (given.flags & kWeights ? 24 : 16) + 1);
    const uint64_t nonzeros = (room - rows * (given.flags & kWeights ? 24 : 16)) / (given.flags & kFloats ? 8 : 12);
    put_number(data_of(bytes) + 16, rows, 8);
    put_number(data_of(bytes) + 24, nonzeros, 8);
    const std::vector<size_t> sizes = Header(bytes).sizes();
    size_t length = kChecksum;
    for (const size_t size : sizes) length += size;
    bytes.resize(length);
    put_number(data_of(bytes) + 32, length, 8);
    seal_data(data_of(bytes), sizes.data(), sizes.size());
    return bytes;
}

struct ReferenceRow {
    std::vector<uint32_t> indices;
    std::vector<double> values;
    double label, weight;
};

template <class Bits, class Number>
Number number_at(const unsigned char* at) {
    const Bits bits = static_cast<Bits>(get_number(at, sizeof(Bits)));
    Number number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

// Nothing for bytes that are no sound data set of version 1.
std::optional<std::vector<ReferenceRow>> read_slowly(std::string bytes) {
    const Header header(bytes);
    const uint64_t most = bytes.size();
    if (header.version != 1 || header.flags > (kWeights | kFloats) || header.rows > most || header.nonzeros > most) return {};
    const std::vector<size_t> sizes = header.sizes();
    std::vector<const unsigned char*> arrays = {data_of(bytes)};
    for (const size_t size : sizes) arrays.push_back(arrays.back() + size);
    const auto length = static_cast<size_t>(arrays.back() - arrays[0]) + kChecksum;
    if (length != bytes.size() || header.length != length) return {};
    const std::string as_given = bytes;
    seal_data(data_of(bytes), sizes.data(), sizes.size());
    if (bytes != as_given) return {};

    std::vector<ReferenceRow> rows(static_cast<size_t>(header.rows));
    uint64_t entry = 0;
    for (size_t r = 0; r < rows.size(); ++r) {
        ReferenceRow& row = rows[r];
        const uint64_t end = get_number(arrays[1] + 8 * r, 8);
        row.label = number_at<uint64_t, double>(arrays[2] + 8 * r);
        row.weight = header.flags & kWeights ? number_at<uint64_t, double>(arrays[3] + 8 * r) : 1;
        if (end < entry || end > header.nonzeros || !std::isfinite(row.label) || !std::isfinite(row.weight) || row.weight < 0) return {};
        double squares[4] = {};
        for (; entry < end; ++entry) {
            const auto e = static_cast<size_t>(entry);
            const double value = header.flags & kFloats ? double{number_at<uint32_t, float>(arrays[4] + 4 * e)}
                                                        : number_at<uint64_t, double>(arrays[4] + 8 * e);
            const auto index = static_cast<uint32_t>(get_number(arrays[5] + 4 * e, 4));
            if (value == 0 || (!row.indices.empty() && index <= row.indices.back())) return {};
            squares[row.indices.size() % 4] += value * value;
            row.indices.push_back(index);
            row.values.push_back(value);
        }
        if (!std::isfinite((squares[0] + squares[1]) + (squares[2] + squares[3]))) return {};
    }
    if (entry != header.nonzeros) return {};
    return rows;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void check_rows(const sl_dataset* data, const std::vector<ReferenceRow>& reference) {
    uint64_t rows = 0;
    CHECK(sl_dataset_shape(data, &rows, nullptr, nullptr, nullptr) == SL_OK && rows == reference.size());
    for (size_t r = 0; r < reference.size(); ++r) {
        const ReferenceRow& row = reference[r];
        std::vector<uint32_t> indices(row.indices.size());
        std::vector<double> values(indices.size());
        size_t count = 0;
        double label = 0, weight = 0;
        CHECK(sl_dataset_row(data, r, indices.data(), values.data(), indices.size(), &count, &label, &weight, nullptr) == SL_OK);
        CHECK(count == indices.size() && indices == row.indices && same_bits(label, row.label) && same_bits(weight, row.weight));
        for (size_t j = 0; j < count; ++j) CHECK_SAYING(same_bits(values[j], row.values[j]), "%.17g, not %.17g", values[j], row.values[j]);
    }
}

void learn(const sl_dataset* data) {
    sl_model* model = nullptr;
    sl_error error;
    CHECK(sl_model_create(nullptr, &model, &error) == SL_OK);
    told(sl_model_feed_dataset(model, data, nullptr, &error), error);
    told(sl_model_fit(model, data, nullptr, nullptr, &error), error);
    sl_model_free(model);
}

void load(const std::string& bytes) {
    static const Folder folder;
    static const std::string path = folder.file("given"), saved = folder.file("saved");
    write_bytes(path, bytes);
    const std::optional<std::vector<ReferenceRow>> reference = read_slowly(bytes);
    sl_dataset *data = nullptr, *again = nullptr;
    sl_error error;
    const sl_status status = told(sl_dataset_load(path.c_str(), nullptr, &data, &error), error);
    CHECK_SAYING((status == SL_OK) == reference.has_value(), "%s", status == SL_OK ? "loaded" : error.message);
    if (status != SL_OK) {
        CHECK_SAYING(status == SL_ERROR_FORMAT || (status == SL_ERROR_VERSION && Header(bytes).version > 1), "%s", error.message);
        CHECK(!data);
        return;
    }
    check_rows(data, *reference);
    CHECK_SAYING(sl_dataset_save(data, saved.c_str(), &error) == SL_OK, "%s", error.message);
    const std::string kept = read_bytes(saved);
    CHECK_SAYING(kept.size() <= bytes.size(), "%zu bytes for %zu", kept.size(), bytes.size());
    CHECK_SAYING(sl_dataset_load(saved.c_str(), nullptr, &again, &error) == SL_OK, "%s", error.message);
    check_rows(again, *reference);
    CHECK(sl_dataset_save(again, saved.c_str(), &error) == SL_OK && read_bytes(saved) == kept);
    sl_dataset_free(again);
    learn(data);
    sl_dataset_free(data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static constexpr char kMagic[] = "\x89SLD\r\n\x1a\n";
    if (size < kHeader + kChecksum) return 0;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    bytes.replace(0, 8, kMagic, 8);  // text otherwise, which has a target of its own
    load(bytes);
    load(sealed(bytes));
    return 0;
}
