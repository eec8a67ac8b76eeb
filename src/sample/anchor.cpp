#include "sample/anchor.hpp"

namespace hlg::sample {

double mean_logit(Blocks& blocks) {
    const Blocks::Mass mass = blocks.mass();
    return static_cast<double>(blocks.top()) - mass.moment / mass.weight;
}

double Anchor::pivot(const Curve& curve, Blocks& blocks) {
    switch (curve.pivot()) {
        case Pivot::top: return static_cast<double>(blocks.top()) - curve.offset();
        case Pivot::entropy: return mean_logit(blocks) - curve.offset();
        case Pivot::median: return static_cast<double>(median_.find(blocks)) - curve.offset();
    }
    return 0;
}

}  // namespace hlg::sample
