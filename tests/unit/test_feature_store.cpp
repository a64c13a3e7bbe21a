// The hash table beside std::map: whatever is stored, made vacant, grown and compacted, the same values are found.
#include "feature_store.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "archive.h"
#include "short_memory.h"

using namespace sparselin;

namespace {

struct Value {
    double a, b;
};

int failures = 0;

void expect_same(const FeatureStore<Value>& store, const std::map<uint32_t, double>& expected, uint64_t seed) {
    uint64_t live = 0;
    store.for_each([&](uint32_t index, const Value& value) {
        const auto found = expected.find(index);
        live += found != expected.end() && found->second == value.a;
    });
    size_t lost = 0;
    for (const auto& [index, value] : expected) lost += store.read(index).a != value;
    if (live == expected.size() && live == store.count_live() && lost == 0) return;
    ++failures;
    std::printf("seed %llu: of %zu entries %llu are visited and %zu not found\n", static_cast<unsigned long long>(seed), expected.size(),
                static_cast<unsigned long long>(live), lost);
}

// Rows of random length; entries become vacant with a probability that changes, so that tables grow, stay or shrink.
void random_life(uint64_t seed) {
    const RandomStream random(seed, 0);
    uint64_t draws = 0;
    const auto below = [&](uint64_t n) { return random.below(n, draws++); };
    const FeatureStore<Value> empty(Storage::hash);
    FeatureStore<Value> store(empty);
    std::map<uint32_t, double> expected;
    const uint64_t indices = uint64_t{1} << (4 + below(29)), rows = below(400), longest = 1 + below(60), vacating = below(10);
    for (uint64_t r = 0; r < rows; ++r) {
        std::map<uint32_t, double> row;
        for (uint64_t j = below(longest + 1); j > 0; --j) row[static_cast<uint32_t>(below(indices))] = static_cast<double>(1 + below(1000));
        std::vector<uint32_t> keys;
        for (const auto& entry : row) keys.push_back(entry.first);
        store.reserve(keys.data(), keys.size());
        std::vector<Value*> at(keys.size());
        store.locate(keys.data(), keys.size(), at.data());
        for (size_t j = 0; j < keys.size(); ++j) {
            const bool vacates = below(10) < vacating;
            *at[j] = vacates ? Value{} : Value{row[keys[j]], 1};
            if (vacates)
                expected.erase(keys[j]);
            else
                expected[keys[j]] = row[keys[j]];
        }
        if (below(50) == 0) store.compact();
        if (below(20) == 0) expect_same(store, expected, seed);
    }
    expect_same(store, expected, seed);
    expect_same(FeatureStore<Value>(store), expected, seed);
}

// Past the size from which a table grows by blocks.
void long_life() {
    FeatureStore<Value> store(Storage::hash);
    std::map<uint32_t, double> expected;
    for (uint32_t i = 0; i < 600000; ++i) {
        const uint32_t index = i * 2654435761u;
        store.reserve(&index, 1);
        store.prefetch(&index, 1);
        store.at(index) = {i + 1.0, 0};
        expected[index] = i + 1.0;
    }
    expect_same(store, expected, 0);
    expect_same(FeatureStore<Value>(store), expected, 0);
}

// A table that lets go of what is vacant, but not without memory to do so.
void short_of_memory() {
    FeatureStore<Value> store(Storage::hash);
    std::map<uint32_t, double> expected;
    for (uint32_t index = 0; index < 10000; ++index) {
        store.reserve(&index, 1);
        store.at(index) = {index + 1.0, 0};
    }
    for (uint32_t index = 0; index < 10000; ++index) {
        if (index % 100)
            store.at(index) = {};
        else
            expected[index] = index + 1.0;
    }
    const uint64_t before = store.bytes();
    allocations_left = 0;
    store.compact();
    allocations_left = -1;
    const uint64_t without = store.bytes();
    expect_same(store, expected, 0);
    store.compact();
    expect_same(store, expected, 0);
    if (without == before && store.bytes() < before / 10) return;
    ++failures;
    std::printf("compacted from %llu bytes to %llu without memory and to %llu with it\n", static_cast<unsigned long long>(before),
                static_cast<unsigned long long>(without), static_cast<unsigned long long>(store.bytes()));
}

// A large index makes a table, and enough others an array again.
void becomes_an_array() {
    FeatureStore<Value> store(Storage::automatic);
    std::map<uint32_t, double> expected;
    bool was_table = false;
    for (uint32_t i = 0; i < 500000; ++i) {
        const uint32_t index = i == 0 ? 1000000 : i - 1;
        store.reserve(&index, 1);
        was_table |= !store.is_dense();
        store.at(index) = {i + 1.0, 0};
        expected[index] = i + 1.0;
    }
    expect_same(store, expected, 0);
    if (was_table && store.is_dense()) return;
    ++failures;
    std::printf("a table %s, an array at last %s\n", was_table ? "yes" : "no", store.is_dense() ? "yes" : "no");
}

// Few indices and many, small and large ones: in std::sort's order, and as they were where there is no memory to sort them.
void sorts_indices() {
    for (const size_t count : {2u, 256u, 257u, 5000u, 100000u})
        for (unsigned bits = 1; bits <= 32; ++bits) {
            const RandomStream random(bits, 0);
            std::vector<uint32_t> indices(count);
            for (size_t i = 0; i < count; ++i) indices[i] = static_cast<uint32_t>(random.below(uint64_t{1} << bits, i));
            const std::vector<uint32_t> given = indices;
            std::vector<uint32_t> sorted = indices;
            std::sort(sorted.begin(), sorted.end());
            bool kept = true;
            allocations_left = 0;
            try {
                sort_indices(indices);
            } catch (const std::bad_alloc&) {
                kept = count > 256 && indices == given;
            }
            allocations_left = -1;
            sort_indices(indices);
            if (kept && indices == sorted) continue;
            ++failures;
            std::printf("%zu indices of %u bits are %s\n", count, bits, kept ? "not sorted" : "lost where memory runs out");
        }
}

// A table that was loaded has a third more slots than entries, of 64 bytes three: fewer would make it slow. Around the sizes from which
// on it consists of several blocks.
void loaded_is_not_too_full() {
    for (const uint64_t count : {1000u, 349522u, 349600u, 371300u, 371400u, 393300u}) {
        FeatureStore<Value> store(Storage::hash), loaded(Storage::hash);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t index = i * 2654435761u;
            store.reserve(&index, 1);
            store.at(index) = {i + 1.0, 0};
        }
        Writer writer;
        FeatureStore<Value>::fields(store, writer);
        Reader reader(writer.bytes());
        FeatureStore<Value>::fields(loaded, reader);
        if (loaded.count_live() == count && 3 * loaded.bytes() >= 64 * (count + count / 3)) continue;
        ++failures;
        std::printf("%llu values are loaded into %llu bytes\n", static_cast<unsigned long long>(count),
                    static_cast<unsigned long long>(loaded.bytes()));
    }
}

