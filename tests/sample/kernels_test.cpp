// The kernels one by one: the same bits on every set that runs here, and the accuracy that kernels.hpp states.
#include "sample/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

using sample::ExpSums;
using sample::Kernels;
using sample::UnitCurve;
using sample::UnitTable;

constexpr double kSlack = 1.5e-3;  // beats the kernels' rounding under these curves

std::span<const Kernels* const> others() { return sample::available_kernels().subspan(1); }
const Kernels& best() { return *sample::available_kernels().front(); }

// Lengths around every vector's width, every block's end and every buffer's.
std::vector<std::vector<float>> arrays() {
    std::vector<std::vector<float>> all = adversarial();
    for (const std::size_t n :
         {1U, 3U, 4U, 7U, 8U, 15U, 16U, 17U, 31U, 33U, 63U, 64U, 65U, 127U, 128U, 129U, 511U, 512U, 513U, 5000U})
        for (const Shape shape : {Shape::confident, Shape::flat}) all.push_back(synthetic(shape, n, n));
    return all;
}

float largest(const std::vector<float>& x) { return *std::max_element(x.begin(), x.end()); }

// A curve as the kernels see it: pivot at `pivot`, gain m, 2^20 units for the token on top.
UnitCurve unit_curve(const CurveParams& params, double top, double pivot, double m) {
    const auto knot = [&](double length) { return static_cast<float>(std::isinf(length) ? off : params.width); };
    UnitCurve curve;
    curve.kind = params.toe_shape == ToeShape::log ? UnitCurve::Kind::log : UnitCurve::Kind::fade;
    curve.top = static_cast<float>(top);
    curve.mask_floor = static_cast<float>(top - 1e4);
    curve.z_top = static_cast<float>(top - pivot);
    curve.gain = static_cast<float>(m * std::numbers::log2e);
    curve.lift = static_cast<float>(20 - (m * reference_h(params, top - pivot) - kSlack) * std::numbers::log2e);
    curve.shoulder_knot = knot(params.shoulder);
    curve.toe_knot = knot(params.toe);
    curve.shoulder = static_cast<float>(params.shoulder);
    curve.toe = static_cast<float>(params.toe);
    curve.inverse_shoulder = 1 / curve.shoulder;
    curve.inverse_toe = 1 / curve.toe;
    curve.fade = curve.inverse_toe / 2;
    return curve;
}

UnitCurve unit_line(double top, double m) {
    UnitCurve curve;
    curve.top = static_cast<float>(top);
    curve.gain = static_cast<float>(m * std::numbers::log2e);
    curve.lift = static_cast<float>(20 + kSlack * std::numbers::log2e);
    return curve;
}

std::vector<CurveParams> curves() {
    return {{Pivot::top, 6.0, 4, 4, 6, ToeShape::log},
            {Pivot::top, 2.0, 0, 0.3, 1, ToeShape::log},
            {Pivot::top, 5.0, 1, 2, 2, ToeShape::fade},
            {Pivot::top, 1.5, 1, 0.3, 1.2, ToeShape::fade}};
}

struct Units {
    std::vector<std::uint32_t> each;
    std::uint64_t sum;

    friend bool operator==(const Units&, const Units&) = default;
};

Units units(const Kernels& kernels, const std::vector<float>& x, const UnitCurve& curve) {
    Units out{std::vector<std::uint32_t>(x.size() + sample::kPadding), 0};
    out.sum = kernels.units(x.data(), x.size(), curve, out.each.data());
    out.each.resize(x.size());
    return out;
}

// The largest of x's entries first, first + step, ... below last; -inf if there are none.
float largest_of(const std::vector<float>& x, std::size_t first, std::size_t last, std::size_t step) {
    float found = kMinusInfinity;
    for (std::size_t i = first; i < std::min(last, x.size()); i += step) found = std::max(found, x[i]);
    return found;
}

TEST(Kernels, ScanFindsTheMaximaOfBlocksAndLanesAndTheTop) {
    for (const auto& x : arrays())
        for (const Kernels* kernels : sample::available_kernels()) {
            std::vector<float> maxima((x.size() + sample::kBlock - 1) / sample::kBlock);
            std::vector<float> lanes(maxima.size() * sample::kLanes);
            const sample::Scan found = kernels->scan(x.data(), x.size(), maxima.data(), lanes.data());
            EXPECT_FALSE(found.nan) << kernels->name;
            EXPECT_EQ(found.top, largest(x)) << kernels->name;
            for (std::size_t i = 0; i < maxima.size(); ++i) {
                const std::size_t first = i * sample::kBlock;
                EXPECT_EQ(maxima[i], largest_of(x, first, first + sample::kBlock, 1)) << kernels->name;
                for (std::size_t lane = 0; lane < sample::kLanes; ++lane)
                    EXPECT_EQ(lanes[i * sample::kLanes + lane],
                              largest_of(x, first + lane, first + sample::kBlock, sample::kLanes))
                        << kernels->name << " lane " << lane;
            }
        }
}

