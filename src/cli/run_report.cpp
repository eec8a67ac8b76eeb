// SPDX-License-Identifier: MIT
#include "cli/run_report.hpp"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/settings_json.hpp"

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

double rate(std::size_t tokens, double seconds) { return seconds > 0.0 ? static_cast<double>(tokens) / seconds : 0.0; }

double milliseconds(double seconds) { return std::round(seconds * 1e6) / 1e3; }

/** Here it was a person who cancelled. */
std::string_view reason(const RunReport& report) {
    return report.result.reason == engine::Finish::cancelled ? "interrupted" : engine::to_string(report.result.reason);
}

}  // namespace

std::string statistics_line(const RunReport& report) {
    const engine::Usage& result = report.result.usage;
    const double speed = rate(result.generated_tokens, result.generate_seconds);
    const std::string spoken =
        result.generated_tokens == 0 ? std::string() : fmt::format("{:.{}f} tokens/s, ", speed, speed < 10 ? 1 : 0);
    return fmt::format("{} in, {} out, {}finish: {}, seed {}", result.prompt_tokens, result.generated_tokens, spoken,
                       reason(report), report.settings.params.seed);
}

std::string to_json(const RunReport& report) {
    const engine::Usage& result = report.result.usage;
    ordered_json json;
    json["text"] = report.text;
    json["prompt"] = report.prompt;
    json["finish_reason"] = reason(report);
    json["seed"] = report.settings.params.seed;
    json["usage"] = {{"prompt_tokens", result.prompt_tokens},
                     {"completion_tokens", result.generated_tokens},
                     {"total_tokens", result.prompt_tokens + result.generated_tokens}};
    json["timings"] = {{"load_ms", milliseconds(report.load_seconds)},
                       {"prompt_ms", milliseconds(result.prompt_seconds)},
                       {"generate_ms", milliseconds(result.generate_seconds)},
                       {"prompt_tokens_per_second", rate(result.prompt_tokens, result.prompt_seconds)},
                       {"tokens_per_second", rate(result.generated_tokens, result.generate_seconds)}};
    json["settings"] = to_json(report.settings);
    json["model"] = report.model;
    json["context"] = report.context;
    json["threads"] = report.threads;
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace hlg::cli
