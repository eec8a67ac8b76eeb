// SPDX-License-Identifier: MIT
#include "cli/run_report.hpp"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/settings_json.hpp"

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

double rate(std::size_t tokens, double seconds) { return seconds > 0.0 ? static_cast<double>(tokens) / seconds : 0.0; }

double milliseconds(double seconds) { return std::round(seconds * 1e6) / 1e3; }

/** Here it was a person who cancelled. */
std::string_view reason(const engine::FinishedEvent& finished) {
    return finished.reason == engine::Finish::cancelled ? "interrupted" : engine::to_string(finished.reason);
}

}  // namespace

std::string statistics_line(const RunReport& report, std::optional<std::size_t> number) {
    const engine::FinishedEvent& last = report.finished.value();
    const double speed = rate(last.usage.generated_tokens, last.usage.generate_seconds);
    const bool spoken = !number && last.usage.generated_tokens > 0;
    return fmt::format("{}{} in, {} out, {}finish: {}, seed {}", number ? fmt::format("{}: ", *number) : std::string(),
                       last.usage.prompt_tokens, last.usage.generated_tokens,
                       spoken ? fmt::format("{:.{}f} tokens/s, ", speed, speed < 10 ? 1 : 0) : std::string(), reason(last),
                       last.seed);
}

std::string to_json(const RunReport& report) {
    const engine::FinishedEvent& last = report.finished.value();
    const engine::Usage& usage = last.usage;
    ordered_json json;
    json["text"] = report.text;
    json["prompt"] = report.prompt;
    json["index"] = report.index;
    json["choice"] = report.choice;
    json["finish_reason"] = reason(last);
    json["stop"] = last.stop ? ordered_json(*last.stop) : ordered_json(nullptr);
    json["seed"] = last.seed;
    json["usage"] = {{"prompt_tokens", usage.prompt_tokens},
                     {"completion_tokens", usage.generated_tokens},
                     {"total_tokens", usage.prompt_tokens + usage.generated_tokens}};
    json["timings"] = {{"load_ms", milliseconds(report.load_seconds)},
                       {"queued_ms", milliseconds(usage.queued_seconds)},
                       {"prompt_ms", milliseconds(usage.prompt_seconds)},
                       {"generate_ms", milliseconds(usage.generate_seconds)},
                       {"prompt_tokens_per_second", rate(usage.prompt_tokens - usage.reused_tokens, usage.prompt_seconds)},
                       {"tokens_per_second", rate(usage.generated_tokens, usage.generate_seconds)}};
    json["settings"] = to_json(report.settings, engine::SettingsScope::text);
    json["model"] = report.model;
    json["context"] = report.context;
    json["threads"] = report.threads;
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace hlg::cli