TEST(Kernels, UnitsAreTheSameOnEverySet) {
    for (const auto& x : arrays())
        for (const double m : {0.2, 1.0, 8.0}) {
            std::vector<UnitCurve> all{unit_line(static_cast<double>(largest(x)), m)};
            for (const CurveParams& params : curves())
                all.push_back(unit_curve(params, static_cast<double>(largest(x)),
                                         static_cast<double>(largest(x)) - *params.pivot_offset, m));
            for (const UnitCurve& curve : all) {
                const Units expected = units(best(), x, curve);
                EXPECT_EQ(expected.sum, std::accumulate(expected.each.begin(), expected.each.end(), std::uint64_t{0}));
                EXPECT_EQ(best().units(x.data(), x.size(), curve, nullptr), expected.sum);
                for (const Kernels* kernels : others()) {
                    EXPECT_EQ(units(*kernels, x, curve), expected) << kernels->name;
                    EXPECT_EQ(kernels->units(x.data(), x.size(), curve, nullptr), expected.sum) << kernels->name;
                }
            }
        }
}

// Never less than the exact weight's floor, and no more than the slack and the rounding above it.
TEST(Kernels, UnitsAreTheExactWeightsRoundedUpALittle) {
    std::vector<float> x(20000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(17 - 1e-3 * static_cast<double>(i));
    for (const double m : {0.2, 1.0, 3.0})
        for (const CurveParams& params : curves()) {
            const double pivot = 17 - *params.pivot_offset;
            const Units found = units(best(), x, unit_curve(params, 17, pivot, m));
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double h = reference_h(params, static_cast<double>(x[i]) - pivot) - reference_h(params, 17 - pivot);
                const double weight = std::exp2(20) * std::exp(m * h);
                ASSERT_GE(found.each[i], std::floor(weight)) << x[i];
                ASSERT_LE(found.each[i], weight * std::exp(3 * kSlack) + 1) << x[i];
            }
        }
}

TEST(Kernels, MaskedTokensGetNoUnits) {
    const float masks[] = {kMinusInfinity, -std::numeric_limits<float>::max(), -1e30F, -10001};
    for (const float mask : masks) {
        const std::vector<float> x{0, mask, -9999, mask};
        for (const CurveParams& params : curves())
            for (const Kernels* kernels : sample::available_kernels()) {
                const Units found = units(*kernels, x, unit_curve(params, 0, -*params.pivot_offset, 0.05));
                EXPECT_EQ(found.each[1], 0U);
                EXPECT_EQ(found.each[3], 0U);
            }
        for (const Kernels* kernels : sample::available_kernels()) EXPECT_EQ(units(*kernels, x, unit_line(0, 0.05)).each[1], 0U);
    }
}

TEST(Kernels, LaneUnitsAreTheUnitsSummedByLane) {
    const std::vector<float> x = synthetic(Shape::open, sample::kBlock, 5);
    std::vector<UnitCurve> all{unit_line(static_cast<double>(largest(x)), 1)};
    for (const CurveParams& params : curves())
        all.push_back(unit_curve(params, static_cast<double>(largest(x)), static_cast<double>(largest(x)) - 3, 1));
    for (const UnitCurve& curve : all)
        for (const Kernels* kernels : sample::available_kernels()) {
            const Units each = units(*kernels, x, curve);
            std::array<std::uint32_t, sample::kLanes> expected{};
            for (std::size_t i = 0; i < x.size(); ++i) expected[i % sample::kLanes] += each.each[i];
            std::array<std::uint32_t, sample::kLanes> found{};
            kernels->lane_units(x.data(), curve, found.data());
            EXPECT_EQ(found, expected) << kernels->name;
        }
}

