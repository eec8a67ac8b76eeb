// Kernels that read and compare: the scan for block maxima and NaN, and the search by a threshold.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_read.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sample/compress-inl.hpp"
#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

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

// Vectors whose maxima are kept apart: enough to hide the operations' latency, and a whole number of rows of kLanes.
constexpr std::size_t kTops = std::max<std::size_t>(4, kParts);

// One block's maximum, lane by lane, and its lanes' into lane_max.
HWY_INLINE Vec block_top(const float* x, NanWatch& watch, float* lane_max) {
    Vec top[kTops];
    for (std::size_t j = 0; j < kTops; ++j) {
        top[j] = keep(hn::LoadU(f, x + j * kWidth));
        watch.sum[j % 4] = hn::Add(watch.sum[j % 4], top[j]);
    }
    for (std::size_t i = kTops * kWidth; i < kBlock; i += kTops * kWidth) {
        for (std::size_t j = 0; j < kTops; ++j) {
            const Vec v = keep(hn::LoadU(f, x + i + j * kWidth));
            top[j] = hn::Max(top[j], v);
            watch.sum[j % 4] = hn::Add(watch.sum[j % 4], v);
        }
    }
    for (std::size_t stride = kTops / 2; stride >= kParts; stride /= 2)
        for (std::size_t j = 0; j < stride; ++j) top[j] = hn::Max(top[j], top[j + stride]);
    for (std::size_t j = 0; j < kParts; ++j) hn::StoreU(top[j], f, lane_max + j * kWidth);
    for (std::size_t j = 1; j < kParts; ++j) top[0] = hn::Max(top[0], top[j]);
    return top[0];
}

}  // namespace

Scan scan(const float* x, std::size_t n, float* block_max, float* lane_max) {
    NanWatch watch;
    for (Vec& sum : watch.sum) sum = hn::Zero(f);
    Vec top = set(-std::numeric_limits<float>::infinity());
    std::size_t at = 0;
    for (; at + kBlock <= n; at += kBlock, lane_max += kLanes) {
        const Vec m = block_top(x + at, watch, lane_max);
        top = hn::Max(top, m);
        *block_max++ = largest(f, m);
    }
    if (at < n) {
        alignas(64) float padded[kBlock];
        std::fill(padded, padded + kBlock, -std::numeric_limits<float>::infinity());
        std::copy(x + at, x + n, padded);
        const Vec m = block_top(padded, watch, lane_max);
        top = hn::Max(top, m);
        *block_max = largest(f, m);
    }
    const Vec all = hn::Add(hn::Add(watch.sum[0], watch.sum[1]), hn::Add(watch.sum[2], watch.sum[3]));
    // A NaN sum may also come from +inf and -inf, or from an overflow: then the logits are read again for the truth.
    const bool suspect = !hn::AllFalse(f, hn::IsNaN(all));
    return {largest(f, top), suspect && any_nan(x, n)};
}

std::size_t at_least(const float* x, std::size_t n, float threshold, std::uint32_t first, std::uint32_t* out) {
    const Vec t = set(threshold);
    std::size_t count = 0;
    std::size_t at = 0;
    auto ids = hn::Iota(u32, first);
    for (; at + kWidth <= n; at += kWidth, ids = hn::Add(ids, hn::Set(u32, static_cast<std::uint32_t>(kWidth)))) {
        const auto keep = hn::Ge(hn::LoadU(f, x + at), t);
        if (hn::AllFalse(f, keep)) continue;
        count += store_kept(ids, keep, out + count);
    }
    for (; at < n; ++at)
        if (x[at] >= threshold) out[count++] = first + static_cast<std::uint32_t>(at);
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
