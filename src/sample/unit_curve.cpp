#include "sample/unit_curve.hpp"

#include <cmath>
#include <numbers>

namespace hlg::sample {
namespace {

// Above this uncertainty of the float32 weights (nats) the envelope would waste too many proposals.
constexpr double kMaxSlack = 0.2;

// A side this long (nats) goes as straight: as a curve it would lose more to the rounding of 1 + d/b.
constexpr double kStraight = 1e5;

// Knots and lengths as the kernels want them: a side that is off or straight gets a knot at infinity and a length of 0.
UnitCurve kernel_curve(const Curve& curve) {
    UnitCurve unit;
    if (curve.identity()) return unit;
    const auto side = [&](double length, float& knot, float& f32, float& inverse) {
        knot = length < kStraight ? static_cast<float>(curve.width()) : std::numeric_limits<float>::infinity();
        f32 = length < kStraight ? static_cast<float>(std::max(length, 1e-30)) : 0.0F;
        inverse = length < kStraight ? 1 / f32 : 0.0F;
    };
    unit.kind = curve.toe_shape() == ToeShape::log ? UnitCurve::Kind::log : UnitCurve::Kind::fade;
    side(curve.shoulder(), unit.shoulder_knot, unit.shoulder, unit.inverse_shoulder);
    side(curve.toe(), unit.toe_knot, unit.toe, unit.inverse_toe);
    unit.fade = unit.inverse_toe / 2;
    return unit;
}

// How far, in nats, the kernels' h on one side of the knot may be from the exact one at this z.
double side_error(const Curve& curve, double length, double z) {
    const double depth = std::max(std::abs(z) - curve.width(), 0.0);
    if (depth == 0) return 0;
    // ln(1 + d/b) lies this close to d/b, a fade's square as well.
    if (!(length < kStraight)) return depth * depth / (2 * length);
    const double logarithm = std::abs(std::abs(curve.h(z)) - curve.width());
    return logarithm * 8e-5 + length * 0x1p-22;
}

// A bound, in nats, on how far a kernel's m h(z) may lie below the exact m (value - reference), for z between low and high. The
// kernels work on z in float32 (2^-24 of each of its terms, times the slope), with a logarithm good to 7e-5 and 6e-8, and an
// exponential good to 1.1e-4; they know nothing of the exact value's own rounding to float32.
double float32_error(const Shaper& shaper, double low, double high, double reference) {
    const Curve& curve = *shaper.curve;
    const double reach = std::abs(low) + std::abs(high);
    const double slope = std::max({1.0, curve.slope(low), curve.slope(high)});
    double error = reach * slope * 0x1p-21 + std::abs(reference) * 0x1p-21;
    if (!curve.identity()) {
        error += (std::abs(curve.h(low)) + std::abs(curve.h(high))) * 0x1p-21;
        error += (std::abs(static_cast<double>(shaper.top)) + std::abs(shaper.pivot) + reach) * 0x1p-22;
        error += std::max({side_error(curve, low > 0 ? curve.shoulder() : curve.toe(), low),
                           side_error(curve, high > 0 ? curve.shoulder() : curve.toe(), high)});
    }
    return static_cast<double>(shaper.gain) * error + 1.5e-4;
}

}  // namespace

float round_down(double value) noexcept {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const auto rounded = static_cast<float>(std::max(value, static_cast<double>(lowest)));
    return static_cast<double>(rounded) > value ? std::max(lowest, std::nextafter(rounded, kMinusInfinity)) : rounded;
}

bool make_unit_step(const Shaper& shaper, int scale, UnitStep& out) {
    const Curve& curve = *shaper.curve;
    const auto top = static_cast<double>(shaper.top);
    const auto gain = static_cast<double>(shaper.gain);
    const double base = curve.identity() ? top : shaper.pivot;
    const double high = top - base;
    const double reference = static_cast<double>(shaper.reference) - base;
    // Where a weight falls to one unit, less a little so that the rounding below cannot reach it.
    const double unit_depth = (scale * std::numbers::ln2 + kMaxSlack) / gain;
    // Above the top (an edit may lift its token that far) one place is as good as another.
    const double low = std::clamp(curve.inverse(reference - unit_depth), high - kMaskDepth, high + 1);
    if (low > high) {
        // An edit forces its token: no other weighs a unit.
        out.threshold = std::numeric_limits<float>::infinity();
        return true;
    }
    const double slack = float32_error(shaper, low, high, reference);
    if (!(slack < kMaxSlack)) return false;
    out.threshold = round_down(base + low);
    out.curve = kernel_curve(curve);
    out.curve.top = shaper.top;
    out.curve.mask_floor = round_down(top - kMaskDepth);
    out.curve.z_top = static_cast<float>(high);
    out.curve.gain = static_cast<float>(gain * std::numbers::log2e);
    out.curve.lift = static_cast<float>(scale + (slack - gain * reference) * std::numbers::log2e);
    return true;
}

}  // namespace hlg::sample
