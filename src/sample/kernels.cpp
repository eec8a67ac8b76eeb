// The kernels, compiled once for each SIMD target by Highway's foreach_target.h. Highway's own run-time dispatch is not used:
// it would need its shared library, and libhlg must depend on nothing; targets.cpp chooses.
#include "sample/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
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

// Two vectors that go through the same arithmetic in step. One vector's chain of dependent operations is longer than a core's
// scheduler can look ahead, and alone would leave its units idle; four would not fit the registers beside the constants.
constexpr std::size_t kPack = 2;
constexpr std::size_t kPackLanes = kPack * kWidth;
static_assert(kBlock % kPackLanes == 0 && kPadding % kPackLanes == 0, "blocks and their padding are whole packs");

struct Pack {
    Vec v[kPack];
};

template <class Operation>
HWY_INLINE Pack each(const Operation& operation) {
    Pack out;
    for (std::size_t i = 0; i < kPack; ++i) out.v[i] = operation(i);
    return out;
}

HWY_INLINE Pack add(const Pack& a, const Pack& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Add(a.v[i], b.v[i]); });
}
HWY_INLINE Pack add(const Pack& a, float b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Add(a.v[i], set(b)); });
}
HWY_INLINE Pack sub(const Pack& a, const Pack& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sub(a.v[i], b.v[i]); });
}
HWY_INLINE Pack sub(float a, const Pack& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sub(set(a), b.v[i]); });
}
HWY_INLINE Pack sub(const Pack& a, float b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Sub(a.v[i], set(b)); });
}
HWY_INLINE Pack mul(const Pack& a, const Pack& b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Mul(a.v[i], b.v[i]); });
}
HWY_INLINE Pack mul(const Pack& a, float b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Mul(a.v[i], set(b)); });
}
HWY_INLINE Pack max(const Pack& a, float b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Max(a.v[i], set(b)); });
}
HWY_INLINE Pack min(const Pack& a, float b) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Min(a.v[i], set(b)); });
}

// a b + c with one rounding, on every target.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Vec fma(Vec a, Vec b, Vec c) { return Vec(std::fma(a.raw, b.raw, c.raw)); }
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_EMU128
// No instruction for it: the product is exact in float64, the sum is rounded to odd there (its last bit set if anything was
// lost), and rounding that to float32 is then the one rounding (Boldo and Melquiond 2008).
template <class Half>
HWY_INLINE Half fma_half(Half a, Half b, Half c) {
    const hn::Half<F> half;
    const hn::Rebind<double, hn::Half<F>> f64;
    const hn::RebindToSigned<decltype(f64)> i64;
    const auto addend = hn::PromoteTo(f64, c);
    const auto product = hn::Mul(hn::PromoteTo(f64, a), hn::PromoteTo(f64, b));
    const auto sum = hn::Add(product, addend);
    const auto rest = hn::Sub(sum, product);
    const auto lost = hn::Add(hn::Sub(product, hn::Sub(sum, rest)), hn::Sub(addend, rest));
    const auto bits = hn::BitCast(i64, sum);
    const auto even = hn::Eq(hn::And(bits, hn::Set(i64, 1)), hn::Zero(i64));
    // The lost part and the sum having one sign, the odd neighbour is the one away from zero.
    const auto same_sign = hn::Gt(hn::Mul(lost, sum), hn::Zero(f64));
    const auto other_sign = hn::Lt(hn::Mul(lost, sum), hn::Zero(f64));
    const auto up = hn::IfThenElseZero(hn::And(even, hn::RebindMask(i64, same_sign)), hn::Set(i64, 1));
    const auto down = hn::IfThenElseZero(hn::And(even, hn::RebindMask(i64, other_sign)), hn::Set(i64, 1));
    return hn::DemoteTo(half, hn::BitCast(f64, hn::Sub(hn::Add(bits, up), down)));
}
HWY_INLINE Vec fma(Vec a, Vec b, Vec c) {
    const hn::Half<F> half;
    return hn::Combine(f, fma_half(hn::UpperHalf(half, a), hn::UpperHalf(half, b), hn::UpperHalf(half, c)),
                       fma_half(hn::LowerHalf(half, a), hn::LowerHalf(half, b), hn::LowerHalf(half, c)));
}
#else
HWY_INLINE Vec fma(Vec a, Vec b, Vec c) { return hn::MulAdd(a, b, c); }
#endif

