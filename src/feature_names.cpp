#include "feature_names.h"

#include "error.h"

namespace sparselin {

void FeatureNames::need_room() const {
    if (size() >= limit_) fail(SL_ERROR_INVALID_DATA, "the dictionary is full: it has ", limit_, " names");
}

uint32_t FeatureNames::add(uint32_t key, std::string_view name) {
    need_room();
    if (name.size() >= kDropped) fail(SL_ERROR_INVALID_DATA, "a name of ", uint64_t{name.size()}, " bytes is too long for a dictionary");
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const uint64_t begin = end();
    text_.resize(static_cast<size_t>(begin));  // what a call that failed has left
    text_.append(name);
    entries_.push_back({begin, static_cast<uint32_t>(name.size()), key});
    size_t s = home(key);
    while (slots_[s].number != kNone) s = after(s);
    slots_[s] = {size() - 1, key};
    return size() - 1;
}

void FeatureNames::add_dropped() {
    need_room();
    entries_.push_back({end(), kDropped, 0});
}

void FeatureNames::truncate(uint32_t size) noexcept {
    for (; this->size() > size; entries_.pop_back()) {
        size_t s = home(entries_.back().key);
        while (slots_[s].number != this->size() - 1) s = after(s);
        slots_[s] = {};
    }
    text_.resize(static_cast<size_t>(end()));
}

void FeatureNames::grow() {
    constexpr size_t kFirst = 16;
    std::vector<Slot> slots(slots_.empty() ? kFirst : 2 * slots_.size());
    slots_.swap(slots);
    shift_ = 64;
    for (size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (uint32_t i = 0; i < size(); ++i) {
        if (!has(i)) continue;
        size_t s = home(key(i));
        while (slots_[s].number != kNone) s = after(s);
        slots_[s] = {i, key(i)};
    }
}

}  // namespace sparselin
