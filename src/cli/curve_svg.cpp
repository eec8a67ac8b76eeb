// SPDX-License-Identifier: MIT
//
// The picture of the curve. Coordinates are written with two decimals and nothing depends on the machine, so that the same
// command gives the same bytes.
#include "cli/curve_svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "cli/axis.hpp"

namespace hlg::cli {
namespace {

// The picture's units; a README shows it about as many pixels wide.
constexpr double width = 820;
constexpr double height = 520;
constexpr double left = 76;
constexpr double right = width - 28;
constexpr double strip = 86;  ///< top of the regions' names
constexpr double top = strip + 50;
constexpr double bottom = height - 68;

// The least room, in the same units, for a name, for what it does, for an arrow with its number.
constexpr double room_for_name = 62;
constexpr double room_for_effect = 136;
constexpr double room_for_arrow = 34;

/** Colours by role, once for light and once for dark; GitHub's own, so that the picture sits well on its pages. */
constexpr const char* style = R"(<style>
  text { font-family: -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328; }
  .title { font-size: 20px; font-weight: 600; }
  .muted { fill: #59636e; }
  .small { font-size: 12px; }
  .name { font-size: 15px; font-weight: 600; }
  .middle { text-anchor: middle; }
  .end { text-anchor: end; }
  .math { font-family: Georgia, Cambria, "Times New Roman", "DejaVu Serif", serif; font-style: italic; font-size: 16px; }
  .halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
  .paper { fill: #ffffff; }
  .grid { stroke: #e7ebef; stroke-width: 1; }
  .axis { stroke: #818b98; stroke-width: 1; fill: none; }
  .guide { stroke: #818b98; stroke-width: 1; stroke-dasharray: 1 4; stroke-linecap: round; }
  .curve { fill: none; stroke-width: 3.5; stroke-linejoin: round; }
  .plain { fill: none; stroke: #818b98; stroke-width: 1.75; stroke-dasharray: 7 5; }
  .arrow { fill: none; stroke-width: 1.25; }
  .mark { fill: #ffffff; stroke: #1f2328; stroke-width: 2; }
  .pivot { fill: #1f2328; }
  .toe { stroke: #0969da; } .mid { stroke: #1f2328; } .shoulder { stroke: #bc4c00; }
  text.toe { fill: #0969da; stroke: none; } text.mid { stroke: none; } text.shoulder { fill: #bc4c00; stroke: none; }
  path.gap { stroke: none; fill-opacity: 0.10; } .gap.toe { fill: #0969da; } .gap.shoulder { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .muted { fill: #9198a1; }
    .halo { stroke: #0d1117; }
    .paper { fill: #0d1117; }
    .grid { stroke: #21262d; }
    .axis, .guide { stroke: #6e7681; }
    .plain { stroke: #8b949e; }
    .mark { fill: #0d1117; stroke: #f0f6fc; }
    .pivot { fill: #f0f6fc; }
    .toe { stroke: #58a6ff; } .mid { stroke: #f0f6fc; } .shoulder { stroke: #f0883e; }
    text.toe { fill: #58a6ff; } text.shoulder { fill: #f0883e; }
    path.gap { fill-opacity: 0.16; } .gap.toe { fill: #58a6ff; } .gap.shoulder { fill: #f0883e; }
  }
</style>
)";

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            default: safe += c;
        }
    }
    return safe;
}

/** A number with a real minus sign. */
std::string typeset(double value) {
    const std::string text = tidy(value);
    return value < 0.0 ? fmt::format("\u2212{}", text.substr(1)) : text;
}

/** A coordinate: two decimals are finer than any screen. */
std::string at(double place) { return fmt::format("{:.2f}", place); }

std::string text(double x, double y, const std::string& classes, const std::string& words) {
    return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", at(x), at(y), classes, words);
}

std::string line(double x1, double y1, double x2, double y2, const std::string& classes) {
    return fmt::format("<path class=\"{}\" d=\"M{} {}L{} {}\"/>\n", classes, at(x1), at(y1), at(x2), at(y2));
}

class Picture {
public:
    explicit Picture(const CurveView& view)
        : view_(view), x_{view.from(), view.to(), left, right}, y_{view.lowest(0.03), view.highest(0.05), bottom, top} {}

    [[nodiscard]] std::string content() const {
        std::string all = head() + grid();
        for (const Region& region : view_.regions()) all += gap(region) + region_name(region);
        all += guides() + axes() + plain();
        for (const Region& region : view_.regions()) all += stretch(region);
        for (const Region& region : view_.regions()) all += arrow(region);
        return all + marks();
    }

private:
    [[nodiscard]] std::string head() const {
        return text(left, 38, "title", "The HLG curve") + text(left, 61, "muted", escaped(heading(view_) + ": " + knobs(view_)));
    }

    [[nodiscard]] std::string grid() const {
        std::string all;
        for (const double value : ticks(y_.from, y_.to, 9))
            all += line(left, y_.place(value), right, y_.place(value), "grid") +
                   text(left - 10, y_.place(value) + 4.5, "muted end", typeset(value));
        for (const double z : ticks(x_.from, x_.to, 13))
            all += line(x_.place(z), bottom, x_.place(z), bottom + 5, "axis") +
                   text(x_.place(z), bottom + 21, "muted middle", typeset(z));
        return all;
    }

    [[nodiscard]] std::string axes() const {
        const bool hot = view_.temperature() != 1.0;
        const std::string z = "<tspan class=\"math\">z</tspan>";
        const std::string score =
            "<tspan class=\"math\">h</tspan>(" + z + ")" + (hot ? " / <tspan class=\"math\">T</tspan>" : "");
        const double middle = (top + bottom) / 2;
        return fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", at(left), at(top), at(bottom), at(right)) +
               text((left + right) / 2, bottom + 48, "middle", z + " = logit \u2212 pivot, nats") +
               fmt::format("<text transform=\"translate(28 {}) rotate(-90)\" class=\"middle\">{}, nats</text>\n", at(middle),
                           score);
    }

    [[nodiscard]] std::string region_name(const Region& region) const {
        const double room = x_.place(region.to) - x_.place(region.from);
        const double middle = (x_.place(region.from) + x_.place(region.to)) / 2;
        const std::string name = name_of(region.kind);
        if (room < room_for_name || view_.curve().identity()) return {};
        std::string all = text(middle, strip + 16, "name middle " + name, name);
        if (room >= room_for_effect) all += text(middle, strip + 34, "muted small middle", effect_of(region.kind, view_));
        return all;
    }

    /** Places along a stretch, about two units apart: finer than the eye sees a bend. */
    [[nodiscard]] std::vector<double> steps(double from, double to) const {
        const int count = std::max(1, static_cast<int>(std::ceil((x_.place(to) - x_.place(from)) / 2)));
        std::vector<double> places;
        for (int i = 0; i <= count; ++i) places.push_back(from + (to - from) * i / count);
        return places;
    }

    [[nodiscard]] std::string points(const Region& region) const {
        std::string path;
        for (const double z : steps(region.from, region.to))
            path += fmt::format("{}{} {}", path.empty() ? "M" : "L", at(x_.place(z)), at(y_.place(view_.shaped(z))));
        return path;
    }

    [[nodiscard]] std::string stretch(const Region& region) const {
        const std::string shape =
            region.kind == RegionKind::mid
                ? fmt::format("M{} {}L{} {}", at(x_.place(region.from)), at(y_.place(view_.shaped(region.from))),
                              at(x_.place(region.to)), at(y_.place(view_.shaped(region.to))))
                : points(region);
        return fmt::format("<path class=\"curve {}\" d=\"{}\"/>\n", name_of(region.kind), shape);
    }

    /** What lies between the curve and plain temperature. */
    [[nodiscard]] std::string gap(const Region& region) const {
        if (region.kind == RegionKind::mid) return {};
        return fmt::format("<path class=\"gap {}\" d=\"{}L{} {}L{} {}Z\"/>\n", name_of(region.kind), points(region),
                           at(x_.place(region.to)), at(y_.place(view_.plain(region.to))), at(x_.place(region.from)),
                           at(y_.place(view_.plain(region.from))));
    }

    [[nodiscard]] std::string plain() const {
        const double z = view_.to() - 0.24 * (view_.to() - std::max(view_.from(), 0.0));
        return line(x_.place(view_.from()), y_.place(view_.plain(view_.from())), x_.place(view_.to()),
                    y_.place(view_.plain(view_.to())), "plain") +
               text(x_.place(z) - 12, y_.place(view_.plain(z)) - 4, "muted end halo", "plain temperature");
    }

    [[nodiscard]] std::string guides() const {
        std::string all;
        for (const double knot : view_.knots()) all += line(x_.place(knot), strip, x_.place(knot), bottom, "guide");
        return all;
    }

    /** How far the curve moves a token, three quarters of the way out. */
    [[nodiscard]] std::string arrow(const Region& region) const {
        if (region.kind == RegionKind::mid) return {};
        const bool toe = region.kind == RegionKind::toe;
        const double z = toe ? region.to - 0.74 * (region.to - region.from) : region.from + 0.74 * (region.to - region.from);
        const double x = x_.place(z);
        const double start = y_.place(view_.plain(z));
        const double end = y_.place(view_.shaped(z));
        const double down = end > start ? 1.0 : -1.0;
        if (std::abs(end - start) < room_for_arrow) return {};
        const double tip = end - 5 * down;
        const std::string name = name_of(region.kind);
        const double moved = std::round((view_.shaped(z) - view_.plain(z)) * 10) / 10;
        return fmt::format("<path class=\"arrow {}\" d=\"M{} {}V{}m-4 {}l4 {}l4 {}\"/>\n", name, at(x), at(start + 3 * down),
                           at(tip), at(-6 * down), at(6 * down), at(-6 * down)) +
               text(x + (toe ? -8 : 8), (start + end) / 2 + 4, name + " small" + (toe ? " end" : ""),
                    fmt::format("{}{}", moved > 0 ? "+" : "", typeset(moved)));
    }

    /** The line that a mark's words stand on: below the curve, to the right of the mark. */
    [[nodiscard]] std::string marked(double z, const std::string& words) const {
        return text(x_.place(z) + 9, y_.place(view_.shaped(z)) + 19, "small halo", words);
    }

    [[nodiscard]] std::string marks() const {
        std::string all;
        const std::string w = "<tspan class=\"math\">w</tspan> = ";
        for (const double knot : view_.knots()) {
            const double y = y_.place(view_.shaped(knot));
            all += fmt::format("<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"5\"/>\n", at(x_.place(knot)), at(y));
            all += text(x_.place(knot) + 7, bottom - 9, "small muted halo",
                        fmt::format("{}{}{}", knot < 0 ? "\u2212" : "", w, typeset(knot)));
        }
        if (view_.curve().identity()) return all;
        if (view_.shows(0.0)) {
            all += fmt::format("<circle class=\"pivot\" cx=\"{}\" cy=\"{}\" r=\"5\"/>\n", at(x_.place(0.0)), at(y_.place(0.0)));
            all += marked(0.0, "pivot");
        }
        if (const std::optional<double> z = view_.top_token()) {
            const std::string path = fmt::format("M{} {}l5 9h-10z", at(x_.place(*z)), at(y_.place(view_.shaped(*z)) - 5));
            all += "<path class=\"pivot\" d=\"" + path + "\"/>\n" + marked(*z, "top token");
        }
        return all;
    }

    const CurveView& view_;
    Axis x_;
    Axis y_;
};

/** What the picture shows, for who can't see it. */
std::string description(const CurveView& view) {
    std::string words =
        "Curve of the score h(z) over z = logit minus pivot, in nats, beside plain temperature as a dashed line. ";
    for (const std::string& line : legend(view)) words += line + ". ";
    words.pop_back();
    return words;
}

}  // namespace

std::string svg_plot(const CurveView& view, const std::string& command) {
    std::string svg = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    svg += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-labelledby=\"title description\">\n",
        width, height);
    svg += fmt::format("<title id=\"title\">The HLG curve</title>\n<desc id=\"description\">{}</desc>\n",
                       escaped(description(view)));
    svg += "<metadata>" + escaped(command) + "</metadata>\n";
    svg += style;
    svg += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n", width, height);
    return svg + Picture(view).content() + "</svg>\n";
}

}  // namespace hlg::cli