HWY_INLINE Pack fma(const Pack& a, const Pack& b, float c) {
    return each([&](std::size_t i) HWY_ATTR { return fma(a.v[i], b.v[i], set(c)); });
}
HWY_INLINE Pack fma(const Pack& a, float b, float c) {
    return each([&](std::size_t i) HWY_ATTR { return fma(a.v[i], set(b), set(c)); });
}

// c[0] r^(n-1) + ... + c[n-1], by Horner's rule.
template <std::size_t n>
HWY_INLINE Pack polynomial(const Pack& r, const float (&c)[n]) {
    Pack p = fma(r, c[0], c[1]);
    for (std::size_t i = 2; i < n; ++i) p = fma(p, r, c[i]);
    return p;
}

// Rounds to the nearest integer by adding 1.5 * 2^23, whose last bit stands for 1; the sum's low bits are the integer.
constexpr float kRound = 12582912.0F;

// Minimax fits (Remez, weighted for relative error) to 2^r on |r| <= 1/2 with the constant term fixed at 1: relative error
// 1.01e-4, 2.8e-6 and 9.2e-8 before rounding.
constexpr float kExp2Degree3[] = {0.05500893179F, 0.2422109595F, 0.693282927F, 1.0F};
constexpr float kExp2Degree4[] = {0.009582853064F, 0.05590642467F, 0.2402409861F, 0.6931241934F, 1.0F};
constexpr float kExp2Degree5[] = {0.00132647291F, 0.00967151264F, 0.05550733737F, 0.2402224209F, 0.6931469776F, 1.0F};

// 2^a for -126 <= a < 128: a = k + r with |r| <= 1/2.
template <std::size_t n>
HWY_INLINE Pack exp2(const Pack& a, const float (&coefficients)[n]) {
    const Pack shifted = add(a, kRound);
    const Pack p = polynomial(sub(a, sub(shifted, kRound)), coefficients);
    return each([&](std::size_t i) HWY_ATTR {
        const auto exponent = hn::ShiftLeft<23>(hn::BitCast(i32, shifted.v[i]));
        return hn::BitCast(f, hn::Add(hn::BitCast(i32, p.v[i]), exponent));
    });
}

// What 1 + v, rounded to y, lost: v - (y - 1) if |v| < 1, else 1 - (y - v).
HWY_INLINE Vec lost(Vec v, Vec y) {
    const Vec small = hn::Sub(v, hn::Sub(y, set(1.0F)));
    const Vec large = hn::Sub(set(1.0F), hn::Sub(y, v));
    return hn::IfThenElse(hn::Lt(v, set(1.0F)), small, large);
}

// ln(1 + v) for 0 <= v < 1e36, relative error below 2e-6. 1 + v = 2^k (1 + g) with 1 + g in [sqrt(1/2), sqrt(2)); what the
// addition lost goes into g, so that a small v keeps its digits.
HWY_INLINE Pack log1p(const Pack& v) {
    // A minimax fit to (ln(1 + g) - g) / g^2, relative error 1.3e-6 in the logarithm.
    constexpr float coefficients[] = {0.1194941884F, -0.1859184369F, 0.2045034756F, -0.2491871629F, 0.3331915235F, -0.500008539F};
    Pack octaves;
    const Pack g = each([&](std::size_t i) HWY_ATTR {
        const Vec y = hn::Add(v.v[i], set(1.0F));
        const auto bits = hn::BitCast(i32, y);
        // 0x3F3504F3 is sqrt(1/2): k counts the octaves from there.
        const auto k = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(i32, 0x3F3504F3)));
        octaves.v[i] = hn::ConvertTo(f, k);
        const auto scale = hn::ShiftLeft<23>(k);
        const Vec mantissa = hn::BitCast(f, hn::Sub(bits, scale));
        const Vec inverse = hn::BitCast(f, hn::Sub(hn::Set(i32, 0x3F800000), scale));  // 2^-k
        return hn::Add(hn::Sub(mantissa, set(1.0F)), hn::Mul(lost(v.v[i], y), inverse));
    });
    const Pack ln = add(mul(polynomial(g, coefficients), mul(g, g)), g);
    return add(ln, mul(octaves, 0.693147181F));
}

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

HWY_INLINE Pack load(const float* from) {
    return each([&](std::size_t i) HWY_ATTR { return hn::LoadU(f, from + i * kWidth); });
}

