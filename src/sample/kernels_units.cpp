// Kernels that count the units of weight: by the curve itself, and by a table.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_units.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

// h(z) of the curve, z = z_top - (top - x); under a line h(x - top).
template <UnitCurve::Kind kind>
HWY_INLINE Pack h(const UnitCurve& c, const Pack& x) {
    if constexpr (kind == UnitCurve::Kind::line) {
        return sub(x, c.top);
    } else {
        // A mask may lie infinitely far; past 1e4 nats the exact weight is 0, and any bound will do.
        const Pack z = add(max(sub(x, c.top), -3e4F), c.z_top);
        const Pack above = max(sub(z, c.shoulder_knot), 0.0F);
        const Pack below = max(sub(-c.toe_knot, z), 0.0F);
        const Pack mid = min(max(z, -c.toe_knot), c.shoulder_knot);
        if constexpr (kind == UnitCurve::Kind::log) {
            // At most one of the two sides is active, so one logarithm serves both.
            const Pack ratio = add(mul(above, c.inverse_shoulder), mul(below, c.inverse_toe));
            const Pack length = each([&](std::size_t i) HWY_ATTR {
                return hn::IfThenElse(hn::Gt(above.v[i], hn::Zero(f)), set(c.shoulder), set(-c.toe));
            });
            return add(mid, mul(length, log1p(min(ratio, 1e35F))));
        } else {
            const Pack straight = sub(mid, add(below, mul(mul(below, below), c.fade)));
            // Few blocks reach above the shoulder's knot.
            const Vec most = hn::Max(above.v[0], above.v[1]);
            if (hn::AllFalse(f, hn::Gt(most, hn::Zero(f)))) return straight;
            return add(straight, mul(log1p(min(mul(above, c.inverse_shoulder), 1e35F)), c.shoulder));
        }
    }
}

struct UnitPack {
    hn::Vec<U> v[kPack];
};

template <UnitCurve::Kind kind>
HWY_INLINE UnitPack units_of(const UnitCurve& c, const Pack& x) {
    // Below 2^0 the floor is 0 anyway.
    const Pack weight = exp2(max(fma(h<kind>(c, x), c.gain, c.lift), -1.0F), kExp2Degree4);
    UnitPack out;
    for (std::size_t i = 0; i < kPack; ++i) {
        out.v[i] = hn::BitCast(u32, hn::ConvertTo(i32, weight.v[i]));
        // A power law still has units at the mask's depth.
        if constexpr (kind == UnitCurve::Kind::log)
            out.v[i] = hn::IfThenElseZero(hn::RebindMask(u32, hn::Ge(x.v[i], set(c.mask_floor))), out.v[i]);
    }
    return out;
}

// units[n], padded to a multiple of kPadding; n <= kBlock, whose units add up within 31 bits (see kMaxScale in envelope.cpp).
template <UnitCurve::Kind kind>
HWY_INLINE std::uint32_t units_block(const float* x, std::size_t n, const UnitCurve& c, std::uint32_t* units) {
    auto sum = hn::Zero(u32);
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const UnitPack u = units_of<kind>(c, pack);
        for (std::size_t i = 0; i < kPack; ++i) {
            sum = hn::Add(sum, u.v[i]);
            hn::StoreU(u.v[i], u32, units + at + i * kWidth);
        }
    });
    return hn::GetLane(hn::SumOfLanes(u32, sum));
}

template <UnitCurve::Kind kind>
HWY_INLINE std::uint64_t units_kind(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* units) {
    const UnitCurve c = curve;
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < n; at += kBlock) sum += units_block<kind>(x + at, std::min(kBlock, n - at), c, units + at);
    return sum;
}

}  // namespace

std::uint64_t units(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* out) {
    switch (curve.kind) {
        case UnitCurve::Kind::line: return units_kind<UnitCurve::Kind::line>(x, n, curve, out);
        case UnitCurve::Kind::log: return units_kind<UnitCurve::Kind::log>(x, n, curve, out);
        case UnitCurve::Kind::fade: return units_kind<UnitCurve::Kind::fade>(x, n, curve, out);
    }
    return 0;
}

namespace {

// The bins of at most a block.
HWY_INLINE void find_bins(const float* x, std::size_t n, const UnitTable& table, std::int32_t* bins) {
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const Pack position = min(max(mul(sub(table.high, pack), table.bins_per_nat), 0.0F), UnitTable::kBins);
        for (std::size_t i = 0; i < kPack; ++i) hn::Store(hn::ConvertTo(i32, position.v[i]), i32, bins + at + i * kWidth);
    });
}

}  // namespace

std::uint64_t look_up(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* units) {
    alignas(64) std::int32_t bins[kBlock];
    find_bins(x, n, table, bins);
    // One load a token from a table in the first cache is as fast as any vector's gather here, and serves every curve.
    std::uint64_t sum = 0;
    if (units == nullptr)
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): find_bins wrote the n bins
        for (std::size_t i = 0; i < n; ++i) sum += table.units[bins[i]];
    else
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
        for (std::size_t i = 0; i < n; ++i) sum += units[i] = table.units[bins[i]];
    return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
