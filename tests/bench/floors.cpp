#include "floors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define GATHERS __attribute__((target("avx512f,avx512vl")))
#endif

namespace bench {
namespace {

bool can_gather() {
#ifdef GATHERS
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

using Pair = double __attribute__((vector_size(16), may_alias));

struct Rate {
    double eta, g;  // the step size, and the slope with its sign turned
};
const volatile double kPower = 0.75;  // which a compiler shall not know

template <bool hinge>
inline Rate rate(double eta0, double steps, double score, double label) {
    const double q = 1 + kL2 * eta0 * steps, eta = eta0 / (std::sqrt(q) * std::sqrt(std::sqrt(q))), z = score * label;
    return {eta, hinge ? (z <= 1 ? label : 0) : label / (1 + std::exp(z))};
}

template <class Value>
double scalar_dot(const Asgd::Entry* table, const uint32_t* indices, const Value* values, size_t count) {
    double lane0 = 0, lane1 = 0, lane2 = 0, lane3 = 0;
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        lane0 += table[indices[j]].u * values[j];
        lane1 += table[indices[j + 1]].u * values[j + 1];
        lane2 += table[indices[j + 2]].u * values[j + 2];
        lane3 += table[indices[j + 3]].u * values[j + 3];
    }
    for (; j < count; ++j) lane0 += table[indices[j]].u * values[j];
    return (lane0 + lane1) + (lane2 + lane3);
}

#ifdef GATHERS
GATHERS double gather_dot(const Asgd::Entry* table, const uint32_t* indices, const float* values, size_t count) {
    __m512d sum = _mm512_setzero_pd();
    for (size_t j = 0; j < count; j += 8) {
        const auto mask = static_cast<__mmask8>(count - j >= 8 ? 0xff : (1u << (count - j)) - 1);
        const __m256i twice = _mm256_slli_epi32(_mm256_maskz_loadu_epi32(mask, indices + j), 1);
        const __m512d u = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask, twice, table, 8);
        sum = _mm512_fmadd_pd(u, _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask, values + j)), sum);
    }
    return _mm512_reduce_add_pd(sum);
}

GATHERS void gather_dots(const Matrix& m, const double* values, const double* weights, double* scores) {
    for (size_t r = 0; r < m.rows(); ++r) {
        const auto end = static_cast<size_t>(m.pointers[r + 1]);
        __m512d sum = _mm512_setzero_pd();
        for (auto j = static_cast<size_t>(m.pointers[r]); j < end; j += 8) {
            const auto mask = static_cast<__mmask8>(end - j >= 8 ? 0xff : (1u << (end - j)) - 1);
            const __m256i index = _mm256_maskz_loadu_epi32(mask, m.indices.data() + j);
            const __m512d w = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask, index, weights, 8);
            sum = _mm512_fmadd_pd(w, _mm512_maskz_loadu_pd(mask, values + j), sum);
        }
        scores[r] = _mm512_reduce_add_pd(sum);
    }
}
#endif

