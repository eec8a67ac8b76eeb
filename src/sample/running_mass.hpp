// The mass of the logits while they are read for the first time: exponentials of what is still in the core's nearest cache,
// relative to the largest logit so far. A second read of a large vocabulary would come from far away.
#pragma once

#include <cstddef>
#include <span>

#include "sample/kernels.hpp"

namespace hlg::sample {

/** What tokens hold together, relative to the top one. */
struct Mass {
    double weight = 0;  ///< sum of exp(x - top), >= 1
    double moment = 0;  ///< sum of (top - x) exp(x - top), nats
};

/** Sums of powers of 2 relative to 2^base, as a mass relative to the top, which lies within an octave of the base. */
[[nodiscard]] Mass relative_to_top(const ExpSums& sums, double base, float top);

/** Logits this far below the top are summed coarsely: nearly all the mass of most distributions lies above, nats. */
inline constexpr float kNear = 12;

/** Whether coarse sums would be wrong by more than 5e-6 of the whole mass. */
[[nodiscard]] bool too_coarse(const Mass& far, double near_weight) noexcept;

/** The distance below the top, nats, at which this many tokens hold e^-16 of the top one's weight together. */
[[nodiscard]] float depth_that_counts(std::size_t vocab) noexcept;

class RunningMass {
public:
    RunningMass(const Kernels& kernels, std::size_t vocab) : kernels_(&kernels), depth_(depth_that_counts(vocab)) {}

    /** The next logits, whole blocks but for the last, with their blocks' maxima and the largest logit up to here. */
    void add(std::span<const float> logits, std::span<const float> maxima, float top);

    /** Into `mass`, within 1e-5 of each sum's weight; false where it takes another read to get so near. */
    [[nodiscard]] bool total(float top, Mass& mass) const;

private:
    static constexpr std::size_t kAhead = 16 * kBlock;  ///< how far to look ahead, logits: until the next call

    void weigh(std::span<const float> run, bool coarse);
    void move_base(float top);

    const Kernels* kernels_;
    float depth_;
    double base_ = 0;  ///< octaves
    bool begun_ = false;
    bool fits_ = true;  ///< the kernel's float32 holds whole octaves and a distance to them
    ExpSums near_;
    ExpSums far_;
};

}  // namespace hlg::sample
