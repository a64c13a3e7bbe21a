// The losses of the definition (SPEC section 2, and 10 of several classes), their slopes and what the automatic rate knows of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "dense_options.h"

namespace dense_twin {

template <class Real>
Real sign(Real v) {
    return Real(v > 0) - Real(v < 0);
}

template <class Real>
struct Loss {
    explicit Loss(const Settings& o)
        : kind(o.text("loss")), delta(o.number("huber_delta")), epsilon(o.number("epsilon")), quantile(o.number("quantile")) {}

    Real value(Real p, Real y) const {
        using std::abs, std::exp, std::log1p, std::max;
        const Real r = abs(p - y);
        if (kind == "absolute") return r;
        if (kind == "squared") return r * r / 2;
        if (kind == "hinge") return max<Real>(0, 1 - p * y);
        if (kind == "squared_hinge") return max<Real>(0, 1 - p * y) * max<Real>(0, 1 - p * y) / 2;
        if (kind == "log") return max<Real>(0, -p * y) + log1p(exp(-abs(p * y)));
        if (kind == "huber") return r <= delta ? r * r / 2 : delta * (r - delta / 2);
        if (kind == "epsilon_insensitive") return max<Real>(0, r - epsilon);
        if (kind == "quantile") return y >= p ? quantile * (y - p) : (1 - quantile) * (p - y);
        throw std::runtime_error("the dense twin does not know the loss " + kind);
    }

    Real derivative(Real p, Real y) const {
        const Real r = p - y;
        if (kind == "absolute") return p <= y ? -1 : 1;
        if (kind == "squared") return r;
        if (kind == "hinge") return p * y <= 1 ? -y : 0;
        if (kind == "squared_hinge") return p * y <= 1 ? -y * (1 - p * y) : 0;
        if (kind == "log") return -y / (1 + std::exp(p * y));
        if (kind == "huber") return std::abs(r) <= delta ? r : delta * sign(r);
        if (kind == "epsilon_insensitive") return std::abs(r) <= epsilon ? 0 : sign(r);
        if (kind == "quantile") return p <= y ? -quantile : 1 - quantile;
        throw std::runtime_error("the dense twin does not know the loss " + kind);
    }

    // How far the prediction is from where the derivative jumps or becomes 0.
    Real distance_to_jump(Real p, Real y) const {
        if (kind == "hinge" || kind == "squared_hinge") return std::abs(1 - p * y);
        if (kind == "absolute" || kind == "quantile") return std::abs(p - y);
        if (kind == "epsilon_insensitive") return std::abs(std::abs(p - y) - epsilon);
        return std::numeric_limits<Real>::infinity();
    }

    Real curvature() const { return kind == "log" ? Real(1) / 8 : kind == "hinge" ? Real(1) / 2 : 1; }

    Real label_scale(Real error) const {
        if (kind == "absolute" || kind == "epsilon_insensitive" || kind == "quantile") return error;
        return kind == "huber" ? std::max<Real>(1, error / delta) : 1;
    }

    // Of a row of class y among several, with the slope of each score: softmax, or one_vs_rest.
    Real value(const std::vector<Real>& p, size_t y, bool softmax, std::vector<Real>& slopes) const {
        Real sum = 0;
        if (softmax) {
            const Real top = *std::max_element(p.begin(), p.end());
            for (Real score : p) sum += std::exp(score - top);
            for (size_t k = 0; k < p.size(); ++k) slopes[k] = std::exp(p[k] - top) / sum;
            slopes[y] = 0;  // less the others, since 1 less a share near 1 would lose what is left
            slopes[y] = -std::accumulate(slopes.begin(), slopes.end(), Real(0));
            return std::log(sum) + (top - p[y]);
        }
        for (size_t k = 0; k < p.size(); ++k) {
            sum += value(p[k], k == y ? 1 : -1);
            slopes[k] = derivative(p[k], k == y ? 1 : -1);
        }
        return sum;
    }

    std::string kind;
    Real delta, epsilon, quantile;
};

}  // namespace dense_twin
