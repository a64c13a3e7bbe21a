// Values that go by names, such as those of an enumeration: one list ties each to its name, and what a user may choose is read from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace sparselin {

template <class Value>
struct Choice {
    std::string_view name;
    Value value;
};

// "a|b|c" of a list whose rows have the names a, b and c.
template <const auto& list>
constexpr auto joined_names() {
    constexpr size_t kSize = [] {
        size_t size = 0;
        for (const auto& row : list) size += row.name.size() + 1;
        return size;
    }();
    std::array<char, kSize> text{};
    size_t at = 0;
    for (const auto& row : list) {
        for (const char c : row.name) text[at++] = c;
        text[at++] = '|';
    }
    text[kSize - 1] = '\0';
    return text;
}
template <const auto& list>
inline constexpr auto kJoined = joined_names<list>();

// The row of a name that the list has.
template <class Row, size_t rows>
const Row& chosen(const Row (&list)[rows], std::string_view name) {
    return *std::find_if(std::begin(list), std::end(list), [=](const Row& row) { return row.name == name; });
}

}  // namespace sparselin
