// Where a block of numbers a feature lives: all that a model of several classes stores of the feature, side by side. A FeatureStore has the
// number of each feature's block, so that features not seen take next to nothing, and blocks stay where they are when either grows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "arrays.h"
#include "error.h"
#include "feature_store.h"

namespace sparselin {

class BlockStore {
  public:
    // Blocks of `width` doubles; the rest as of FeatureStore.
    BlockStore(Storage storage, uint64_t limit, size_t width, bool vacates = false) : numbers_(storage, limit, vacates), width_(width) {
        while (width_ * sizeof(double) << (shift_ + 1) <= kSegment) ++shift_;
    }

    uint64_t bytes() const {
        uint64_t sum = numbers_.bytes() + segments_.capacity() * sizeof(ZeroedArray<double>) + at_.capacity() * sizeof(uint32_t*);
        for (const auto& segment : segments_) sum += segment.bytes();
        return sum;
    }

    // As of FeatureStore.
    void expect(uint64_t dimension, uint64_t features) { numbers_.expect(dimension, features); }
    // The same, of an empty store.
    void make_room(uint64_t dimension, uint64_t count) { numbers_.make_room(dimension, count); }
    void make_least_room(uint64_t dimension, uint64_t count) { numbers_.make_least_room(dimension, count); }

    // Asks the memory for the numbers of a row that will soon be wanted: blocks drive them out of the nearer caches. A table asks by
    // itself.
    [[gnu::always_inline]] void prefetch(const uint32_t* indices, size_t count) const { numbers_.prefetch_dense(indices, count); }

    // The blocks of features whose indices ascend, into at[0 .. count); new ones are all zeros. May throw, and then has changed nothing
    // that can be seen. Pointers from before end here.
    void locate(const uint32_t* indices, size_t count, double** at) {
        numbers_.reserve(indices, count);
        const auto all_found = [=](auto number) {
            const Places block = places();
            bool all = true;
            for (size_t j = 0; j < count; ++j) {
                const uint32_t n = number(j);
                if (n == 0)
                    all = false;
                else
                    at[j] = block(n);
            }
            return all;
        };
        const bool dense = numbers_.is_dense();
        if (dense && all_found([=, all = numbers_.dense()](size_t j) { return all[indices[j]]; })) return;
        at_.resize(count);
        for (size_t j = 0; dense && j < count; ++j) at_[j] = &numbers_.dense()[indices[j]];
        if (!dense) numbers_.locate(indices, count, at_.data());
        const auto stored = [numbers = at_.data()](size_t j) { return *numbers[j]; };
        if (all_found(stored)) return;
        add(static_cast<uint64_t>(std::count_if(at_.begin(), at_.end(), [](const uint32_t* number) { return *number == 0; })));
        all_found(stored);
    }

    // The blocks of a row's features, into at[0 .. count); `none` where none is stored.
    void find_row(const uint32_t* indices, size_t count, const double* none, const double** at) const {
        numbers_.read_row(indices, count, [=, block = places()](size_t j, uint32_t number) { at[j] = number ? block(number) : none; });
    }

    // nullptr where none is stored.
    const double* find(uint32_t index) const {
        const uint32_t number = numbers_.read(index);
        return number ? block(number) : nullptr;
    }

    // Calls visit(index, block), by ascending index in an array, in no order in a table. Some blocks may be all zeros, and so be none.
    template <class Visit>
    void for_each(Visit visit) const {
        numbers_.for_each([&](uint32_t index, uint32_t number) { visit(index, block(number)); });
    }

    // Lets go of blocks that are all zeros, for other features. Never throws.
    void compact() noexcept {
        numbers_.for_each([&](uint32_t, uint32_t& number) {
            if (!is_vacant(block(number))) return;
            std::memcpy(block(number), &free_, sizeof free_);
            ++free_count_;
            free_ = std::exchange(number, 0);
        });
        numbers_.compact();
    }

