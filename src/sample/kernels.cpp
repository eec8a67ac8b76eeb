// The kernels, compiled once for each SIMD target by Highway's foreach_target.h. Highway's own run-time dispatch is not used:
// it would need its shared library, and libhlg must depend on nothing; targets.cpp chooses.
#include "sample/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kLanes>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using Vec = hn::Vec<F>;
constexpr F f;
constexpr I i32;
constexpr U u32;
constexpr std::size_t kWidth = hn::MaxLanes(F());
constexpr std::size_t kParts = kLanes / kWidth;
static_assert(kParts * kWidth == kLanes, "the sixteen lanes are whole vectors");

HWY_INLINE Vec set(float value) { return hn::Set(f, value); }

// Rounds to the nearest integer by adding 1.5 * 2^23, whose last bit stands for 1; the sum's low bits are the integer.
constexpr float kRound = 12582912.0F;

constexpr float kLog2E = 1.44269504F;

// 2^a for -126 <= a < 128, a = k + r with |r| <= 1/2. The polynomials are minimax fits (Remez, weighted for relative error) to
// 2^r with the constant term fixed at 1: relative error 2.8e-6 for degree 4, 9.2e-8 for degree 5, before rounding.
template <int degree>
HWY_INLINE Vec exp2(Vec a) {
    const Vec shifted = hn::Add(a, set(kRound));
    const Vec r = hn::Sub(a, hn::Sub(shifted, set(kRound)));
    Vec p;
    if constexpr (degree == 4) {
        p = hn::Add(hn::Mul(set(0.009582853064F), r), set(0.05590642467F));
        p = hn::Add(hn::Mul(p, r), set(0.2402409861F));
        p = hn::Add(hn::Mul(p, r), set(0.6931241934F));
    } else {
        p = hn::Add(hn::Mul(set(0.00132647291F), r), set(0.00967151264F));
        p = hn::Add(hn::Mul(p, r), set(0.05550733737F));
        p = hn::Add(hn::Mul(p, r), set(0.2402224209F));
        p = hn::Add(hn::Mul(p, r), set(0.6931469776F));
    }
    p = hn::Add(hn::Mul(p, r), set(1.0F));
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(i32, shifted));
    return hn::BitCast(f, hn::Add(hn::BitCast(i32, p), exponent));
}

// ln(1 + v) for 0 <= v < 1e36, relative error below 2e-6. 1 + v = 2^k (1 + g) with 1 + g in [sqrt(1/2), sqrt(2)); what the
// addition rounded off goes into g, so that a small v keeps its digits.
HWY_INLINE Vec log1p(Vec v) {
    const Vec y = hn::Add(v, set(1.0F));
    // With |v| < 1 the rounded-off part is v - (y - 1), above it 1 - (y - v).
    const Vec small = hn::Sub(v, hn::Sub(y, set(1.0F)));
    const Vec large = hn::Sub(set(1.0F), hn::Sub(y, v));
    const Vec lost = hn::IfThenElse(hn::Lt(v, set(1.0F)), small, large);
    const auto bits = hn::BitCast(i32, y);
    // 0x3F3504F3 is sqrt(1/2): k counts the octaves from there.
    const auto k = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(i32, 0x3F3504F3)));
    const auto scale = hn::ShiftLeft<23>(k);
    const Vec mantissa = hn::BitCast(f, hn::Sub(bits, scale));
    const Vec unit = hn::BitCast(f, hn::Sub(hn::Set(i32, 0x3F800000), scale));  // 2^-k
    const Vec g = hn::Add(hn::Sub(mantissa, set(1.0F)), hn::Mul(lost, unit));
    Vec p = hn::Add(hn::Mul(set(0.1194941884F), g), set(-0.1859184369F));
    p = hn::Add(hn::Mul(p, g), set(0.2045034756F));
    p = hn::Add(hn::Mul(p, g), set(-0.2491871629F));
    p = hn::Add(hn::Mul(p, g), set(0.3331915235F));
    p = hn::Add(hn::Mul(p, g), set(-0.500008539F));
    const Vec ln = hn::Add(hn::Mul(p, hn::Mul(g, g)), g);
    return hn::Add(ln, hn::Mul(hn::ConvertTo(f, k), set(0.693147181F)));
}

