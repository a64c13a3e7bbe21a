#include "encoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "crew.h"
#include "error.h"
#include "sealed.h"
#include "system.h"

namespace sparselin {
namespace {

constexpr Seal kEncoderSeal{std::string_view("\x89SLE\r\n\x1a\n", 8), "encoder", "an encoder", 1};

// Adds the rows from `begin` to `end`, each the record of one text.
template <class Done>
void add_rows(const Lexicon& lexicon, Record& record, std::string_view name, const Texts& texts, size_t begin, size_t end,
              const double* labels, const double* weights, Dataset& data, Done done) {
    RowBuffer buffer;
    for (size_t r = begin; r < end; ++r) {
        with_row(r, [&] {
            record.clear();
            record.text(lexicon, name, texts[r]);
            const Row row = record.row(lexicon);
            data.add({row.indices, row.values, row.count}, labels ? labels[r] : 0, weights ? weights[r] : 1, buffer);
            done(row);
        });
    }
}

}  // namespace

std::string_view Texts::operator[](size_t r) const {
    if (!texts[r]) fail(SL_ERROR_INVALID_ARGUMENT, "the text is NULL");
    return {texts[r], lengths ? lengths[r] : std::strlen(texts[r])};
}

Encoder::Encoder(const Options& options) : options_(options), scheme_{options.encoder_settings(), {}, {}} {}

Encoder::Encoder(const Encoder& other)
    : options_(other.options_),
      scheme_(other.scheme_),
      note_(other.note_),
      begun_(other.begun_),
      frozen_(other.frozen_),
      names_(other.names_),
      rows_with_(other.rows_with_) {}

void Encoder::cross(std::string_view first, std::string_view second) {
    if (begun_ || frozen_) fail(SL_ERROR_STATE, "fields are crossed before the first record, and before a dictionary is frozen");
    if (first == second) fail(SL_ERROR_INVALID_ARGUMENT, "the field '", shown(first), "' cannot be crossed with itself");
    Scheme scheme = scheme_;
    for (const std::string_view field : {first, second})
        if (scheme.field(field) == FeatureNames::kNone) scheme.fields.emplace_back(field);
    const std::pair cross(scheme.field(first), scheme.field(second));
    for (const auto& other : scheme.crosses)
        if (other == cross || other == std::pair(cross.second, cross.first))
            fail(SL_ERROR_INVALID_ARGUMENT, "the fields '", shown(first), "' and '", shown(second), "' are crossed already");
    scheme.crosses.push_back(cross);
    scheme_ = std::move(scheme);
}

void Encoder::set_threads(uint32_t threads) { scheme_.settings.threads = checked_threads(threads); }

void Encoder::clear() {
    record_.clear();
    counted_.clear();
}

void Encoder::number(std::string_view name, double value) {
    record_.number(lexicon(), name, value);
    begun_ = true;
}

void Encoder::category(std::string_view name, std::string_view value) {
    record_.category(lexicon(), name, value);
    begun_ = true;
}

void Encoder::text(std::string_view name, std::string_view text) {
    record_.text(lexicon(), name, text);
    begun_ = true;
}

Row Encoder::row() {
    const uint32_t names = names_.size();
    const Row row = record_.row(lexicon());
    try {
        count(row, counted_);
    } catch (...) {
        names_.truncate(names);
        throw;
    }
    return row;
}

// Counts the row for each of its names that is not in `counted`, which then has all names of the row. All or nothing.
void Encoder::count(const Row& row, std::vector<uint32_t>& counted) {
    if (!counts()) return;
    rows_with_.resize(names_.size());
    counted.reserve(row.count);
    auto before = counted.begin();
    for (size_t j = 0; j < row.count; ++j) {
        while (before != counted.end() && *before < row.indices[j]) ++before;
        if (before == counted.end() || *before != row.indices[j]) ++rows_with_[row.indices[j]];
    }
    counted.assign(row.indices, row.indices + row.count);
}

Dataset Encoder::texts(std::string_view name, const Texts& texts, const double* labels, const double* weights) {
    Dataset data;
    data.reserve(texts.rows, 0);
    if (learns())
        add_learning(name, texts, labels, weights, data);
    else
        add_in_threads(name, texts, labels, weights, data);
    begun_ = begun_ || texts.rows > 0;
    return data;
}

void Encoder::add_learning(std::string_view name, const Texts& texts, const double* labels, const double* weights, Dataset& data) {
    const uint32_t names = names_.size();
    std::vector<uint64_t> rows_with = rows_with_;
    Record record;
    std::vector<uint32_t> counted;
    try {
        add_rows(lexicon(), record, name, texts, 0, texts.rows, labels, weights, data, [&](const Row& row) {
            counted.clear();
            count(row, counted);
        });
    } catch (...) {
        names_.truncate(names);
        rows_with_.swap(rows_with);
        throw;
    }
}

// Each thread makes pieces of the rows, which are put together in order.
void Encoder::add_in_threads(std::string_view name, const Texts& texts, const double* labels, const double* weights, Dataset& data) const {
    constexpr size_t kMostRows = 1024, kPiecesAThread = 8;
    const Lexicon lexicon{scheme_, names_, nullptr};
    const size_t threads = thread_count(scheme_.settings.threads);
    const size_t rows = std::clamp<size_t>(texts.rows / (threads * kPiecesAThread), 1, kMostRows);
    if (threads == 1 || texts.rows < 2) {
        Record record;
        add_rows(lexicon, record, name, texts, 0, texts.rows, labels, weights, data, [](const Row&) {});
        return;
    }
    std::vector<Dataset> pieces((texts.rows + rows - 1) / rows);
    do_pieces(threads, pieces.size(), [&] {
        return [&, record = Record()](size_t p) mutable {
            add_rows(lexicon, record, name, texts, p * rows, std::min((p + 1) * rows, texts.rows), labels, weights, pieces[p],
                     [](const Row&) {});
        };
    });
    for (Dataset& piece : pieces) data.append(std::exchange(piece, {}));
}

void Encoder::freeze() {
    if (!learns()) return;
    if (counts()) {
        const auto is_frequent = [this](uint32_t name) {
            return name < rows_with_.size() && rows_with_[name] >= scheme_.settings.min_count;
        };
        names_ = names_.only(is_frequent);
        rows_with_ = {};
    }
    frozen_ = true;
    clear();
}

uint64_t Encoder::dimension() const { return scheme_.settings.has_dictionary ? names_.size() : uint64_t{1} << scheme_.settings.hash_bits; }

std::string_view Encoder::name(uint32_t index) const {
    if (!has_names()) fail(SL_ERROR_STATE, "hashed features have no names unless the option keep_names is true");
    if (index >= dimension()) fail(SL_ERROR_INVALID_ARGUMENT, "there is no feature ", index, ": all are below ", dimension());
    const uint32_t number = scheme_.settings.has_dictionary ? index : names_.find(index);
    if (!names_.has(number))
        fail(SL_ERROR_INVALID_ARGUMENT, "feature ", index, " has no name",
             scheme_.settings.has_dictionary ? " any more: it was dropped when the dictionary was frozen" : ": none like it was seen");
    return names_[number];
}

bool Encoder::has_indices_of(const Encoder& other) const {
    const EncoderSettings &own = scheme_.settings, &others = other.scheme_.settings;
    if (own.has_dictionary != others.has_dictionary) return false;
    if (!own.has_dictionary)
        return own.hash_bits == others.hash_bits && own.hash_sign == others.hash_sign && own.hash_as_spark == others.hash_as_spark;
    for (uint32_t i = 0; i < other.names_.size(); ++i)
        if (other.names_.has(i) && !(names_.has(i) && names_[i] == other.names_[i])) return false;
    return true;
}

uint64_t Encoder::bytes() const {
    uint64_t sum = sizeof *this + options_.bytes() + note_.capacity() + names_.bytes() + record_.bytes();
    for (const std::string& field : scheme_.fields) sum += sizeof(std::string) + field.capacity();
    return sum + scheme_.crosses.capacity() * sizeof(uint64_t) + rows_with_.capacity() * sizeof(uint64_t) +
           counted_.capacity() * sizeof(uint32_t);
}

void Encoder::write(Writer& archive) const {
    Options::fields(options_, archive, kForEncoders);
    archive(static_cast<uint32_t>(scheme_.crosses.size()));
    for (const auto& [first, second] : scheme_.crosses) archive(scheme_.fields[first], scheme_.fields[second]);
    archive(note_, begun_, frozen_, names_.size());
    for (uint32_t i = 0; i < names_.size(); ++i) {
        archive(names_.has(i));
        if (names_.has(i)) archive(std::string(names_[i]));
        if (counts()) archive(i < rows_with_.size() ? rows_with_[i] : 0);
    }
}

Encoder Encoder::read(Reader& archive) {
    Options options;
    Options::fields(options, archive, kForEncoders);
    Encoder encoder(options);
    uint32_t count = 0;
    for (archive(count); count > 0; --count) {
        std::string first, second;
        archive(first, second);
        encoder.cross(first, second);
    }
    archive(encoder.note_, encoder.begun_, encoder.frozen_, count);
    archive.check(encoder.note_.find('\0') == std::string::npos, "a NUL is in its note");
    archive.check(encoder.has_names() || (!encoder.frozen_ && count == 0), "it has names, where none are learned");
    for (uint32_t i = 0; i < count; ++i) {
        bool is_there = false;
        archive(is_there);
        if (is_there) {
            std::string name;
            archive(name);
            const Scheme& scheme = encoder.scheme_;
            const uint32_t hash = scheme.hash(name), key = scheme.settings.has_dictionary ? hash : scheme.hashed_index(hash);
            FeatureNames& names = encoder.names_;
            archive.check((scheme.settings.has_dictionary ? names.find(key, name) : names.find(key)) == FeatureNames::kNone,
                          "a name is there twice");
            names.add(key, name);
        } else {
            archive.check(encoder.frozen_ && encoder.scheme_.settings.min_count > 1, "a name was dropped, where none can be");
            encoder.names_.add_dropped();
        }
        if (encoder.counts()) archive(encoder.rows_with_.emplace_back());
    }
    return encoder;
}

std::string encoder_to_bytes(const Encoder& encoder) {
    Writer file = begin_sealed();
    encoder.write(file);
    return sealed(kEncoderSeal, 0, std::move(file));
}

Encoder encoder_from_bytes(std::string_view bytes) {
    return read_sealed(kEncoderSeal, bytes, [](uint32_t, Reader& body) { return Encoder::read(body); });
}

Encoder load_encoder(const char* path) {
    return load_sealed(kEncoderSeal, path, [](const std::string& bytes) { return encoder_from_bytes(bytes); });
}

}  // namespace sparselin