// Features of which one in `gap` occurs, in rows in random order, some of them again: whatever the store is at the time, it takes no more
// than 50 bytes (128 where it may be an array, which is up to one in 8) for each that has come, and its arrays and tables do not replace
// each other all the time.
void follows_the_features_seen() {
    for (const Storage storage : {Storage::automatic, Storage::hash})
        for (const uint64_t gap : {1u, 2u, 4u, 7u, 8u, 9u, 50u}) {
            FeatureStore<Value> store(storage);
            std::map<uint32_t, double> expected;
            const RandomStream random(gap, 0);
            uint64_t draws = 0, worst = 0, moves = 0, before = 0;
            for (uint64_t r = 0; r < 3000; ++r) {
                std::map<uint32_t, double> row;
                for (int j = 0; j < 30; ++j)
                    row[static_cast<uint32_t>(gap * random.below(std::min<uint64_t>(20000, 20 + 10 * r), draws++))] =
                        static_cast<double>(r + 1);
                std::vector<uint32_t> keys;
                for (const auto& entry : row) keys.push_back(entry.first);
                store.reserve(keys.data(), keys.size());
                for (const auto& [index, value] : row) store.at(index) = {expected[index] = value, 1};
                worst = std::max(worst, (store.bytes() - std::min<uint64_t>(store.bytes(), 256)) / expected.size());
                moves += store.bytes() != before;
                before = store.bytes();
            }
            expect_same(store, expected, gap);
            if (worst <= (storage == Storage::automatic && gap <= 8 ? 128 : 50) && moves <= 40) continue;
            ++failures;
            std::printf("one in %llu: up to %llu bytes a feature, and %llu moves\n", static_cast<unsigned long long>(gap),
                        static_cast<unsigned long long>(worst), static_cast<unsigned long long>(moves));
        }
}

// Rows that all name every feature there is: the store is asked for room each time, and stays as it is.
void full_rows_do_not_grow_it() {
    for (uint32_t count = 1; count < 300; ++count) {
        FeatureStore<Value> store(Storage::hash);
        std::vector<uint32_t> row(count);
        for (uint32_t j = 0; j < count; ++j) row[j] = 1000 * j;
        const auto learn = [&] {
            store.reserve(row.data(), count);
            for (const uint32_t index : row) store.at(index).a += 1;
            return store.bytes();
        };
        const uint64_t first = learn(), second = learn();
        if (learn() == second && second == first && second <= 50 * count + 256) continue;
        ++failures;
        std::printf("%u features in %llu bytes, then %llu\n", count, static_cast<unsigned long long>(first),
                    static_cast<unsigned long long>(second));
    }
}

}  // namespace

int main() {
    for (uint64_t seed = 1; seed <= 300 / SL_SHARE; ++seed) random_life(seed);
    long_life();
    short_of_memory();
    sorts_indices();
    becomes_an_array();
    loaded_is_not_too_full();
    follows_the_features_seen();
    full_rows_do_not_grow_it();
    std::printf("feature store: %d failures\n", failures);
    return failures != 0;
}
