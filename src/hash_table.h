// A hash table from the indices of features to a value each. A value that is all zeros (vacant) is the same as one that was never stored.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "arrays.h"
#include "random.h"

namespace sparselin {

template <class T>
bool is_vacant(const T& value) {
    static constexpr T zero{};
    return std::memcmp(&value, &zero, sizeof(T)) == 0;  // NOLINT: -0 is not vacant
}

template <class T>
class HashTable {
  public:
    HashTable() = default;  // without memory, and so without room
    HashTable(const HashTable&) = default;
    HashTable(HashTable&& other) noexcept { swap(other); }
    HashTable& operator=(HashTable other) noexcept {
        swap(other);
        return *this;
    }
    void swap(HashTable& other) noexcept {
        buckets_.swap(other.buckets_);
        std::swap(salt_, other.salt_);
        std::swap(used_, other.used_);
        sought_.swap(other.sought_);
    }

    // An empty table with room for `count` entries, and for little more.
    static HashTable for_reading(uint64_t count) {
        HashTable table;
        table.buckets_.grow(GrowingArray<Bucket>::whole(size_for(count)));
        table.choose_salt();
        return table;
    }

    // An empty table with room for `live` entries and more to come, where entries of this one would have the same order.
    HashTable for_growing(uint64_t live) const {
        HashTable table;
        table.salt_ = salt_;
        table.buckets_.grow(size_for(grown(live)));
        table.choose_salt();
        return table;
    }

    bool has_memory() const { return buckets_.size() > 0; }
    bool is_loose(uint64_t live) const { return buckets_.size() > size_for(grown(live)); }  // larger than for_growing() makes it
    uint64_t bytes() const { return buckets_.bytes() + sought_.capacity() * sizeof(Sought); }
    uint64_t line_bytes() const { return buckets_.size() * sizeof(Bucket); }

    // Entries, vacant ones included. room(): with more of them than this a table grows, three quarters of its slots, so that not many find
    // no room where they belong. most(): so many it may have after a row, each entry of which is counted as a new one, since looking for
    // those that are there would cost more. A table that has just grown for a row has room for it.
    uint64_t used() const { return used_; }
    uint64_t room() const { return slots() * 3 / 4; }
    uint64_t most() const { return slots() ? slots() - slots() / 32 - 1 : 0; }

    // The value of a feature; nullptr where none is stored.
    const T* find(uint32_t index) const { return has_memory() ? find_from(home(index), index) : nullptr; }

    // Calls use(j, value) for all features of a row, one after the other. The table has memory.
    template <class Use>
    void read_row(const uint32_t* indices, size_t count, Use use) const {
        visit_homes(indices, count, [&](size_t j, size_t home) {
            const T* const value = find_from(home, indices[j]);
            use(j, value ? *value : T{});
        });
    }

    // The same for features that there is room for, to be changed.
    template <class Use>
    void change_row(const uint32_t* indices, size_t count, Use use) {
        visit_homes(indices, count, [&](size_t j, size_t home) { use(j, at_from(home, indices[j])); });
    }

    // The value of a feature that there is room for; stored, vacant, if it was not.
    T& at(uint32_t index) { return at_from(home(index), index); }

    // The same for a whole row, into at[0 .. count), and far faster than one at a time in a table that outgrows the cache: the lines of all
    // are asked for before the first is needed. Those of the few that are not where they belong are then asked for in further rounds.
    void locate(const uint32_t* indices, size_t count, T** at) {
        sought_.resize(count);
        for (size_t j = 0; j < count; ++j) {
            sought_[j] = {static_cast<uint32_t>(j), static_cast<uint32_t>(home(indices[j]))};
            __builtin_prefetch(&buckets_[sought_[j].bucket], 1);
        }
        for (size_t left = count; left > 0;) {
            size_t kept = 0;
            for (size_t k = 0; k < left; ++k) {
                const Sought sought = sought_[k];
                Bucket& bucket = buckets_[sought.bucket];
                const uint32_t index = indices[sought.position], found = bucket.find(index);
                if (found == 0 && bucket.used == kSlots) {
                    const uint32_t next = static_cast<uint32_t>(this->next(sought.bucket));
                    sought_[kept++] = {sought.position, next};
                    __builtin_prefetch(&buckets_[next], 1);
                } else {
                    at[sought.position] = found ? &bucket.value[found >> 1] : &add(bucket, index);
                }
            }
            left = kept;
        }
    }

    // Inlined by force: GCC drops calls of functions that do nothing but prefetch.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        for (size_t j = 0; j < count; ++j) __builtin_prefetch(&buckets_[home(indices[j])], 1);
    }

