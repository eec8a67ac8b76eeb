// Where a step's curve is anchored: the pivot, read from the model's full, unmasked distribution.
#pragma once

#include "hlg/curve.hpp"
#include "sample/blocks.hpp"
#include "sample/nucleus.hpp"

namespace hlg::sample {

class Anchor {
public:
    /** The pivot's logit: the mode's anchor less the curve's offset. `blocks` must hold every token. */
    [[nodiscard]] double pivot(const Curve& curve, Blocks& blocks);

private:
    /** The logit at which the mass of the tokens, sorted downwards, first reaches one half; as close as Nucleus says. */
    [[nodiscard]] double median_logit(Blocks& blocks);

    Nucleus nucleus_;
};

/** sum(p x), p = softmax(x): minus the entropy, in log-probability terms. Within 1e-5 nats of the exact sum. */
[[nodiscard]] double mean_logit(Blocks& blocks);

}  // namespace hlg::sample
