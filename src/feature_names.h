// Names and their numbers, which are given in the order in which names come.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparselin {

class FeatureNames {
  public:
    static constexpr uint32_t kNone = UINT32_MAX;

    // At most so many names; tests may have fewer.
    explicit FeatureNames(uint32_t limit = kNone) : limit_(limit) {}

    // How many numbers were given, those of names that were dropped included.
    uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
    bool has(uint32_t number) const { return number < size() && entries_[number].length != kDropped; }
    std::string_view operator[](uint32_t number) const { return {text_.data() + entries_[number].begin, entries_[number].length}; }
    uint32_t key(uint32_t number) const { return entries_[number].key; }

    // The number of a name, whose hash is its key, or kNone.
    uint32_t find(uint32_t key, std::string_view name) const {
        return find_if(key, [&](uint32_t number) { return (*this)[number] == name; });
    }
    // The number of any name of this key, or kNone.
    uint32_t find(uint32_t key) const {
        return find_if(key, [](uint32_t) { return true; });
    }

    // Gives a name that was not found the next number. SL_ERROR_INVALID_DATA if there are as many as there may be. All or nothing.
    uint32_t add(uint32_t key, std::string_view name);

    // A number without a name.
    void add_dropped();

    // Takes back the last ones, as if they had never been.
    void truncate(uint32_t size) noexcept;

    // All names but those that are dropped, with the same numbers.
    template <class Keep>
    FeatureNames only(Keep keep) const {
        FeatureNames kept(limit_);
        for (uint32_t i = 0; i < size(); ++i)
            if (has(i) && keep(i))
                kept.add(key(i), (*this)[i]);
            else
                kept.add_dropped();
        return kept;
    }

    uint64_t bytes() const { return text_.capacity() + entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(Slot); }

  private:
    static constexpr uint32_t kDropped = UINT32_MAX;  // as a length

    struct Entry {
        uint64_t begin;
        uint32_t length, key;
    };
    struct Slot {
        uint32_t number = kNone, key = 0;
    };

    size_t home(uint32_t key) const { return static_cast<size_t>(key * 0x9e3779b97f4a7c15u >> shift_); }
    size_t after(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
    template <class Is>
    uint32_t find_if(uint32_t key, Is is) const {
        if (slots_.empty()) return kNone;
        for (size_t s = home(key);; s = after(s)) {
            const Slot slot = slots_[s];
            if (slot.number == kNone || (slot.key == key && is(slot.number))) return slot.number;
        }
    }
    uint64_t end() const { return entries_.empty() ? 0 : entries_.back().begin + (has(size() - 1) ? entries_.back().length : 0); }
    void need_room() const;
    void grow();

    uint32_t limit_;
    std::string text_;
    std::vector<Entry> entries_;
    std::vector<Slot> slots_;  // a power of 2, at least half of them free; filled in the order of the numbers, so that the last one may go
    int shift_ = 64;
};

}  // namespace sparselin
