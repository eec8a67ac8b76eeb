// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/settings.hpp"

namespace hlg::eval {

/** Settings of the sampler under a name; what the first arm does is what the others are compared with. */
struct Arm {
    std::string name;
    engine::SamplingSettings sampling;
};

/** HLG off and on: plain temperature 1, and the preset balanced at temperature 1. */
std::vector<Arm> default_arms();

/** The same settings with nothing left to the source's own: a temperature of 1, and no top_p, top_k and min_p, where nothing else
   is given and HLG is off. */
engine::SamplingSettings explicit_settings(engine::SamplingSettings given);

}  // namespace hlg::eval
