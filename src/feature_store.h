// Where one value a feature lives: an array over all features, or a hash table of the features seen. Which of the two never
// changes a number. A value that is all zeros (vacant) is the same as one that was never stored.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "arrays.h"
#include "error.h"
#include "random.h"
#include "settings.h"

namespace sparselin {

template <class T>
class FeatureStore {
  public:
    // So an array takes at most 48 bytes for each weight in it, which is the most that a table takes and less than twice what it mostly
    // takes, and is far faster. All that a model stores together stays below 128 bytes a feature.
    static constexpr uint32_t kWidest = 3;

    // `limit`: no index is at or beyond it; 0 for 2^32. `vacates`: whether values become vacant often enough to look for them. `widest`:
    // where the storage is automatic, an array is at most so many times as long as there are features in it.
    explicit FeatureStore(Storage storage, uint64_t limit = 0, bool vacates = false, uint32_t widest = kWidest)
        : storage_(storage), limit_(limit ? limit : uint64_t{1} << 32), vacates_(vacates), widest_(widest) {
        dense_mode_ = storage != Storage::hash;
    }

    bool is_dense() const { return dense_mode_; }
    T* dense() const { return array_.data(); }
    uint64_t dense_size() const { return array_.size(); }
    uint64_t bytes() const { return array_.bytes() + buckets_.bytes() + sought_.capacity() * sizeof(Sought); }

    // Makes room for the indices, which ascend. May throw, and then has changed nothing that can be seen; at() does not throw afterwards.
    // Moves what is stored, so that pointers into the store end here. An array is made only where it may grow by an eighth, as it does at
    // least, so that the next large index does not make a table of it again.
    void reserve(const uint32_t* indices, size_t count) {
        if (count > 0 && !(dense_mode_ && indices[count - 1] < array_.size())) reserve_more(indices, count);
    }

    // Tells that at least `features` of the indices below `dimension` will come, so that an array which is worth it is there from the start
    // and grows once, to no more than that. All or nothing, like reserve().
    void expect(uint64_t dimension, uint64_t features) {
        const uint64_t widest = std::max(dimension, largest_dimension_);
        if (!(dense_mode_ && widest <= array_.size()) && prefers_dense(widest, features)) set_dense(widest);
    }

    // Empties the store and makes room for `count` entries below `dimension`, and for little more: for what is from then on mostly read.
    void make_room(uint64_t dimension, uint64_t count) {
        *this = FeatureStore(storage_, limit_, vacates_, widest_);
        if (prefers_dense(dimension, count))
            set_dense(dimension);
        else
            set_table(count);
    }

    // Lets go of vacant entries where a hash table is larger than it would be made for the others. Never throws: without memory it stays as
    // it is. Moves what is stored.
    void compact() noexcept {
        if (dense_mode_) return;
        const uint64_t live = count_live();
        if (buckets_.size() <= size_for(grown(live))) return;
        try {
            set_hash(live);
        } catch (const std::bad_alloc&) {
        }
    }

    // The value of a feature; nullptr where none is stored.
    const T* find(uint32_t index) const {
        if (dense_mode_) return index < array_.size() ? &array_[index] : nullptr;
        return buckets_.size() == 0 ? nullptr : find_from(home(index), index);
    }
    T read(uint32_t index) const {
        const T* value = find(index);
        return value ? *value : T{};
    }

    // use(value), where value(j) is that of a row's feature number j. Indices ascend.
    template <class Use>
    auto with_row(const uint32_t* indices, size_t count, Use use) const {
        if (dense_mode_ && count > 0 && indices[count - 1] < array_.size())
            return use([indices, values = array_.data()](size_t j) { return values[indices[j]]; });
        return use([this, indices](size_t j) { return read(indices[j]); });
    }

    // Calls use(j, value) for all features of a row, one after the other. Of a table the lines of several are asked for before the first
    // is needed.
    template <class Use>
    void read_row(const uint32_t* indices, size_t count, Use use) const {
        if (dense_mode_ || buckets_.size() == 0) {
            const T* const values = array_.data();
            const size_t size = array_.size();
            for (size_t j = 0; j < count; ++j) use(j, indices[j] < size ? values[indices[j]] : T{});
            return;
        }
        constexpr size_t kTogether = 16;
        size_t homes[kTogether];
        for (size_t first = 0; first < count; first += kTogether) {
            const size_t several = std::min(kTogether, count - first);
            for (size_t i = 0; i < several; ++i) __builtin_prefetch(&buckets_[homes[i] = home(indices[first + i])]);
            for (size_t i = 0; i < several; ++i) {
                const T* const value = find_from(homes[i], indices[first + i]);
                use(first + i, value ? *value : T{});
            }
        }
    }

