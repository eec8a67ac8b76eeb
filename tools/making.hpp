// SPDX-License-Identifier: MIT
//
// From a plan to GGUF files: write in float16, quantise, calibrate, put in place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "architecture.hpp"
#include "calibration.hpp"

namespace hlg::tools {

struct MakeRequest {
    ModelPlan plan;
    std::vector<std::string> types;  ///< of type_names()
    std::string folder;
    std::string vocabulary;     ///< GGUF file to take the vocabulary from; empty = build one
    std::string chat_template;  ///< file with a Jinja template; empty = the vocabulary's own, if it has one
    std::uint64_t seed = 0;
    double entropy = 2.5;  ///< middle of those after the prompts, nats
};

/** A file that is done. */
struct MadeFile {
    std::string path;
    std::uintmax_t bytes = 0;
    Calibration calibration;
};

/** How weights can be stored: f16, q8_0, q4_0, q4_k_m. */
std::vector<std::string> type_names();

/** Makes FOLDER/NAME-TYPE.gguf for every type and tells of each. A file has its name only once it is whole. Throws MakeError. */
void make_models(const MakeRequest& request, const std::function<void(const MadeFile&)>& report);

}  // namespace hlg::tools
