// SPDX-License-Identifier: MIT
#include "cli/curve_plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "cli/axis.hpp"
#include "cli/canvas.hpp"
#include "cli/terminal.hpp"

namespace hlg::cli {
namespace {

constexpr int label_width = 9;
constexpr int usual_columns = 69;  // what 9 columns of labels and the axis leave of 79
constexpr int usual_rows = 20;
constexpr int fewest_rows = 6;
constexpr int fewest_columns = 20;
constexpr int lines_around = 4;  // the regions' names, the axis, its labels and its title
constexpr std::string_view x_title = "z = logit - pivot, nats";

/** The signs that one of the two character sets draws with. */
struct Signs {
    const char* vertical;
    const char* horizontal;
    const char* corner;
    const char* tick_left;
    const char* tick_down;
    const char* guide;
    const char* knot;
    const char* pivot;
    const char* top;
    const char* curve;
    const char* plain;
};

constexpr Signs unicode_signs{"│", "─", "└", "┤", "┴", "┊", "●", "◆", "▲", "━━", "╌╌"};
constexpr Signs ascii_signs{"|", "-", "+", "+", "+", ":", "o", "#", "^", "**", ".."};

Ink ink_of(RegionKind kind) {
    switch (kind) {
        case RegionKind::toe: return Ink::cold;
        case RegionKind::shoulder: return Ink::warm;
        case RegionKind::mid: break;
    }
    return Ink::bold;
}

class Plot {
public:
    Plot(const CurveView& view, PlotStyle style, int rows)
        : view_(view),
          style_(style),
          signs_(style.unicode ? unicode_signs : ascii_signs),
          canvas_(std::max(style.columns - label_width - 1, fewest_columns), rows, style.unicode),
          x_{view.from(), view.to(), 0.0, static_cast<double>(canvas_.width() - 1)},
          y_{view.lowest(0.02), view.highest(0.02), static_cast<double>(canvas_.height() - 1), 0.0} {
        draw_guides();
        draw_plain();
        draw_curve();
        draw_marks();
    }

    [[nodiscard]] std::string text() const {
        std::string all = region_names();
        for (int row = 0; row < canvas_.rows(); ++row) all += left_label(row) + canvas_.line(row, style_.colour) + "\n";
        return all + bottom_axis() + bottom_labels();
    }

private:
    /** As many ticks as the usual picture has, by its size. */
    [[nodiscard]] static int share(int ticks, int size, int usual) { return std::max(2, ticks * size / usual); }

    [[nodiscard]] int dot_y(double value) const { return static_cast<int>(std::lround(y_.place(value))); }
    [[nodiscard]] int column_of(double z) const { return static_cast<int>(std::lround(x_.place(z))) / canvas_.dots_across(); }
    [[nodiscard]] int row_of(double value) const { return dot_y(value) / canvas_.dots_down(); }

    void draw_guides() {
        for (const double knot : view_.knots())
            for (int row = 0; row < canvas_.rows(); ++row) canvas_.glyph(column_of(knot), row, signs_.guide, Ink::faint);
    }

    /** Dashed: its dots come and go; left out where the curve is the same. */
    void draw_plain() {
        const int dash = canvas_.dots_across() * 2;
        for (int x = 0; x < canvas_.width(); ++x) {
            const double z = x_.value(x);
            const int y = dot_y(view_.plain(z));
            const bool on = style_.unicode ? x % (2 * dash) < dash : x % 2 == 0;
            if (on && y != dot_y(view_.shaped(z))) canvas_.dot(x, y, Ink::faint, '.');
        }
    }

    void draw_curve() {
        for (int x = 0; x < canvas_.width(); ++x) {
            const double z = x_.value(x);
            const int here = dot_y(view_.shaped(z));
            // Where it is steep, a column holds the dots down to half-way to its neighbour.
            const int before = x == 0 ? here : (dot_y(view_.shaped(x_.value(x - 1))) + here) / 2;
            for (int y = std::min(here, before); y <= std::max(here, before); ++y)
                canvas_.dot(x, y, ink_of(view_.region(z)), '*');
        }
    }

    void draw_marks() {
        for (const double knot : view_.knots())
            canvas_.glyph(column_of(knot), row_of(view_.shaped(knot)), signs_.knot, Ink::bold);
        if (view_.shows(0.0) && !view_.curve().identity()) canvas_.glyph(column_of(0.0), row_of(0.0), signs_.pivot, Ink::bold);
    }

