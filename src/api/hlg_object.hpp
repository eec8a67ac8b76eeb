// SPDX-License-Identifier: MIT
//
// The field `hlg` of requests and replies; the same on every endpoint.
#pragma once

#include <string>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/settings.hpp"

namespace hlg::api {

/** The request's: an object of knobs, or true or false for {"enabled": ...}; "off" is infinity. Absent = nothing is set. Throws.
 */
[[nodiscard]] engine::HlgSettings read_hlg(const Node& hlg);

/** The reply's: the curve in force, and which settings had no effect. */
[[nodiscard]] Json hlg_json(const engine::ResolvedSettings& settings, const std::vector<std::string>& ignored);

}  // namespace hlg::api
