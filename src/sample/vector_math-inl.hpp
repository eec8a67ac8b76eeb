// Vector arithmetic shared by the kernels' files: packs of vectors, the one fused multiply-add, powers and logarithms. Compiled
// again for each SIMD target, so its guard opens and closes with them, as Highway's own -inl headers do.
#if defined(HLG_SAMPLE_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HLG_SAMPLE_VECTOR_MATH_INL
#undef HLG_SAMPLE_VECTOR_MATH_INL
#else
#define HLG_SAMPLE_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sample/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kLanes>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using Vec = hn::Vec<F>;
inline constexpr F f;
inline constexpr I i32;
inline constexpr U u32;
inline constexpr std::size_t kWidth = hn::MaxLanes(F());
inline constexpr std::size_t kParts = kLanes / kWidth;
static_assert(kParts * kWidth == kLanes, "the sixteen lanes are whole vectors");

// For the lambdas of a loop: compiled for its target, and never called, so that what is fixed in the loop stays in registers.
#define HLG_IN_LOOP HWY_ATTR __attribute__((always_inline))

HWY_INLINE Vec set(float value) { return hn::Set(f, value); }

// Two vectors that go through the same arithmetic in step. One vector's chain of dependent operations is longer than a core's
// scheduler can look ahead, and alone would leave its units idle; four would not fit the registers beside the constants.
inline constexpr std::size_t kPack = 2;
inline constexpr std::size_t kPackLanes = kPack * kWidth;
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
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Add(a.v[i], b.v[i]); });
}
HWY_INLINE Pack add(const Pack& a, float b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Add(a.v[i], set(b)); });
}
HWY_INLINE Pack sub(const Pack& a, const Pack& b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Sub(a.v[i], b.v[i]); });
}
HWY_INLINE Pack sub(float a, const Pack& b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Sub(set(a), b.v[i]); });
}
HWY_INLINE Pack sub(const Pack& a, float b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Sub(a.v[i], set(b)); });
}
HWY_INLINE Pack mul(const Pack& a, const Pack& b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Mul(a.v[i], b.v[i]); });
}
HWY_INLINE Pack mul(const Pack& a, float b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Mul(a.v[i], set(b)); });
}
HWY_INLINE Pack max(const Pack& a, float b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Max(a.v[i], set(b)); });
}
HWY_INLINE Pack min(const Pack& a, float b) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::Min(a.v[i], set(b)); });
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
    return each([&](std::size_t i) HLG_IN_LOOP { return fma(a.v[i], b.v[i], set(c)); });
}
HWY_INLINE Pack fma(const Pack& a, const Pack& b, const Pack& c) {
    return each([&](std::size_t i) HLG_IN_LOOP { return fma(a.v[i], b.v[i], c.v[i]); });
}
HWY_INLINE Pack fma(const Pack& a, float b, const Pack& c) {
    return each([&](std::size_t i) HLG_IN_LOOP { return fma(a.v[i], set(b), c.v[i]); });
}
HWY_INLINE Pack fma(const Pack& a, float b, float c) {
    return each([&](std::size_t i) HLG_IN_LOOP { return fma(a.v[i], set(b), set(c)); });
}

// c[0] r^(n-1) + ... + c[n-1], by Horner's rule.
template <std::size_t n>
HWY_INLINE Pack polynomial(const Pack& r, const float (&c)[n]) {
    Pack p = fma(r, c[0], c[1]);
    for (std::size_t i = 2; i < n; ++i) p = fma(p, r, c[i]);
    return p;
}

// Rounds to the nearest integer by adding 1.5 * 2^23, whose last bit stands for 1; the sum's low bits are the integer.
inline constexpr float kRound = 12582912.0F;

// Minimax fits (Remez, weighted for relative error) to 2^r on |r| <= 1/2 with the constant term fixed at 1: relative error
// 1.01e-4 and 9.2e-8 before rounding.
inline constexpr float kExp2Degree3[] = {0.05500893179F, 0.2422109595F, 0.693282927F, 1.0F};
inline constexpr float kExp2Degree5[] = {0.00132647291F, 0.00967151264F, 0.05550733737F, 0.2402224209F, 0.6931469776F, 1.0F};

// 2^a for -126 <= a < 128: a = k + r with |r| <= 1/2.
template <std::size_t n>
HWY_INLINE Pack exp2(const Pack& a, const float (&coefficients)[n]) {
    const Pack shifted = add(a, kRound);
    const Pack p = polynomial(sub(a, sub(shifted, kRound)), coefficients);
    return each([&](std::size_t i) HLG_IN_LOOP {
        const auto exponent = hn::ShiftLeft<23>(hn::BitCast(i32, shifted.v[i]));
        return hn::BitCast(f, hn::Add(hn::BitCast(i32, p.v[i]), exponent));
    });
}

// ln(1 + v) for 0 <= v < 1e36. 1 + v = 2^k (1 + g) with 1 + g in [sqrt(1/2), sqrt(2)). The error is that of the sum's rounding,
// 6e-8, and 7e-5 of the result.
HWY_INLINE Pack log1p(const Pack& v) {
    // A minimax fit (Remez) to (ln(1 + g) - g) / g^2, relative error 6.1e-5 in the logarithm.
    constexpr float coefficients[] = {0.178429625F, -0.269911883F, 0.3357039593F, -0.4995363555F};
    Pack octaves;
    const Pack g = each([&](std::size_t i) HLG_IN_LOOP {
        const auto bits = hn::BitCast(i32, hn::Add(v.v[i], set(1.0F)));
        // 0x3F3504F3 is sqrt(1/2): k counts the octaves from there.
        const auto k = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(i32, 0x3F3504F3)));
        octaves.v[i] = hn::ConvertTo(f, k);
        return hn::Sub(hn::BitCast(f, hn::Sub(bits, hn::ShiftLeft<23>(k))), set(1.0F));
    });
    const Pack ln = fma(polynomial(g, coefficients), mul(g, g), g);
    return each([&](std::size_t i) HLG_IN_LOOP { return fma(octaves.v[i], set(0.693147181F), ln.v[i]); });
}

HWY_INLINE Pack load(const float* from) {
    return each([&](std::size_t i) HLG_IN_LOOP { return hn::LoadU(f, from + i * kWidth); });
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
#endif
