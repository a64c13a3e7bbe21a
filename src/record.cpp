#include "record.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <tuple>
#include <utility>

#include "error.h"

namespace sparselin {
namespace {

void need_length(std::string_view text, const char* what) {
    if (text.size() > Tokenizer::kLongest)
        fail(SL_ERROR_INVALID_DATA, what, " has ", uint64_t{text.size()}, " bytes, but at most ", uint64_t{Tokenizer::kLongest},
             " are taken");
}

}  // namespace

uint32_t Scheme::field(std::string_view name) const {
    const auto found = std::find(fields.begin(), fields.end(), name);
    return found == fields.end() ? FeatureNames::kNone : static_cast<uint32_t>(found - fields.begin());
}

// Without a branch on its sign, which is anyone's guess.
uint32_t Scheme::hashed_index(uint32_t hash) const {
    const bool is_signed = settings.hash_bits < 32 && !settings.hash_as_spark;
    const uint32_t sign = is_signed ? 0 - (hash >> 31) : 0;
    return ((hash ^ sign) - sign) & (UINT32_MAX >> (32 - settings.hash_bits));
}

// Takes back what a call has added, unless it comes to its end.
class Record::Attempt {
  public:
    Attempt(Record& record, const Lexicon& lexicon)
        : record_(record),
          learned_(lexicon.learned),
          names_(lexicon.names.size()),
          entries_(record.indices_.size()),
          ones_(record.values_.empty()),
          parts_(record.parts_.size()),
          part_text_(record.part_text_.size()) {}
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        if (succeeded_) return;
        take_back_entries();
        record_.parts_.resize(parts_);
        record_.part_text_.resize(part_text_);
        if (learned_) learned_->truncate(names_);
    }
    void take_back_entries() {
        record_.indices_.resize(entries_);
        record_.values_.resize(ones_ ? 0 : entries_);
    }
    void succeed() { succeeded_ = true; }

  private:
    Record& record_;
    FeatureNames* learned_;
    uint32_t names_;
    size_t entries_;
    bool ones_;
    size_t parts_, part_text_;
    bool succeeded_ = false;
};

void Record::clear() {
    indices_.clear();
    values_.clear();
    parts_.clear();
    part_text_.clear();
}

void Record::number(const Lexicon& lexicon, std::string_view name, double value) {
    need_length(name, "the name of a number");
    if (!std::isfinite(value)) fail(SL_ERROR_INVALID_DATA, "the number '", shown(name), "' is ", value, ", which is not finite");
    if (value == 0) return;
    Attempt attempt(*this, lexicon);
    add(lexicon, name, value);
    add_part(lexicon.scheme.field(name), name, value);
    attempt.succeed();
}

void Record::category(const Lexicon& lexicon, std::string_view name, std::string_view value) {
    need_length(name, "the name of a category");
    need_length(value, "a category");
    Attempt attempt(*this, lexicon);
    name_.assign(name).append("=").append(value);
    add(lexicon, name_, 1);
    add_part(lexicon.scheme.field(name), name_, 1);
    attempt.succeed();
}

void Record::text(const Lexicon& lexicon, std::string_view name, std::string_view text) {
    need_length(name, "the name of a text");
    need_length(text, "a text");
    Attempt attempt(*this, lexicon);
    name_.assign(name);
    if (!name.empty()) name_ += '=';
    const uint32_t field = lexicon.scheme.field(name);
    if (field == FeatureNames::kNone && !lexicon.learned && !lexicon.scheme.settings.has_dictionary) {
        add_hashed(lexicon.scheme, text);
    } else {
        for_each_feature(lexicon.scheme.settings.tokens, text, [&](std::string_view feature) {
            add(lexicon, feature, 1);
            add_part(field, feature, 1);
        });
    }
    attempt.succeed();
}

// Calls visit(feature) for each token of a text behind what is in name_.
template <class Visit>
void Record::for_each_feature(const TokenRules& rules, std::string_view text, Visit visit) {
    if (name_.empty()) return tokenizer_.for_each(rules, text, visit);
    const size_t before = name_.size();
    tokenizer_.for_each(rules, text, [&](std::string_view token) {
        name_.resize(before);
        visit(name_.append(token));
    });
}

// As add() for every token, where nothing is looked up: room for all of them is made first, so that the loop only computes.
void Record::add_hashed(const Scheme& scheme, std::string_view text) {
    const size_t before = indices_.size();
    const uint64_t most = Tokenizer::most_tokens(scheme.settings.tokens, text.size());
    if (most > indices_.max_size() - before) throw std::bad_alloc();
    indices_.resize(before + static_cast<size_t>(most));
    uint32_t *const first = indices_.data() + before, *to = first;
    for_each_feature(scheme.settings.tokens, text,
                     [&to, seed = scheme.seed()](std::string_view feature) { *to++ = murmur_hash(feature, seed); });
    indices_.resize(before + static_cast<size_t>(to - first));
    if (scheme.settings.hash_sign && values_.empty()) values_.assign(before, 1);
    if (scheme.settings.hash_sign || !values_.empty())
        for (const uint32_t* hash = first; hash < to; ++hash) values_.push_back(scheme.is_negative(*hash) ? -1 : 1);
    for (uint32_t* hash = first; hash < to; ++hash) *hash = scheme.hashed_index(*hash);
}

