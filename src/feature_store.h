// Where one value a feature lives: an array over all features, or a hash table of the features seen. Which of the two never
// changes a number. A value that is all zeros (vacant) is the same as one that was never stored.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <utility>
#include <vector>

#include "arrays.h"
#include "error.h"
#include "hash_table.h"
#include "settings.h"
#include "sorted.h"

namespace sparselin {

// Not inlined, since it is the same for every store.
[[noreturn, gnu::noinline]] inline void refuse_array(uint64_t features, uint64_t bytes) {
    fail(SL_ERROR_OUT_OF_MEMORY, "out of memory: option storage is dense, and an array over ", features, " features takes ", bytes,
         " bytes; auto and hash take memory for the features seen alone");
}

template <class T>
class FeatureStore {
  public:
    // Where the storage is automatic, an array is at most so many times as long as there are features in it. Then it takes at most three
    // times the memory that a table may take, and learns two to three times as fast. All that a model stores together stays within what
    // the header says at sl_model_memory.
    static constexpr uint32_t kWidest = 8;

    // `limit`: no index is at or beyond it; 0 for 2^32. `vacates`: whether values become vacant often enough to look for them.
    explicit FeatureStore(Storage storage, uint64_t limit = 0, bool vacates = false)
        : storage_(storage), limit_(limit ? limit : uint64_t{1} << 32), vacates_(vacates) {
        dense_mode_ = storage != Storage::hash;
    }

    uint64_t limit() const { return limit_; }
    bool is_dense() const { return dense_mode_; }
    T* dense() const { return array_.data(); }
    uint64_t dense_size() const { return array_.size(); }
    uint64_t bytes() const { return array_.bytes() + table_.bytes(); }

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
        *this = FeatureStore(storage_, limit_, vacates_);
        if (!prefers_dense(dimension, count) || !set_dense(dimension)) set_table(HashTable<T>::for_reading(count));
    }

    // Lets go of vacant entries where a hash table is larger than it would be made for the others. Never throws: without memory it stays as
    // it is. Moves what is stored.
    void compact() noexcept {
        if (dense_mode_) return;
        const uint64_t live = count_live();
        if (!table_.is_loose(live)) return;
        try {
            move_to_table(live);
        } catch (const std::bad_alloc&) {
        }
    }

    // The value of a feature; nullptr where none is stored.
    const T* find(uint32_t index) const {
        if (dense_mode_) return index < array_.size() ? &array_[index] : nullptr;
        return table_.find(index);
    }
    T read(uint32_t index) const {
        const T* value = find(index);
        return value ? *value : T{};
    }

    // Calls use(j, value) for all features of a row, one after the other.
    template <class Use>
    void read_row(const uint32_t* indices, size_t count, Use use) const {
        if (!dense_mode_ && table_.has_memory()) return table_.read_row(indices, count, use);
        const T* const values = array_.data();
        const size_t size = array_.size();
        for (size_t j = 0; j < count; ++j) use(j, indices[j] < size ? values[indices[j]] : T{});
    }

    // The same for the features of a row that reserve() made room for, to be changed.
    template <class Use>
    void change_row(const uint32_t* indices, size_t count, Use use) {
        if (dense_mode_) {
            T* const values = array_.data();
            for (size_t j = 0; j < count; ++j) use(j, values[indices[j]]);
        } else {
            table_.change_row(indices, count, use);
        }
    }

    // The value of a feature that reserve() made room for; stored, vacant, if it was not.
    T& at(uint32_t index) { return dense_mode_ ? array_[index] : table_.at(index); }

    // The same for a whole row, into at[0 .. count), of a table.
    void locate(const uint32_t* indices, size_t count, T** at) { table_.locate(indices, count, at); }