// h(z) of the curve, z = z_top - (top - x).
template <UnitCurve::Kind kind>
HWY_INLINE Vec h(const UnitCurve& c, Vec x) {
    if constexpr (kind == UnitCurve::Kind::line) {
        return hn::Sub(x, set(c.top));
    } else {
        // A mask may lie infinitely far; past 1e4 nats the exact weight is 0, and any bound will do.
        const Vec z = hn::Add(hn::Max(hn::Sub(x, set(c.top)), set(-3e4F)), set(c.z_top));
        const Vec above = hn::Max(hn::Sub(z, set(c.shoulder_knot)), hn::Zero(f));
        const Vec below = hn::Max(hn::Sub(set(-c.toe_knot), z), hn::Zero(f));
        const Vec mid = hn::Min(hn::Max(z, set(-c.toe_knot)), set(c.shoulder_knot));
        if constexpr (kind == UnitCurve::Kind::log) {
            // At most one of the two sides is active, so one logarithm serves both.
            const auto high = hn::Gt(above, hn::Zero(f));
            const Vec ratio = hn::Add(hn::Mul(above, set(c.inverse_shoulder)), hn::Mul(below, set(c.inverse_toe)));
            const Vec length = hn::IfThenElse(high, set(c.shoulder), set(-c.toe));
            return hn::Add(mid, hn::Mul(length, log1p(hn::Min(ratio, set(1e35F)))));
        } else {
            const Vec faded = hn::Add(below, hn::Mul(hn::Mul(below, below), set(c.fade)));
            const Vec straight = hn::Sub(mid, faded);
            // Few blocks reach above the shoulder's knot.
            if (hn::AllFalse(f, hn::Gt(above, hn::Zero(f)))) return straight;
            const Vec ratio = hn::Min(hn::Mul(above, set(c.inverse_shoulder)), set(1e35F));
            return hn::Add(straight, hn::Mul(set(c.shoulder), log1p(ratio)));
        }
    }
}

template <UnitCurve::Kind kind>
HWY_INLINE hn::Vec<U> units_of(const UnitCurve& c, Vec x) {
    const Vec a = hn::Add(hn::Mul(h<kind>(c, x), set(c.gain)), set(c.lift));
    // Below 2^0 the floor is 0 anyway.
    const auto units = hn::BitCast(u32, hn::ConvertTo(i32, exp2<4>(hn::Max(a, set(-1.0F)))));
    if constexpr (kind == UnitCurve::Kind::log) {
        // A power law still has units at the mask's depth.
        return hn::IfThenElseZero(hn::RebindMask(u32, hn::Ge(x, set(c.mask_floor))), units);
    } else {
        return units;
    }
}

// Sixteen logits as whole vectors: one in AVX-512, two in AVX2, four in SSE4 and NEON.
struct Row {
    Vec part[kParts];
};

HWY_INLINE Row load(const float* from) {
    Row row;
    for (std::size_t i = 0; i < kParts; ++i) row.part[i] = hn::LoadU(f, from + i * kWidth);
    return row;
}

// Runs body(first index, row) over the sixteen-lane rows of x; the last one is padded with -inf.
template <class Body>
HWY_INLINE void for_rows(const float* x, std::size_t n, const Body& body) {
    std::size_t at = 0;
    for (; at + kLanes <= n; at += kLanes) body(at, load(x + at));
    if (at == n) return;
    alignas(64) float padded[kLanes];
    std::fill(padded, padded + kLanes, -std::numeric_limits<float>::infinity());
    std::copy(x + at, x + n, padded);
    body(at, load(padded));
}

