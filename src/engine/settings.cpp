// SPDX-License-Identifier: MIT
#include "engine/settings.hpp"

#include <random>

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
        if (Failure failure = curve.apply(tier.hlg)) return *failure;
    }
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