    /** Each region's name over its middle, if there is room. */
    [[nodiscard]] std::string region_names() const {
        Canvas names(canvas_.columns(), 1, false);
        for (const Region& region : view_.regions()) {
            const std::string name = name_of(region.kind);
            const int first = column_of(region.from);
            const int room = column_of(region.to) - first;
            const int start = first + (room - static_cast<int>(name.size()) + 1) / 2;
            if (room <= static_cast<int>(name.size()) || view_.curve().identity()) continue;
            for (std::size_t i = 0; i < name.size(); ++i)
                names.glyph(start + static_cast<int>(i), 0, name.substr(i, 1), ink_of(region.kind));
        }
        return std::string(label_width + 1, ' ') + names.line(0, style_.colour) + "\n";
    }

    /** The number of the tick in this row, if any, and the axis. */
    [[nodiscard]] std::string left_label(int row) const {
        for (const double value : ticks(y_.from, y_.to, share(8, canvas_.rows(), usual_rows)))
            if (row_of(value) == row) return fmt::format("{:>{}}{}", tidy(value) + " ", label_width, signs_.tick_left);
        return std::string(label_width, ' ') + signs_.vertical;
    }

    [[nodiscard]] std::string bottom_axis() const {
        Canvas axis(canvas_.columns(), 1, style_.unicode);
        for (int column = 0; column < canvas_.columns(); ++column) axis.glyph(column, 0, signs_.horizontal, Ink::plain);
        for (const double z : ticks(x_.from, x_.to, share(9, canvas_.columns(), usual_columns)))
            axis.glyph(column_of(z), 0, signs_.tick_down, Ink::plain);
        if (const auto top = view_.top_token()) axis.glyph(column_of(*top), 0, signs_.top, Ink::warm);
        return std::string(label_width, ' ') + signs_.corner + axis.line(0, style_.colour) + "\n";
    }

    [[nodiscard]] std::string bottom_labels() const {
        std::string line(static_cast<std::size_t>(label_width + 1 + canvas_.columns()), ' ');
        for (const double z : ticks(x_.from, x_.to, share(9, canvas_.columns(), usual_columns))) {
            const std::string label = tidy(z);
            // The minus sign hangs to the left, so that the digits stand below the tick.
            const int wanted = label_width + 1 + column_of(z) - static_cast<int>(label.size() - (z < 0 ? 0 : 1)) / 2;
            const int last = static_cast<int>(line.size() - label.size());
            line.replace(static_cast<std::size_t>(std::clamp(wanted, 0, last)), label.size(), label);
        }
        return line.substr(0, line.find_last_not_of(' ') + 1) +
               fmt::format("\n{:>{}}\n", x_title, label_width + (canvas_.columns() + static_cast<int>(x_title.size())) / 2 + 1);
    }

    const CurveView& view_;
    PlotStyle style_;
    const Signs& signs_;
    Canvas canvas_;
    Axis x_;
    Axis y_;
};

/** What the signs mean. */
std::string key(const CurveView& view, PlotStyle style) {
    const Signs& signs = style.unicode ? unicode_signs : ascii_signs;
    const std::string axes = view.temperature() == 1.0 ? "h(z)" : "h(z)/T";
    std::string text = fmt::format("{} {}   {} temperature", signs.curve, axes, signs.plain);
    if (!view.curve().identity()) text += fmt::format("   {} knot   {} pivot", signs.knot, signs.pivot);
    if (view.top_token()) text += fmt::format("   {} top token", signs.top);
    return text;
}

}  // namespace

std::string terminal_plot(const CurveView& view, PlotStyle style) {
    const std::string above = wrapped(fmt::format("HLG curve, {}\n{}\n\n", heading(view), knobs(view)), style.words, 2);
    std::string below = wrapped(fmt::format("\n{}\n\n", key(view, style)), style.words, 2);
    for (const std::string& line : legend(view)) below += wrapped(line + "\n", style.words, 10);
    int rows = usual_rows;
    if (style.lines) {
        const auto taken = std::count(above.begin(), above.end(), '\n') + std::count(below.begin(), below.end(), '\n');
        const int tallest = std::max(usual_rows, style.columns * usual_rows / usual_columns);  // of about the usual shape
        rows = std::clamp(*style.lines - static_cast<int>(taken) - lines_around, fewest_rows, tallest);
    }
    return above + Plot(view, style, rows).text() + below;
}

}  // namespace hlg::cli
