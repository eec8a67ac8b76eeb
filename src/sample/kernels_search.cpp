// Kernels over arrays of units: what lies under a limit, what above, and where a unit falls. Sums of integers have no order, so
// every target gives the same.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/kernels_search.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <numeric>

#include "sample/compress-inl.hpp"
#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

// Entries below 2^31 may be compared as signed, which older targets can do in one step.
HWY_INLINE hn::Vec<I> load_units(const std::uint32_t* from) { return hn::BitCast(i32, hn::LoadU(u32, from)); }

// Rows of kWidth entries that a lane can add up within 32 bits: no entry exceeds 2^23 (kMaxScale and its slack).
constexpr std::size_t kRows = 256;

HWY_INLINE void sums_of_rows(const std::uint32_t* units, std::size_t n, Cuts& cuts) {
    hn::Vec<I> sum[Cuts::kCount];
    for (auto& s : sum) s = hn::Zero(i32);
    for (std::size_t i = 0; i < n; i += kWidth) {
        const auto v = load_units(units + i);
        for (std::size_t j = 0; j < Cuts::kCount; ++j) {
            const auto limit = hn::Set(i32, static_cast<std::int32_t>(cuts.limits[j]));
            sum[j] = hn::Add(sum[j], hn::IfThenZeroElse(hn::Gt(v, limit), v));
        }
    }
    for (std::size_t j = 0; j < Cuts::kCount; ++j) {
        alignas(64) std::array<std::int32_t, kWidth> lanes;
        hn::Store(sum[j], i32, lanes.data());
        for (const std::int32_t lane : lanes) cuts.sums[j] += static_cast<std::uint32_t>(lane);
    }
}

// Entries that `find` adds up at a time.
constexpr std::size_t kStride = 128;

HWY_INLINE std::uint64_t sum_of_stride(const std::uint32_t* units) {
#if HWY_TARGET == HWY_SCALAR
    return std::accumulate(units, units + kStride, std::uint64_t{0});
#else
    const hn::Repartition<std::uint64_t, U> u64;
    const auto low = hn::Set(u64, 0xFFFFFFFF);
    auto sum = hn::Zero(u64);
    for (std::size_t i = 0; i < kStride; i += kWidth) {
        const auto pairs = hn::BitCast(u64, hn::LoadU(u32, units + i));
        sum = hn::Add(sum, hn::Add(hn::And(pairs, low), hn::ShiftRight<32>(pairs)));
    }
    return hn::GetLane(hn::SumOfLanes(u64, sum));
#endif
}

}  // namespace

void sums_up_to(const std::uint32_t* units, std::size_t n, Cuts& cuts) {
    cuts.sums = {};
    const std::size_t whole = n - n % kWidth;
    for (std::size_t at = 0; at < whole; at += kRows * kWidth)
        sums_of_rows(units + at, std::min(whole - at, kRows * kWidth), cuts);
    for (std::size_t i = whole; i < n; ++i)
        for (std::size_t j = 0; j < Cuts::kCount; ++j)
            if (units[i] <= cuts.limits[j]) cuts.sums[j] += units[i];
}

std::size_t above(const std::uint32_t* units, std::size_t n, std::uint32_t limit, std::uint32_t* out) {
    const auto bound = hn::Set(i32, static_cast<std::int32_t>(limit));
    std::size_t count = 0;
    std::size_t at = 0;
    auto ids = hn::Iota(u32, 0);
    for (; at + kWidth <= n; at += kWidth, ids = hn::Add(ids, hn::Set(u32, static_cast<std::uint32_t>(kWidth)))) {
        const auto keep = hn::Gt(load_units(units + at), bound);
        if (hn::AllFalse(i32, keep)) continue;
        count += store_kept(ids, keep, out + count);
    }
    for (; at < n; ++at)
        if (units[at] > limit) out[count++] = static_cast<std::uint32_t>(at);
    return count;
}

std::size_t find(const std::uint32_t* units, std::size_t n, std::uint64_t& unit) {
    std::size_t at = 0;
    for (; at + kStride <= n; at += kStride) {
        const std::uint64_t sum = sum_of_stride(units + at);
        if (unit < sum) break;
        unit -= sum;
    }
    while (unit >= units[at]) unit -= units[at++];
    return at;
}

}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
