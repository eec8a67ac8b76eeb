// SPDX-License-Identifier: MIT
#include "cli/curve_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "cli/axis.hpp"
#include "cli/command.hpp"

namespace hlg::cli {
namespace {

// Tokens further than this from the top count as masked, so nothing is to be seen beyond.
constexpr double farthest = 1e4;
constexpr double shortest = 0.1;

// Below this temperature the sampler is greedy.
constexpr double coldest = 1e-5;

/** Far enough out, in whole nats, to see what shoulder and toe do, and the top token where its place is known. */
double default_reach(const Curve& curve) {
    if (curve.identity()) return 10.0;
    const double knots = std::max(3.0 * curve.width(), curve.width() + 4.0);
    const double top = curve.pivot() == Pivot::top ? curve.offset() + 1.0 : 0.0;
    return std::min(std::ceil(std::max(knots, top)), farthest);
}

/** One line, or two where one would be too wide. */
void add_fitting(std::string head, const std::string& rest, std::vector<std::string>& lines) {
    constexpr std::size_t widest = 80;
    constexpr std::size_t indent = 10;
    if (head.size() + rest.size() <= widest) {
        lines.push_back(head + rest);
        return;
    }
    head.pop_back();  // the blank that would have come between
    lines.push_back(std::move(head));
    lines.push_back(std::string(indent, ' ') + rest);
}

std::string knob(double value) { return std::isinf(value) ? "off" : tidy(value); }

std::string pivot_words(const Curve& curve) {
    const double offset = curve.offset();
    if (offset == 0.0) return fmt::format("{} pivot", to_string(curve.pivot()));
    return fmt::format("{} pivot {} {}", to_string(curve.pivot()), offset > 0.0 ? "less" : "plus", tidy(std::abs(offset)));
}

std::string anchor_words(Pivot pivot) {
    switch (pivot) {
        case Pivot::top: return "the largest logit";
        case Pivot::entropy: return "the mean logit";
        case Pivot::median: break;
    }
    return "the logit where the mass reaches one half";
}

/** A place in the region to give an example of: the picture's end, or the place of double distance where that is not in it. */
double example(const CurveView& view, RegionKind kind) {
    const double end = kind == RegionKind::toe ? view.from() : view.to();
    if (view.region(end) == kind) return end;
    const Curve& curve = view.curve();
    return kind == RegionKind::toe ? -curve.width() - 2.0 * curve.toe() : curve.width() + 2.0 * curve.shoulder();
}

std::string details(const CurveView& view, RegionKind kind, const char* slope, double there) {
    const double z = example(view, kind);
    return fmt::format("slope {} at {}, {} counts as {}", slope, tidy(there), tidy(z), tidy(view.curve().h(z)));
}

void add_shoulder(const CurveView& view, std::vector<std::string>& lines) {
    const Curve& curve = view.curve();
    if (std::isinf(curve.shoulder())) {
        lines.emplace_back("shoulder  off: the favourites follow plain temperature");
        return;
    }
    add_fitting(fmt::format("shoulder  z > {}: favourites compressed, ", tidy(curve.width())),
                details(view, RegionKind::shoulder, "1/2", curve.width() + curve.shoulder()), lines);
}

void add_toe(const CurveView& view, std::vector<std::string>& lines) {
    const Curve& curve = view.curve();
    if (std::isinf(curve.toe())) {
        lines.emplace_back("toe       off: the tail follows plain temperature");
        return;
    }
    const bool fade = curve.toe_shape() == ToeShape::fade;
    add_fitting(fmt::format("toe       z < {}: {}, ", tidy(-curve.width()), effect_of(RegionKind::toe, view)),
                details(view, RegionKind::toe, fade ? "2" : "1/2", -curve.width() - curve.toe()), lines);
}

std::string mid_line(const Curve& curve) {
    if (curve.width() == 0.0) return "mid       none: toe and shoulder meet at the pivot";
    return fmt::format("mid       {} to {}: plain temperature, bit for bit", tidy(-curve.width()), tidy(curve.width()));
}

std::string pivot_line(const Curve& curve) {
    const double offset = curve.offset();
    const std::string anchor = anchor_words(curve.pivot());
    if (offset == 0.0) return "pivot     z = 0: " + anchor;
    return fmt::format("pivot     z = 0: {} nats {} {}", tidy(std::abs(offset)), offset > 0.0 ? "below" : "above", anchor);
}

}  // namespace

CurveView::CurveView(const engine::ResolvedSettings& settings, std::optional<double> from, std::optional<double> to)
    : curve_(settings.params.hlg ? Curve(*settings.params.hlg) : Curve()),
      preset_(settings.preset),
      temperature_(settings.params.temperature),
      from_(from.value_or(-default_reach(curve_))),
      to_(to.value_or(default_reach(curve_))) {
    if (temperature_ < coldest)
        throw UsageError(
            fmt::format("--temperature must be >= {} here: below it the sampler is greedy and no curve acts", coldest));
    // Written so that NaN fails each of them.
    if (!(std::abs(from_) <= farthest)) throw UsageError(fmt::format("--from must be from -10000 to 10000, got {}", from_));
    if (!(std::abs(to_) <= farthest)) throw UsageError(fmt::format("--to must be from -10000 to 10000, got {}", to_));
    if (to_ - from_ < shortest)
        throw UsageError(fmt::format("--from must be at least {} below --to, got {} and {}", shortest, tidy(from_), tidy(to_)));
}

double CurveView::lowest(double margin) const noexcept {
    const double low = std::min(shaped(from_), plain(from_));
    return low - margin * (std::max(shaped(to_), plain(to_)) - low);
}

double CurveView::highest(double margin) const noexcept {
    const double high = std::max(shaped(to_), plain(to_));
    return high + margin * (high - std::min(shaped(from_), plain(from_)));
}

double CurveView::lower_knot() const noexcept { return std::isinf(curve_.toe()) ? -off : 0.0 - curve_.width(); }
double CurveView::upper_knot() const noexcept { return std::isinf(curve_.shoulder()) ? off : curve_.width(); }

RegionKind CurveView::region(double z) const noexcept {
    if (z < lower_knot()) return RegionKind::toe;
    return z > upper_knot() ? RegionKind::shoulder : RegionKind::mid;
}

std::vector<Region> CurveView::regions() const {
    std::vector<Region> all{{RegionKind::toe, from_, std::min(lower_knot(), to_)},
                            {RegionKind::mid, std::max(lower_knot(), from_), std::min(upper_knot(), to_)},
                            {RegionKind::shoulder, std::max(upper_knot(), from_), to_}};
    all.erase(std::remove_if(all.begin(), all.end(), [](const Region& region) { return region.from >= region.to; }), all.end());
    return all;
}

std::vector<double> CurveView::knots() const {
    std::vector<double> visible;
    for (const double knot : {lower_knot(), upper_knot()})
        if (shows(knot) && (visible.empty() || visible.back() != knot)) visible.push_back(knot);
    return visible;
}

std::optional<double> CurveView::top_token() const {
    const bool known = !curve_.identity() && curve_.pivot() == Pivot::top && shows(curve_.offset());
    return known ? std::optional(curve_.offset()) : std::nullopt;
}

std::string name_of(RegionKind kind) {
    switch (kind) {
        case RegionKind::toe: return "toe";
        case RegionKind::mid: return "mid";
        case RegionKind::shoulder: break;
    }
    return "shoulder";
}

std::string effect_of(RegionKind kind, const CurveView& view) {
    switch (kind) {
        case RegionKind::toe: return view.curve().toe_shape() == ToeShape::fade ? "tail faded" : "tail lifted";
        case RegionKind::mid: return "plain temperature";
        case RegionKind::shoulder: break;
    }
    return "favourites compressed";
}

std::string heading(const CurveView& view) {
    const std::string preset =
        view.preset() && !view.curve().identity() ? fmt::format("preset {}, ", *view.preset()) : std::string();
    return fmt::format("{}T = {}", preset, tidy(view.temperature()));
}

std::string knobs(const CurveView& view) {
    const Curve& curve = view.curve();
    if (curve.identity()) return "no rolloff, which is plain temperature";
    return fmt::format("{}, width {}, shoulder {}, toe {} ({})", pivot_words(curve), knob(curve.width()), knob(curve.shoulder()),
                       knob(curve.toe()), to_string(curve.toe_shape()));
}

std::vector<std::string> legend(const CurveView& view) {
    const Curve& curve = view.curve();
    if (curve.identity()) return {"The curve is a straight line: every token keeps its temperature-scaled logit."};
    std::vector<std::string> lines;
    add_shoulder(view, lines);
    lines.push_back(mid_line(curve));
    add_toe(view, lines);
    lines.push_back(pivot_line(curve));
    if (const std::optional<double> top = view.top_token())
        lines.push_back(fmt::format("top token z = {}: the pivot's offset; counts as {}", tidy(*top), tidy(curve.h(*top))));
    return lines;
}

}  // namespace hlg::cli
