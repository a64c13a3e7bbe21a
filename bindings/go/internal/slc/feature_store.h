// Where one value a feature lives: an array over all features, or a hash table of the features seen. Which of the two never
// changes a number. A value that is all zeros (vacant) is the same as one that was never stored.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "options.h"
#include "random.h"

namespace sparselin {

// Zeroed memory that starts on a cache line. calloc gives large blocks untouched, so that a page costs memory only once it is used.
template <class T>
class ZeroedArray {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    ZeroedArray() = default;
    explicit ZeroedArray(uint64_t size) : size_(size) {
        if (size == 0) return;
        if (size > (SIZE_MAX - kLine) / sizeof(T)) throw std::bad_alloc();
        block_ = std::calloc(static_cast<size_t>(size) * sizeof(T) + kLine, 1);
        if (!block_) throw std::bad_alloc();
        data_ = reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(block_) + kLine - 1) / kLine * kLine);
        ask_for_large_pages();
    }
    ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) {
        if (size_) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
    }
    ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
    ZeroedArray& operator=(ZeroedArray other) noexcept {
        swap(other);
        return *this;
    }
    ~ZeroedArray() { std::free(block_); }

    void swap(ZeroedArray& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    // Has the system back all of it at once with memory: what is read before it is written would fault twice a page.
    void touch() const {
        if (size_) std::memset(static_cast<void*>(data_), 0, size() * sizeof(T));
    }
    size_t size() const { return static_cast<size_t>(size_); }
    uint64_t bytes() const { return size_ ? size_ * sizeof(T) + kLine : 0; }
    T* data() const { return data_; }
    T& operator[](size_t i) const { return data_[i]; }

  private:
    // Random access to a large array is bound by looking up pages: with those of 2 MiB it is up to twice as fast. Where the system has none
    // the request fails, and nothing is lost.
    void ask_for_large_pages() const {
        constexpr uintptr_t kPage = uintptr_t{2} << 20;
        const uintptr_t start = (reinterpret_cast<uintptr_t>(data_) + kPage - 1) / kPage * kPage;
        const uintptr_t end = reinterpret_cast<uintptr_t>(data_ + size_) / kPage * kPage;
        if (end >= start + 2 * kPage) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
    }

    static constexpr size_t kLine = 64;
    void* block_ = nullptr;
    T* data_ = nullptr;
    uint64_t size_ = 0;
};

template <class T>
class FeatureStore {
  public:
    // `limit`: no index is at or beyond it; 0 for 2^32.
    explicit FeatureStore(Storage storage, uint64_t limit = 0) : storage_(storage), limit_(limit ? limit : uint64_t{1} << 32) {
        dense_mode_ = storage != Storage::hash;
    }

    bool is_dense() const { return dense_mode_; }
    T* dense() const { return array_.data(); }
    uint64_t dense_size() const { return array_.size(); }
    uint64_t bytes() const { return array_.bytes() + buckets_.bytes(); }

    // Makes room for the indices, which ascend. May throw, and then has changed nothing that can be seen; at() does not throw afterwards.
    // Moves what is stored, so that pointers into the store end here.
    void reserve(const uint32_t* indices, size_t count) {
        if (count == 0) return;
        const uint64_t dimension = uint64_t{indices[count - 1]} + 1;
        if (dense_mode_) {
            if (dimension <= array_.size()) return;
            const uint64_t live = prefers_dense(dimension, 0) ? 0 : count_live() + count;
            if (prefers_dense(dimension, live)) {
                const uint64_t grown = array_.size() + array_.size() / 2;
                set_dense(std::min(limit_, std::max(dimension, grown)));
            } else {
                set_hash(live);
            }
        } else if (used_ + count > room()) {
            // Only now are vacant entries let go, and only now is the array considered: both cost O(stored) and are paid by the growth.
            const uint64_t live = count_live() + count, widest = std::max(dimension, largest_dimension_);
            if (prefers_dense(widest, live))
                set_dense(widest);
            else
                set_hash(live);
        }
        largest_dimension_ = std::max(largest_dimension_, dimension);
    }

