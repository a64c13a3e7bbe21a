#include "tokens.h"

#include <algorithm>
#include <cstring>

namespace sparselin {
namespace {

constexpr bool is_white(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

// What becomes of each byte, without and with lowercase, and which are white.
struct Bytes {
    unsigned char folded[2][256];
    bool white[256];
};

constexpr Bytes bytes() {
    Bytes table{};
    for (int i = 0; i < 256; ++i) {
        const auto c = static_cast<unsigned char>(i);
        table.folded[0][i] = c;
        table.folded[1][i] = static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        table.white[i] = is_white(c);
    }
    return table;
}
constexpr Bytes kBytes = bytes();

// Eight bytes as one number, the first being the lowest, and what they are: in the top bit of each.
constexpr size_t kEight = 8;
constexpr uint64_t kOnes = 0x0101010101010101u, kTops = 0x80 * kOnes;

uint64_t lowest_first(uint64_t eight) { return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(eight) : eight; }
// Of bytes below 0x80.
uint64_t are_within(uint64_t eight, unsigned char first, unsigned char last) {
    return (eight + (0x80u - first) * kOnes) & ~(eight + (0x7fu - last) * kOnes) & kTops;
}

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

void Tokenizer::fold(const TokenRules& rules, std::string_view text) {
    constexpr size_t kBlock = 64;
    const uint64_t folding = rules.lowercase ? kTops : 0;
    of_words_.resize(text.size() / kBlock + 1);
    text_.resize(of_words_.size() * kBlock);
    const auto fold_block = [=](const char* from, char* to) {
        uint64_t of_words = 0;
        for (size_t i = 0; i < kBlock; i += kEight) {
            uint64_t eight;
            std::memcpy(&eight, from + i, kEight);
            eight = lowest_first(eight);
            const uint64_t ascii = eight & ~kTops, beyond = eight & kTops, upper = are_within(ascii, 'A', 'Z') & ~beyond;
            const uint64_t others = are_within(ascii, 'a', 'z') | are_within(ascii, '0', '9') | are_within(ascii, '_', '_');
            of_words |= ((others | upper | beyond) * 0x0002040810204081u >> 56) << i;  // the top bits side by side
            eight = lowest_first(eight | (upper & folding) >> 2);
            std::memcpy(to + i, &eight, kEight);
        }
        return of_words;
    };
    size_t block = 0;
    for (; block + 1 < of_words_.size(); ++block)
        of_words_[block] = fold_block(text.data() + block * kBlock, text_.data() + block * kBlock);
    char last[kBlock] = {};
    text.copy(last, kBlock, block * kBlock);
    of_words_[block] = fold_block(last, text_.data() + block * kBlock);
}

void Tokenizer::join_words() {
    joined_.clear();
    starts_.clear();
    for_each_word([this](std::string_view word) {
        starts_.push_back(static_cast<uint32_t>(joined_.size()));
        joined_.append(word).push_back(' ');
    });
    starts_.push_back(static_cast<uint32_t>(joined_.size()));
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
