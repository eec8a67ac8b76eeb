// SPDX-License-Identifier: MIT
//
// hlg curve: the curve for given knobs, in the terminal, as a picture or as numbers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/curve_plot.hpp"
#include "cli/curve_svg.hpp"
#include "cli/curve_view.hpp"
#include "cli/flags.hpp"
#include "cli/output_file.hpp"
#include "cli/sampling_options.hpp"
#include "cli/terminal.hpp"
#include "engine/settings_json.hpp"

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

// Twenty a nat over the default curve's range.
constexpr std::int64_t default_points = 201;

struct CurveOptions {
    std::optional<double> from;
    std::optional<double> to;
    std::optional<std::int64_t> points;
    std::string svg;
    bool json = false;
    bool ascii = false;
    SamplingOptions sampling;
};

/** In single quotes where the shell would take it apart. */
std::string for_shell(const std::string& word) {
    const bool simple =
        word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:+=,") == std::string::npos;
    return simple && !word.empty() ? word : "'" + word + "'";
}

/** The command line that gives this picture again. An absolute path is nobody else's, so its file's name must do. */
std::string spoken(const Flags& flags) {
    std::string line = "hlg curve";
    for (auto [name, word] : flags.given()) {  // --json and --ascii have no value, and don't touch the picture
        if (name == "--svg" && std::filesystem::path(word).is_absolute()) word = std::filesystem::path(word).filename();
        line += " " + name + " " + for_shell(word);
    }
    return line;
}

ordered_json samples(const CurveView& view, std::int64_t points) {
    ordered_json all = ordered_json::array();
    for (std::int64_t i = 0; i < points; ++i) {
        const double z = view.from() + (view.to() - view.from()) * static_cast<double>(i) / static_cast<double>(points - 1);
        all.push_back({{"z", z}, {"h", view.curve().h(z)}, {"slope", view.curve().slope(z)}, {"shaped", view.shaped(z)}});
    }
    return all;
}

std::string view_json(const CurveView& view, const engine::ResolvedSettings& settings, std::int64_t points) {
    const Curve& curve = view.curve();
    const bool placed = !curve.identity() && curve.pivot() == Pivot::top;
    ordered_json json;
    json["hlg"] = settings.params.hlg ? engine::to_json(*settings.params.hlg, settings.preset) : ordered_json{{"enabled", false}};
    json["temperature"] = view.temperature();
    json["from"] = view.from();
    json["to"] = view.to();
    json["knots"] = view.knots();
    json["top_token"] = placed ? ordered_json(curve.offset()) : ordered_json();
    json["samples"] = samples(view, points);
    return json.dump() + "\n";
}

/** Whoever just looks at the curve should know that nothing uses it yet. */
std::string remark(const SamplingOptions& sampling) {
    if (sampling.given().hlg != engine::HlgSettings{}) return {};
    return "\nThese are the built-in knobs, the preset balanced. HLG is off by default:\n"
           "samplers use it with --hlg-sampling on only. Other curves:\n"
           "hlg curve --hlg-preset bold.\n";
}

int show(const CurveOptions& options, const std::string& command) {
    const engine::ResolvedSettings settings = options.sampling.resolve_curve();
    const CurveView view(settings, options.from, options.to);
    if (!options.svg.empty()) write_file(options.svg, svg_plot(view, command));
    if (options.json) write_file("-", view_json(view, settings, options.points.value_or(default_points)));
    if (!options.svg.empty() || options.json) return exit_ok;
    PlotStyle style{.unicode = writes_utf8() && !options.ascii, .colour = wants_colour()};
    std::string end = remark(options.sampling);
    if (const std::optional<TerminalSize> size = terminal_size()) {
        style.columns = style.words = size->columns - 1;
        end = wrapped(end, style.words, 0);
        style.lines = size->lines - 1 - static_cast<int>(std::count(end.begin(), end.end(), '\n'));  // 1 for the shell's prompt
    }
    write_file("-", terminal_plot(view, style) + end);
    return exit_ok;
}

}  // namespace

void add_curve(CLI::App& app, Action& action) {
    auto options = std::make_shared<CurveOptions>();
    Flags flags(app, "curve", "Show the curve of given knobs: in the terminal, as a picture, as numbers");
    flags.real("--from", options->from, "from -10000 to 10000", "Left end, nats from the pivot");
    flags.real("--to", options->to, "from -10000 to 10000", "Right end, nats from the pivot");
    flags.text("--svg", "FILE", options->svg, "Write a picture instead; - = stdout");
    flags.on("--json", options->json, "One JSON object instead: knobs, knots, samples of z, h, slope, shaped = h/T");
    flags.whole("--points", options->points, 2, 100000, "Samples in --json, evenly spaced, both ends included (201)");
    flags.on("--ascii", options->ascii, "Draw with ASCII whatever the locale says");
    options->sampling.add_curve_to(flags);
    flags.when_chosen([options, flags, &action] { action = [options, line = spoken(flags)] { return show(*options, line); }; });
}

}  // namespace hlg::cli
