// The curve itself, in float64.
#include "hlg/curve.hpp"

#include <algorithm>
#include <cmath>

namespace hlg {
namespace {

// b ln(1 + d/b), the rolled-off length of a distance d. For a b so small that d/b overflows, ln(1 + d/b) = ln d - ln b.
double rolled(double d, double b) noexcept {
    const double ratio = d / b;
    return b * (std::isinf(ratio) ? std::log(d) - std::log(b) : std::log1p(ratio));
}

}  // namespace

Curve::Curve(const CurveParams& params) {
    validate(params);
    const bool both_off = std::isinf(params.shoulder) && std::isinf(params.toe);
    if (std::isinf(params.width) || both_off) return;
    identity_ = false;
    pivot_ = params.pivot;
    toe_shape_ = params.toe_shape;
    offset_ = params.pivot_offset.value_or(default_offset(params.pivot));
    width_ = params.width;
    shoulder_ = params.shoulder;
    toe_ = params.toe;
}

double Curve::rho(double z) const noexcept {
    const double d = std::max(std::abs(z) - width_, 0.0);
    if (d == 0) return 0;
    if (z > 0) return std::isinf(shoulder_) ? 0.0 : -(d - rolled(d, shoulder_));
    if (std::isinf(toe_)) return 0;
    return toe_shape_ == ToeShape::log ? d - rolled(d, toe_) : -d * d / (2 * toe_);
}

double Curve::h(double z) const noexcept { return z + rho(z); }

double Curve::slope(double z) const noexcept {
    const double d = std::max(std::abs(z) - width_, 0.0);
    if (d == 0) return 1;
    const double b = z > 0 ? shoulder_ : toe_;
    if (std::isinf(b)) return 1;
    return z < 0 && toe_shape_ == ToeShape::fade ? 1 + d / b : b / (b + d);
}

double Curve::inverse(double value) const noexcept {
    const double v = std::abs(value) - width_;  // the curve's own length past the knot
    if (v <= 0) return value;
    const double b = value > 0 ? shoulder_ : toe_;
    if (std::isinf(b)) return value;
    if (value < 0 && toe_shape_ == ToeShape::fade) return -width_ - 2 * v / (1 + std::sqrt(1 + 2 * v / b));
    const double z = width_ + b * std::expm1(v / b);
    return value > 0 ? z : -z;
}

}  // namespace hlg