    // Asks the memory for the values of a row that will soon be wanted. Only of a store beyond the nearer caches: within
    // them it costs more than it gains (tests/bench/README.md). Inlined by force, as everything that only prefetches: GCC drops calls of
    // functions that do nothing else.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const {
        constexpr uint64_t kNear = uint64_t{2} << 20;
        const uint64_t bytes = dense_mode_ ? array_.size() * sizeof(T) : table_.line_bytes();
        if (bytes <= kNear || count == 0) return;
        dense_mode_ ? prefetch_dense(indices, count) : table_.prefetch(indices, count);
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
                if (!is_vacant(array_[i])) visit(static_cast<uint32_t>(i), array_[i]);
        } else {
            table_.for_each(visit);
        }
    }

    // The indices of all values that are not vacant, ascending.
    std::vector<uint32_t> ascending() const {
        std::vector<uint32_t> indices;
        indices.reserve(static_cast<size_t>(count_live()));
        for_each([&](uint32_t index, const T&) { indices.push_back(index); });
        sort_indices(indices);
        return indices;
    }

    // Makes room for `count` entries below `dimension` in an empty store. An array that would be far larger than its entries is not made,
    // even where the storage is dense, until training asks for it.
    void make_least_room(uint64_t dimension, uint64_t count) {
        if (storage_ == Storage::dense && dimension > std::max(kSmall, 4 * count))
            set_table(HashTable<T>::for_reading(count));
        else
            make_room(dimension, count);
        largest_dimension_ = dimension;
    }

    // The number of entries, their indices, ascending, and their values: the same bytes in either storage.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        value_fields(self, archive, index_fields(self, archive, sizeof(T), [&] { return self.ascending(); }));
    }

    // The values alone, of features that there is room for.
    template <class Self, class Archive>
    static void value_fields(Self& self, Archive& archive, const std::vector<uint32_t>& indices) {
        double numbers[sizeof(T) / sizeof(double)];
        if constexpr (Archive::reads) {
            self.change_row(indices.data(), indices.size(), [&](size_t, T& value) {
                for (double& number : numbers) archive(number);
                std::memcpy(static_cast<void*>(&value), numbers, sizeof value);
            });
        } else {
            self.read_row(indices.data(), indices.size(), [&](size_t, const T& value) {
                std::memcpy(numbers, &value, sizeof value);
                for (const double number : numbers) archive(number);
            });
        }
    }

    // The number of entries and their indices alone, which are returned; whoever calls has the values follow, so many `bytes` an entry.
    // When reading, there is room for all entries afterwards.
    template <class Self, class Archive, class Ascending>
    static std::vector<uint32_t> index_fields(Self& self, Archive& archive, uint64_t bytes, [[maybe_unused]] Ascending ascending) {
        std::vector<uint32_t> indices;
        if constexpr (Archive::reads) {
            indices = archive.get_indices(bytes, self.limit_);
            self.make_least_room(dimension_of(indices), indices.size());
        } else {
            indices = ascending();
            archive.put_indices(indices, bytes);
        }
        return indices;
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
            const uint64_t next = std::clamp(size + size / 2, least, std::min(limit_, std::max(least, kWidest * live)));
            if (!prefers_dense(least, live) || !set_dense(next)) move_to_table(live);
        } else if (table_.used() > table_.room() || table_.used() + count > table_.most()) {
            // Only now are vacant entries let go, and only now is the array considered: both cost O(stored) and are paid by the growth.
            // With automatic storage the table only has to hold what an array is better than, but grows by a quarter at least.
            const uint64_t live = (vacates_ ? count_live() : table_.used()) + count_new(indices, count);
            const uint64_t widest = std::max(dimension, largest_dimension_), least = std::min(limit_, widest + widest / 8);
            if (!prefers_dense(least, live) || !set_dense(least))
                table_.grow(live, storage_ == Storage::automatic ? std::max({least / kWidest, live + count, live * 5 / 4}) : UINT64_MAX);
        }
        largest_dimension_ = std::max(largest_dimension_, dimension);
    }

    static constexpr uint64_t kSmall = 1 << 18;  // features that an array may hold whatever is stored of them, where the storage is dense

    bool prefers_dense(uint64_t dimension, uint64_t live) const {
        return storage_ == Storage::dense || (storage_ == Storage::automatic && dimension <= kWidest * live);
    }

    // How many of the indices have no entry that counts.
    uint64_t count_new(const uint32_t* indices, size_t count) const {
        uint64_t missing = 0;
        for (size_t j = 0; j < count; ++j) {
            const T* const value = find(indices[j]);
            missing += !value || ((dense_mode_ || vacates_) && is_vacant(*value));
        }
        return missing;
    }

    // False, and nothing is changed, where there is no memory for the array and the storage is automatic: a table takes less.
    [[gnu::noinline]] bool set_dense(uint64_t size) {
        try {
            ZeroedArray<T> array(size);
            if (dense_mode_) {
                if (array_.size()) std::memcpy(static_cast<void*>(array.data()), array_.data(), array_.size() * sizeof(T));
            } else {
                for_each([&](uint32_t index, const T& value) { array[index] = value; });
            }
            array_.swap(array);
        } catch (const std::bad_alloc&) {
            if (storage_ == Storage::automatic) return false;
            refuse_array(size, size * sizeof(T));
        }
        table_ = HashTable<T>();
        dense_mode_ = true;
        return true;
    }

    void set_table(HashTable<T> table) {
        table_.swap(table);
        array_ = ZeroedArray<T>();
        dense_mode_ = false;
    }

    void move_to_table(uint64_t live) {
        HashTable<T> table = table_.for_growing(live);
        for_each([&](uint32_t index, const T& value) { table.at(index) = value; });
        set_table(std::move(table));
    }

    Storage storage_;
    uint64_t limit_;
    bool vacates_;
    bool dense_mode_;
    ZeroedArray<T> array_;
    HashTable<T> table_;
    uint64_t largest_dimension_ = 0;  // of the indices reserved
};

// Calls visit(i) for every index in turn, the places having been told of several ahead. For what is done to features by the million.
template <class Place, class Visit>
void visit_ahead(const std::vector<uint32_t>& indices, std::initializer_list<const Place*> places, Visit visit) {
    constexpr size_t kTogether = 16;
    for (size_t first = 0; first < indices.size(); first += kTogether) {
        const size_t several = std::min(kTogether, indices.size() - first);
        for (const Place* place : places) place->prefetch(&indices[first], several);
        for (size_t i = first; i < first + several; ++i) visit(i);
    }
}

}  // namespace sparselin
