// h, its slope and its inverse at chosen points, and what the absurd settings do.
#include "hlg/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "support/reference.hpp"

namespace hlg::test {
namespace {

TEST(Curve, TheDefaultIsTheIdentity) {
    const Curve curve;
    EXPECT_TRUE(curve.identity());
    for (const double z : {-1e4, -3.0, -0.0, 0.0, 5.0, 1e300}) {
        EXPECT_EQ(curve.rho(z), 0);
        EXPECT_EQ(curve.h(z), z);
        EXPECT_EQ(curve.slope(z), 1);
        EXPECT_EQ(curve.inverse(z), z);
    }
}

TEST(Curve, RolloffOffGivesTheIdentity) {
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median}) {
        for (const ToeShape shape : {ToeShape::log, ToeShape::fade}) {
            EXPECT_TRUE(Curve({pivot, 3.0, off, 4, 6, shape}).identity());
            EXPECT_TRUE(Curve({pivot, 3.0, 4, off, off, shape}).identity());
            EXPECT_TRUE(Curve({pivot, {}, off, off, off, shape}).identity());
            EXPECT_FALSE(Curve({pivot, 3.0, 4, off, 6, shape}).identity());
            EXPECT_FALSE(Curve({pivot, 3.0, 4, 4, off, shape}).identity());
            EXPECT_FALSE(Curve({pivot, 3.0, 1e300, 4, 4, shape}).identity());
        }
    }
}

TEST(Curve, KeepsItsKnobs) {
    const Curve curve({Pivot::median, 1.5, 2, 3, 4, ToeShape::fade});
    EXPECT_EQ(curve.pivot(), Pivot::median);
    EXPECT_EQ(curve.offset(), 1.5);
    EXPECT_EQ(curve.width(), 2);
    EXPECT_EQ(curve.shoulder(), 3);
    EXPECT_EQ(curve.toe(), 4);
    EXPECT_EQ(curve.toe_shape(), ToeShape::fade);
    EXPECT_EQ(Curve({Pivot::top, {}, 2, 3, 4, ToeShape::log}).offset(), 3);
    EXPECT_EQ(Curve({Pivot::entropy, {}, 2, 3, 4, ToeShape::log}).offset(), 1.7);
    EXPECT_EQ(Curve({Pivot::median, {}, 2, 3, 4, ToeShape::log}).offset(), 2.5);
}

TEST(Curve, AgreesWithTheFormula) {
    for (const Preset& preset : presets()) {
        const Curve curve(preset.params);
        for (int step = -540; step <= 540; ++step) {
            const double z = 0.37 * step;
            SCOPED_TRACE(preset.name);
            EXPECT_NEAR(curve.rho(z), reference_rho(preset.params, z), 1e-13 * (1 + std::abs(reference_rho(preset.params, z))));
            EXPECT_NEAR(curve.h(z), reference_h(preset.params, z), 1e-13 * (1 + std::abs(reference_h(preset.params, z))));
            EXPECT_NEAR(curve.slope(z), reference_slope(preset.params, z), 1e-14 * reference_slope(preset.params, z));
        }
    }
}

TEST(Curve, KnotsBelongToTheMid) {
    const Curve curve({Pivot::top, 6.0, 4, 2, 3, ToeShape::log});
    EXPECT_EQ(curve.rho(4), 0);
    EXPECT_EQ(curve.rho(-4), 0);
    EXPECT_LT(curve.rho(std::nextafter(4, 5)), 0.0 + 1e-300);
    EXPECT_EQ(curve.inverse(4), 4);
    EXPECT_EQ(curve.inverse(-4), -4);
}

TEST(Curve, OneSideOffIsStraightThere) {
    const Curve no_shoulder({Pivot::top, 6.0, 1, off, 2, ToeShape::log});
    EXPECT_EQ(no_shoulder.h(50), 50);
    EXPECT_EQ(no_shoulder.inverse(50), 50);
    EXPECT_GT(no_shoulder.h(-50), -50);
    for (const ToeShape shape : {ToeShape::log, ToeShape::fade}) {
        const Curve no_toe({Pivot::top, 6.0, 1, 2, off, shape});
        EXPECT_EQ(no_toe.h(-50), -50);
        EXPECT_EQ(no_toe.inverse(-50), -50);
        EXPECT_LT(no_toe.h(50), 50);
    }
}

TEST(Curve, AbsurdKnobsNeverGiveNan) {
    using Limits = std::numeric_limits<double>;
    const double lengths[] = {Limits::denorm_min(), 1e-310, 1e-300, 1e-30, 1, 1e30, 1e300, Limits::max(), off};
    const double widths[] = {0, Limits::denorm_min(), 1e-300, 1, 1e300, Limits::max()};
    // z is the difference of two float32 numbers, give or take an offset.
    const double points[] = {0, Limits::denorm_min(), 1e-300, 1e-9, 1, 10, 1e4, 1e30, 1e38, 7e38};
    for (const ToeShape shape : {ToeShape::log, ToeShape::fade})
        for (const double width : widths)
            for (const double shoulder : lengths)
                for (const double toe : lengths) {
                    const Curve curve({Pivot::top, 6.0, width, shoulder, toe, shape});
                    for (const double point : points)
                        for (const double z : {point, -point}) {
                            const auto text = ::testing::PrintToString(std::tuple(width, shoulder, toe, z));
                            ASSERT_FALSE(std::isnan(curve.rho(z))) << text;
                            ASSERT_FALSE(std::isnan(curve.h(z))) << text;
                            ASSERT_FALSE(std::isnan(curve.slope(z))) << text;
                            ASSERT_FALSE(std::isnan(curve.inverse(z))) << text;
                            ASSERT_GE(curve.slope(z), 0) << text;
                        }
                }
}

}  // namespace
}  // namespace hlg::test