    // The indices of all blocks that are not all zeros, ascending.
    std::vector<uint32_t> ascending() const {
        std::vector<uint32_t> indices;
        for_each([&](uint32_t index, const double* numbers) {
            if (!is_vacant(numbers)) indices.push_back(index);
        });
        sort_indices(indices);
        return indices;
    }

    // The number of blocks, their indices, ascending, and their numbers: the same bytes in either storage.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        const std::vector<uint32_t> indices =
            FeatureStore<uint32_t>::index_fields(self.numbers_, archive, self.width_ * sizeof(double), [&] { return self.ascending(); });
        std::vector<double*> blocks(indices.size());
        if constexpr (Archive::reads)
            self.locate(indices.data(), indices.size(), blocks.data());
        else
            self.numbers_.read_row(indices.data(), indices.size(), [&](size_t i, uint32_t number) { blocks[i] = self.block(number); });
        for (double* const numbers : blocks)
            for (size_t k = 0; k < self.width_; ++k) archive(numbers[k]);
    }

  private:
    static constexpr size_t kSegment = 1 << 18;  // bytes of a segment of blocks; one block where that is larger

    // Where block number n is, from 1 on; a copy of what that takes, so that loops which write need not read it again and again.
    struct Places {
        const ZeroedArray<double>* segments;
        unsigned shift;
        size_t last, width;
        double* operator()(uint32_t number) const {
            const size_t n = number - 1;
            return segments[n >> shift].data() + (n & last) * width;
        }
    };
    Places places() const { return {segments_.data(), shift_, (size_t{1} << shift_) - 1, width_}; }
    double* block(uint32_t number) const { return places()(number); }
    bool is_vacant(const double* numbers) const {
        uint64_t bits = 0, any = 0;
        for (size_t k = 0; k < width_; ++k) {
            std::memcpy(&bits, numbers + k, sizeof bits);
            any |= bits;
        }
        return any == 0;
    }
    // Blocks there is room for.
    uint64_t room() const { return segments_.size() == 1 ? segments_[0].size() / width_ : uint64_t{segments_.size()} << shift_; }

    // Gives a block to every number of at_ that has none.
    void add(uint64_t missing) {
        if (used_ + missing > free_count_ + room()) grow(used_ + missing - free_count_);
        for (uint32_t* const number : at_) {
            if (*number != 0) continue;
            if (free_ == 0) {
                *number = ++used_;
                continue;
            }
            *number = free_;
            --free_count_;
            std::memcpy(&free_, block(*number), sizeof free_);
            *block(*number) = 0;
        }
    }

    void grow(uint64_t blocks) {
        const uint64_t whole = uint64_t{1} << shift_;
        try {
            if (blocks > UINT32_MAX) throw std::bad_alloc();
            if (room() < whole) {  // up to a whole one the first segment grows, and moves
                ZeroedArray<double> first(std::min(whole, std::max(blocks, room() + room() / 2)) * width_);
                if (segments_.empty())
                    segments_.resize(1);
                else
                    std::memcpy(first.data(), segments_[0].data(), segments_[0].size() * sizeof(double));
                segments_[0].swap(first);
            }
            while (room() < blocks) segments_.emplace_back(whole * width_);
        } catch (const std::bad_alloc&) {
            fail(SL_ERROR_OUT_OF_MEMORY, "out of memory: ", blocks, " features of ", uint64_t{width_ * sizeof(double)}, " bytes each, ",
                 blocks * width_ * sizeof(double), " in all, are too many; there are fewer with fewer classes, or with average none");
        }
    }

    FeatureStore<uint32_t> numbers_;  // 0: the feature has no block
    size_t width_;
    unsigned shift_ = 0;  // a segment has 2^shift blocks
    std::vector<ZeroedArray<double>> segments_;
    uint32_t used_ = 0;          // the largest number given
    uint32_t free_ = 0;          // the number of a block that was let go, which begins with the next such number; 0: none
    uint64_t free_count_ = 0;    // of those
    std::vector<uint32_t*> at_;  // of locate()
};

}  // namespace sparselin
