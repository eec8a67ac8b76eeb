#include "sample/anchor.hpp"

namespace hlg::sample {

double mean_logit(Blocks& blocks) {
    const Mass mass = blocks.mass();
    return static_cast<double>(blocks.top()) - mass.moment / mass.weight;
}

double Anchor::median_logit(Blocks& blocks) {
    const auto found = nucleus_.find(blocks, {}, {.share = 0.5, .top = blocks.top()});
    // There always is one: half of the mass lies far above what rounding can lose.
    return static_cast<double>(found ? found->value : blocks.top());
}

double Anchor::pivot(const Curve& curve, Blocks& blocks) {
    switch (curve.pivot()) {
        case Pivot::top: return static_cast<double>(blocks.top()) - curve.offset();
        case Pivot::entropy: return mean_logit(blocks) - curve.offset();
        case Pivot::median: return median_logit(blocks) - curve.offset();
    }
    return 0;
}

}  // namespace hlg::sample
