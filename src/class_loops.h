// Loops over classes, whose numbers lie side by side: two at a time where the machine can. Every number has its own sum, in an order that
// does not depend on how many there are beside it: the same bits as one by one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

namespace sparselin {

// Two doubles at once; a comparison gives two masks.
using Doubles = double __attribute__((vector_size(16)));

template <class Value>
inline Value load(const double* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class Value>
inline void store(double* to, Value value) {
    std::memcpy(to, &value, sizeof value);
}
template <class Value>
inline Value same_in_all(double number) {
    if constexpr (sizeof(Value) == sizeof(double))
        return number;
    else
        return Value{number, number};
}

// Calls body(k, v) for k from 0 to `count` in steps of one or two doubles, which is what v stands for by its type; its value means nothing.
template <class Body>
[[gnu::always_inline]] inline void for_classes(size_t count, Body body) {
    size_t k = 0;
    for (; k + 2 <= count; k += 2) body(k, Doubles{});
    if (k < count) body(k, double{});
}

inline double lesser(double a, double b) { return a < b ? a : b; }
inline double larger(double a, double b) { return a > b ? a : b; }
#if defined(__clang__) && __clang_major__ < 10  // which has no ?: for vectors
inline Doubles lesser(Doubles a, Doubles b) { return {lesser(a[0], b[0]), lesser(a[1], b[1])}; }
inline Doubles larger(Doubles a, Doubles b) { return {larger(a[0], b[0]), larger(a[1], b[1])}; }
#else
inline Doubles lesser(Doubles a, Doubles b) { return a < b ? a : b; }
inline Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }
#endif

// u less what `limit` takes of it, not past 0: sgn(u) max(0, |u| - limit).
template <class Value>
inline Value beyond(Value u, Value limit) {
    return u - lesser(larger(u, -limit), limit);
}

// sums[k] = sum over j of value(block(j) + k) x[j], each sum in the order of sum_in_lanes. value(u, v) gives the value, of v's type, of the
// number or numbers at u.
template <class Block, class ValueAt>
void sum_blocks(size_t classes, size_t count, Block block, const double* x, ValueAt value, double* sums) {
    constexpr size_t kTile = 64;  // classes at a time, so that their sums stay in the nearest cache
    constexpr size_t kLanes = 4;
    double lanes[kLanes][kTile];
    for (size_t first = 0; first < classes; first += kTile) {
        const size_t width = std::min(kTile, classes - first);
        for (size_t lane = 0; lane < kLanes; ++lane) {
            double* const sum = lanes[lane];
            std::fill_n(sum, width, 0.0);
            size_t j = lane;
            for (; j + 3 * kLanes < count; j += 4 * kLanes) {  // four entries for every time that a sum is loaded and stored
                const double *const b0 = block(j) + first, *const b1 = block(j + kLanes) + first, *const b2 = block(j + 2 * kLanes) + first,
                                    *const b3 = block(j + 3 * kLanes) + first;
                const double x0 = x[j], x1 = x[j + kLanes], x2 = x[j + 2 * kLanes], x3 = x[j + 3 * kLanes];
                for_classes(width, [=](size_t k, auto v) {
                    using V = decltype(v);
                    V s = load<V>(sum + k);
                    s += value(b0 + k, v) * x0;
                    s += value(b1 + k, v) * x1;
                    s += value(b2 + k, v) * x2;
                    s += value(b3 + k, v) * x3;
                    store(sum + k, s);
                });
            }
            for (; j < count; j += kLanes) {
                const double* const b = block(j) + first;
                const double xj = x[j];
                for_classes(width, [=](size_t k, auto v) {
                    using V = decltype(v);
                    store(sum + k, static_cast<V>(load<V>(sum + k) + value(b + k, v) * xj));
                });
            }
        }
        for (size_t k = 0; k < width; ++k) sums[first + k] = (lanes[0][k] + lanes[1][k]) + (lanes[2][k] + lanes[3][k]);
    }
}

}  // namespace sparselin
