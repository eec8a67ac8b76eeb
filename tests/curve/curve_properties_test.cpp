// What must hold for every curve, over generated knobs.
#include "support/properties.hpp"

#include <algorithm>

#include "support/reference.hpp"

namespace hlg::test {
namespace {

CurveParams any_curve() { return *curves(length()); }

double point() { return *between(-100, 100); }

RC_GTEST_PROP(CurveProperty, RisesEverywhere, ()) {
    const Curve curve(any_curve());
    const double a = point();
    const double b = point();
    RC_PRE(a < b);
    RC_ASSERT(curve.h(a) <= curve.h(b));
    // In exact arithmetic it rises strictly; float64 shows that from a step of a few ulps of h on.
    if ((b - a) * std::min(curve.slope(a), curve.slope(b)) > 1e-12) RC_ASSERT(curve.h(a) < curve.h(b));
}

RC_GTEST_PROP(CurveProperty, SlopeOfTheShoulderAndTheLogToeIsAtMostOne, ()) {
    CurveParams params = any_curve();
    const double z = point();
    if (z < 0) params.toe_shape = ToeShape::log;
    const Curve curve(params);
    RC_ASSERT(curve.slope(z) > 0);
    RC_ASSERT(curve.slope(z) <= 1);
    if (std::abs(z) <= params.width) RC_ASSERT(curve.slope(z) == 1);
}

RC_GTEST_PROP(CurveProperty, SlopeOfTheFadeToeIsAtLeastOne, ()) {
    CurveParams params = any_curve();
    params.toe_shape = ToeShape::fade;
    RC_ASSERT(Curve(params).slope(-std::abs(point())) >= 1);
}

RC_GTEST_PROP(CurveProperty, SlopeIsTheDerivative, ()) {
    const Curve curve(any_curve());
    const double z = point();
    constexpr double step = 1e-5;
    const double across = std::abs(std::abs(z) - curve.width());
    RC_PRE(across > step);  // away from the knots, where the second derivative jumps
    const double measured = (curve.h(z + step) - curve.h(z - step)) / (2 * step);
    const double slope = curve.slope(z);
    // Third derivatives are at most 2 / b^2 and lengths at least 1e-3; h carries float64's rounding.
    const double b = z > 0 ? curve.shoulder() : curve.toe();
    const double curvature = std::isinf(b) ? 0 : std::min(slope * 2 * std::pow(step / std::min(b + across, 1e3), 2), slope);
    RC_ASSERT(std::abs(measured - slope) <= curvature + 1e-8 * (1 + std::abs(curve.h(z))));
}

RC_GTEST_PROP(CurveProperty, ValueAndSlopeMeetAtTheKnots, ()) {
    const CurveParams params = any_curve();
    RC_PRE(!rolloff_off(params));
    const Curve curve(params);
    for (const double knot : {curve.width(), -curve.width()}) {
        RC_ASSERT(curve.h(knot) == knot);
        RC_ASSERT(curve.slope(knot) == 1);
        const double step = 1e-9 * std::max(1.0, curve.width());
        const double outside = knot + std::copysign(step, knot);
        RC_ASSERT(std::abs(curve.h(outside) - outside) <= 1e-6 * step + 4e-16 * (1 + curve.width()) + step * step / 1e-3);
        RC_ASSERT(std::abs(curve.slope(outside) - 1) <= 2 * step / 1e-3);
    }
}

RC_GTEST_PROP(CurveProperty, InverseIsTheInverse, ()) {
    const Curve curve(any_curve());
    const double z = point();
    const double slope = curve.slope(z);
    const double back = curve.inverse(curve.h(z));
    // h is the sum z + rho: it carries their rounding, and the inverse magnifies that by 1 / slope.
    RC_ASSERT(std::abs(back - z) <= 1e-13 * (1 + std::abs(z)) + 1e-15 * (std::abs(z) + std::abs(curve.h(z))) / slope);
    const double value = point();
    const double there = curve.inverse(value);
    if (std::isfinite(there))
        RC_ASSERT(std::abs(curve.h(there) - value) <= 1e-12 * (1 + std::abs(value)) + 1e-15 * std::abs(there));
}

RC_GTEST_PROP(CurveProperty, FadeWithToeOffIsLogWithToeOff, ()) {
    CurveParams params = any_curve();
    params.toe = off;
    params.toe_shape = ToeShape::log;
    const Curve log(params);
    params.toe_shape = ToeShape::fade;
    const Curve fade(params);
    const double z = point();
    RC_ASSERT(log.rho(z) == fade.rho(z));
    RC_ASSERT(log.slope(z) == fade.slope(z));
    RC_ASSERT(log.inverse(z) == fade.inverse(z));
}

RC_GTEST_PROP(CurveProperty, SidesAreMirrorImagesInTheLogShape, ()) {
    CurveParams params = any_curve();
    params.toe_shape = ToeShape::log;
    params.toe = params.shoulder;
    const Curve curve(params);
    const double z = point();
    RC_ASSERT(curve.h(-z) == -curve.h(z));
    RC_ASSERT(curve.slope(-z) == curve.slope(z));
}

RC_GTEST_PROP(CurveProperty, AgreesWithTheFormula, ()) {
    const CurveParams params = any_curve();
    const Curve curve(params);
    const double z = point();
    const double rho = reference_rho(params, z);
    RC_ASSERT(std::abs(curve.rho(z) - rho) <= 1e-14 * (std::abs(z) + std::abs(rho)));
    RC_ASSERT(std::abs(curve.slope(z) - reference_slope(params, z)) <= 1e-14 * reference_slope(params, z));
}

RC_GTEST_PROP(CurveProperty, AnyAllowedKnobsGiveNumbersInOrder, ()) {
    const Curve curve(*curves(any_length()));
    const double a = point();
    const double b = point();
    RC_PRE(a <= b);
    for (const double z : {a, b}) {
        RC_ASSERT(!std::isnan(curve.h(z)));
        RC_ASSERT(!std::isnan(curve.inverse(z)));
        RC_ASSERT(curve.slope(z) >= 0);
    }
    // With lengths far below an ulp of z, float64 rounds h to within an ulp of its limit.
    RC_ASSERT(curve.h(a) <= curve.h(b) + 1e-13);
}

}  // namespace
}  // namespace hlg::test
