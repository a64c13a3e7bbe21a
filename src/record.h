// The features of one record on their way to a row.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoder_settings.h"
#include "example.h"
#include "feature_names.h"
#include "large_pages.h"
#include "murmur_hash.h"
#include "tokens.h"

namespace sparselin {

// What an encoder goes by.
struct Scheme {
    EncoderSettings settings;
    std::vector<std::string> fields;                     // that are crossed
    std::vector<std::pair<uint32_t, uint32_t>> crosses;  // of fields

    // The number of a field that is crossed, or FeatureNames::kNone.
    uint32_t field(std::string_view name) const;

    // What stands for a feature's name: its hash, which is the key of the name in a dictionary; the index that it has when hashed, which is
    // the key of a name that is kept; and whether its values change their sign.
    uint32_t seed() const { return settings.hash_as_spark ? 42 : 0; }
    uint32_t hash(std::string_view name) const { return murmur_hash(name, seed()); }
    uint32_t hashed_index(uint32_t hash) const;
    bool is_negative(uint32_t hash) const { return settings.hash_sign && hash >> 31; }
};

// Names, and where new ones are learned.
struct Lexicon {
    const Scheme& scheme;
    const FeatureNames& names;
    FeatureNames* learned;  // the same names, or null
};

// Keeps its memory from record to record. A call that throws leaves it, and the names, as they were.
class Record {
  public:
    void clear();
    void number(const Lexicon& lexicon, std::string_view name, double value);
    void category(const Lexicon& lexicon, std::string_view name, std::string_view value);
    void text(const Lexicon& lexicon, std::string_view name, std::string_view text);

    // All of it, crosses included, until the next call.
    Row row(const Lexicon& lexicon);

    uint64_t bytes() const;

  private:
    // A feature of a field that is crossed.
    struct Part {
        uint32_t field;
        size_t begin, length;  // its name, in part_text_
        double value;
    };
    class Attempt;

    void add(const Lexicon& lexicon, std::string_view name, double value);
    void add_hashed(const Scheme& scheme, std::string_view text);
    template <class Visit>
    void for_each_feature(const TokenRules& rules, std::string_view text, Visit visit);
    void add_part(uint32_t field, std::string_view name, double value);
    void add_crosses(const Lexicon& lexicon);
    void merge_parts();
    std::string_view name_of(const Part& part) const { return std::string_view(part_text_).substr(part.begin, part.length); }

    LargeVector<uint32_t> indices_;
    std::vector<double> values_;  // empty while all are 1
    std::vector<Part> parts_;
    std::string part_text_;
    std::vector<Part> merged_;   // parts of equal names added up, in the order of first sight
    std::vector<size_t> order_;  // while they are merged
    std::string name_;           // being put together
    Tokenizer tokenizer_;
    RowBuffer buffer_;
};

}  // namespace sparselin
