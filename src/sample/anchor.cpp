#include "sample/anchor.hpp"

#include <numbers>
#include <numeric>

namespace hlg::sample {

double mean_logit(Blocks& blocks) {
    const ExpSums sums = blocks.exp_sums();
    const double weight = std::accumulate(sums.weight, sums.weight + kLanes, 0.0);
    const double octaves = std::accumulate(sums.moment, sums.moment + kLanes, 0.0);
    return static_cast<double>(blocks.top()) - octaves / weight * std::numbers::ln2;
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
