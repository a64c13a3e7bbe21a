// Text to tokens, as scikit-learn's analyzers make them of ASCII text.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "encoder_settings.h"

namespace sparselin {

// Lays a text out so that every n-gram is a piece of it, in memory of its own that the next text uses again.
class Tokenizer {
  public:
    static constexpr size_t kLongest = INT32_MAX;  // bytes of a text

    // Calls visit(token) for each token, those of fewer words or characters first. A token is valid during the call.
    template <class Visit>
    void for_each(const TokenRules& rules, std::string_view text, Visit visit) {
        switch (rules.kind) {
            case TokenKind::word:
                lay_out_words(rules, text);
                ngrams(rules, 1, visit);
                break;
            case TokenKind::character:
                lay_out_characters(rules, text);
                ngrams(rules, 0, visit);
                break;
            case TokenKind::character_in_words:
                lay_out_padded_words(rules, text);
                for (size_t k = 0; k + 1 < words_.size(); ++k) ngrams_of_word(rules, words_[k], words_[k + 1] + 1, visit);
                break;
        }
    }

    uint64_t bytes() const { return text_.capacity() + (starts_.capacity() + words_.capacity()) * sizeof(uint32_t); }

  private:
    void lay_out_words(const TokenRules& rules, std::string_view text);
    void lay_out_characters(const TokenRules& rules, std::string_view text);
    void lay_out_padded_words(const TokenRules& rules, std::string_view text);
    void find_characters();

    // From the start of unit `first` to that of unit `last`.
    std::string_view piece(size_t first, size_t last, size_t gap) const {
        return {text_.data() + starts_[first], size_t{starts_[last]} - gap - starts_[first]};
    }

    // Of all units, between which there is a gap of so many bytes.
    template <class Visit>
    void ngrams(const TokenRules& rules, size_t gap, Visit visit) const {
        const size_t units = starts_.size() - 1;
        for (size_t n = rules.ngram_min; n <= std::min<size_t>(rules.ngram_max, units); ++n)
            for (size_t i = 0; i + n <= units; ++i) visit(piece(i, i + n, gap));
    }

    // Of the characters from `begin` to `end`; a word shorter than n characters counts once, as a whole.
    template <class Visit>
    void ngrams_of_word(const TokenRules& rules, size_t begin, size_t end, Visit visit) const {
        for (size_t n = rules.ngram_min; n <= rules.ngram_max; ++n) {
            for (size_t i = begin; i + n < end; ++i) visit(piece(i, i + n, 0));
            visit(piece(end - std::min(n, end - begin), end, 0));
            if (n >= end - begin) break;
        }
    }

    std::string text_;
    std::vector<uint32_t> starts_;  // of the units, which are words or characters, and where one more would start
    std::vector<uint32_t> words_;   // of padded words the first units, which are blanks, and the blank behind all
};

}  // namespace sparselin