    // Lets go of vacant entries where a hash table holds more than 48 bytes for each of the others. Never throws: without memory it
    // stays as it is. Moves what is stored.
    void compact() noexcept {
        if (dense_mode_) return;
        const uint64_t live = count_live();
        if (buckets_.size() <= std::max(kFewest, 48 * live / sizeof(Bucket))) return;
        try {
            set_hash(live);
        } catch (const std::bad_alloc&) {
        }
    }

    // The value of a feature; nullptr where none is stored.
    const T* find(uint32_t index) const {
        if (dense_mode_) return index < array_.size() ? &array_[index] : nullptr;
        if (buckets_.size() == 0) return nullptr;
        for (size_t b = home(index);; b = next(b)) {
            const Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return &bucket.value[found >> 1];
            if (bucket.used < kSlots) return nullptr;
        }
    }
    T read(uint32_t index) const {
        const T* value = find(index);
        return value ? *value : T{};
    }

    // The value of a feature that reserve() made room for; stored, vacant, if it was not.
    T& at(uint32_t index) {
        if (dense_mode_) return array_[index];
        for (size_t b = home(index);; b = next(b)) {
            Bucket& bucket = buckets_[b];
            if (const uint32_t found = bucket.find(index)) return bucket.value[found >> 1];
            if (bucket.used == kSlots) continue;
            ++used_;
            bucket.key[bucket.used] = index;
            return bucket.value[bucket.used++];
        }
    }

    // The same for a whole row, into at[0 .. count). In a table that outgrows the cache this is several times as fast as one at a time: all
    // lines are asked for before the first is needed, and a second time for the few entries that did not fit where they belong.
    void locate(const uint32_t* indices, size_t count, T** at) {
        for (size_t j = 0; j < count; ++j) at[j] = buckets_[home(indices[j])].value;
        for (size_t j = 0; j < count; ++j) __builtin_prefetch(at[j], 1);
        for (size_t j = 0; j < count; ++j) {
            Bucket* const bucket = reinterpret_cast<Bucket*>(at[j]);  // its values come first
            const uint32_t found = bucket->find(indices[j]);
            __builtin_prefetch(bucket + (found == 0), 1);
            at[j] = found ? &bucket->value[found >> 1] : nullptr;
        }
        for (size_t j = 0; j < count; ++j)
            if (!at[j]) at[j] = &this->at(indices[j]);
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

    // The number of entries, their indices, ascending, and their values: the same bytes in either storage.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        std::vector<uint32_t> indices;
        if constexpr (!Archive::reads) indices = self.ascending();
        uint64_t count = indices.size();
        archive(count);
        if constexpr (Archive::reads) {
            archive.check(count <= archive.left() / (sizeof(uint32_t) + sizeof(T)), "there are more entries than bytes");
            indices.resize(static_cast<size_t>(count));
        }
        for (uint32_t& index : indices) archive(index);
        if constexpr (Archive::reads) {
            archive.check(indices.empty() || indices.back() < self.limit_, "an index is not below the option dimension");
            for (size_t i = 1; i < indices.size(); ++i) archive.check(indices[i - 1] < indices[i], "indices do not ascend");
            self.make_room(indices.empty() ? 0 : uint64_t{indices.back()} + 1, count);
        }
        for (const uint32_t index : indices) {
            double numbers[sizeof(T) / sizeof(double)];
            if constexpr (!Archive::reads) std::memcpy(numbers, self.find(index), sizeof(T));
            for (double& number : numbers) archive(number);
            if constexpr (Archive::reads) std::memcpy(static_cast<void*>(&self.at(index)), numbers, sizeof(T));
        }
    }

    uint64_t count_live() const {
        uint64_t live = 0;
        for_each([&](uint32_t, const T&) { ++live; });
        return live;
    }

  private:
    static constexpr uint32_t kSlots = 3;        // three 16-byte values and their keys fill a cache line
    static constexpr uint64_t kFewest = 16;      // buckets of the smallest table
    static constexpr uint64_t kSmall = 1 << 14;  // an array of so many features is always worth it

