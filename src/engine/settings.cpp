// SPDX-License-Identifier: MIT
#include "engine/settings.hpp"

#include <random>
#include <sstream>

namespace hlg::engine {
namespace {

template <class T>
void take(T& target, const std::optional<T>& value) {
    if (value) target = *value;
}

std::string preset_names() {
    std::string names;
    for (const Preset& preset : presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
    return names;
}

/** The curve, tier by tier. */
struct CurveState {
    CurveParams params;
    bool enabled = false;
    std::optional<std::string> preset;

    Failure apply(const HlgSettings& tier) {
        take(enabled, tier.enabled);
        if (tier.preset) {
            const Preset* found = find_preset(*tier.preset);
            if (found == nullptr) {
                return Error{ErrorCode::bad_settings, "[hlg.preset] must be one of " + preset_names() + ", got " + *tier.preset};
            }
            params = found->params;
            preset = tier.preset;
        }
        if (tier.pivot) {
            params.pivot = *tier.pivot;
            params.pivot_offset.reset();
        }
        if (tier.pivot_offset) params.pivot_offset = tier.pivot_offset;
        take(params.width, tier.width);
        take(params.shoulder, tier.shoulder);
        take(params.toe, tier.toe);
        take(params.toe_shape, tier.toe_shape);
        return std::nullopt;
    }
};

/** Whether a truncation would have removed tokens, had it been applied. */
std::vector<std::string> truncations(const SamplerParams& params) {
    std::vector<std::string> names;
    if (params.top_k > 0) names.emplace_back("top_k");
    if (params.top_p < 1.0) names.emplace_back("top_p");
    if (params.min_p > 0.0) names.emplace_back("min_p");
    return names;
}

Failure out_of_range(const char* field, const char* range, double value) {
    std::ostringstream message;
    message << '[' << field << "] must be " << range << ", got " << value;
    return Error{ErrorCode::bad_settings, message.str()};
}

Failure check(const Penalties& penalties) {
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    if (!within(penalties.repeat, 0.01, 100)) return out_of_range("repeat_penalty", "0.01 to 100", penalties.repeat);
    if (!within(penalties.presence, -100, 100)) return out_of_range("presence_penalty", "-100 to 100", penalties.presence);
    if (!within(penalties.frequency, -100, 100)) return out_of_range("frequency_penalty", "-100 to 100", penalties.frequency);
    if (penalties.last_n < -1)
        return out_of_range("repeat_last_n", "-1 (all), 0 (off) or more", static_cast<double>(penalties.last_n));
    return std::nullopt;
}

}  // namespace

Result<ResolvedSettings> resolve(std::span<const SamplingSettings> tiers) {
    ResolvedSettings resolved;
    SamplerParams& params = resolved.params;
    CurveState curve;
    for (const SamplingSettings& tier : tiers) {
        take(params.temperature, tier.temperature);
        take(params.top_p, tier.top_p);
        take(params.top_k, tier.top_k);
        take(params.min_p, tier.min_p);
        take(params.seed, tier.seed);
        take(resolved.penalties.repeat, tier.repeat_penalty);
        take(resolved.penalties.presence, tier.presence_penalty);
        take(resolved.penalties.frequency, tier.frequency_penalty);
        take(resolved.penalties.last_n, tier.repeat_last_n);
        take(resolved.logit_bias, tier.logit_bias);
        if (Failure failure = curve.apply(tier.hlg)) return *failure;
    }
    if (Failure failure = check(resolved.penalties)) return *failure;
    try {
        validate(curve.params);  // also while off: a typo must not wait for the day someone switches it on
        if (curve.enabled) params.hlg = curve.params;
        validate(params);
    } catch (const ParameterError& error) {
        return Error{ErrorCode::bad_settings, error.what()};
    }
    if (curve.enabled) {
        resolved.preset = curve.preset;
        resolved.ignored = truncations(params);
    }
    return resolved;
}

std::uint64_t random_seed() {
    std::random_device device;  // 32 bits a call
    const std::uint64_t bits = (static_cast<std::uint64_t>(device()) << 32U) | device();
    return bits >> 11U;
}

}  // namespace hlg::engine
