// Loops over classes, whose numbers lie side by side: as many at a time as the machine can. Every number has its own sum, in an order that
// does not depend on how many there are beside it: the same bits as one by one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

// Where vectors are wider than those of any such processor, how they are returned depends on what it is compiled for: but for functions
// that are inlined by force.
#ifdef __clang__
_Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") static_assert(true);  // of old ones, which do not know the next
#endif
_Pragma("GCC diagnostic ignored \"-Wpsabi\"") static_assert(true);

namespace sparselin {

// Several doubles at once; a comparison gives as many masks.
using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));
template <class Value>
constexpr size_t kNumbersIn = sizeof(Value) / sizeof(double);

template <class Value>
[[gnu::always_inline]] inline Value load(const double* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class Value>
[[gnu::always_inline]] inline void store(double* to, const Value& value) {
    std::memcpy(to, &value, sizeof value);
}
// By way of memory: else GCC makes it of an instruction that valgrind 3.19 does not know.
template <class Value>
[[gnu::always_inline]] inline Value same_in_all(double number) {
    double all[kNumbersIn<Value>];
    for (double& one : all) one = number;
    return load<Value>(all);
}

// Stands for a type of several doubles.
template <class Value>
struct Width {
    using type = Value;
};

// Calls loops(Width<V>()) with the widest V that this machine has, and that has no more than `most` numbers, which are two at least.
// `loops` and all that it calls has to be inlined by force, to be compiled for that machine.
#if defined(__x86_64__) && !defined(_WIN32)  // where GCC does not align the stack for them
template <class Loops>
__attribute__((target("avx"))) void run_with_avx(Loops loops) {
    loops(Width<Four>());
}
#define SL_HAS_AVX __builtin_cpu_supports("avx")
#endif
template <class Loops>
[[gnu::always_inline]] inline void run_widest([[maybe_unused]] size_t most, Loops loops) {
#ifdef SL_HAS_AVX
    if (most >= kNumbersIn<Four> && SL_HAS_AVX) return run_with_avx(loops);
#endif
    loops(Width<Two>());
}

// to[k] += from[k] x, of so many.
template <class Value>
[[gnu::always_inline]] inline void add_product(size_t count, const double* from, double x, double* to) {
    size_t k = 0;
    for (; k + kNumbersIn<Value> <= count; k += kNumbersIn<Value>) store<Value>(to + k, load<Value>(to + k) + load<Value>(from + k) * x);
    if constexpr (1 < kNumbersIn<Value>) add_product<double>(count - k, from + k, x, to + k);
}

// a where `first`, and b elsewhere.
template <class Mask, class Value>
[[gnu::always_inline]] inline Value choose(const Mask& first, const Value& a, const Value& b) {
#if defined(__clang__) && __clang_major__ < 10  // which has no ?: for vectors
    if constexpr (1 < kNumbersIn<Value>) {
        Value chosen{};
        for (size_t i = 0; i < kNumbersIn<Value>; ++i) chosen[i] = first[i] ? a[i] : b[i];
        return chosen;
    } else
#endif
        return first ? a : b;
}
template <class Value>
[[gnu::always_inline]] inline Value lesser(const Value& a, const Value& b) {
    return choose(a < b, a, b);
}
template <class Value>
[[gnu::always_inline]] inline Value larger(const Value& a, const Value& b) {
    return choose(a > b, a, b);
}

// u less what `limit` takes of it, not past 0: sgn(u) max(0, |u| - limit).
template <class Value>
[[gnu::always_inline]] inline Value beyond(const Value& u, const Value& limit) {
    return u - lesser<Value>(larger<Value>(u, -limit), limit);
}

// sum_blocks() of as many Values as `n` counts, from number `first` on, whose sums stay in registers.
template <class Value, size_t... n, class Weight>
[[gnu::always_inline]] inline void sum_tile(std::index_sequence<n...>, size_t first, size_t count, const double* const* blocks,
                                            const double* x, Weight weight, double* sums) {
    constexpr size_t kNumbers = kNumbersIn<Value>;
    Value lanes[4][sizeof...(n)] = {};
    const auto add = [=](size_t j, Value * lane) __attribute__((always_inline)) {
        const double* const block = blocks[j] + first;
        __builtin_prefetch(block + sizeof...(n) * kNumbers);  // of the next tile
        ((lane[n] += weight(load<Value>(block + n * kNumbers)) * x[j]), ...);
    };
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        add(j, lanes[0]);
        add(j + 1, lanes[1]);
        add(j + 2, lanes[2]);
        add(j + 3, lanes[3]);
    }
    if (j < count) add(j, lanes[0]);
    if (j + 1 < count) add(j + 1, lanes[1]);
    if (j + 2 < count) add(j + 2, lanes[2]);
    (store<Value>(sums + first + n * kNumbers, (lanes[0][n] + lanes[1][n]) + (lanes[2][n] + lanes[3][n])), ...);
}

// sums[k] = sum over j of weight(blocks[j][k]) x[j], each sum in the order of sum_in_lanes, of as many classes as there are numbers in a
// Value, or more. weight(u) gives the weight, or weights, of the number or numbers u, and has to be inlined by force. The last tile may
// have classes of the one before, which come to the same once more.
template <class Value, class Weight>
[[gnu::always_inline]] inline void sum_blocks_by(size_t classes, size_t count, const double* const* blocks, const double* x, Weight weight,
                                                 double* sums) {
    constexpr size_t kNumbers = kNumbersIn<Value>;
    size_t k = 0;
    if constexpr (kNumbers > 2)  // of Two as well it would make the library 4 KB larger
        for (; k + 3 * kNumbers <= classes; k += 3 * kNumbers)
            sum_tile<Value>(std::make_index_sequence<3>(), k, count, blocks, x, weight, sums);
    for (; k + 2 * kNumbers <= classes; k += 2 * kNumbers)
        sum_tile<Value>(std::make_index_sequence<2>(), k, count, blocks, x, weight, sums);
    for (; k < classes; k += kNumbers)
        sum_tile<Value>(std::make_index_sequence<1>(), std::min(k, classes - kNumbers), count, blocks, x, weight, sums);
}
template <class Weight>
void sum_blocks(size_t classes, size_t count, const double* const* blocks, const double* x, Weight weight, double* sums) {
    run_widest(
        classes, [=](auto width) __attribute__((always_inline)) {
            sum_blocks_by<typename decltype(width)::type>(classes, count, blocks, x, weight, sums);
        });
}

}  // namespace sparselin
