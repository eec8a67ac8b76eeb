// Kernels that turn logits into units of weight: by the curve itself, and by a table.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_units.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

using UVec = hn::Vec<U>;

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
            const Pack ratio = fma(above, c.inverse_shoulder, mul(below, c.inverse_toe));
            const Pack length = each([&](std::size_t i) HLG_IN_LOOP {
                return hn::IfThenElse(hn::Gt(above.v[i], hn::Zero(f)), set(c.shoulder), set(-c.toe));
            });
            return fma(length, log1p(min(ratio, 1e35F)), mid);
        } else {
            const Pack straight = sub(mid, fma(mul(below, below), c.fade, below));
            // Few blocks reach above the shoulder's knot.
            const Vec most = hn::Max(above.v[0], above.v[1]);
            if (hn::AllFalse(f, hn::Gt(most, hn::Zero(f)))) return straight;
            return fma(log1p(min(mul(above, c.inverse_shoulder), 1e35F)), c.shoulder, straight);
        }
    }
}

struct UnitPack {
    UVec v[kPack];
};

template <UnitCurve::Kind kind>
HWY_INLINE UnitPack units_of(const UnitCurve& c, const Pack& x) {
    // Below 2^0 the floor is 0 anyway.
    const Pack weight = exp2(max(fma(h<kind>(c, x), c.gain, c.lift), -1.0F), kExp2Degree3);
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
template <UnitCurve::Kind kind, bool store>
HWY_INLINE std::uint32_t units_block(const float* x, std::size_t n, const UnitCurve& c, std::uint32_t* units) {
    UVec sum = hn::Zero(u32);
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HLG_IN_LOOP {
        const UnitPack u = units_of<kind>(c, pack);
        for (std::size_t i = 0; i < kPack; ++i) {
            sum = hn::Add(sum, u.v[i]);
            if constexpr (store) hn::StoreU(u.v[i], u32, units + at + i * kWidth);
        }
    });
    return hn::GetLane(hn::SumOfLanes(u32, sum));
}

template <UnitCurve::Kind kind, bool store>
HWY_INLINE std::uint64_t units_kind(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* units) {
    const UnitCurve c = curve;
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < n; at += kBlock)
        sum += units_block<kind, store>(x + at, std::min(kBlock, n - at), c, store ? units + at : nullptr);
    return sum;
}

template <UnitCurve::Kind kind>
HWY_INLINE void lane_units_kind(const float* x, const UnitCurve& curve, std::uint32_t* sums) {
    const UnitCurve c = curve;
    UVec sum[kParts];
    for (UVec& part : sum) part = hn::Zero(u32);
    for_packs(x, kBlock, [&](std::size_t at, const Pack& pack) HLG_IN_LOOP {
        const UnitPack u = units_of<kind>(c, pack);
        for (std::size_t i = 0; i < kPack; ++i) {
            const std::size_t part = (kParts > kPack ? at / kWidth + i : i) % kParts;
            sum[part] = hn::Add(sum[part], u.v[i]);
        }
    });
    for (std::size_t i = 0; i < kParts; ++i) hn::StoreU(sum[i], u32, sums + i * kWidth);
}

// The table in vectors, as many as the target's width makes of it.
struct Bins {
    static constexpr std::size_t kVectors = UnitTable::kBins / kWidth;
    UVec units[kVectors];
};

HWY_INLINE Bins load_bins(const UnitTable& table) {
    Bins bins;
    for (std::size_t i = 0; i < Bins::kVectors; ++i) bins.units[i] = hn::LoadU(u32, table.units.data() + i * kWidth);
    return bins;
}

// The table's entries at these places, all in [0, kBins); `shifted` is a place plus kRound, whose low bits are the place's.
HWY_INLINE UVec pick([[maybe_unused]] const UnitTable& table, const Bins& bins, Vec shifted) {
    const auto bits = hn::BitCast(i32, shifted);
#if HWY_TARGET == HWY_AVX3
    // The one instruction that looks up 32 entries, by the low five bits; Highway has no name for it.
    return UVec{_mm512_permutex2var_epi32(bins.units[0].raw, bits.raw, bins.units[1].raw)};
#else
    const auto places = hn::And(bits, hn::Set(i32, UnitTable::kBins - 1));
#if HWY_TARGET == HWY_SCALAR
    (void)bins;
    return hn::Set(u32, table.units[static_cast<std::size_t>(hn::GetLane(places))]);
#else
    // One vector of the table at a time; a place's low bits choose in it, the high ones choose among them.
    const auto low = hn::IndicesFromVec(u32, hn::And(places, hn::Set(i32, kWidth - 1)));
    UVec found = hn::TableLookupLanes(bins.units[0], low);
    for (std::size_t i = 1; i < Bins::kVectors; ++i) {
        const auto here = hn::RebindMask(u32, hn::Gt(places, hn::Set(i32, static_cast<std::int32_t>(i * kWidth - 1))));
        found = hn::IfThenElse(here, hn::TableLookupLanes(bins.units[i], low), found);
    }
    return found;
#endif
#endif
}

// n <= kBlock.
template <bool store>
HWY_INLINE std::uint32_t look_up_block(const float* x, std::size_t n, const UnitTable& table, const Bins& bins,
                                       std::uint32_t* units) {
    const float bins_per_nat = -table.bins_per_nat;
    const float start = table.start;
    UVec sum = hn::Zero(u32);
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HLG_IN_LOOP {
        const Pack shifted = add(min(fma(pack, bins_per_nat, start), UnitTable::kBins - 1), kRound);
        for (std::size_t i = 0; i < kPack; ++i) {
            const UVec u = pick(table, bins, shifted.v[i]);
            sum = hn::Add(sum, u);
            if constexpr (store) hn::StoreU(u, u32, units + at + i * kWidth);
        }
    });
    // The padding fell into the last bin.
    const auto padding = static_cast<std::uint32_t>((kPadding - n % kPadding) % kPadding);
    return hn::GetLane(hn::SumOfLanes(u32, sum)) - padding * table.units[UnitTable::kBins - 1];
}

}  // namespace

std::uint64_t units(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* out) {
    using Kind = UnitCurve::Kind;
    const bool store = out != nullptr;
    switch (curve.kind) {
        case Kind::line:
            return store ? units_kind<Kind::line, true>(x, n, curve, out) : units_kind<Kind::line, false>(x, n, curve, out);
        case Kind::log:
            return store ? units_kind<Kind::log, true>(x, n, curve, out) : units_kind<Kind::log, false>(x, n, curve, out);
        case Kind::fade:
            return store ? units_kind<Kind::fade, true>(x, n, curve, out) : units_kind<Kind::fade, false>(x, n, curve, out);
    }
    return 0;
}

void lane_units(const float* x, const UnitCurve& curve, std::uint32_t* sums) {
    switch (curve.kind) {
        case UnitCurve::Kind::line: return lane_units_kind<UnitCurve::Kind::line>(x, curve, sums);
        case UnitCurve::Kind::log: return lane_units_kind<UnitCurve::Kind::log>(x, curve, sums);
        case UnitCurve::Kind::fade: return lane_units_kind<UnitCurve::Kind::fade>(x, curve, sums);
    }
}

void look_up_blocks(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* block_units) {
    const Bins bins = load_bins(table);
    for (std::size_t at = 0; at < n; at += kBlock)
        *block_units++ = look_up_block<false>(x + at, std::min(kBlock, n - at), table, bins, nullptr);
}

void look_up(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* units) {
    look_up_block<true>(x, n, table, load_bins(table), units);
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
