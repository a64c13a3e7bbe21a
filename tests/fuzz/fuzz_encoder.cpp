// Bytes of an encoder, as they come and with a checksum that fits; and a stream of calls on an encoder that has a twin, which is saved and
// loaded now and then, and takes texts one by one where the other takes them at once: the two stay the same. A call that fails changes
// nothing.
#include <memory>

#include "fuzz.h"

namespace {

using namespace fuzz;

struct Free {
    void operator()(sl_encoder* encoder) const { sl_encoder_free(encoder); }
    void operator()(sl_options* options) const { sl_options_free(options); }
    void operator()(sl_dataset* data) const { sl_dataset_free(data); }
};
using Encoder = std::unique_ptr<sl_encoder, Free>;

std::string kept(const sl_encoder* encoder) {
    size_t size = 0;
    sl_error error;
    CHECK_SAYING(sl_encoder_to_bytes(encoder, nullptr, 0, &size, &error) == SL_OK, "%s", error.message);
    std::string bytes(size, '\0');
    CHECK(sl_encoder_to_bytes(encoder, bytes.data(), size, &size, nullptr) == SL_OK && size == bytes.size());
    return bytes;
}

Encoder loaded(const std::string& bytes) {
    sl_encoder* encoder = nullptr;
    sl_error error;
    CHECK_SAYING(sl_encoder_from_bytes(bytes.data(), bytes.size(), &encoder, &error) == SL_OK, "%s", error.message);
    return Encoder(encoder);
}

struct Row {
    std::vector<uint32_t> indices;
    std::vector<double> values;
    bool operator==(const Row& other) const { return indices == other.indices && values == other.values; }
};

// False where the record makes no row.
bool row_of(sl_encoder* encoder, Row& row) {
    const uint32_t* indices = nullptr;
    const double* values = nullptr;
    size_t count = 0;
    sl_error error;
    if (told(sl_encoder_row(encoder, &indices, &values, &count, &error), error) != SL_OK) return false;
    row.indices.assign(indices, indices + count);
    row.values.assign(values, values + count);
    for (size_t j = 0; j < count; ++j) CHECK(values[j] != 0 && (j == 0 || indices[j] > indices[j - 1]));
    uint64_t dimension = 0;
    CHECK(sl_encoder_dimension(encoder, &dimension, nullptr) == SL_OK);
    CHECK(count == 0 || indices[count - 1] < dimension);
    return true;
}

void use_bytes(const std::string& bytes) {
    sl_encoder* encoder = nullptr;
    sl_error error;
    if (told(sl_encoder_from_bytes(bytes.data(), bytes.size(), &encoder, &error), error) != SL_OK) {
        CHECK(error.status == SL_ERROR_FORMAT || error.status == SL_ERROR_VERSION);
        CHECK(!encoder);
        return;
    }
    const Encoder owner(encoder);
    CHECK(kept(loaded(kept(encoder)).get()) == kept(encoder));
    Row row;
    CHECK(sl_encoder_number(encoder, "number", 0.5, nullptr) == SL_OK);
    CHECK(sl_encoder_category(encoder, "category", "x", nullptr) == SL_OK);
    CHECK(sl_encoder_text(encoder, "", "some text", 9, nullptr) == SL_OK);
    CHECK(row_of(encoder, row));
    CHECK(sl_encoder_freeze(encoder, nullptr) == SL_OK);
    CHECK(kept(loaded(kept(encoder)).get()) == kept(encoder));
    char name[64];
    size_t length = 0;
    for (const uint32_t index : row.indices) (void)sl_encoder_name(encoder, index, name, sizeof name, &length, nullptr);
}

std::unique_ptr<sl_options, Free> draw_options(Input& in) {
    static const char* const kSettings[][2] = {
        {"features", "dictionary"}, {"features", "hash"},   {"hash_bits", "1"}, {"hash_bits", "12"},    {"hash_bits", "31"},
        {"hash_sign", "true"},      {"hash_like", "spark"}, {"tokens", "char"}, {"keep_names", "true"}, {"tokens", "char_wb"},
        {"min_count", "2"},         {"ngram_max", "3"},     {"ngram_min", "2"}, {"lowercase", "false"}, {"threads", "2"},
    };
    sl_options* options = nullptr;
    CHECK(sl_options_create(&options, nullptr) == SL_OK);
    for (size_t count = in.below(5); count > 0; --count) {
        const auto& setting = kSettings[in.below(sizeof kSettings / sizeof *kSettings)];
        CHECK(sl_options_set(options, setting[0], setting[1], nullptr) == SL_OK);
    }
    return std::unique_ptr<sl_options, Free>(options);
}

std::string draw_name(Input& in) {
    static const char* const kNames[] = {"", "a", "b", "a=b", "a*b", "\xc3\xa9"};
    const size_t pick = in.below(8);
    return pick < 6 ? kNames[pick] : std::string(in.text(pick).c_str());
}

// Texts at once against each by itself.
void texts(Input& in, sl_encoder* encoder, Encoder& twin) {
    std::vector<std::string> all;
    std::vector<const char*> pointers;
    std::vector<size_t> lengths;
    for (size_t count = in.below(6); count > 0; --count) all.push_back(in.text(in.below(30)));
    for (const std::string& text : all) {
        pointers.push_back(text.data());
        lengths.push_back(text.size());
    }
    const std::string name = draw_name(in);
    sl_dataset* data = nullptr;
    sl_error error;
    CHECK_SAYING(
        sl_encoder_texts(encoder, name.c_str(), pointers.data(), lengths.data(), all.size(), nullptr, nullptr, &data, &error) == SL_OK,
        "%s", error.message);
    const std::unique_ptr<sl_dataset, Free> owner(data);
    CHECK(sl_encoder_clear(encoder, nullptr) == SL_OK);
    for (size_t r = 0; r < all.size(); ++r) {
        Row row, alone;
        CHECK(sl_encoder_clear(twin.get(), nullptr) == SL_OK);
        CHECK(sl_encoder_text(twin.get(), name.c_str(), pointers[r], lengths[r], nullptr) == SL_OK);
        CHECK(row_of(twin.get(), alone));
        size_t count = 0;
        CHECK(sl_dataset_row(data, r, nullptr, nullptr, 0, &count, nullptr, nullptr, nullptr) == SL_OK);
        row.indices.resize(count);
        row.values.resize(count);
        CHECK(sl_dataset_row(data, r, row.indices.data(), row.values.data(), count, &count, nullptr, nullptr, nullptr) == SL_OK);
        CHECK(row == alone);
    }
    CHECK(sl_encoder_clear(twin.get(), nullptr) == SL_OK);
}

void calls(Input& in) {
    static const double kNumbers[] = {1, -1, 0.5, 0, 3, 1e160, 1e308, -1e200, 0.0 / 0.0, 1.0 / 0.0};
    const auto options = draw_options(in);
    sl_encoder *made = nullptr, *made_twin = nullptr;
    sl_error error;
    if (told(sl_encoder_create(options.get(), &made, &error), error) != SL_OK) return;
    const Encoder encoder(made);
    CHECK(sl_encoder_create(options.get(), &made_twin, nullptr) == SL_OK);
    Encoder twin(made_twin);
    while (in.left()) {
        const size_t what = in.below(10);
        const std::string before = kept(encoder.get()), name = draw_name(in);
        const auto both = [&](auto call) {
            const sl_status status = told(call(encoder.get(), &error), error);
            if (status != SL_OK) CHECK_SAYING(kept(encoder.get()) == before, "%s", error.message);
            CHECK(call(twin.get(), &error) == status);
        };
        if (what == 0) {
            const std::string other = draw_name(in);
            both([&](sl_encoder* e, sl_error* to) { return sl_encoder_cross(e, name.c_str(), other.c_str(), to); });
        } else if (what == 1) {
            both([](sl_encoder* e, sl_error* to) { return sl_encoder_clear(e, to); });
            twin = loaded(kept(twin.get()));
        } else if (what == 2) {
            both([](sl_encoder* e, sl_error* to) { return sl_encoder_freeze(e, to); });
        } else if (what < 5) {
            const double number = kNumbers[in.below(sizeof kNumbers / sizeof *kNumbers)];
            both([&](sl_encoder* e, sl_error* to) { return sl_encoder_number(e, name.c_str(), number, to); });
        } else if (what == 5) {
            const std::string value = draw_name(in);
            both([&](sl_encoder* e, sl_error* to) { return sl_encoder_category(e, name.c_str(), value.c_str(), to); });
        } else if (what < 8) {
            const std::string text = in.text(in.below(40));
            both([&](sl_encoder* e, sl_error* to) { return sl_encoder_text(e, name.c_str(), text.data(), text.size(), to); });
        } else if (what == 8) {
            texts(in, encoder.get(), twin);
        } else {
            Row row, other;
            CHECK(row_of(encoder.get(), row) == row_of(twin.get(), other));
            CHECK(row == other);
        }
        CHECK(kept(encoder.get()) == kept(twin.get()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input in(data, size);
    if (in.byte() < 0x80) {
        calls(in);
        return 0;
    }
    std::string bytes(reinterpret_cast<const char*>(data), size);
    use_bytes(bytes);
    if (size >= BODY_AT + CRC_SIZE) {
        seal_bytes(reinterpret_cast<unsigned char*>(bytes.data()), size);
        use_bytes(bytes);
    }
    return 0;
}
