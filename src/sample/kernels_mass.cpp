// The kernel that sums exponentials.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_mass.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

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
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HLG_IN_LOOP {
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

}  // namespace

void exp_sums(const float* x, std::size_t n, float base, bool coarse, ExpSums& sums) {
    for (std::size_t at = 0; at < n; at += kShortSum) {
        if (coarse)
            short_exp_sums(x + at, std::min(kShortSum, n - at), base, kExp2Degree3, sums);
        else
            short_exp_sums(x + at, std::min(kShortSum, n - at), base, kExp2Degree5, sums);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