Row Record::row(const Lexicon& lexicon) {
    Attempt attempt(*this, lexicon);
    if (!lexicon.scheme.crosses.empty()) add_crosses(lexicon);
    const Row row = buffer_.canonical({indices_.data(), values_.empty() ? nullptr : values_.data(), indices_.size()});
    if (lexicon.scheme.crosses.empty()) {
        attempt.succeed();
        return row;
    }
    const Row held = buffer_.held(row);
    attempt.take_back_entries();
    attempt.succeed();
    return held;
}

// A name that a dictionary does not know, and is not to learn, is left out.
void Record::add(const Lexicon& lexicon, std::string_view name, double value) {
    const Scheme& scheme = lexicon.scheme;
    const uint32_t hash = scheme.hash(name);
    uint32_t index;
    if (scheme.settings.has_dictionary) {
        index = lexicon.names.find(hash, name);
        if (index == FeatureNames::kNone) {
            if (!lexicon.learned) return;
            index = lexicon.learned->add(hash, name);
        }
    } else {
        index = scheme.hashed_index(hash);
        if (lexicon.learned && lexicon.names.find(index) == FeatureNames::kNone) lexicon.learned->add(index, name);
        if (scheme.is_negative(hash)) value = -value;
    }
    if (value != 1 && values_.empty()) values_.assign(indices_.size(), 1);
    const bool ones = values_.empty() && value == 1;
    indices_.push_back(index);
    if (!ones) values_.push_back(value);
}

void Record::add_part(uint32_t field, std::string_view name, double value) {
    if (field == FeatureNames::kNone) return;
    parts_.push_back({field, part_text_.size(), name.size(), value});
    part_text_.append(name);
}

// The parts of each field, in the order of first sight, those of one name added up.
void Record::merge_parts() {
    order_.resize(parts_.size());
    for (size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto key = [this](size_t i) { return std::pair(parts_[i].field, name_of(parts_[i])); };
    std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    merged_ = parts_;
    for (size_t j = 1, first = 0; j < order_.size(); ++j) {
        if (key(order_[j]) == key(order_[first]))
            merged_[order_[first]].value += std::exchange(merged_[order_[j]].value, 0);
        else
            first = j;
    }
    merged_.erase(std::remove_if(merged_.begin(), merged_.end(), [](const Part& part) { return part.value == 0; }), merged_.end());
    std::sort(merged_.begin(), merged_.end(),
              [](const Part& a, const Part& b) { return std::tuple(a.field, a.begin, a.length) < std::tuple(b.field, b.begin, b.length); });
}

void Record::add_crosses(const Lexicon& lexicon) {
    constexpr uint64_t kMost = 1 << 24;  // of a record: the lengths of its texts multiply
    const Scheme& scheme = lexicon.scheme;
    merge_parts();
    const auto parts_of = [this](uint32_t field) {
        const auto is_before = [](const Part& part, uint32_t f) { return part.field < f; };
        const auto begin = std::lower_bound(merged_.begin(), merged_.end(), field, is_before);
        return std::pair(begin, std::lower_bound(begin, merged_.end(), field + 1, is_before));
    };
    uint64_t pairs = 0;
    for (const auto& [first, second] : scheme.crosses) {
        const auto [a, a_end] = parts_of(first);
        const auto [b, b_end] = parts_of(second);
        pairs += static_cast<uint64_t>(a_end - a) * static_cast<uint64_t>(b_end - b);
        if (pairs > kMost)
            fail(SL_ERROR_INVALID_DATA, "the cross of '", shown(scheme.fields[first]), "' and '", shown(scheme.fields[second]),
                 "' brings the record to ", pairs, " crossed features, but at most ", kMost, " are made");
    }
    for (const auto& [first, second] : scheme.crosses) {
        const auto [a_begin, a_end] = parts_of(first);
        const auto [b_begin, b_end] = parts_of(second);
        for (auto a = a_begin; a != a_end; ++a) {
            for (auto b = b_begin; b != b_end; ++b) {
                const double value = a->value * b->value;
                if (!std::isfinite(value))
                    fail(SL_ERROR_INVALID_DATA, "the cross '", shown(name_of(*a)), "*", shown(name_of(*b)), "' is ", a->value, " times ",
                         b->value, ", which overflows");
                if (value == 0) continue;
                name_.assign(name_of(*a)).append("*").append(name_of(*b));
                add(lexicon, name_, value);
            }
        }
    }
}

uint64_t Record::bytes() const {
    return indices_.capacity() * sizeof(uint32_t) + values_.capacity() * sizeof(double) +
           (parts_.capacity() + merged_.capacity()) * sizeof(Part) + order_.capacity() * sizeof(size_t) + part_text_.capacity() +
           name_.capacity() + tokenizer_.bytes() + buffer_.bytes();
}

}  // namespace sparselin
