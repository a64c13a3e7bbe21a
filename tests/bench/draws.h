// Numbers one after the other, the same on every machine but for the C library's log and cos.
#pragma once
#include <cmath>
#include <cstdint>

#include "random.h"

namespace bench {

class Draws {
  public:
    explicit Draws(uint64_t seed) : stream_(seed, 0) {}
    uint64_t bits() { return stream_.draw(next_++); }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(6.283185307179586 * unit());
    }
    uint64_t below(uint64_t n) { return stream_.below(n, next_++); }

  private:
    sparselin::RandomStream stream_;
    uint64_t next_ = 0;
};

}  // namespace bench
