// Compiled once for each SIMD target by Highway's foreach_target.h; Highway chooses at run time.
#include "bench/floor.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/floor.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace hlg::bench {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Two loads a cycle and a latency of two to four cycles for a maximum: eight accumulators keep both load ports busy.
constexpr std::size_t kAccumulators = 8;

float max_of(const float* HWY_RESTRICT x, std::size_t n) {
    const hn::ScalableTag<float> f;
    using Vec = hn::Vec<decltype(f)>;
    constexpr std::size_t width = hn::MaxLanes(hn::ScalableTag<float>());
    Vec best[kAccumulators];
    for (Vec& b : best) b = hn::Set(f, -std::numeric_limits<float>::infinity());
    std::size_t at = 0;
    for (; at + kAccumulators * width <= n; at += kAccumulators * width)
        for (std::size_t j = 0; j < kAccumulators; ++j) best[j] = hn::Max(best[j], hn::LoadU(f, x + at + j * width));
    for (; at + width <= n; at += width) best[0] = hn::Max(best[0], hn::LoadU(f, x + at));
    for (std::size_t step = kAccumulators / 2; step > 0; step /= 2)
        for (std::size_t j = 0; j < step; ++j) best[j] = hn::Max(best[j], best[j + step]);
    float top = hn::GetLane(hn::MaxOfLanes(f, best[0]));
    for (; at < n; ++at) top = x[at] > top ? x[at] : top;
    return top;
}

const char* target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace hlg::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hlg::bench {
namespace {
HWY_EXPORT(max_of);
HWY_EXPORT(target);
}  // namespace

float floor_max(const float* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(max_of)(x, n); }

const char* floor_target() { return HWY_DYNAMIC_DISPATCH(target)(); }

}  // namespace hlg::bench
#endif
