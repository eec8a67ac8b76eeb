// The kernels' table, one for each SIMD target. The files kernels_*.cpp are compiled once for each target by Highway's
// foreach_target.h. Highway's own run-time dispatch is not used: it would need its shared library, and libhlg must depend on
// nothing; targets.cpp chooses.
#include "sample/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {

Scan scan(const float* x, std::size_t n, float* block_max, float* lane_max);
std::size_t at_least(const float* x, std::size_t n, float threshold, std::uint32_t first, std::uint32_t* out);
std::uint64_t units(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* out);
void lane_units(const float* x, const UnitCurve& curve, std::uint32_t* sums);
void look_up_blocks(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* block_units);
void look_up(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* units);
void sums_up_to(const std::uint32_t* units, std::size_t n, Cuts& cuts);
std::size_t above(const std::uint32_t* units, std::size_t n, std::uint32_t limit, std::uint32_t* out);
std::size_t find(const std::uint32_t* units, std::size_t n, std::uint64_t& unit);
void exp_sums(const float* x, std::size_t n, float base, bool coarse, ExpSums& sums);
void weight_sums(const float* x, std::size_t n, float base, bool coarse, double* sums);
void weights(const float* x, std::size_t n, float base, float* out);
std::size_t split(const float* x, std::size_t n, float base, float low, float high, float* inside, SplitSums& sums);
void sums_at_least(const float* x, const float* weight, std::size_t n, const float* thresholds, float* sums);
std::size_t collect(const float* x, std::size_t n, float low, float high, float* inside);

extern const Kernels kernels;
const Kernels kernels{.name = hwy::TargetName(HWY_TARGET),
                      .scan = scan,
                      .units = units,
                      .lane_units = lane_units,
                      .look_up_blocks = look_up_blocks,
                      .look_up = look_up,
                      .sums_up_to = sums_up_to,
                      .above = above,
                      .find = find,
                      .exp_sums = exp_sums,
                      .at_least = at_least,
                      .weight_sums = weight_sums,
                      .weights = weights,
                      .split = split,
                      .sums_at_least = sums_at_least,
                      .collect = collect};

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
