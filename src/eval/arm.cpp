// SPDX-License-Identifier: MIT
#include "eval/arm.hpp"

namespace hlg::eval {

std::vector<Arm> default_arms() {
    Arm plain{.name = "off", .sampling = {}};
    plain.sampling.temperature = 1.0;
    Arm hlg{.name = "hlg", .sampling = plain.sampling};
    hlg.sampling.hlg.enabled = true;
    hlg.sampling.hlg.preset = "balanced";
    return {std::move(plain), std::move(hlg)};
}

engine::SamplingSettings explicit_settings(engine::SamplingSettings given) {
    if (!given.temperature) given.temperature = 1.0;
    const bool hlg = given.hlg != engine::HlgSettings{} && given.hlg.enabled.value_or(true);
    if (hlg) return given;  // which leaves the others out
    if (!given.top_p) given.top_p = 1.0;
    if (!given.top_k) given.top_k = 0;
    if (!given.min_p) given.min_p = 0.0;
    return given;
}

}  // namespace hlg::eval
