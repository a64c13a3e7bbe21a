// Numbers as little-endian bytes, on every machine. Without a loop, so that compilers make one load or store of each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sparselin {

template <class Number>
using BitsOf = std::conditional_t<sizeof(Number) == 8, uint64_t, uint32_t>;

template <class Bits, size_t... i>
void store_bits(unsigned char* bytes, Bits bits, std::index_sequence<i...>) {
    ((bytes[i] = static_cast<unsigned char>(bits >> (8 * i))), ...);
}
template <class Number>
void store(unsigned char* bytes, Number number) {
    BitsOf<Number> bits;
    static_assert(sizeof bits == sizeof number);
    std::memcpy(&bits, &number, sizeof bits);
    store_bits(bytes, bits, std::make_index_sequence<sizeof bits>());
}

template <class Bits, size_t... i>
Bits load_bits(const unsigned char* bytes, std::index_sequence<i...>) {
    return (... | (Bits{bytes[i]} << (8 * i)));
}
template <class Number>
Number load(const unsigned char* bytes) {
    const auto bits = load_bits<BitsOf<Number>>(bytes, std::make_index_sequence<sizeof(Number)>());
    Number number;
    static_assert(sizeof bits == sizeof number);
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

}  // namespace sparselin
