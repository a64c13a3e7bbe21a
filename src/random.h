// The fixed generator behind `seed`: SplitMix64 (Steele, Lea & Flood 2014) used as a counter, so that draw i of a stream is a function
// of (stream, i) alone and can be had without those before it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sparselin {

inline uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class RandomStream {
  public:
    // One stream for each pass of each seed.
    RandomStream(uint64_t seed, uint64_t pass) : start_(mix64(seed + mix64(pass + kGamma))) {}

    uint64_t draw(uint64_t i) const { return mix64(start_ + (i + 1) * kGamma); }

    // Draw i as a number below n: the high half of the 128-bit product draw * n. Its bias is below n / 2^64.
    uint64_t below(uint64_t n, uint64_t i) const {
        const uint64_t x = draw(i), x1 = x >> 32, x0 = x & 0xffffffffu, n1 = n >> 32, n0 = n & 0xffffffffu;
        const uint64_t middle = x1 * n0 + (x0 * n0 >> 32), carry = x0 * n1 + (middle & 0xffffffffu);
        return x1 * n1 + (middle >> 32) + (carry >> 32);
    }

  private:
    static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15u;
    uint64_t start_;
};

// Fisher-Yates from the end: position n - 1 - i trades places with one at or before it, chosen by draw i.
inline void shuffle(uint64_t* order, uint64_t n, const RandomStream& random) {
    for (uint64_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i, n - i)]);
}

}  // namespace sparselin
