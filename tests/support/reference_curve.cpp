// The curve and its pivots, from the formulas.
#include <algorithm>
#include <cmath>
#include <functional>

#include "support/reference.hpp"

namespace hlg::test {

bool rolloff_off(const CurveParams& curve) {
    return std::isinf(curve.width) || (std::isinf(curve.shoulder) && std::isinf(curve.toe));
}

double reference_rho(const CurveParams& curve, double z) {
    if (rolloff_off(curve)) return 0;
    if (z > curve.width) {
        const double d = z - curve.width;
        return std::isinf(curve.shoulder) ? 0 : -(d - curve.shoulder * std::log1p(d / curve.shoulder));
    }
    if (z < -curve.width) {
        const double d = -z - curve.width;
        if (std::isinf(curve.toe)) return 0;
        if (curve.toe_shape == ToeShape::fade) return -d * d / (2 * curve.toe);
        return d - curve.toe * std::log1p(d / curve.toe);
    }
    return 0;
}

double reference_h(const CurveParams& curve, double z) { return z + reference_rho(curve, z); }

double reference_slope(const CurveParams& curve, double z) {
    if (rolloff_off(curve)) return 1;
    if (z > curve.width) return 1 / (1 + (z - curve.width) / curve.shoulder);
    if (z < -curve.width) {
        const double ratio = (-z - curve.width) / curve.toe;
        return curve.toe_shape == ToeShape::fade ? 1 + ratio : 1 / (1 + ratio);
    }
    return 1;
}

std::vector<double> softmax(std::span<const float> x) {
    const double top = static_cast<double>(*std::max_element(x.begin(), x.end()));
    std::vector<double> p(x.size());
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += p[i] = std::exp(static_cast<double>(x[i]) - top);
    for (double& value : p) value /= sum;
    return p;
}

namespace {

// Summed as distances from the top, lest large logits swamp the sum's digits.
double mean(std::span<const float> logits) {
    const std::vector<double> p = softmax(logits);
    const double top = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (p[i] > 0) sum += p[i] * (static_cast<double>(logits[i]) - top);
    return top + sum;
}

double median(std::span<const float> logits) {
    std::vector<float> sorted(logits.begin(), logits.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const std::vector<double> p = softmax(sorted);
    double mass = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if ((mass += p[i]) >= 0.5) return static_cast<double>(sorted[i]);
    return static_cast<double>(sorted.back());
}

}  // namespace

double reference_pivot(const CurveParams& curve, std::span<const float> logits) {
    switch (curve.pivot) {
        case Pivot::top:
            return static_cast<double>(*std::max_element(logits.begin(), logits.end())) - curve.pivot_offset.value_or(3);
        case Pivot::entropy: return mean(logits) - curve.pivot_offset.value_or(1.7);
        case Pivot::median: return median(logits) - curve.pivot_offset.value_or(2.5);
    }
    return 0;
}

}  // namespace hlg::test
