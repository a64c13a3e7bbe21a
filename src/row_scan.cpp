#include "row_scan.h"

#if defined(__SSE2__) && !defined(SL_WITHOUT_SSE2)
#define SL_SCANS
#include <emmintrin.h>

#include <cstring>
#endif

namespace sparselin {

#ifdef SL_SCANS
namespace {

// Upper halves of magnitudes, as which they are looked at: a number with 0 there is 0 or next to it. Squares of fewer than 2^26 numbers of
// at most kSquarable, some 1e150, have a sum that is finite; none is above kAny.
constexpr int kSquarable = 0x5f138d35, kAny = 0x7fffffff;
constexpr size_t kFew = size_t{1} << 26;

int upper_half(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<int>(bits >> 32) & kAny;
}

// The sum of the squares, or of the products with weights, of a row that is not empty and whose first and last index are no negative ints.
// No weight beyond that of the last index is read, whatever is in between.
template <bool weighted>
bool scan(const RawRow& row, const double* weights, int limit, double& sum) {
    const uint32_t* const indices = row.indices;
    const double* const values = row.values;
    const uint32_t last = indices[row.count - 1];
    const auto four = [=](size_t j) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(indices + j)); };
    const auto pair = [=](size_t j) {
        return weighted ? _mm_setr_pd(weights[indices[j]], weights[indices[j + 1]]) : _mm_loadu_pd(values + j);
    };
    const __m128i magnitude = _mm_set1_epi32(kAny), most = _mm_set1_epi32(limit), none = _mm_setzero_si128();
    __m128i refused = none;
    __m128d lanes01 = _mm_setzero_pd(), lanes23 = _mm_setzero_pd();
    size_t j = 0;
    for (; j + 4 < row.count; j += 4) {
        const __m128i ascend = _mm_cmpgt_epi32(four(j + 1), four(j));
        if (_mm_movemask_epi8(ascend) != 0xffff || indices[j + 4] > last) return false;
        const __m128d values01 = _mm_loadu_pd(values + j), values23 = _mm_loadu_pd(values + j + 2);
        const __m128 upper = _mm_shuffle_ps(_mm_castpd_ps(values01), _mm_castpd_ps(values23), _MM_SHUFFLE(3, 1, 3, 1));
        const __m128i size = _mm_and_si128(_mm_castps_si128(upper), magnitude);
        refused = _mm_or_si128(refused, _mm_or_si128(_mm_cmpeq_epi32(size, none), _mm_cmpgt_epi32(size, most)));
        lanes01 = _mm_add_pd(lanes01, _mm_mul_pd(pair(j), values01));
        lanes23 = _mm_add_pd(lanes23, _mm_mul_pd(pair(j + 2), values23));
    }
    double lanes[4];
    _mm_storeu_pd(lanes, lanes01);
    _mm_storeu_pd(lanes + 2, lanes23);
    bool bad = _mm_movemask_epi8(refused) != 0;
    for (size_t lane = 0; j < row.count; ++j, ++lane) {
        if (indices[j] > last || (j + 1 < row.count && indices[j + 1] <= indices[j])) return false;
        const int size = upper_half(values[j]);
        bad |= size == 0 || size > limit;
        lanes[lane] += (weighted ? weights[indices[j]] : values[j]) * values[j];
    }
    sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    return !bad;
}

bool can_scan(const RawRow& row) { return row.count > 0 && row.indices[0] <= INT32_MAX && row.indices[row.count - 1] <= INT32_MAX; }

}  // namespace

bool scan_norm(const RawRow& row, double& squared_norm) { return can_scan(row) && scan<false>(row, nullptr, kAny, squared_norm); }

bool scan_product(const RawRow& row, const double* weights, uint64_t size, double& product) {
    return can_scan(row) && row.count < kFew && row.indices[row.count - 1] < size && scan<true>(row, weights, kSquarable, product);
}
#else
bool scan_norm(const RawRow&, double&) { return false; }
bool scan_product(const RawRow&, const double*, uint64_t, double&) { return false; }
#endif

}  // namespace sparselin
