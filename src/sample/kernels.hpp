// The passes over an array of logits, one set a SIMD target.
//
// A token must not depend on the machine, so every kernel gives the same bits on every target: maxima and integer sums do not
// depend on their order, floating sums run in sixteen fixed lanes whatever the vector's width, and no product is fused with a
// sum (build with -ffp-contract=off; FMA is never asked for).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hlg::sample {

/** Tokens a block: large enough that a pass over the block maxima is cheap, small enough that opening a block is too. */
inline constexpr std::size_t kBlock = 128;

/** Lanes of every floating sum: the widest vector in use holds sixteen float32. */
inline constexpr std::size_t kLanes = 16;

/** What one read of the logits tells. */
struct Scan {
    float top;  ///< the largest logit, -inf for none
    bool nan;   ///< whether any logit is NaN; `top` and the block maxima are then meaningless
};

/**
 * A token's weight as the draw's proposals see it, in float32: floor(2^(gain h(z) + lift)) units, z = z_top - (top - x), never
 * less than the exact weight's floor (see envelope.cpp).
 */
struct UnitCurve {
    enum class Kind { line, log, fade };
    Kind kind = Kind::line;
    float top = 0;            ///< the raw top logit
    float mask_floor = 0;     ///< logits below it are masked: no units
    float z_top = 0;          ///< its distance above the pivot
    float gain = 1;           ///< m in octaves a nat: m log2(e)
    float lift = 0;           ///< log2(units of the reference) - m h(reference) log2(e) + slack
    float shoulder_knot = 0;  ///< +inf = no shoulder
    float toe_knot = 0;       ///< +inf = no toe
    float shoulder = 0, inverse_shoulder = 0;
    float toe = 0, inverse_toe = 0;
    float fade = 0;  ///< 1 / (2 bt)
};

/** Running sums of exp(x - top) and of (top - x) log2(e) exp(x - top): the distance in octaves. */
struct ExpSums {
    alignas(64) double weight[kLanes] = {};
    alignas(64) double moment[kLanes] = {};
};

struct Kernels {
    const char* name;

    /** Largest logit of each block of kBlock into block_max[ceil(n / kBlock)], and of all. */
    Scan (*scan)(const float* x, std::size_t n, float* block_max);

    /** units[n] of the logits x[n], written up to a whole multiple of kLanes; returns their sum. */
    std::uint64_t (*units)(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* units);

    /** Adds x[n] to the sums. Relative error of a weight: 3e-7. */
    void (*exp_sums)(const float* x, std::size_t n, float top, ExpSums& sums);

    /** Writes first + i for each x[i] >= threshold, in order; out needs room for n + kLanes. Returns how many. */
    std::size_t (*at_least)(const float* x, std::size_t n, float threshold, std::uint32_t first, std::uint32_t* out);
};

/** The kernel sets that this CPU can run, best first; never empty. */
std::span<const Kernels* const> available_kernels() noexcept;

}  // namespace hlg::sample
