// Numbers as text and back, the same in every locale and with every C++ library.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sparselin {

// Short text that reads back to the same number, with a point in every locale: the shortest, but for a few powers of 2.
std::string to_text(double value);

enum class Reading { number, too_small, too_large, none };

// The double nearest to what all of `text` says, in the form [-]digits[.digits][e[+-]digits], or "inf" or "nan". It is 0 where that is too
// small for a double, infinite where it is too large, and anything where the text says none.
Reading read_number(std::string_view text, double& value);

// The whole number that all of `text` says in digits; false if it says none, or one beyond 64 bits.
bool read_whole(std::string_view text, uint64_t& number);

}  // namespace sparselin
