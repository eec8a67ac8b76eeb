// The passes over an array of logits, one set a SIMD target.
//
// A token must not depend on the machine, so every kernel gives the same bits on every target: maxima and integer sums do not
// depend on their order, floating sums run in sixteen fixed lanes whatever the vector's width, and a product is fused with a sum
// where the code says so and nowhere else (build with -ffp-contract=off; targets without the instruction compute it exactly).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hlg::sample {

/** Tokens a block: large enough that a pass over the block maxima is cheap, small enough that opening a block is too. */
inline constexpr std::size_t kBlock = 256;

/** Lanes of every floating sum: the widest vector in use holds sixteen float32. */
inline constexpr std::size_t kLanes = 16;

/** What `units` may write past its end is less than this many. */
inline constexpr std::size_t kPadding = 64;

/** What one read of the logits tells. */
struct Scan {
    float top;  ///< the largest logit, -inf for none
    bool nan;   ///< whether any logit is NaN; `top` and the block maxima are then meaningless
};

/**
 * A token's weight as the draw's proposals see it, in float32: floor(2^(gain h(z) + lift)) units, z = z_top - (top - x). The
 * slack in `lift` makes up for the float32 arithmetic: together with one unit more it is never less than the exact weight (see
 * unit_curve.cpp).
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

/**
 * UnitCurve in so few steps that a vector's registers hold them, for when nearly all tokens have to be looked at: bin i holds the
 * units of its upper end, the last bin's also stand for all that lies below.
 */
struct UnitTable {
    static constexpr int kBins = 32;
    float start = 0;  ///< logit x lies in bin (start - bins_per_nat x), rounded to nearest, ties to even; at least -0.5 for all
    float bins_per_nat = 0;
    std::array<std::uint32_t, kBins> units = {};
};

/** What the entries of an array up to each of eight limits add up to. */
struct Cuts {
    static constexpr std::size_t kCount = 8;
    std::array<std::uint32_t, kCount> limits = {};
    std::array<std::uint64_t, kCount> sums = {};
};

/** log2(e) to float32: the weights below are powers of 2 of x times this. */
inline constexpr float kOctavesPerNat = 1.44269504F;

/** Running sums of w = 2^(kOctavesPerNat x - base) and of w log2(w). */
struct ExpSums {
    alignas(64) double weight[kLanes] = {};
    alignas(64) double moment[kLanes] = {};
};

/** Thresholds that `sums_at_least` compares with at a time: their sums stay in registers. */
inline constexpr std::size_t kThresholds = 8;

/** What a split adds up: weights 2^(kOctavesPerNat x - base) in lanes, and how many lie above. */
struct SplitSums {
    alignas(64) double total[kLanes] = {};
    alignas(64) double above[kLanes] = {};  ///< of x >= high
    std::size_t above_count = 0;
};

struct Kernels {
    const char* name;

    /**
     * Largest logit of each block of kBlock into block_max[ceil(n / kBlock)], of each of its kLanes lanes (the block's tokens
     * i with the same i mod kLanes) into lane_max[kLanes * ceil(n / kBlock)], -inf for an empty lane, and of all.
     */
    Scan (*scan)(const float* x, std::size_t n, float* block_max, float* lane_max);

    /** units[n] of the logits x[n], written up to a whole multiple of kPadding, or not at all if null; returns their sum. */
    std::uint64_t (*units)(const float* x, std::size_t n, const UnitCurve& curve, std::uint32_t* units);

    /** Sums of the units of x[kBlock] by lane, into sums[kLanes]. */
    void (*lane_units)(const float* x, const UnitCurve& curve, std::uint32_t* sums);

    /** Units from a table: of each block of x[n] together, into block_units[ceil(n / kBlock)]. */
    void (*look_up_blocks)(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* block_units);

    /** Units from a table: of each x[n], n <= kBlock; written up to a whole multiple of kPadding. */
    void (*look_up)(const float* x, std::size_t n, const UnitTable& table, std::uint32_t* units);

    /** Adds up the entries of units[n], each below 2^31, that do not exceed each limit. */
    void (*sums_up_to)(const std::uint32_t* units, std::size_t n, Cuts& cuts);

    /** Writes i for each units[i] > limit, in order; entries below 2^31; out needs room for n + kLanes. Returns how many. */
    std::size_t (*above)(const std::uint32_t* units, std::size_t n, std::uint32_t limit, std::uint32_t* out);

    /** The entry of units[n] that holds this unit, counted through from the first entry; unit becomes its place in it. */
    std::size_t (*find)(const std::uint32_t* units, std::size_t n, std::uint64_t& unit);

    /**
     * Adds x[n] to the sums; `base` is a whole number of octaves within 30 of the largest. Relative error of a weight: 3e-7 near
     * the base, 9e-7 at 30 octaves below it, coarse 1.1e-4.
     */
    void (*exp_sums)(const float* x, std::size_t n, float base, bool coarse, ExpSums& sums);

    /** Writes first + i for each x[i] >= threshold, in order; out needs room for n + kLanes. Returns how many. */
    std::size_t (*at_least)(const float* x, std::size_t n, float threshold, std::uint32_t first, std::uint32_t* out);

    // The four below take `base` like exp_sums, |base| < 2^21; their weights have a relative error below 4e-6, those of logits
    // more than 100 octaves below the base are 2^-100.

    /** Adds the weights of x[n] to sums[kLanes]; coarse: relative error 1.1e-4. */
    void (*weight_sums)(const float* x, std::size_t n, float base, bool coarse, double* sums);

    /** The weights of x[n], written up to a whole multiple of kPadding. */
    void (*weights)(const float* x, std::size_t n, float base, float* out);

    /**
     * Adds x[n] to the sums and writes those inside, low <= x < high, in order; `inside` needs room for n + kLanes. Returns how
     * many; low must be finite.
     */
    std::size_t (*split)(const float* x, std::size_t n, float base, float low, float high, float* inside, SplitSums& sums);

    /** For each of thresholds[kThresholds] the sum of weight[i] over x[i] >= threshold; n is a multiple of kLanes. */
    void (*sums_at_least)(const float* x, const float* weight, std::size_t n, const float* thresholds, float* sums);

    /** Writes those of x[n] that lie in [low, high), in order; `inside` needs room for n + kLanes. Returns how many. */
    std::size_t (*collect)(const float* x, std::size_t n, float low, float high, float* inside);
};

/** The kernel sets that this CPU can run, best first; never empty. */
std::span<const Kernels* const> available_kernels() noexcept;

}  // namespace hlg::sample
