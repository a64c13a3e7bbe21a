// Made-up data sets like those that sparse learners meet. The same seed gives the same rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// Rows as a matrix. Values are floats, which is all that text or a counter gives, so that the floors can hold them in four bytes.
struct Matrix {
    uint64_t features = 0;
    double eta0 = 2;  // a first learning rate that suits the length of the rows
    std::vector<int64_t> pointers{0};
    std::vector<uint32_t> indices;
    std::vector<float> values;
    std::vector<double> labels;

    size_t rows() const { return labels.size(); }
    size_t nonzeros() const { return indices.size(); }
    size_t distinct() const;  // features that occur
};

// Documents: words by the law of Zipf and Mandelbrot, three in ten from the document's topic, lengths log-normal around `length`; weights
// are (1 + log of the count) times a word's rarity, each row of Euclidean length 1. Indices say nothing about how frequent a word is.
Matrix words(size_t rows, uint32_t features, double length, uint64_t seed);
// The same rows, of which topics are the labels, 0 to classes - 1 (at most 60); one in ten has any other.
Matrix classified_words(size_t rows, uint32_t features, double length, size_t classes, uint64_t seed);

// Advertisements: 40 fields with one value each, hashed to `bits` bits; from ten to twenty million values a field, most of them rare. All
// numbers are 1.
Matrix ads(size_t rows, unsigned bits, uint64_t seed);

// Rows of `length` nonzeros on average (they differ by one at most), labelled by a hidden linear rule. uniform: each feature is as likely
// as another, and rows are of length 1 or so. bags: the chance of the k-th most frequent feature is about 1 / (k + 10), frequent features
// lie far apart, and all values are 1.
Matrix uniform(size_t rows, uint64_t features, double length, uint64_t seed);
Matrix bags(size_t rows, uint64_t features, double length, uint64_t seed);

}  // namespace bench