void scalar_dots(const Matrix& m, const double* values, const double* weights, double* scores) {
    for (size_t r = 0; r < m.rows(); ++r) {
        double lane[4] = {};
        auto j = static_cast<size_t>(m.pointers[r]);
        const auto end = static_cast<size_t>(m.pointers[r + 1]);
        for (; j + 4 <= end; j += 4)
            for (size_t k = 0; k < 4; ++k) lane[k] += weights[m.indices[j + k]] * values[j + k];
        for (; j < end; ++j) lane[0] += weights[m.indices[j]] * values[j];
        scores[r] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
}

using Dot = double (*)(const Asgd::Entry* table, const uint32_t* indices, const float* values, size_t count);

// With the products of `dot`; prefetch: the next row's entries are asked for before this row's are used.
template <bool hinge, bool prefetch, Dot dot>
void asgd_pass(Asgd& s) {
    const Matrix& m = s.matrix;
    Asgd::Entry* const table = s.table.data();
    double P = s.P, C = s.C, bias = s.bias, steps = s.steps;
    for (size_t r = 0; r < m.rows(); ++r) {
        const uint32_t* const indices = m.indices.data() + m.pointers[r];
        const float* const values = m.values.data() + m.pointers[r];
        const auto count = static_cast<size_t>(m.pointers[r + 1] - m.pointers[r]);
        if (prefetch && r + 1 < m.rows())
            for (const uint32_t *i = indices + count, *end = m.indices.data() + m.pointers[r + 2]; i < end; ++i)
                __builtin_prefetch(table + *i, 1);
        const Rate step = rate<hinge>(m.eta0, ++steps, P * dot(table, indices, values, count) + bias, m.labels[r]);
        P *= 1 - step.eta * kL2;
        if (step.g != 0) {
            const double change = step.eta * step.g / P;
            const Pair changes = {change, -C * change};
            for (size_t j = 0; j < count; ++j) {
                Pair& entry = reinterpret_cast<Pair&>(table[indices[j]]);
                entry += changes * static_cast<double>(values[j]);
            }
            bias += step.eta * step.g;
        }
        C += P;
    }
    s.P = P, s.C = C, s.bias = bias, s.steps = steps;
}

template <bool hinge, bool prefetch>
void contract_pass(Asgd& s) {
    const Matrix& m = s.matrix;
    s.wide.resize(m.nonzeros());
    if (s.steps == 0) std::copy(m.values.begin(), m.values.end(), s.wide.begin());
    Asgd::Entry* const table = s.table.data();
    const double power = kPower;
    double P = s.P, C = s.C, bias = s.bias, steps = s.steps, losses = s.losses;
    for (size_t r = 0; r < m.rows(); ++r) {
        const uint32_t* const indices = m.indices.data() + m.pointers[r];
        const double* const values = s.wide.data() + m.pointers[r];
        const auto count = static_cast<size_t>(m.pointers[r + 1] - m.pointers[r]);
        if (prefetch && r + 1 < m.rows())
            for (const uint32_t *i = indices + count, *end = m.indices.data() + m.pointers[r + 2]; i < end; ++i)
                __builtin_prefetch(table + *i, 1);
        const double eta = m.eta0 * std::pow(1 + kL2 * m.eta0 * ++steps, -power);
        const double z = m.labels[r] * (P * scalar_dot(table, indices, values, count) + bias);
        const double g = hinge ? (z <= 1 ? m.labels[r] : 0) : m.labels[r] / (1 + std::exp(z));
        losses += hinge ? std::max(0.0, 1 - z) : std::log1p(std::exp(-std::fabs(z))) - std::min(z, 0.0);
        if (!std::isfinite(losses)) break;
        P *= 1 - eta * kL2;
        if (g != 0) {
            const double change = eta * g / P;
            const Pair changes = {change, -C * change};
            for (size_t j = 0; j < count; ++j) reinterpret_cast<Pair&>(table[indices[j]]) += changes * values[j];
            bias += eta * g;
        }
        C += P;
    }
    s.P = P, s.C = C, s.bias = bias, s.steps = steps, s.losses = losses;
}

template <bool hinge>
std::vector<AsgdFloor> floors_of() {
    std::vector<AsgdFloor> floors = {{"scalar", asgd_pass<hinge, false, scalar_dot<float>>},
                                     {"scalar, prefetch", asgd_pass<hinge, true, scalar_dot<float>>}};
#ifdef GATHERS
    if (can_gather()) {
        floors.push_back({"gather", asgd_pass<hinge, false, gather_dot>});
        floors.push_back({"gather, prefetch", asgd_pass<hinge, true, gather_dot>});
    }
#endif
    return floors;
}

uint64_t sum_of_words(const char* bytes, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        uint64_t word;
        std::memcpy(&word, bytes + i, 8);
        sum += word;
    }
    return sum;
}

uint64_t cannot_read(const char* path) {
    std::perror(path);
    std::exit(1);
}

}  // namespace

std::vector<AsgdFloor> asgd_floors(bool hinge) { return hinge ? floors_of<true>() : floors_of<false>(); }

