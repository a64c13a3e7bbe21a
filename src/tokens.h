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

    // At least as many as the tokens of a text of so many bytes.
    static uint64_t most_tokens(const TokenRules& rules, size_t size) {
        return (rules.ngram_max - rules.ngram_min + 1) * (uint64_t{2} * size + 2);
    }

    // Calls visit(token) for each token, those of fewer words or characters first. A token is valid during the call.
    template <class Visit>
    void for_each(const TokenRules& rules, std::string_view text, Visit visit) {
        switch (rules.kind) {
            case TokenKind::word:
                fold(rules, text);
                if (rules.ngram_max == 1) return for_each_word(visit);
                join_words();
                return ngrams(rules, joined_, 1, visit);
            case TokenKind::character: lay_out_characters(rules, text); return ngrams(rules, text_, 0, visit);
            case TokenKind::character_in_words:
                lay_out_padded_words(rules, text);
                for (size_t k = 0; k + 1 < words_.size(); ++k) ngrams_of_word(rules, words_[k], words_[k + 1] + 1, visit);
        }
    }

    uint64_t bytes() const {
        return text_.capacity() + joined_.capacity() + of_words_.capacity() * sizeof(uint64_t) +
               (starts_.capacity() + words_.capacity()) * sizeof(uint32_t);
    }

  private:
    void fold(const TokenRules& rules, std::string_view text);
    void join_words();
    void lay_out_characters(const TokenRules& rules, std::string_view text);
    void lay_out_padded_words(const TokenRules& rules, std::string_view text);
    void find_characters();

    // Words of at least two bytes. From one edge between what is of words and what is not to the next, since a branch at each byte costs
    // more than all else.
    template <class Visit>
    void for_each_word(Visit visit) const {
        const char* const text = text_.data();
        uint64_t before = 0;  // whether the byte before is of a word
        size_t start = 0;
        for (size_t block = 0; block < of_words_.size(); ++block) {
            const uint64_t now = of_words_[block];
            for (uint64_t edges = now ^ (now << 1 | before); edges; edges &= edges - 1) {
                const size_t at = 64 * block + static_cast<size_t>(__builtin_ctzll(edges));
                if (now >> (at % 64) & 1)
                    start = at;
                else if (at - start > 1)
                    visit(std::string_view(text + start, at - start));
            }
            before = now >> 63;
        }
    }

    std::string_view piece(const std::string& text, size_t first, size_t last, size_t gap) const {
        return {text.data() + starts_[first], size_t{starts_[last]} - gap - starts_[first]};
    }

    // Of all units, between which there is a gap of so many bytes.
    template <class Visit>
    void ngrams(const TokenRules& rules, const std::string& text, size_t gap, Visit visit) const {
        const size_t units = starts_.size() - 1;
        for (size_t n = rules.ngram_min; n <= std::min<size_t>(rules.ngram_max, units); ++n)
            for (size_t i = 0; i + n <= units; ++i) visit(piece(text, i, i + n, gap));
    }

    // Of the characters from `begin` to `end`; a word shorter than n characters counts once, as a whole.
    template <class Visit>
    void ngrams_of_word(const TokenRules& rules, size_t begin, size_t end, Visit visit) const {
        for (size_t n = rules.ngram_min; n <= rules.ngram_max; ++n) {
            for (size_t i = begin; i + n < end; ++i) visit(piece(text_, i, i + n, 0));
            visit(piece(text_, end - std::min(n, end - begin), end, 0));
            if (n >= end - begin) break;
        }
    }

    std::string text_;                // as it is, but for letters that are folded; or laid out
    std::vector<uint64_t> of_words_;  // a bit a byte of it, and one at least behind its end
    std::string joined_;              // words, a blank behind each
    std::vector<uint32_t> starts_;    // of the units, which are words or characters, and where one more would start
    std::vector<uint32_t> words_;     // of padded words the first units, which are blanks, and the blank behind all
};

}  // namespace sparselin
