// Storing the lanes that a mask keeps, side by side. Highway 1.0 has this too, but its store under a mask takes some CPUs ten
// times as long as storing the whole vector, and its AVX2 tables are copied at every call.
#if defined(HLG_SAMPLE_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HLG_SAMPLE_COMPRESS_INL
#undef HLG_SAMPLE_COMPRESS_INL
#else
#define HLG_SAMPLE_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>

#include "sample/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace hlg::sample {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4

// For each mask the lanes that it keeps, in order, then zeros: one byte a lane.
constexpr std::array<std::uint64_t, 1U << kWidth> kept_lanes() {
    std::array<std::uint64_t, 1U << kWidth> lanes{};
    for (std::size_t bits = 0; bits < lanes.size(); ++bits) {
        std::size_t count = 0;
        for (std::uint64_t lane = 0; lane < kWidth; ++lane)
            if ((bits >> lane & 1U) != 0) lanes[bits] |= lane << (8 * count++);
    }
    return lanes;
}
constexpr auto kKeptLanes = kept_lanes();

#endif

// Writes the lanes of v that are kept, and up to a vector of anything after them; returns how many.
HWY_INLINE std::size_t store_kept(Vec v, hn::Mask<F> keep, float* to) {
#if HWY_TARGET == HWY_AVX2
    const auto bits = static_cast<std::uint32_t>(_mm256_movemask_ps(hn::VecFromMask(f, keep).raw));
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kKeptLanes[bits])));
    hn::StoreU(Vec{_mm256_permutevar8x32_ps(v.raw, lanes)}, f, to);
    return static_cast<std::size_t>(std::popcount(bits));
#elif HWY_TARGET == HWY_SSE4
    const auto bits = static_cast<std::uint32_t>(_mm_movemask_ps(hn::VecFromMask(f, keep).raw));
    // Lane k's bytes are 4 k to 4 k + 3.
    const __m128i lanes = _mm_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kKeptLanes[bits])));
    const __m128i bytes = _mm_add_epi32(_mm_mullo_epi32(lanes, _mm_set1_epi32(0x04040404)), _mm_set1_epi32(0x03020100));
    hn::StoreU(Vec{_mm_castsi128_ps(_mm_shuffle_epi8(_mm_castps_si128(v.raw), bytes))}, f, to);
    return static_cast<std::size_t>(std::popcount(bits));
#elif HWY_TARGET == HWY_SCALAR
    if (keep.bits != 0) *to = v.raw;
    return keep.bits != 0 ? 1 : 0;
#else
    hn::StoreU(hn::Compress(v, keep), f, to);
    return hn::CountTrue(f, keep);
#endif
}

// The same of whole numbers, with a mask of any of our vectors.
template <class Mask>
HWY_INLINE std::size_t store_kept(hn::Vec<U> v, Mask keep, std::uint32_t* to) {
    return store_kept(hn::BitCast(f, v), hn::RebindMask(f, keep), reinterpret_cast<float*>(to));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace hlg::sample
HWY_AFTER_NAMESPACE();
#endif