    // Calls use(j, value) for the features of a row that reserve() made room for, to be changed.
    template <class Use>
    void change_row(const uint32_t* indices, size_t count, Use use) {
        if (dense_mode_) {
            T* const values = array_.data();
            for (size_t j = 0; j < count; ++j) use(j, values[indices[j]]);
        } else {
            for (size_t j = 0; j < count; ++j) use(j, at(indices[j]));
        }
    }

    // The value of a feature that reserve() made room for; stored, vacant, if it was not.
    T& at(uint32_t index) {
        if (dense_mode_) return array_[index];
        for (size_t b = home(index);; b = next(b)) {
            Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return bucket.value[found >> 1];
            if (bucket.used < kSlots) return add(bucket, index);
        }
    }

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

    // Asks the memory for the values of a row that will soon be wanted. Only of a store beyond the nearer caches: within
    // them it costs more than it gains (tests/bench/README.md). Inlined by force, as everything that only prefetches: GCC drops calls of
    // functions that do nothing else.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        constexpr uint64_t kNear = uint64_t{2} << 20;
        const uint64_t bytes = dense_mode_ ? array_.size() * sizeof(T) : buckets_.size() * sizeof(Bucket);
        if (bytes <= kNear || count == 0) return;
        if (!dense_mode_)
            for (size_t j = 0; j < count; ++j) __builtin_prefetch(&buckets_[home(indices[j])], 1);
        else
            prefetch_dense(indices, count);
    }
    // The same of an array, of any size.
    [[gnu::always_inline]] void prefetch_dense(const uint32_t* indices, size_t count) const {
        if (!dense_mode_ || count == 0 || indices[count - 1] >= array_.size()) return;
        for (size_t j = 0; j < count; ++j) __builtin_prefetch(&array_[indices[j]], 1);
    }

    // Calls visit(index, value) for every value that is not vacant, by ascending index in an array, in no order in a table.
    template <class Visit>
    void for_each(Visit visit) const {
        if (dense_mode_) {
            for (size_t i = 0; i < array_.size(); ++i)
                if (!vacant(array_[i])) visit(static_cast<uint32_t>(i), array_[i]);
        } else {
            for (size_t b = 0; b < buckets_.size(); ++b)
                for (uint32_t k = 0; k < buckets_[b].used; ++k)
                    if (!vacant(buckets_[b].value[k])) visit(buckets_[b].key[k], buckets_[b].value[k]);
        }
    }

    // The indices of all values that are not vacant, ascending.
    std::vector<uint32_t> ascending() const {
        std::vector<uint32_t> indices;
        indices.reserve(static_cast<size_t>(count_live()));
        for_each([&](uint32_t index, const T&) { indices.push_back(index); });
        if (!dense_mode_) std::sort(indices.begin(), indices.end());
        return indices;
    }

    // Makes room for `count` entries below `dimension` in an empty store. An array that would be far larger than its entries is not made,
    // even where the storage is dense, until training asks for it.
    void make_least_room(uint64_t dimension, uint64_t count) {
        if (storage_ == Storage::dense && dimension > std::max(kSmall, 4 * count))
            set_table(count);
        else
            make_room(dimension, count);
        largest_dimension_ = dimension;
    }

