// A line of JSON for each tier, the command line's and the request's: `hlg` objects. What is let through lies in its range, and
// what the reply says was in force gives the same curve when it is sent back.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "api/hlg_object.hpp"
#include "engine/model_config.hpp"
#include "engine/settings.hpp"
#include "require.hpp"

namespace {

using namespace hlg;
using fuzz::require;

/** The object of a body {"hlg": TEXT}; what is refused says so as a Problem. */
engine::HlgSettings settings_of(std::string_view text) {
    const api::Json body = api::parse_body("{\"hlg\":" + std::string(text) + "}");
    return api::read_hlg(api::Node(body).at("hlg"));
}

void check_ranges(const CurveParams& curve) {
    require(!curve.pivot_offset || std::abs(*curve.pivot_offset) <= 1e4, "an offset from -1e4 to 1e4");
    require(curve.width >= 0 && curve.shoulder > 0 && curve.toe > 0, "knobs in their ranges");
    require(curve.pivot == Pivot::top || curve.pivot == Pivot::entropy || curve.pivot == Pivot::median, "a pivot that there is");
    require(curve.toe_shape == ToeShape::log || curve.toe_shape == ToeShape::fade, "a shape that there is");
    const Curve made(curve);
    require(made.h(-1) <= made.h(0) && made.h(0) <= made.h(1), "the curve does not fall");
}

/** The same, but for the offset, which replies always tell. */
bool same(CurveParams one, CurveParams other) {
    one.pivot_offset = one.pivot_offset.value_or(default_offset(one.pivot));
    other.pivot_offset = other.pivot_offset.value_or(default_offset(other.pivot));
    return one == other;
}

void check_round_trip(const engine::ResolvedSettings& resolved) {
    api::Json told = api::hlg_json(resolved, resolved.ignored);
    told.erase("ignored");
    const std::array<engine::SamplingSettings, 1> tiers{{{.hlg = settings_of(told.dump())}}};
    const auto again = engine::resolve(tiers);
    require(static_cast<bool>(again), "a reply's hlg may be sent back", told.dump());
    require(resolved.params.hlg.has_value() == again->params.hlg.has_value(), "on stays on, off stays off", told.dump());
    require(!resolved.params.hlg || same(*resolved.params.hlg, *again->params.hlg), "and is the same curve", told.dump());
}

void check_tiers(const std::array<engine::SamplingSettings, 2>& tiers) {
    const auto resolved = engine::resolve(tiers);
    require(static_cast<bool>(resolved), "what each tier's reader lets through is in range",
            resolved ? "" : resolved.error().message);
    if (resolved->params.hlg) check_ranges(*resolved->params.hlg);
    const engine::HlgSettings& request = tiers[1].hlg;
    if (request.enabled) require(resolved->params.hlg.has_value() == *request.enabled, "the request's word on enabled counts");
    if (resolved->params.hlg && request.width)
        require(resolved->params.hlg->width == *request.width, "the request's width counts");
    if (resolved->params.hlg && request.pivot)
        require(resolved->params.hlg->pivot == *request.pivot, "the request's pivot counts");
    check_round_trip(*resolved);
}

/** A model's generation_config.json is read by others, but by the same rules. */
void check_config(std::string_view text) {
    const auto settings = engine::parse_generation_config(std::string(text), "config");
    if (settings) {
        const std::array<engine::SamplingSettings, 1> tiers{{*settings}};
        const auto resolved = engine::resolve(tiers);
        require(resolved || !resolved.error().message.empty(), "a refusal says why");
        if (resolved && resolved->params.hlg) check_ranges(*resolved->params.hlg);
    } else {
        require(settings.error().message.starts_with("config"), "an error names the file", settings.error().message);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(input.find('\n'), size);
    check_config(input.substr(0, line));
    try {
        check_tiers(
            {{{.hlg = settings_of(input.substr(0, line))}, {.hlg = settings_of(input.substr(std::min(line + 1, size)))}}});
    } catch (const api::Problem& problem) {
        require(problem.status == 400, "a refusal is a 400");
        require(problem.message.starts_with(problem.param.value_or("the body")), "a refusal names the field first",
                problem.message);
        require(!problem.param || problem.param->starts_with("hlg"), "and it is one in hlg", *problem.param);
        require(problem.message.size() < 500 && problem.message.find('\n') == std::string::npos, "in one line", problem.message);
    }
    return 0;
}
