// Kernels that select by mass: weights, their sums, sums above eight thresholds, and the passes that keep what lies between two
// logits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_select.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sample/compress-inl.hpp"
#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

// Logits summed in float32 before the sum goes on to float64: short sums keep the rounding small.
constexpr std::size_t kShortSum = 512;

// A minimax fit like those of vector_math-inl.hpp: relative error 2.8e-6 before rounding.
constexpr float kExp2Degree4[] = {0.009582853064F, 0.05590642467F, 0.2402409861F, 0.6931241934F, 1.0F};

// What the weights of one base have in common.
struct Base {
    float shift;   // kRound - base, exact: |base| < 2^22
    float lowest;  // logits this far down weigh 2^-100, and so does all below
    explicit Base(float base) : shift(kRound - base), lowest((base - 100) / kOctavesPerNat) {}
};

// 2^(kOctavesPerNat x - base). The first sum rounds to whole octaves, and the second product is exact but for its own rounding:
// one step less than exp2() of the difference takes, and no rounding in between.
template <std::size_t n>
HWY_INLINE Pack weight(const Pack& x, const Base& base, const float (&coefficients)[n]) {
    const Pack near = max(x, base.lowest);
    const Pack shifted = fma(near, kOctavesPerNat, base.shift);
    const Pack r =
        each([&](std::size_t i) HWY_ATTR { return fma(near.v[i], set(kOctavesPerNat), hn::Sub(set(base.shift), shifted.v[i])); });
    const Pack p = polynomial(r, coefficients);
    return each([&](std::size_t i) HWY_ATTR {
        const auto exponent = hn::ShiftLeft<23>(hn::BitCast(i32, shifted.v[i]));
        return hn::BitCast(f, hn::Add(hn::BitCast(i32, p.v[i]), exponent));
    });
}

// Sixteen lanes of a short sum.
struct Lanes {
    Vec part[kParts];
    Lanes() {
        for (Vec& v : part) v = hn::Zero(f);
    }
};

// Which part the i-th vector of the pack at `at` goes to: logit j of an array to lane j mod kLanes.
HWY_INLINE std::size_t part_of(std::size_t at, std::size_t i) { return (kParts > kPack ? at / kWidth + i : i) % kParts; }

// to[kLanes] += the lanes, in float64.
HWY_INLINE void accumulate(const Lanes& lanes, double* to) {
    alignas(64) float each[kLanes];
    for (std::size_t i = 0; i < kParts; ++i) hn::Store(lanes.part[i], f, each + i * kWidth);
    for (std::size_t i = 0; i < kLanes; ++i) to[i] += static_cast<double>(each[i]);
}

template <std::size_t n_coefficients>
HWY_INLINE void short_sums(const float* x, std::size_t n, const Base& base, const float (&coefficients)[n_coefficients],
                           double* sums) {
    Lanes total;
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const Pack w = weight(pack, base, coefficients);
        for (std::size_t i = 0; i < kPack; ++i) {
            Vec& to = total.part[part_of(at, i)];
            to = hn::Add(to, w.v[i]);
        }
    });
    accumulate(total, sums);
}

HWY_INLINE Vec add_where(hn::Mask<F> where, Vec sum, Vec v) { return hn::IfThenElse(where, hn::Add(sum, v), sum); }

// One short sum of split().
HWY_INLINE std::size_t short_split(const float* x, std::size_t n, const Base& base, float low, float high, float* inside,
                                   SplitSums& sums) {
    Lanes total;
    Lanes above;
    std::size_t count = 0;
    std::size_t count_above = 0;
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const Pack w = weight(pack, base, kExp2Degree4);
        for (std::size_t i = 0; i < kPack; ++i) {
            const std::size_t part = part_of(at, i);
            const auto is_above = hn::Ge(pack.v[i], set(high));
            const auto is_inside = hn::AndNot(is_above, hn::Ge(pack.v[i], set(low)));
            total.part[part] = hn::Add(total.part[part], w.v[i]);
            above.part[part] = add_where(is_above, above.part[part], w.v[i]);
            count_above += hn::CountTrue(f, is_above);
            count += store_kept(pack.v[i], is_inside, inside + count);
        }
    });
    accumulate(total, sums.total);
    accumulate(above, sums.above);
    sums.above_count += count_above;
    return count;
}

}  // namespace

void weight_sums(const float* x, std::size_t n, float base, bool coarse, double* sums) {
    const Base b(base);
    for (std::size_t at = 0; at < n; at += kShortSum) {
        if (coarse)
            short_sums(x + at, std::min(kShortSum, n - at), b, kExp2Degree3, sums);
        else
            short_sums(x + at, std::min(kShortSum, n - at), b, kExp2Degree4, sums);
    }
}

void weights(const float* x, std::size_t n, float base, float* out) {
    const Base b(base);
    for_packs(x, n, [&](std::size_t at, const Pack& pack) HWY_ATTR {
        const Pack w = weight(pack, b, kExp2Degree4);
        for (std::size_t i = 0; i < kPack; ++i) hn::StoreU(w.v[i], f, out + at + i * kWidth);
    });
}

std::size_t split(const float* x, std::size_t n, float base, float low, float high, float* inside, SplitSums& sums) {
    const Base b(base);
    std::size_t count = 0;
    for (std::size_t at = 0; at < n; at += kShortSum)
        count += short_split(x + at, std::min(kShortSum, n - at), b, low, high, inside + count, sums);
    return count;
}

void sums_at_least(const float* x, const float* weight, std::size_t n, const float* thresholds, float* sums) {
    for (std::size_t j = 0; j < kThresholds; ++j) sums[j] = 0;
    alignas(64) float each[kThresholds][kLanes];
    for (std::size_t part = 0; part < kParts; ++part) {
        Vec sum[kThresholds];
        for (Vec& v : sum) v = hn::Zero(f);
        for (std::size_t at = part * kWidth; at < n; at += kLanes) {
            const Vec v = hn::LoadU(f, x + at);
            const Vec w = hn::LoadU(f, weight + at);
            for (std::size_t j = 0; j < kThresholds; ++j) sum[j] = add_where(hn::Ge(v, set(thresholds[j])), sum[j], w);
        }
        for (std::size_t j = 0; j < kThresholds; ++j) hn::Store(sum[j], f, each[j] + part * kWidth);
    }
    for (std::size_t i = 0; i < kLanes; ++i)
        for (std::size_t j = 0; j < kThresholds; ++j) sums[j] += each[j][i];
}

std::size_t collect(const float* x, std::size_t n, float low, float high, float* inside) {
    std::size_t count = 0;
    std::size_t at = 0;
    for (; at + kWidth <= n; at += kWidth) {
        const Vec v = hn::LoadU(f, x + at);
        const auto is_inside = hn::And(hn::Ge(v, set(low)), hn::Lt(v, set(high)));
        if (!hn::AllFalse(f, is_inside)) count += store_kept(v, is_inside, inside + count);
    }
    for (; at < n; ++at)
        if (x[at] >= low && x[at] < high) inside[count++] = x[at];
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