    // The number of entries, their indices, ascending, and their values: the same bytes in either storage.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        for (const uint32_t index : index_fields(self, archive, sizeof(T), [&] { return self.ascending(); })) {
            double numbers[sizeof(T) / sizeof(double)];
            if constexpr (!Archive::reads) std::memcpy(numbers, self.find(index), sizeof(T));
            for (double& number : numbers) archive(number);
            if constexpr (Archive::reads) std::memcpy(static_cast<void*>(&self.at(index)), numbers, sizeof(T));
        }
    }

    // The number of entries and their indices alone, which are returned; whoever calls has the values follow, so many `bytes` an entry.
    // When reading, there is room for all entries afterwards.
    template <class Self, class Archive, class Ascending>
    static std::vector<uint32_t> index_fields(Self& self, Archive& archive, uint64_t bytes, [[maybe_unused]] Ascending ascending) {
        std::vector<uint32_t> indices;
        if constexpr (!Archive::reads) indices = ascending();
        uint64_t count = indices.size();
        archive(count);
        if constexpr (!Archive::reads) archive.reserve(count * (sizeof(uint32_t) + bytes));
        if constexpr (Archive::reads) {
            archive.check(count <= archive.left() / (sizeof(uint32_t) + bytes), "there are more entries than bytes");
            indices.resize(static_cast<size_t>(count));
        }
        for (uint32_t& index : indices) archive(index);
        if constexpr (Archive::reads) {
            archive.check(indices.empty() || indices.back() < self.limit_, "an index is not below the option dimension");
            for (size_t i = 1; i < indices.size(); ++i) archive.check(indices[i - 1] < indices[i], "indices do not ascend");
            self.make_least_room(indices.empty() ? 0 : uint64_t{indices.back()} + 1, count);
        }
        return indices;
    }

    static bool vacant(const T& value) {
        static constexpr T zero{};
        return std::memcmp(&value, &zero, sizeof(T)) == 0;  // NOLINT: -0 is not vacant
    }

    uint64_t count_live() const {
        uint64_t live = 0;
        for_each([&](uint32_t, const T&) { ++live; });
        return live;
    }

  private:
    void reserve_more(const uint32_t* indices, size_t count) {
        const uint64_t dimension = uint64_t{indices[count - 1]} + 1;
        if (dense_mode_) {
            const uint64_t live = storage_ == Storage::dense ? limit_ : count_live() + count_new(indices, count), size = array_.size();
            const uint64_t least = std::min(limit_, std::max(dimension, size + size / 8));
            if (prefers_dense(least, live))
                set_dense(std::clamp(size + size / 2, least, std::min(limit_, std::max(least, widest_ * live))));
            else
                set_hash(live);
        } else if (used_ > room() || used_ + count > most()) {
            // Only now are vacant entries let go, and only now is the array considered: both cost O(stored) and are paid by the growth.
            const uint64_t live = (vacates_ ? count_live() : used_) + count_new(indices, count);
            const uint64_t widest = std::max(dimension, largest_dimension_), least = std::min(limit_, widest + widest / 8);
            if (prefers_dense(least, live))
                set_dense(least);
            else
                grow_table(live, std::max(least / widest_, live + count));
        }
        largest_dimension_ = std::max(largest_dimension_, dimension);
    }

    static constexpr uint32_t kSlots = 3;        // three 16-byte values and their keys fill a cache line
    static constexpr uint64_t kSmall = 1 << 18;  // features that an array may hold whatever is stored of them, where the storage is dense

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

    // find() in a table, in bucket number b and those behind it.
    const T* find_from(size_t b, uint32_t index) const {
        for (;; b = next(b)) {
            const Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return &bucket.value[found >> 1];
            if (bucket.used < kSlots) return nullptr;
        }
    }

    T& add(Bucket& bucket, uint32_t index) {
        ++used_;
        bucket.key[bucket.used] = index;
        return bucket.value[bucket.used++];
    }

    bool prefers_dense(uint64_t dimension, uint64_t live) const {
        return storage_ == Storage::dense || (storage_ == Storage::automatic && dimension <= widest_ * live);
    }

    // How many of the indices have no entry that counts.
    uint64_t count_new(const uint32_t* indices, size_t count) const {
        uint64_t missing = 0;
        for (size_t j = 0; j < count; ++j) {
            const T* const value = find(indices[j]);
            missing += !value || ((dense_mode_ || vacates_) && vacant(*value));
        }
        return missing;
    }

    // Whoever sends indices that collide should not be able to know where the system put the table. The salt stays when the table grows:
    // entries then move in their order, which is that of the new table too.
    void choose_salt() {
        if (salt_ == 0) salt_ = mix64(reinterpret_cast<uintptr_t>(&buckets_[0]));
    }

    // room(): with more entries than this a table grows, three quarters of its slots, so that not many find no room where they belong.
    // most(): so many it may have after a row, each entry of which is counted as a new one, since looking for those that are there would
    // cost more. A table that has just grown for a row has room for it.
    uint64_t slots() const { return uint64_t{buckets_.size()} * kSlots; }
    uint64_t room() const { return slots() * 3 / 4; }
    uint64_t most() const { return slots() ? slots() - slots() / 32 - 1 : 0; }
    size_t home(uint32_t index) const { return static_cast<size_t>((mix64(index + salt_) >> 32) * buckets_.size() >> 32); }
    size_t next(size_t b) const { return b + 1 == buckets_.size() ? 0 : b + 1; }

    ZeroedArray<T> new_array(uint64_t size) const {
        try {
            return ZeroedArray<T>(size);
        } catch (const std::bad_alloc&) {
            if (storage_ != Storage::dense) throw;
            fail(SL_ERROR_OUT_OF_MEMORY, "out of memory: option storage is dense, and an array over ", size, " features takes ",
                 size * sizeof(T), " bytes; auto and hash take memory for the features seen alone");
        }
    }

    void set_dense(uint64_t size) {
        ZeroedArray<T> array = new_array(size);
        if (dense_mode_) {
            if (array_.size()) std::memcpy(static_cast<void*>(array.data()), array_.data(), array_.size() * sizeof(T));
        } else {
            for_each([&](uint32_t index, const T& value) { array[index] = value; });
        }
        array_.swap(array);
        buckets_ = GrowingArray<Bucket>();
        dense_mode_ = true;
    }

    // Buckets of a table with room for so many entries.
    static uint64_t size_for(uint64_t room) { return room * 4 / (uint64_t{3} * kSlots) + 1; }

    // A table of an empty store.
    void set_table(uint64_t count) {
        buckets_ = GrowingArray<Bucket>(GrowingArray<Bucket>::whole(size_for(count)));
        choose_salt();
        dense_mode_ = false;
    }

    // For `live` entries and two thirds as many again: 47 bytes a 16-byte value at first, 28 when they are full.
    static uint64_t grown(uint64_t live) { return (live * 5 + 2) / 3; }

    void set_hash(uint64_t live) {
        FeatureStore table(Storage::hash);
        table.salt_ = salt_;
        table.buckets_ = GrowingArray<Bucket>(size_for(grown(live)));
        table.choose_salt();
        for_each([&](uint32_t index, const T& value) { table.at(index) = value; });
        buckets_.swap(table.buckets_);
        salt_ = table.salt_;
        used_ = table.used_;
        array_ = ZeroedArray<T>();
        dense_mode_ = false;
    }

    // Makes the table fit for `live` entries where it stands: no second table, and memory that is touched in order, since entries keep
    // their order. It goes from the end to the beginning, so that there is room ahead. Entries are taken out of a few buckets and then
    // placed: how many a bucket has would be mispredicted otherwise. With automatic storage the table only has to hold `enough`, since with
    // more entries an array is better, but grows by a quarter at least.
    void grow_table(uint64_t live, uint64_t enough) {
        constexpr size_t kTaken = 32;  // buckets
        struct Entry {
            T value;
            uint32_t key;
        } taken[kTaken * kSlots];
        const size_t before = buckets_.size();
        const uint64_t least = storage_ == Storage::automatic ? std::max(enough, live * 5 / 4) : UINT64_MAX;
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

    // Places an entry while grow_table() is at work, which has done all buckets from `begin` on. Slots of those that are used keep their
    // entries, and so do the first `placed` slots of the buckets before. Any other slot may be taken; if it held an entry, that one is
    // placed next.
    void place(uint32_t key, T value, size_t begin) {
        for (size_t p = home(key); !vacant(value);) {
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

    Storage storage_;
    uint64_t limit_;
    bool vacates_;
    bool dense_mode_;
    uint32_t widest_;
    ZeroedArray<T> array_;
    GrowingArray<Bucket> buckets_;
    uint64_t salt_ = 0;               // changes where entries are, and nothing else
    uint64_t used_ = 0;               // entries of the table, vacant ones included
    uint64_t largest_dimension_ = 0;  // of the indices reserved
    std::vector<Sought> sought_;      // of locate()
};

}  // namespace sparselin
