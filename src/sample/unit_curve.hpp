// A step's weights in float32 units, as the kernels count them, and the proof that they are never too few.
#pragma once

#include "sample/kernels.hpp"
#include "sample/shaper.hpp"

namespace hlg::sample {

/** A curve for the kernels, and the logit below which no token weighs a unit. */
struct UnitStep {
    UnitCurve curve;
    float threshold = 0;  ///< +inf: no token reaches a unit
};

/**
 * Makes the curve under which the shaper's reference weighs 2^scale units. The kernels' units and one more are then never less
 * than the exact weight, and up to a fifth more. False: float32 is too coarse for this curve and these logits.
 */
[[nodiscard]] bool make_unit_step(const Shaper& shaper, int scale, UnitStep& out);

/** The next float32 at or below, but finite: a mask of -inf must stay below every threshold. */
[[nodiscard]] float round_down(double value) noexcept;

}  // namespace hlg::sample
