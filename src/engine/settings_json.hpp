// SPDX-License-Identifier: MIT
//
// Settings as the program and the server report them.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/settings.hpp"

namespace hlg::engine {

/** The curve's knobs, default offset included; nats, "off" for infinity, which JSON has no number for. */
nlohmann::ordered_json to_json(const CurveParams& curve, const std::optional<std::string>& preset);

enum class SettingsScope {
    step,  ///< what one draw depends on
    text,  ///< and what a text adds: penalties, and biases as [token, nats] or, banned, [token, false]
};

/** The settings in force but for the seed, and the ones that were ignored. */
nlohmann::ordered_json to_json(const ResolvedSettings& settings, SettingsScope scope);

/** What one tier says, as a request's body says it: no member for what is not set; a banned token has the bias -100. */
nlohmann::ordered_json to_json(const SamplingSettings& given);

}  // namespace hlg::engine
