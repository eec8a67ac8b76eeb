// SPDX-License-Identifier: MIT
#include "cli/arm_word.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"
#include "api/sampling_fields.hpp"
#include "cli/command.hpp"
#include "engine/settings.hpp"

namespace hlg::cli {
namespace {

/** Of a request's fields, those that are settings of a sampler: a misspelt one must not be left out in silence. */
void check_names(const api::Node& settings) {
    constexpr std::array<std::string_view, 9> known{
        "temperature",       "top_p",         "top_k", "min_p", "repeat_penalty", "presence_penalty",
        "frequency_penalty", "repeat_last_n", "hlg"};
    for (const auto& [name, value] : settings.members())
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw UsageError(
                fmt::format("--arm: no setting is called {}; there are {}", api::shown(name), fmt::join(known, ", ")));
}

}  // namespace

eval::Arm read_arm(const std::string& word) {
    const std::size_t sign = word.find('=');
    const std::size_t name_end = std::min(sign, word.size());
    if (sign == std::string::npos || name_end == 0)
        throw UsageError(fmt::format("--arm must be NAME={{\"temperature\": 0.8, ...}}, got {}", api::shown(word)));
    try {
        const api::Json json = api::parse_body(word.substr(sign + 1));
        const api::Node settings(json);
        check_names(settings);
        eval::Arm arm{.name = word.substr(0, sign), .sampling = {}};
        arm.sampling = api::read_sampling(settings, std::numeric_limits<std::int32_t>::max()).settings;
        const std::array<engine::SamplingSettings, 1> tiers{arm.sampling};
        if (const auto resolved = engine::resolve(tiers); !resolved) throw UsageError("--arm: " + resolved.error().message);
        return arm;
    } catch (const api::Problem& problem) {
        throw UsageError("--arm " + word.substr(0, sign) + ": " + problem.message);
    }
}

std::vector<eval::Arm> checked_arms(std::vector<eval::Arm> arms) {
    if (arms.empty()) return eval::default_arms();
    std::set<std::string> names;
    for (const eval::Arm& arm : arms)
        if (!names.insert(arm.name).second) throw UsageError("--arm: two arms are called " + arm.name);
    if (arms.size() < 2) throw UsageError("--arm must be given twice or more: the first is what the others are compared with");
    return arms;
}

}  // namespace hlg::cli
