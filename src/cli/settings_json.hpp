// SPDX-License-Identifier: MIT
//
// Settings as every --json of the program spells them.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/settings.hpp"

namespace hlg::cli {

/** The curve's knobs, default offset included; nats, "off" for infinity, which JSON has no number for. */
nlohmann::ordered_json to_json(const CurveParams& curve, const std::optional<std::string>& preset);

/** The settings in force but for the seed, and the ones that were ignored. */
nlohmann::ordered_json to_json(const engine::ResolvedSettings& settings);

}  // namespace hlg::cli
