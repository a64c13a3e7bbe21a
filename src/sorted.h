// Lists in ascending order.
#pragma once
#include <algorithm>
#include <vector>

namespace sparselin {

template <class Entry>
void sort_distinct(std::vector<Entry>& entries) {
    if (!std::is_sorted(entries.begin(), entries.end())) std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

}  // namespace sparselin
