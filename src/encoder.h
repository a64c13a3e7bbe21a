// Named numbers, categories and text to rows (SPEC section 12), and the bytes of what does it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "archive.h"
#include "dataset.h"
#include "options.h"
#include "record.h"

namespace sparselin {

// As a caller hands them in: lengths may be null for texts that end with a NUL.
struct Texts {
    const char* const* texts;
    const size_t* lengths;
    size_t rows;

    std::string_view operator[](size_t r) const;  // SL_ERROR_INVALID_ARGUMENT: it is null
};

class Encoder {
  public:
    explicit Encoder(const Options& options);
    Encoder(const Encoder& other);  // but for the record
    Encoder(Encoder&&) = default;

    void cross(std::string_view first, std::string_view second);

    void clear();
    void number(std::string_view name, double value);
    void category(std::string_view name, std::string_view value);
    void text(std::string_view name, std::string_view text);
    Row row();

    // A record a text, and the row of each. Labels null: 0; weights null: 1.
    Dataset texts(std::string_view name, const Texts& texts, const double* labels, const double* weights);
    void set_threads(uint32_t threads);

    void freeze();
    uint64_t dimension() const;
    std::string_view name(uint32_t index) const;
    // Whether names that the other one knows or hashes have the same indices here.
    bool has_indices_of(const Encoder& other) const;
    const Options& options() const { return options_; }
    void set_note(std::string_view note) { note_ = note; }
    const std::string& note() const { return note_; }
    uint64_t bytes() const;

    void write(Writer& archive) const;
    static Encoder read(Reader& archive);

  private:
    bool has_names() const { return scheme_.settings.has_dictionary || scheme_.settings.keep_names; }
    bool learns() const { return has_names() && !frozen_; }
    bool counts() const { return learns() && scheme_.settings.min_count > 1; }
    Lexicon lexicon() { return {scheme_, names_, learns() ? &names_ : nullptr}; }
    void count(const Row& row, std::vector<uint32_t>& counted);
    void add_learning(std::string_view name, const Texts& texts, const double* labels, const double* weights, Dataset& data);
    void add_in_threads(std::string_view name, const Texts& texts, const double* labels, const double* weights, Dataset& data) const;

    Options options_;
    Scheme scheme_;
    std::string note_;  // the caller's
    bool begun_ = false, frozen_ = false;
    FeatureNames names_;
    std::vector<uint64_t> rows_with_;  // so many had the name of this number; where min_count asks for it
    Record record_;
    std::vector<uint32_t> counted_;  // indices of the record that are so already
};

std::string encoder_to_bytes(const Encoder& encoder);
Encoder encoder_from_bytes(std::string_view bytes);
Encoder load_encoder(const char* path);

}  // namespace sparselin