AsgdFloor asgd_contract(bool hinge, bool prefetch) {
    const char* const name = "scalar, with what the library promises";
    if (hinge) return {name, prefetch ? contract_pass<true, true> : contract_pass<true, false>};
    return {name, prefetch ? contract_pass<false, true> : contract_pass<false, false>};
}

std::vector<DotFloor> dot_floors() {
    std::vector<DotFloor> floors = {{"scalar", scalar_dots}};
#ifdef GATHERS
    if (can_gather()) floors.push_back({"gather", gather_dots});
#endif
    return floors;
}

namespace {

// Compiled for AVX, too, which the library's loops over classes take where it is there.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx", "default")))
#else
#define WIDEST
#endif

// sums[k] += the sum over a row's entries of block[k] x, four entries for every time that a sum is loaded and stored.
[[gnu::always_inline]] inline void add_blocks(const double* table, size_t stride, const uint32_t* indices, const float* values,
                                              size_t count, size_t classes, double* __restrict sums) {
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        const double *const b0 = table + stride * indices[j], *const b1 = table + stride * indices[j + 1],
                            *const b2 = table + stride * indices[j + 2], *const b3 = table + stride * indices[j + 3];
        const double x0 = values[j], x1 = values[j + 1], x2 = values[j + 2], x3 = values[j + 3];
        for (size_t k = 0; k < classes; ++k) sums[k] += (b0[k] * x0 + b1[k] * x1) + (b2[k] * x2 + b3[k] * x3);
    }
    for (; j < count; ++j)
        for (size_t k = 0; k < classes; ++k) sums[k] += table[stride * indices[j] + k] * values[j];
}

}  // namespace

Places::Places(const Matrix& data, bool hashed) : size_(data.features) {
    if (!hashed) return;
    size_ = data.distinct();
    size_t slots = 1;
    while (slots < 2 * size_) slots *= 2;
    constexpr uint64_t kFree = UINT64_MAX;
    slots_.assign(slots, kFree);
    uint64_t next = 0;
    for (const uint32_t index : data.indices) {
        size_t at = home(index);
        while (slots_[at] != kFree && slots_[at] >> 32 != index) at = (at + 1) & (slots - 1);
        if (slots_[at] == kFree) slots_[at] = uint64_t{index} << 32 | next++;
    }
}

WIDEST void class_pass(ClassAsgd& s, Classes what) {
    const Matrix& m = s.matrix;
    const size_t classes = s.classes;
    double* const table = s.table.data();
    double* const scores = s.scores.data();
    double *const changes = s.changes.data(), *const shares = changes + classes;  // of the potentials, and of the sums beside them
    for (size_t r = 0; r < m.rows(); ++r) {
        const float* const values = m.values.data() + m.pointers[r];
        const auto count = static_cast<size_t>(m.pointers[r + 1] - m.pointers[r]);
        const uint32_t* const places = s.places.of(m.indices.data() + m.pointers[r], count);
        const auto label = static_cast<size_t>(m.labels[r]);
        std::fill_n(scores, classes, 0.0);
        add_blocks(table, 2 * classes, places, values, count, classes, scores);
        double largest = -INFINITY, sum = 0;
        for (size_t k = 0; k < classes; ++k) largest = std::max(largest, scores[k] = s.P * scores[k] + s.bias[k]);
        const double eta = rate<false>(m.eta0, ++s.steps, 0, 1).eta;
        if (what == Classes::softmax) {
            for (size_t k = 0; k < classes; ++k) sum += scores[k] = std::exp(scores[k] - largest);
            for (size_t k = 0; k < classes; ++k) scores[k] = (k == label ? 1 : 0) - scores[k] / sum;
        } else {
            for (size_t k = 0; k < classes; ++k) {
                const double y = k == label ? 1 : -1, z = y * scores[k];
                scores[k] = what == Classes::one_vs_rest_hinge ? (z <= 1 ? y : 0) : y / (1 + std::exp(z));
            }
        }
        s.P *= 1 - eta * kL2;
        size_t moved = 0;
        for (size_t k = 0; k < classes; ++k) {
            changes[k] = eta * scores[k] / s.P;
            shares[k] = -s.C * changes[k];
            s.bias[k] += eta * scores[k];
            if (what == Classes::one_vs_rest_hinge) s.moved[moved] = k;
            moved += scores[k] != 0;
        }
        const bool few = what == Classes::one_vs_rest_hinge && moved <= classes / 4;
        for (size_t j = 0; few && moved > 0 && j < count; ++j) {
            double* const __restrict block = table + 2 * classes * places[j];
            const double x = values[j];
            for (size_t i = 0; i < moved; ++i) {
                block[s.moved[i]] += changes[s.moved[i]] * x;
                block[classes + s.moved[i]] += shares[s.moved[i]] * x;
            }
        }
        for (size_t j = 0; !few && j < count; ++j) {
            double* const __restrict block = table + 2 * classes * places[j];
            const double x = values[j];
            for (size_t k = 0; k < 2 * classes; ++k) block[k] += changes[k] * x;
        }
        s.C += s.P;
    }
}

