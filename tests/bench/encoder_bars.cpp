// Text to rows beside the hashing of its words alone, and rows in any order beside rows whose indices ascend.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "bars.h"
#include "murmur_hash.h"
#include "programs.h"
#include "random.h"

namespace bench {
namespace {

using sparselin::RandomStream;

// Letters of about five-letter words, frequent ones being shorter; the k-th most frequent of 50,000 has a chance of about 1 / k.
struct Texts {
    Texts(size_t count, size_t words_each) {
        const RandomStream random(7, 0);
        uint64_t draw = 0;
        std::vector<std::string> vocabulary;
        for (size_t k = 0; k < 50000; ++k) {
            std::string word;
            for (size_t length = 2 + random.below(3 + static_cast<uint64_t>(std::log(static_cast<double>(k + 1))), draw++);
                 word.size() < length;)
                word += static_cast<char>('a' + random.below(26, draw++));
            vocabulary.push_back(word);
        }
        for (size_t r = 0; r < count; ++r) {
            std::string text;
            for (size_t w = 0; w < words_each; ++w) {
                const double uniform = static_cast<double>(random.below(1 << 30, draw++)) / (1 << 30);
                text += vocabulary[static_cast<size_t>(std::pow(50000.0, uniform)) - 1] + (w % 12 ? " " : ", ");
            }
            all.push_back(text);
            bytes += text.size();
        }
        for (const std::string& text : all) {
            pointers.push_back(text.data());
            lengths.push_back(text.size());
            for (size_t at = 0, end; at < text.size(); at = text.find_first_not_of(" ,", end)) {
                end = text.find_first_of(" ,", at);
                words.emplace_back(text.data() + at, end - at);
            }
        }
    }

    std::vector<std::string> all;
    std::vector<const char*> pointers;
    std::vector<size_t> lengths;
    std::vector<std::string_view> words;
    size_t bytes = 0;
};

struct Encoder {
    explicit Encoder(const Settings& settings) {
        sl_error error;
        sl_options* options = nullptr;
        check(sl_options_create(&options, &error), error);
        for (const auto& [name, value] : settings) check(sl_options_set(options, name, value, &error), error);
        check(sl_encoder_create(options, &handle, &error), error);
        sl_options_free(options);
    }
    ~Encoder() { sl_encoder_free(handle); }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // Each text a row, which nobody keeps.
    void one_by_one(const Texts& texts) const {
        sl_error error;
        for (size_t r = 0; r < texts.all.size(); ++r) {
            const uint32_t* indices;
            const double* values;
            size_t count;
            check(sl_encoder_clear(handle, &error), error);
            check(sl_encoder_text(handle, "", texts.pointers[r], texts.lengths[r], &error), error);
            check(sl_encoder_row(handle, &indices, &values, &count, &error), error);
        }
    }
    void at_once(const Texts& texts) const {
        sl_error error;
        sl_dataset* data = nullptr;
        check(sl_encoder_texts(handle, "", texts.pointers.data(), texts.lengths.data(), texts.all.size(), nullptr, nullptr, &data, &error),
              error);
        sl_dataset_free(data);
    }

    sl_encoder* handle = nullptr;
};

void text_to_rows(Table& table, const std::string& name, const Texts& texts) {
    constexpr double kWords = 1e3 / 250, kGrams = 1e3 / 100;  // ns a byte: 250 MB/s, and 100 MB/s of n-grams
    const Encoder words(Settings{{"hash_bits", "24"}}), two_threads(Settings{{"hash_bits", "24"}, {"threads", "2"}});
    const Encoder grams(Settings{{"hash_bits", "24"}, {"tokens", "char"}, {"ngram_max", "4"}}), known(Settings{{"features", "dictionary"}});
    known.one_by_one(texts);
    sl_error error;
    check(sl_encoder_freeze(known.handle, &error), error);
    volatile uint32_t sink = 0;
    const auto hash = [&] {
        uint32_t sum = 0;
        for (const std::string_view word : texts.words) sum += sparselin::murmur_hash(word, 0);
        sink = sum;
    };
    const std::vector<double> times = table.race(texts.bytes, {
                                                                  [&] { words.one_by_one(texts); },
                                                                  [&] { words.at_once(texts); },
                                                                  [&] { known.one_by_one(texts); },
                                                                  [&] { grams.one_by_one(texts); },
                                                                  hash,
                                                              });
    table.add(name + ", words hashed to 24 bits, beside hashing alone", times[0], times[4], 3);
    table.add(name + ", the same beside 250 MB/s", times[0], kWords, 1);
    table.add(name + ", the same into a data set", times[1], kWords, 1);
    table.add(name + ", words of a frozen dictionary", times[2], kWords, 0);
    table.add(name + ", a byte of 1- to 4-grams, beside 100 MB/s", times[3] / 10, kGrams, 1);
    const std::vector<double> walls =
        race_by_the_wall(table, texts.bytes, {[&] { words.at_once(texts); }, [&] { two_threads.at_once(texts); }});
    table.add(name + ", two threads beside one, by the wall", walls[1], walls[0], 1 / 1.7);
}

// Rows of `length` distinct indices below `features`, in order and shuffled.
void unsorted(Table& table, const std::string& name, size_t length, uint64_t features, double bar) {
    const size_t rows = table.rows(20000);
    const RandomStream random(9, 0);
    uint64_t draw = 0;
    std::vector<int64_t> pointers(1, 0);
    std::vector<uint32_t> sorted, shuffled;
    std::vector<double> values, labels;
    for (size_t r = 0; r < rows; ++r) {
        std::vector<uint32_t> row;
        while (row.size() < length) {
            const auto index = static_cast<uint32_t>(random.below(features, draw++));
            if (std::find(row.begin(), row.end(), index) == row.end()) row.push_back(index);
        }
        shuffled.insert(shuffled.end(), row.begin(), row.end());
        std::sort(row.begin(), row.end());
        sorted.insert(sorted.end(), row.begin(), row.end());
        values.insert(values.end(), length, 1 / std::sqrt(static_cast<double>(length)));
        labels.push_back(random.below(2, draw++) ? 1 : -1);
        pointers.push_back(static_cast<int64_t>(sorted.size()));
    }
    const Settings settings = {{"scale", "none"}, {"storage", features > 1 << 24 ? "hash" : "dense"}};
    const Learner one(settings), other(settings);
    const auto feed = [&](const Learner& learner, const std::vector<uint32_t>& indices) {
        sl_error error;
        check(sl_model_feed_csr(learner.handle, rows, pointers.data(), indices.data(), values.data(), labels.data(), nullptr, nullptr,
                                &error),
              error);
    };
    const std::vector<double> times = table.race(sorted.size(), {[&] { feed(one, sorted); }, [&] { feed(other, shuffled); }});
    table.add(name + ", fed in any order beside in order", times[1], times[0], bar);
}

}  // namespace

void encoder_bars(Table& table) {
    table.heading("Text to rows by name, ns a byte");
    text_to_rows(table, "texts of 80 words", Texts(table.rows(20000), 80));
    text_to_rows(table, "texts of 5,000 words", Texts(table.rows(400), 5000));
    table.heading("Rows in any order");
    unsorted(table, "40 entries of 50,000", 40, 50000, 3);
    unsorted(table, "80 entries of 50,000", 80, 50000, 3);
    unsorted(table, "40 entries of 2^32", 40, uint64_t{1} << 32, 3);
    unsorted(table, "80 entries of 2^32", 80, uint64_t{1} << 32, 3);
    unsorted(table, "1,000 entries of 2^24", 1000, 1 << 24, 3);
}

}  // namespace bench