// Runs body(first index, pack) over x, padded with -inf to a whole multiple of kPadding: by the same lanes on every target, for a
// padding lane still adds 2^-126 to a sum.
template <class Body>
HWY_INLINE void for_packs(const float* x, std::size_t n, const Body& body) {
    std::size_t at = 0;
    for (; at + kPackLanes <= n; at += kPackLanes) body(at, load(x + at));
    if (n % kPadding == 0) return;
    alignas(64) float padded[kPackLanes];
    std::fill(padded, padded + kPackLanes, -std::numeric_limits<float>::infinity());
    std::copy(x + at, x + n, padded);
    for (; at % kPadding != 0 || at < n; at += kPackLanes) {
        body(at, load(padded));
        std::fill(padded, padded + kPackLanes, -std::numeric_limits<float>::infinity());
    }
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

std::uint64_t units(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* out) {
    switch (curve.kind) {
        case UnitCurve::Kind::line: return units_kind<UnitCurve::Kind::line>(x, n, curve, out);
        case UnitCurve::Kind::log: return units_kind<UnitCurve::Kind::log>(x, n, curve, out);
        case UnitCurve::Kind::fade: return units_kind<UnitCurve::Kind::fade>(x, n, curve, out);
    }
    return 0;
}

// The bins of at most a block.
HWY_INLINE void find_bins(const float* x, std::size_t n, const UnitTable& table, std::int32_t* bins) {
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const Pack position = min(max(mul(sub(table.high, pack), table.bins_per_nat), 0.0F), UnitTable::kBins);
        for (std::size_t i = 0; i < kPack; ++i) hn::Store(hn::ConvertTo(i32, position.v[i]), i32, bins + at + i * kWidth);
    });
}

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

// Keeps a loaded vector in its register. GCC would rather read it from memory for each of its two uses, and the scan is bound by
// its reads (measured: 1.5 times the time of a plain maximum, 1.15 times with this).
HWY_INLINE Vec keep(Vec v) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86
    asm("" : "+v"(v.raw));
#endif
    return v;
}

// One block's maximum, lane by lane.
HWY_INLINE Vec block_top(const float* x, NanWatch& watch) {
    Vec top[4];
    for (std::size_t j = 0; j < 4; ++j) {
        top[j] = keep(hn::LoadU(f, x + j * kWidth));
        watch.sum[j] = hn::Add(watch.sum[j], top[j]);
    }
    for (std::size_t i = 4 * kWidth; i < kBlock; i += 4 * kWidth) {
        for (std::size_t j = 0; j < 4; ++j) {
            const Vec v = keep(hn::LoadU(f, x + i + j * kWidth));
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

// Logits summed in float32 before the sum goes on to float64: short sums keep the rounding small.
constexpr std::size_t kShortSum = 512;

// One short sum. Logit i goes to lane i mod kLanes.
template <std::size_t n_coefficients>
HWY_INLINE void short_exp_sums(const float* x, std::size_t n, float base, const float (&coefficients)[n_coefficients],
                               ExpSums& sums) {
    Vec weight[kParts];
    Vec moment[kParts];
    for (std::size_t i = 0; i < kParts; ++i) weight[i] = moment[i] = hn::Zero(f);
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        // 2^-126 is the smallest normal float32; nothing below it counts.
        const Pack octaves = max(fma(pack, kOctavesPerNat, -base), -126.0F);
        const Pack w = exp2(octaves, coefficients);
        for (std::size_t i = 0; i < kPack; ++i) {
            const std::size_t part = (kParts > kPack ? at / kWidth + i : i) % kParts;
            weight[part] = hn::Add(weight[part], w.v[i]);
            moment[part] = fma(w.v[i], octaves.v[i], moment[part]);
        }
    });
    for (std::size_t i = 0; i < kParts; ++i) {
        accumulate(weight[i], sums.weight + i * kWidth);
        accumulate(moment[i], sums.moment + i * kWidth);
    }
}

void exp_sums(const float* x, std::size_t n, float base, bool coarse, ExpSums& sums) {
    for (std::size_t at = 0; at < n; at += kShortSum) {
        if (coarse)
            short_exp_sums(x + at, std::min(kShortSum, n - at), base, kExp2Degree3, sums);
        else
            short_exp_sums(x + at, std::min(kShortSum, n - at), base, kExp2Degree5, sums);
    }
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
const Kernels kernels{hwy::TargetName(HWY_TARGET), scan, units, look_up, exp_sums, at_least};

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
