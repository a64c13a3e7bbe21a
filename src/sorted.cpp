#include "sorted.h"

namespace sparselin {

void sort_indices(std::vector<uint32_t>& indices) {
    constexpr size_t kFew = 256;  // std::sort takes as long for them, and no memory
    if (std::is_sorted(indices.begin(), indices.end())) return;
    if (indices.size() <= kFew || indices.size() > UINT32_MAX) return std::sort(indices.begin(), indices.end());
    std::vector<uint32_t> other(indices.size());
    const uint32_t largest = *std::max_element(indices.begin(), indices.end());
    if (sort_keys(indices.data(), other.data(), indices.size(), 0, largest) == other.data()) indices.swap(other);
}

void sort_distinct(std::vector<uint32_t>& indices) {
    sort_indices(indices);
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

}  // namespace sparselin