    struct Bucket {
        T value[kSlots];
        uint32_t key[kSlots];
        uint32_t used;

        // 1, 2 or 4 for a key in slot 0, 1 or 2 (its number is half of that), 0 if it is in none. Without branches, which would be
        // mispredicted every other time.
        uint32_t find(uint32_t index) const {
            const uint32_t same = uint32_t{key[0] == index} | uint32_t{key[1] == index} << 1 | uint32_t{key[2] == index} << 2;
            return same & ((1u << used) - 1);
        }
    };

    static bool vacant(const T& value) {
        static constexpr T zero{};
        return std::memcmp(&value, &zero, sizeof(T)) == 0;
    }

    // An array may cost at most four times its live entries: it is two to three times as fast as the table.
    bool prefers_dense(uint64_t dimension, uint64_t live) const {
        return storage_ == Storage::dense || (storage_ == Storage::automatic && dimension <= std::max(kSmall, 4 * live));
    }

    // Whoever sends indices that collide should not be able to know where the system put the table. The salt stays when the table grows:
    // entries then move in their order, which is that of the new table too.
    void choose_salt() {
        if (salt_ == 0) salt_ = mix64(reinterpret_cast<uintptr_t>(buckets_.data()));
    }

    // Entries the table holds before it must grow: 85 % of its slots, so that not many find no room where they belong.
    uint64_t room() const { return buckets_.size() * kSlots * 17 / 20; }
    size_t home(uint32_t index) const { return static_cast<size_t>((mix64(index + salt_) >> 32) * buckets_.size() >> 32); }
    size_t next(size_t b) const { return b + 1 == buckets_.size() ? 0 : b + 1; }

    // Room in an empty store for `count` entries below `dimension`, and for little more: what is loaded is at first only read. An array
    // that would be far larger than its entries is not made, even where the storage is dense, until training asks for it.
    void make_room(uint64_t dimension, uint64_t count) {
        largest_dimension_ = dimension;
        if (storage_ != Storage::hash && dimension <= std::max(kSmall, 4 * count)) {
            set_dense(dimension);
        } else {
            buckets_ = ZeroedArray<Bucket>(count * 10 / (9 * kSlots) + 1);  // fuller, since nothing is added
            choose_salt();
            dense_mode_ = false;
        }
    }

    void set_dense(uint64_t size) {
        ZeroedArray<T> array(size);
        if (dense_mode_) {
            if (array_.size()) std::memcpy(static_cast<void*>(array.data()), array_.data(), array_.size() * sizeof(T));
        } else {
            for_each([&](uint32_t index, const T& value) { array[index] = value; });
        }
        array_.swap(array);
        buckets_ = ZeroedArray<Bucket>();
        dense_mode_ = true;
    }

    // A table for `live` entries and a third as many again: 33 bytes a 16-byte value at first, 25 when it is full, and the sum of both,
    // less than 60, while it grows.
    void set_hash(uint64_t live) {
        FeatureStore table(Storage::hash);
        table.salt_ = salt_;
        table.buckets_ = ZeroedArray<Bucket>(std::max(kFewest, live * 4 / 3 * 20 / (17 * kSlots) + 1));
        table.choose_salt();
        table.buckets_.touch();
        for_each([&](uint32_t index, const T& value) { table.at(index) = value; });
        buckets_.swap(table.buckets_);
        salt_ = table.salt_;
        used_ = table.used_;
        array_ = ZeroedArray<T>();
        dense_mode_ = false;
    }

    Storage storage_;
    uint64_t limit_;
    bool dense_mode_;
    ZeroedArray<T> array_;
    ZeroedArray<Bucket> buckets_;
    uint64_t salt_ = 0;               // changes where entries are, and nothing else
    uint64_t used_ = 0;               // entries of the table, vacant ones included
    uint64_t largest_dimension_ = 0;  // of the indices reserved
};

}  // namespace sparselin
