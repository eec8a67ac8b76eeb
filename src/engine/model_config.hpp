// SPDX-License-Identifier: MIT
//
// The sampling settings that a model brings along: `general.sampling.*` in the GGUF file, then a generation_config.json
// beside it, the latter winning.
#pragma once

#include "engine/model.hpp"
#include "engine/result.hpp"
#include "engine/settings.hpp"

namespace hlg::engine {

/** What the model itself says about sampling. A file that can't be understood is an error, not silence. */
Result<SamplingSettings> model_settings(const Model& model);

/** Settings from the text of a generation_config.json; `name` is for errors. Fields that are not about sampling are passed over.
 */
Result<SamplingSettings> parse_generation_config(const std::string& text, const std::string& name);

}  // namespace hlg::engine
