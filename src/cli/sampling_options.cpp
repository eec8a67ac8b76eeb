// SPDX-License-Identifier: MIT
#include "cli/sampling_options.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/edit_options.hpp"

namespace hlg::cli {
namespace {

constexpr const char* group = "Sampling";
constexpr const char* curve_group = "HLG sampling (nats)";

std::string preset_names() {
    std::vector<std::string_view> names;
    for (const Preset& preset : presets()) names.push_back(preset.name);
    return fmt::format("{}", fmt::join(names, "|"));
}

std::optional<std::string> known_preset(const std::string& word) {
    return find_preset(word) == nullptr ? std::nullopt : std::optional(word);
}

}  // namespace

std::optional<bool> on_or_off(const std::string& word) {
    if (word == "on") return true;
    if (word == "off") return false;
    return std::nullopt;
}

std::string speak_flags(const std::string& message) {
    const std::size_t close = message.find(']');
    if (message.empty() || message.front() != '[' || close == std::string::npos) return message;
    return flag_of(message.substr(1, close - 1)) + message.substr(close + 1);
}

std::string flag_of(const std::string& field) {
    std::string flag = "--" + field;
    std::replace_if(
        flag.begin() + 2, flag.end(), [](char c) { return c == '.' || c == '_'; }, '-');
    return flag;
}

void SamplingOptions::add_to(Flags& flags) {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    add_curve_to(flags);
    flags.group(group);
    flags.real("--top-p", given_.top_p, "0 to 1; 1 = off", "Keep the likeliest tokens that hold this mass");
    flags.whole("--top-k", given_.top_k, -1, largest, "Keep the k likeliest tokens (0 or -1 = off)");
    flags.real("--min-p", given_.min_p, "0 to 1; 0 = off", "Keep tokens at least this likely, relative to the top");
    flags.unsigned64("--seed", given_.seed, "Same seed, same settings, same text (drawn and reported when absent)");
}

void SamplingOptions::add_curve_to(Flags& flags) {
    flags.group(group);
    flags.real("-T,--temperature,--temp", given_.temperature, "0 to 100; 0 = greedy",
               "Slope of the scores; also the curve's gain");
    flags.group(curve_group);
    engine::HlgSettings& hlg = given_.hlg;
    const CurveParams own;
    flags.choice("--hlg-sampling", "on|off", hlg.enabled, "The curve is the sampler; top-p, top-k and min-p rest (off)",
                 on_or_off);
    flags.choice("--hlg-preset", preset_names(), hlg.preset, "Named settings; single knobs change them", known_preset);
    flags.choice("--hlg-pivot", "top|entropy|median", hlg.pivot,
                 fmt::format("What the curve is anchored at ({})", to_string(own.pivot)), pivot_from);
    flags.nats("--hlg-pivot-offset", hlg.pivot_offset, "-10000 to 10000",
               fmt::format("How far the pivot lies below its anchor (top {}, entropy {}, median {})", default_offset(Pivot::top),
                           default_offset(Pivot::entropy), default_offset(Pivot::median)));
    flags.nats("--hlg-width", hlg.width, ">= 0 or off", fmt::format("Half of the linear part around the pivot ({})", own.width));
    flags.nats("--hlg-shoulder", hlg.shoulder, "> 0 or off",
               fmt::format("Above it: smaller compresses the favourites more ({})", own.shoulder));
    flags.nats("--hlg-toe", hlg.toe, "> 0 or off", fmt::format("Below it: the toe's scale ({})", own.toe));
    flags.choice("--hlg-toe-shape", "log|fade", hlg.toe_shape,
                 fmt::format("log lifts the far tail, fade removes it ({})", to_string(own.toe_shape)), toe_shape_from);
}

void SamplingOptions::add_edits_to(Flags& flags) {
    flags.group("Penalties and biases, which act after the curve");
    flags.real("--repeat-penalty", given_.repeat_penalty, "0.01 to 100; 1 = off",
               "Make tokens less likely that prompt or text have: divides a positive score, multiplies a negative one");
    flags.whole("--repeat-last-n", given_.repeat_last_n, -1, std::numeric_limits<std::int32_t>::max(),
                "How many tokens back it looks; -1 = all, 0 = off (64)");
    flags.real("--presence-penalty", given_.presence_penalty, "-100 to 100; 0 = off",
               "Taken off the score of a token that the text has, nats");
    flags.real("--frequency-penalty", given_.frequency_penalty, "-100 to 100; 0 = off",
               "Taken off for each time that the text has it, nats");
    const auto read = [this](const std::string& word) {
        if (!given_.logit_bias) given_.logit_bias.emplace();
        given_.logit_bias->push_back(parse_logit_bias(word));
    };
    flags.each("-l,--logit-bias", "TOKEN(+|-)BIAS", read,
               "Added to a token's score, nats: 262+1.5, 262-3, or 262-inf for never; repeatable");
}

engine::ResolvedSettings SamplingOptions::resolve_curve() const {
    engine::SamplingSettings on;
    on.hlg.enabled = true;
    const std::array tiers{on, given_};
    engine::Result<engine::ResolvedSettings> resolved = engine::resolve(tiers);
    if (!resolved) throw UsageError(speak_flags(resolved.error().message));
    return *resolved;
}

void SamplingOptions::check() const {
    const engine::Result<engine::ResolvedSettings> resolved = engine::resolve(std::span(&given_, 1));
    if (!resolved) throw UsageError(speak_flags(resolved.error().message));
}

engine::ResolvedSettings SamplingOptions::resolve(const engine::SamplingSettings& below) const {
    const std::array tiers{below, given_};
    engine::Result<engine::ResolvedSettings> resolved = engine::resolve(tiers);
    if (!resolved) throw UsageError(speak_flags(resolved.error().message));
    if (!given_.seed && !below.seed) resolved->params.seed = engine::random_seed();
    if (!resolved->ignored.empty()) {
        fmt::print(stderr, "hlg: HLG is the sampler, so these settings are ignored: {}\n", fmt::join(resolved->ignored, ", "));
    }
    // Whoever switched it off by hand knows.
    if (!resolved->params.hlg && !given_.hlg.enabled && given_.hlg != engine::HlgSettings{})
        fmt::print(stderr, "hlg: HLG is off, so the --hlg-* flags change nothing; to switch it on, add: --hlg-sampling on\n");
    return *resolved;
}

}  // namespace hlg::cli
