#include "tokens.h"

namespace sparselin {
namespace {

constexpr bool is_beyond_ascii(unsigned char c) { return c >= 0x80; }
constexpr bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_of_word(unsigned char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || is_beyond_ascii(c);
}
constexpr bool is_white(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

// What becomes of each byte, and what each is.
struct Bytes {
    unsigned char folded[2][256];  // without and with lowercase
    bool of_word[256], white[256];
};

constexpr Bytes bytes() {
    Bytes table{};
    for (int i = 0; i < 256; ++i) {
        const auto c = static_cast<unsigned char>(i);
        table.folded[0][i] = c;
        table.folded[1][i] = static_cast<unsigned char>(is_upper(c) ? c + ('a' - 'A') : c);
        table.of_word[i] = is_of_word(c);
        table.white[i] = is_white(c);
    }
    return table;
}
constexpr Bytes kBytes = bytes();

// Bytes of the character that begins at `at`: 1 where they are no UTF-8.
size_t utf8_size(std::string_view text, size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const size_t size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    if (size > text.size() - at) return 1;
    for (size_t k = 1; k < size; ++k)
        if ((text[at + k] & 0xc0) != 0x80) return 1;
    return size;
}

}  // namespace

// Words of at least two bytes, a blank behind each.
void Tokenizer::lay_out_words(const TokenRules& rules, std::string_view text) {
    const unsigned char* const folded = kBytes.folded[rules.lowercase];
    text_.resize(text.size() + 1);
    starts_.clear();
    size_t size = 0, start = 0;
    const auto end_word = [&] {
        if (size - start < 2) {
            size = start;
            return;
        }
        starts_.push_back(static_cast<uint32_t>(start));
        text_[size++] = ' ';
        start = size;
    };
    for (const char byte : text) {
        const auto c = static_cast<unsigned char>(byte);
        if (kBytes.of_word[c])
            text_[size++] = static_cast<char>(folded[c]);
        else if (size > start)
            end_word();
    }
    end_word();
    starts_.push_back(static_cast<uint32_t>(start));
}

// All characters, but one blank for each run of two or more that are white.
void Tokenizer::lay_out_characters(const TokenRules& rules, std::string_view text) {
    const unsigned char* const folded = kBytes.folded[rules.lowercase];
    text_.resize(text.size());
    size_t size = 0;
    bool white = false;
    for (const char byte : text) {
        const auto c = static_cast<unsigned char>(byte);
        const bool again = white && kBytes.white[c];
        white = kBytes.white[c];
        if (again)
            text_[size - 1] = ' ';
        else
            text_[size++] = static_cast<char>(folded[c]);
    }
    text_.resize(size);
    find_characters();
}

// Runs of what is not white, with a blank before, between and behind them.
void Tokenizer::lay_out_padded_words(const TokenRules& rules, std::string_view text) {
    const unsigned char* const folded = kBytes.folded[rules.lowercase];
    text_.resize(text.size() + 2);
    text_[0] = ' ';
    size_t size = 1;
    for (const char byte : text) {
        const auto c = static_cast<unsigned char>(byte);
        if (!kBytes.white[c])
            text_[size++] = static_cast<char>(folded[c]);
        else if (text_[size - 1] != ' ')
            text_[size++] = ' ';
    }
    if (text_[size - 1] != ' ') text_[size++] = ' ';
    text_.resize(size);
    find_characters();
    words_.clear();
    for (size_t i = 0; i + 1 < starts_.size(); ++i)
        if (text_[starts_[i]] == ' ') words_.push_back(static_cast<uint32_t>(i));
}

void Tokenizer::find_characters() {
    starts_.resize(text_.size() + 1);
    size_t units = 0;
    for (size_t at = 0; at < text_.size(); at += utf8_size(text_, at)) starts_[units++] = static_cast<uint32_t>(at);
    starts_[units] = static_cast<uint32_t>(text_.size());
    starts_.resize(units + 1);
}

}  // namespace sparselin
