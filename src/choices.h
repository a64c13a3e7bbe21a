// Values that go by names, such as those of an enumeration: one list ties each to its name, and what a user may choose is read from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace sparselin {

template <class Value>
struct Choice {
    std::string_view name;
    Value value;
};

// A text put together when the library is compiled. One that is too long does not compile.
class BuiltText {
  public:
    constexpr BuiltText& add(std::string_view more) {
        for (const char c : more) text_[size_++] = c;
        return *this;
    }

    // The names of those rows of a list of which `is_meant` is true.
    template <class Row, size_t rows, class Meant>
    constexpr BuiltText& add_names(const Row (&list)[rows], Meant is_meant, std::string_view between, std::string_view before_last) {
        size_t left = 0;
        for (const Row& row : list) left += is_meant(row);
        bool any = false;
        for (const Row& row : list) {
            if (!is_meant(row)) continue;
            if (any) add(left == 1 ? before_last : between);
            add(row.name);
            any = true;
            --left;
        }
        return *this;
    }

    constexpr const char* data() const { return text_.data(); }

  private:
    std::array<char, 256> text_{};  // and a closing NUL
    size_t size_ = 0;
};

// "a|b|c" of a list whose rows have the names a, b and c; of all of them, or of those that are meant.
template <class Row, size_t rows, class Meant>
constexpr BuiltText joined(const Row (&list)[rows], Meant is_meant) {
    return BuiltText().add_names(list, is_meant, "|", "|");
}
template <const auto& list>
inline constexpr BuiltText kJoined = joined(list, [](const auto&) { return true; });

// "a", "a or b", "a, b or c" of "a|b|c".
inline std::string in_words(std::string_view choices) {
    std::string words(choices);
    const size_t last = words.rfind('|');
    if (last != words.npos) words.replace(last, 1, " or ");
    for (size_t bar; (bar = words.find('|')) != words.npos;) words.replace(bar, 1, ", ");
    return words;
}

// The row of a name that the list has.
template <class Row, size_t rows>
const Row& chosen(const Row (&list)[rows], std::string_view name) {
    return *std::find_if(std::begin(list), std::end(list), [=](const Row& row) { return row.name == name; });
}

}  // namespace sparselin