// units[n], padded to whole rows; n <= kBlock, whose units add up within 32 bits (see kMaxScale in envelope.cpp).
template <UnitCurve::Kind kind>
HWY_INLINE std::uint32_t units_block(const float* x, std::size_t n, const UnitCurve& c, std::uint32_t* units) {
    auto sum = hn::Zero(u32);
    for_rows(x, n, [&](std::size_t at, const Row& row) HWY_ATTR {
        for (std::size_t i = 0; i < kParts; ++i) {
            const auto u = units_of<kind>(c, row.part[i]);
            sum = hn::Add(sum, u);
            hn::StoreU(u, u32, units + at + i * kWidth);
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

std::uint64_t units(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* out) {
    switch (curve.kind) {
        case UnitCurve::Kind::line: return units_kind<UnitCurve::Kind::line>(x, n, curve, out);
        case UnitCurve::Kind::log: return units_kind<UnitCurve::Kind::log>(x, n, curve, out);
        case UnitCurve::Kind::fade: return units_kind<UnitCurve::Kind::fade>(x, n, curve, out);
    }
    return 0;
}

bool any_nan(const float* x, std::size_t n) {
    return std::any_of(x, x + n, [](float value) { return value != value; });
}

// The largest lane. Folding halves moves less than Highway's all-lane broadcast does.
template <class D>
HWY_INLINE float largest(D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR  // which has no halves
    if constexpr (hn::MaxLanes(D()) > 4) {
        const hn::Half<D> half;
        return largest(half, hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
#endif
    return hn::GetLane(hn::MaxOfLanes(d, v));
}

// Four running sums of everything read: NaN if any logit is.
struct NanWatch {
    Vec sum[4];
};

// One block's maximum, lane by lane.
HWY_INLINE Vec block_top(const float* x, NanWatch& watch) {
    Vec top[4];
    for (std::size_t j = 0; j < 4; ++j) {
        top[j] = hn::LoadU(f, x + j * kWidth);
        watch.sum[j] = hn::Add(watch.sum[j], top[j]);
    }
    for (std::size_t i = 4 * kWidth; i < kBlock; i += 4 * kWidth) {
        for (std::size_t j = 0; j < 4; ++j) {
            const Vec v = hn::LoadU(f, x + i + j * kWidth);
            top[j] = hn::Max(top[j], v);
            watch.sum[j] = hn::Add(watch.sum[j], v);
        }
    }
    return hn::Max(hn::Max(top[0], top[1]), hn::Max(top[2], top[3]));
}

Scan scan(const float* x, std::size_t n, float* block_max) {
    NanWatch watch;
    for (Vec& sum : watch.sum) sum = hn::Zero(f);
    Vec top = set(-std::numeric_limits<float>::infinity());
    std::size_t at = 0;
    for (; at + kBlock <= n; at += kBlock) {
        const Vec m = block_top(x + at, watch);
        top = hn::Max(top, m);
        *block_max++ = largest(f, m);
    }
    if (at < n) {
        alignas(64) float padded[kBlock];
        std::fill(padded, padded + kBlock, -std::numeric_limits<float>::infinity());
        std::copy(x + at, x + n, padded);
        const Vec m = block_top(padded, watch);
        top = hn::Max(top, m);
        *block_max = largest(f, m);
    }
    const Vec all = hn::Add(hn::Add(watch.sum[0], watch.sum[1]), hn::Add(watch.sum[2], watch.sum[3]));
    // A NaN sum may also come from +inf and -inf, or from an overflow: then the logits are read again for the truth.
    const bool suspect = !hn::AllFalse(f, hn::IsNaN(all));
    return {largest(f, top), suspect && any_nan(x, n)};
}

// to[i] += v[i] in float64.
HWY_INLINE void accumulate(Vec v, double* to) {
#if HWY_TARGET == HWY_SCALAR
    *to += static_cast<double>(hn::GetLane(v));
#else
    const hn::Half<F> half;
    const hn::Rebind<double, hn::Half<F>> f64;
    hn::Store(hn::Add(hn::Load(f64, to), hn::PromoteTo(f64, hn::LowerHalf(half, v))), f64, to);
    double* const upper = to + kWidth / 2;
    hn::Store(hn::Add(hn::Load(f64, upper), hn::PromoteTo(f64, hn::UpperHalf(half, v))), f64, upper);
#endif
}

// Sums of at most a block in float32, then on to float64: short sums keep the rounding small.
HWY_INLINE void exp_sums_block(const float* x, std::size_t n, float top, ExpSums& sums) {
    Row weight;
    Row moment;
    for (std::size_t i = 0; i < kParts; ++i) weight.part[i] = moment.part[i] = hn::Zero(f);
    for_rows(x, n, [&](std::size_t, const Row& row) HWY_ATTR {
        for (std::size_t i = 0; i < kParts; ++i) {
            // 2^-126 is the smallest normal float32; nothing below it counts.
            const Vec octaves = hn::Max(hn::Mul(hn::Sub(row.part[i], set(top)), set(kLog2E)), set(-126.0F));
            const Vec w = exp2<5>(octaves);
            weight.part[i] = hn::Add(weight.part[i], w);
            moment.part[i] = hn::Sub(moment.part[i], hn::Mul(w, octaves));
        }
    });
    for (std::size_t i = 0; i < kParts; ++i) {
        accumulate(weight.part[i], sums.weight + i * kWidth);
        accumulate(moment.part[i], sums.moment + i * kWidth);
    }
}

void exp_sums(const float* x, std::size_t n, float top, ExpSums& sums) {
    for (std::size_t at = 0; at < n; at += kBlock) exp_sums_block(x + at, std::min(kBlock, n - at), top, sums);
}

std::size_t at_least(const float* x, std::size_t n, float threshold, std::uint32_t first, std::uint32_t* out) {
    const Vec t = set(threshold);
    std::size_t count = 0;
    std::size_t at = 0;
    for (; at + kWidth <= n; at += kWidth) {
        const auto keep = hn::Ge(hn::LoadU(f, x + at), t);
        if (hn::AllFalse(f, keep)) continue;
        const auto ids = hn::Iota(u32, first + static_cast<std::uint32_t>(at));
        count += hn::CompressStore(ids, hn::RebindMask(u32, keep), u32, out + count);
    }
    for (; at < n; ++at)
        if (x[at] >= threshold) out[count++] = first + static_cast<std::uint32_t>(at);
    return count;
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels{hwy::TargetName(HWY_TARGET), scan, units, exp_sums, at_least};

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
