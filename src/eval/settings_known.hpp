// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "eval/sampler.hpp"

namespace hlg::eval {

/** A sampler with the knobs that people use. */
struct KnownSetting {
    std::string label;
    std::string knobs;
    SamplerPointer sampler;
};

/** Temperature, the rivals as their authors or programs set them, then every preset of HLG. */
std::vector<KnownSetting> known_settings();

}  // namespace hlg::eval