    // Calls visit(index, value) for every value that is not vacant, in no order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (size_t b = 0; b < buckets_.size(); ++b)
            for (uint32_t k = 0; k < buckets_[b].used; ++k)
                if (!is_vacant(buckets_[b].value[k])) visit(buckets_[b].key[k], buckets_[b].value[k]);
    }

    // Makes the table fit for `live` entries where it stands, and for two thirds as many again, or for `least` if that is less: no second
    // table, and memory that is touched in order, since entries keep their order. It goes from the end to the beginning, so that there is
    // room ahead. Entries are taken out of a few buckets and then placed: how many a bucket has would be mispredicted otherwise.
    void grow(uint64_t live, uint64_t least) {
        constexpr size_t kTaken = 32;  // buckets
        struct Entry {
            T value;
            uint32_t key;
        } taken[kTaken * kSlots];
        const size_t before = buckets_.size();
        const uint64_t size = size_for(std::min(grown(live), least));
        if (size > before) buckets_.grow(size);
        choose_salt();
        used_ = 0;
        for (size_t end = before, begin; end > 0; end = begin) {
            begin = end - std::min(end, kTaken);
            size_t count = 0;
            for (size_t b = end; b-- > begin;) {
                Bucket& bucket = buckets_[b];
                for (uint32_t slot = bucket.placed; slot < kSlots; ++slot) {
                    taken[count] = {std::exchange(bucket.value[slot], T{}), bucket.key[slot]};
                    count += slot < bucket.used;
                }
                bucket.used = std::exchange(bucket.placed, uint16_t{0});
            }
            for (size_t k = 0; k < count; ++k) place(taken[k].key, taken[k].value, begin);
        }
    }

  private:
    static constexpr uint32_t kSlots = 3;  // three 16-byte values and their keys fill a cache line

    struct Bucket {
        T value[kSlots];
        uint32_t key[kSlots];
        uint16_t used;
        uint16_t placed;  // while the table is laid out anew: slots that are final

        // 1, 2 or 4 for a key in slot 0, 1 or 2 (its number is half of that), 0 if it is in none. Without branches, which would be
        // mispredicted every other time.
        uint32_t find(uint32_t index) const {
            const uint32_t same = uint32_t{key[0] == index} | uint32_t{key[1] == index} << 1 | uint32_t{key[2] == index} << 2;
            return same & ((1u << used) - 1u);
        }
    };

    struct Sought {
        uint32_t position, bucket;  // an index's place in its row, and where it is looked for next
    };

    // find() in bucket number b and those behind it.
    const T* find_from(size_t b, uint32_t index) const {
        for (;; b = next(b)) {
            const Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return &bucket.value[found >> 1];
            if (bucket.used < kSlots) return nullptr;
        }
    }

    T& at_from(size_t b, uint32_t index) {
        for (;; b = next(b)) {
            Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return bucket.value[found >> 1];
            if (bucket.used < kSlots) return add(bucket, index);
        }
    }

    // Calls visit(j, home) for the features of a row, the lines of several having been asked for before the first is visited.
    template <class Visit>
    void visit_homes(const uint32_t* indices, size_t count, Visit visit) const {
        constexpr size_t kTogether = 16;
        size_t homes[kTogether];
        for (size_t first = 0; first < count; first += kTogether) {
            const size_t several = std::min(kTogether, count - first);
            for (size_t i = 0; i < several; ++i) __builtin_prefetch(&buckets_[homes[i] = home(indices[first + i])]);
            for (size_t i = 0; i < several; ++i) visit(first + i, homes[i]);
        }
    }

    T& add(Bucket& bucket, uint32_t index) {
        ++used_;
        bucket.key[bucket.used] = index;
        return bucket.value[bucket.used++];
    }

    // Whoever sends indices that collide should not be able to know where the system put the table. The salt stays when the table grows:
    // entries then move in their order, which is that of the new table too.
    void choose_salt() {
        if (salt_ == 0) salt_ = mix64(reinterpret_cast<uintptr_t>(&buckets_[0]));
    }

    uint64_t slots() const { return uint64_t{buckets_.size()} * kSlots; }
    size_t home(uint32_t index) const { return static_cast<size_t>((mix64(index + salt_) >> 32) * buckets_.size() >> 32); }
    size_t next(size_t b) const { return b + 1 == buckets_.size() ? 0 : b + 1; }

    // Buckets of a table with room for so many entries.
    static uint64_t size_for(uint64_t room) { return room * 4 / (uint64_t{3} * kSlots) + 1; }

    // For `live` entries and two thirds as many again: 47 bytes a 16-byte value at first, 28 when they are full.
    static uint64_t grown(uint64_t live) { return (live * 5 + 2) / 3; }

    // Places an entry while grow() is at work, which has done all buckets from `begin` on. Slots of those that are used keep their entries,
    // and so do the first `placed` slots of the buckets before. Any other slot may be taken; if it held an entry, that one is placed next.
    void place(uint32_t key, T value, size_t begin) {
        for (size_t p = home(key); !is_vacant(value);) {
            Bucket& bucket = buckets_[p];
            uint16_t& filled = p >= begin ? bucket.used : bucket.placed;
            if (filled == kSlots) {
                p = next(p);
                continue;
            }
            ++used_;
            const uint32_t slot = filled++;
            std::swap(key, bucket.key[slot]);
            std::swap(value, bucket.value[slot]);
            if (p >= begin) return;
            p = home(key);
        }
    }

    GrowingArray<Bucket> buckets_;
    uint64_t salt_ = 0;  // changes where entries are, and nothing else
    uint64_t used_ = 0;
    std::vector<Sought> sought_;  // of locate()
};

}  // namespace sparselin
