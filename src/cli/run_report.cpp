// SPDX-License-Identifier: MIT
#include "cli/run_report.hpp"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

double rate(std::size_t tokens, double seconds) { return seconds > 0.0 ? static_cast<double>(tokens) / seconds : 0.0; }

double milliseconds(double seconds) { return std::round(seconds * 1e6) / 1e3; }

/** Nats; "off" for infinity, which JSON has no number for. */
ordered_json knob(double value) { return std::isinf(value) ? ordered_json("off") : ordered_json(value); }

ordered_json curve_json(const CurveParams& curve, const std::optional<std::string>& preset) {
    ordered_json json{{"enabled", true}};
    if (preset) json["preset"] = *preset;
    json["pivot"] = to_string(curve.pivot);
    json["pivot_offset"] = curve.pivot_offset.value_or(default_offset(curve.pivot));
    json["width"] = knob(curve.width);
    json["shoulder"] = knob(curve.shoulder);
    json["toe"] = knob(curve.toe);
    json["toe_shape"] = to_string(curve.toe_shape);
    return json;
}

ordered_json settings_json(const engine::ResolvedSettings& settings) {
    const SamplerParams& params = settings.params;
    ordered_json json{
        {"temperature", params.temperature}, {"top_p", params.top_p}, {"top_k", params.top_k}, {"min_p", params.min_p}};
    json["hlg"] = params.hlg ? curve_json(*params.hlg, settings.preset) : ordered_json{{"enabled", false}};
    json["ignored"] = settings.ignored;
    return json;
}

}  // namespace

std::string statistics_line(const RunReport& report) {
    const engine::GenerationResult& result = report.result;
    return fmt::format("{} prompt tokens, {} generated at {:.0f} tokens/s, finish: {}, seed {}", result.prompt_tokens,
                       result.generated_tokens, rate(result.generated_tokens, result.generate_seconds),
                       engine::to_string(result.finish), report.settings.params.seed);
}

std::string to_json(const RunReport& report) {
    const engine::GenerationResult& result = report.result;
    ordered_json json;
    json["text"] = report.text;
    json["finish_reason"] = engine::to_string(result.finish);
    json["seed"] = report.settings.params.seed;
    json["usage"] = {{"prompt_tokens", result.prompt_tokens},
                     {"completion_tokens", result.generated_tokens},
                     {"total_tokens", result.prompt_tokens + result.generated_tokens}};
    json["timings"] = {{"load_ms", milliseconds(report.load_seconds)},
                       {"prompt_ms", milliseconds(result.prompt_seconds)},
                       {"generate_ms", milliseconds(result.generate_seconds)},
                       {"prompt_tokens_per_second", rate(result.prompt_tokens, result.prompt_seconds)},
                       {"tokens_per_second", rate(result.generated_tokens, result.generate_seconds)}};
    json["settings"] = settings_json(report.settings);
    json["model"] = report.model;
    json["context"] = report.context;
    json["threads"] = report.threads;
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace hlg::cli
