// What the options of an encoder say, typed; and by what names the options know it.
#pragma once
#include <cstdint>

#include "choices.h"

namespace sparselin {

enum class FeatureKind { hash, dictionary };
inline constexpr Choice<FeatureKind> kFeatureKinds[] = {{"hash", FeatureKind::hash}, {"dictionary", FeatureKind::dictionary}};

enum class HashLike { scikit_learn, spark };
inline constexpr Choice<HashLike> kHashLikes[] = {{"scikit-learn", HashLike::scikit_learn}, {"spark", HashLike::spark}};

enum class TokenKind { word, character, character_in_words };
inline constexpr Choice<TokenKind> kTokenKinds[] = {
    {"word", TokenKind::word},
    {"char", TokenKind::character},
    {"char_wb", TokenKind::character_in_words},
};

struct TokenRules {
    TokenKind kind;
    uint32_t ngram_min, ngram_max;
    bool lowercase;  // of ASCII
};

struct EncoderSettings {
    bool has_dictionary;  // or features are hashed
    uint32_t hash_bits;
    bool hash_sign, hash_as_spark, keep_names;
    uint64_t min_count;
    TokenRules tokens;
    uint32_t threads;
};

}  // namespace sparselin