TEST(Kernels, LookUpReadsTheTable) {
    UnitTable table;
    table.bins_per_nat = 1.75F;
    table.start = 12.5F * 1.75F - 0.5F;
    for (std::size_t i = 0; i < table.units.size(); ++i) table.units[i] = static_cast<std::uint32_t>(1000000 - 31 * i);
    for (auto x : arrays()) {
        // Values that the table covers, and some beyond its end; none above its start, which is itself a tie.
        for (float& logit : x) logit = std::min(logit, 12.5F);
        for (std::size_t i = 0; i < x.size(); i += 2) x[i] = static_cast<float>(12.5 - 0.3 * static_cast<double>(i));
        std::vector<std::uint32_t> expected;
        std::vector<std::uint32_t> sums((x.size() + sample::kBlock - 1) / sample::kBlock);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float place = std::min(std::fma(x[i], -table.bins_per_nat, table.start), UnitTable::kBins - 1.0F);
            expected.push_back(table.units[static_cast<std::size_t>(std::nearbyint(place))]);
            sums[i / sample::kBlock] += expected.back();
        }
        for (const Kernels* kernels : sample::available_kernels()) {
            std::vector<std::uint32_t> found_sums(sums.size());
            kernels->look_up_blocks(x.data(), x.size(), table, found_sums.data());
            EXPECT_EQ(found_sums, sums) << kernels->name;
            const std::size_t first = std::min(x.size(), sample::kBlock);
            std::vector<std::uint32_t> found(first + sample::kPadding);
            kernels->look_up(x.data(), first, table, found.data());
            found.resize(first);
            EXPECT_EQ(found, std::vector(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(first)))
                << kernels->name;
        }
    }
}

bool same_bits(const ExpSums& a, const ExpSums& b) {
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    for (std::size_t i = 0; i < sample::kLanes; ++i)
        if (bits(a.weight[i]) != bits(b.weight[i]) || bits(a.moment[i]) != bits(b.moment[i])) return false;
    return true;
}

// The largest as whole octaves, as the caller gives it.
float base_of(const std::vector<float>& x) { return std::round(largest(x) * sample::kOctavesPerNat); }

TEST(Kernels, ExpSumsAreTheSameOnEverySet) {
    for (const auto& x : arrays()) {
        if (std::abs(largest(x)) > 1e6F) continue;
        for (const bool coarse : {false, true}) {
            ExpSums expected;
            for (int twice = 0; twice < 2; ++twice) best().exp_sums(x.data(), x.size(), base_of(x), coarse, expected);
            for (const Kernels* kernels : others()) {
                ExpSums found;
                for (int twice = 0; twice < 2; ++twice) kernels->exp_sums(x.data(), x.size(), base_of(x), coarse, found);
                EXPECT_TRUE(same_bits(found, expected)) << kernels->name << ' ' << x.size();
            }
        }
    }
}

// One logit at a time, so that no error hides behind another's.
TEST(Kernels, ExpSumsHaveTheStatedAccuracy) {
    for (const float base : {0.0F, 40.0F, -333.0F})
        for (const auto& [coarse, depth, stated] :
             {std::tuple(false, 2, 3e-7), std::tuple(false, 30, 9e-7), std::tuple(true, 30, 1.1e-4)}) {
            double worst = 0;
            for (int thousandths = -500; thousandths < 1000 * depth; ++thousandths) {
                const double octaves = -1e-3 * thousandths;
                const auto x =
                    static_cast<float>((static_cast<double>(base) + octaves) / static_cast<double>(sample::kOctavesPerNat));
                ExpSums sums;
                best().exp_sums(&x, 1, base, coarse, sums);
                const double exact =
                    static_cast<double>(sample::kOctavesPerNat) * static_cast<double>(x) - static_cast<double>(base);
                worst = std::max(worst, std::abs(sums.weight[0] / std::exp2(exact) - 1));
                EXPECT_NEAR(sums.moment[0], sums.weight[0] * exact, std::abs(sums.weight[0] * exact) * 1e-6 + 1e-30);
            }
            EXPECT_LE(worst, stated) << "base " << base << " depth " << depth;
        }
}

TEST(Kernels, AtLeastListsTokensInOrder) {
    for (const auto& x : arrays()) {
        std::vector<float> thresholds{largest(x), std::numeric_limits<float>::lowest(), 0.0F, kMinusInfinity};
        thresholds.push_back(x[x.size() / 2]);
        for (const float threshold : thresholds) {
            std::vector<std::uint32_t> expected;
            for (std::size_t i = 0; i < x.size(); ++i)
                if (x[i] >= threshold) expected.push_back(static_cast<std::uint32_t>(1000 + i));
            for (const Kernels* kernels : sample::available_kernels()) {
                std::vector<std::uint32_t> found(x.size() + sample::kLanes);
                found.resize(kernels->at_least(x.data(), x.size(), threshold, 1000, found.data()));
                EXPECT_EQ(found, expected) << kernels->name;
            }
        }
    }
}

}  // namespace
}  // namespace hlg::test