WIDEST void class_products(const Matrix& m, Places& places, size_t classes, const double* weights, double* scores) {
    std::fill_n(scores, m.rows() * classes, 0.0);
    for (size_t r = 0; r < m.rows(); ++r) {
        const auto count = static_cast<size_t>(m.pointers[r + 1] - m.pointers[r]);
        add_blocks(weights, classes, places.of(m.indices.data() + m.pointers[r], count), m.values.data() + m.pointers[r], count, classes,
                   scores + r * classes);
    }
}

void stamped_pass(Stamped& s) {
    const Matrix& m = s.matrix;
    const size_t flush = std::max<size_t>(1 << 14, static_cast<size_t>(m.features / 8));
    struct Past {
        double product, sum;  // of the factors, and of eta l1 / product, up to a row
    };
    std::vector<Past> past(flush + 2);
    past[0] = {1, 0};
    size_t now = 0;
    const auto current = [&](Stamped::Entry& e) {
        const Past then = past[e.row];
        const double size = std::fabs(e.w) * (past[now].product / then.product) - past[now].product * (past[now].sum - then.sum);
        e.w = size > 0 ? std::copysign(size, e.w) : 0;
    };
    for (size_t r = 0; r < m.rows(); ++r) {
        const auto begin = static_cast<size_t>(m.pointers[r]), end = static_cast<size_t>(m.pointers[r + 1]);
        double score = s.bias;
        for (size_t j = begin; j < end; ++j) {
            Stamped::Entry& e = s.table[m.indices[j]];
            current(e);
            e.row = static_cast<uint32_t>(now);
            score += e.w * m.values[j];
        }
        const Rate step = rate<false>(m.eta0, ++s.steps, score, m.labels[r]);
        for (size_t j = begin; j < end; ++j) s.table[m.indices[j]].w += step.eta * step.g * m.values[j];
        s.bias += step.eta * step.g;
        past[now + 1] = {past[now].product * (1 - step.eta * kL2), past[now].sum + step.eta * s.l1 / past[now].product};
        if (++now < flush && r + 1 < m.rows()) continue;
        for (size_t i = 0; i < m.features; ++i) {
            current(s.table[i]);
            s.table[i].row = 0;
        }
        now = 0;
    }
}

uint64_t sum_of_mapped_file(const char* path) {
    const int descriptor = ::open(path, O_RDONLY);
    struct stat status;
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return cannot_read(path);
    const auto length = static_cast<size_t>(status.st_size);
    void* const bytes = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
    if (bytes == MAP_FAILED) return cannot_read(path);
    const uint64_t sum = sum_of_words(static_cast<const char*>(bytes), length);
    ::munmap(bytes, length);
    ::close(descriptor);
    return sum;
}

uint64_t sum_of_read_file(const char* path) {
    const int descriptor = ::open(path, O_RDONLY);
    if (descriptor < 0) return cannot_read(path);
    std::vector<char> piece(1 << 16);
    uint64_t sum = 0;
    for (ssize_t count; (count = ::read(descriptor, piece.data(), piece.size())) != 0;) {
        if (count < 0) return cannot_read(path);
        sum += sum_of_words(piece.data(), static_cast<size_t>(count));
    }
    ::close(descriptor);
    return sum;
}

}  // namespace bench
