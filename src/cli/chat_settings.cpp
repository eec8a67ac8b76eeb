// SPDX-License-Identifier: MIT
#include "cli/chat_settings.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace hlg::cli {
namespace {

std::string nats(double value) { return std::isinf(value) ? "off" : fmt::format("{}", value); }

std::string truncations(const SamplerParams& params) {
    const std::string top_p = params.top_p < 1.0 ? fmt::format("{}", params.top_p) : "off";
    const std::string top_k = params.top_k > 0 ? fmt::format("{}", params.top_k) : "off";
    const std::string min_p = params.min_p > 0.0 ? fmt::format("{}", params.min_p) : "off";
    return fmt::format("top-p {}, top-k {}, min-p {}{}", top_p, top_k, min_p, params.hlg ? " (at rest, as HLG is on)" : "");
}

std::string curve(const engine::ResolvedSettings& settings) {
    if (!settings.params.hlg) return "off";
    const CurveParams& curve = *settings.params.hlg;
    const std::string preset = settings.preset ? *settings.preset + ": " : std::string();
    return fmt::format("{}pivot {} - {}, width {}, shoulder {}, toe {} {}", preset, to_string(curve.pivot),
                       curve.pivot_offset.value_or(default_offset(curve.pivot)), nats(curve.width), nats(curve.shoulder),
                       nats(curve.toe), to_string(curve.toe_shape));
}

std::string penalties(const engine::Penalties& penalties) {
    if (penalties.off()) return "off";
    return fmt::format("repeat {} over {}, presence {}, frequency {}", penalties.repeat,
                       penalties.last_n < 0 ? "all tokens" : fmt::format("{} tokens", penalties.last_n), penalties.presence,
                       penalties.frequency);
}

}  // namespace

ChatSettings::ChatSettings(std::string model, const engine::ContextLimits& limits, const SamplingOptions& sampling,
                           const engine::SamplingSettings& own, std::optional<std::size_t> tokens)
    : model_(std::move(model)),
      limits_(limits),
      resolved_(sampling.resolve(own)),
      seed_(sampling.given().seed ? sampling.given().seed : own.seed),
      tokens_(tokens) {}

std::string ChatSettings::model_line() const {
    return fmt::format("{}, {} tokens of context, {} thread{}", model_, limits_.context, limits_.threads,
                       limits_.threads == 1 ? "" : "s");
}

std::string ChatSettings::text() const {
    std::string text;
    const auto line = [&text](const char* name, const std::string& value) { text += fmt::format("  {:<12} {}\n", name, value); };
    line("model", model_line());
    line("answers", tokens_ ? fmt::format("{} tokens at most", *tokens_) : "until they end");
    line("seed", seed_ ? fmt::format("{}", *seed_) : "a new one for each answer");
    line("temperature", fmt::format("{}", resolved_.params.temperature));
    line("truncation", truncations(resolved_.params));
    line("HLG", curve(resolved_));
    line("penalties", penalties(resolved_.penalties));
    if (!resolved_.logit_bias.empty()) line("biases", fmt::format("{}", resolved_.logit_bias.size()));
    return text;
}

}  // namespace hlg::cli
