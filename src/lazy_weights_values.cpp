// What a weight and its average are now, of the numbers that are stored.
#include <algorithm>
#include <cmath>

#include "lazy_weights.h"
#include "multiply_add.h"
#include "rounding.h"

namespace sparselin {
namespace {

constexpr uint64_t kYouth = 16;  // a sparse average leaves out weights that were 0 in the last sixteenth of the steps

}  // namespace

double LazyWeights::value(double u) const {
    switch (mode_) {
        case Mode::plain: return value_in<Mode::plain>(u);
        case Mode::shrunk: return value_in<Mode::shrunk>(u);
        case Mode::flagged: return value_in<Mode::flagged>(u);
    }
    return 0;
}

// The first entry of the history with L >= magnitude; there is one. L is nearly a straight line over the entries: one step along that line
// and one of Newton's land within a few entries of the place, from where the search goes on in strides that double.
const LazyWeights::Death& LazyWeights::death_of(double magnitude) const {
    const Death* const history = history_.data();
    const size_t last = history_.size() - 1;
    const auto place = [=](double x) { return x > 0 ? std::min(static_cast<size_t>(std::min(x, 0x1p+30)), last) : 0; };
    const double width = history[last].L - history[0].L;  // 0 if there is one entry, or the others shrank by less than rounding takes
    size_t at = width > 0 ? place((magnitude - history[0].L) / width * static_cast<double>(last)) : 0;
    const double stride_of_L = at > 0 ? history[at].L - history[at - 1].L : 0;
    if (stride_of_L > 0) at = place(static_cast<double>(at) + std::ceil((magnitude - history[at].L) / stride_of_L));
    size_t low = at, high = at;  // once found: all before `low` are below the magnitude, and `high` is not
    for (size_t stride = 1; low > 0 && history[low - 1].L >= magnitude; stride *= 2) {
        high = low - 1;
        low = low > stride ? low - stride : 0;
    }
    for (size_t stride = 1; history[high].L < magnitude; stride *= 2) {
        low = high + 1;
        high = std::min(high + stride, last);
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (history[middle].L < magnitude)
            low = middle + 1;
        else
            high = middle;
    }
    return history[low];
}

LazyWeights::Entry LazyWeights::find(uint32_t index) const {
    if (has_blocks()) {
        const double* const block = blocks_.find(index);
        if (!block) return {nullptr, nullptr, nullptr};
        return {block, averaged_ ? block + classes_ : nullptr, sparse_average_ ? block + 2 * classes_ : nullptr};
    }
    const Weight* const w = store_.find(index);
    if (!w) return {nullptr, nullptr, nullptr};
    return {&w->u, &w->acc, sparse_average_ ? births_.find(index) : nullptr};
}

double LazyWeights::last(const Entry& entry, size_t k, double mean) const {
    const double w = entry.u ? value(entry.u[k]) : 0;
    return P_ * (centered_ ? multiply_add(-centers_[k].A, mean, w) : w);
}

double LazyWeights::average(const Entry& entry, size_t k, double mean, uint64_t t) const {
    const double u = entry.u ? entry.u[k] : 0;
    const uint64_t old = t - t / kYouth;
    if (sparse_average_ && (value(u) == 0 || (entry.births && entry.births[k] > static_cast<double>(old)))) return 0;
    return full_average(entry, k, mean);
}

double LazyWeights::full_average(const Entry& entry, size_t k, double mean) const {
    const Weight w{entry.u ? entry.u[k] : 0, entry.acc ? entry.acc[k] : 0};
    const double average = (centered_ ? centered_total(w, k, mean) : total(w)) / mass_;
    return nonnegative_ && !(average > 0) ? 0 : average;  // of iterates that are at least 0, but for rounding
}

double LazyWeights::centered_total(const Weight& w, size_t k, double mean) const {
    const double A_sum = centers_[k].A_sum, product = w.u * C_, total = w.acc + product, absent = -A_sum * mean;
    const double lost = product_error(w.u, C_) + sum_error(w.acc, product) + product_error(-A_sum, mean) + sum_error(total, absent);
    return total + absent + lost;
}

}  // namespace sparselin
