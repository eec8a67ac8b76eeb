// SPDX-License-Identifier: MIT
//
// What hlg curve shows, whatever it draws with: a curve over a range, its regions, and what they do in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/settings.hpp"
#include "hlg/curve.hpp"

namespace hlg::cli {

enum class RegionKind { toe, mid, shoulder };

/** A visible stretch of the curve, nats from the pivot. */
struct Region {
    RegionKind kind = RegionKind::mid;
    double from = 0.0;
    double to = 0.0;
};

class CurveView {
public:
    /** The settings' curve from `from` to `to`, nats from the pivot; unset = a range that shows every region.
        Throws UsageError for a range that can't be shown and for greedy settings, under which no curve acts. */
    CurveView(const engine::ResolvedSettings& settings, std::optional<double> from, std::optional<double> to);

    [[nodiscard]] const Curve& curve() const noexcept { return curve_; }
    [[nodiscard]] const std::optional<std::string>& preset() const noexcept { return preset_; }
    [[nodiscard]] double temperature() const noexcept { return temperature_; }
    [[nodiscard]] double from() const noexcept { return from_; }
    [[nodiscard]] double to() const noexcept { return to_; }

    /** h(z) / T, and plain temperature's z / T. */
    [[nodiscard]] double shaped(double z) const noexcept { return curve_.h(z) / temperature_; }
    [[nodiscard]] double plain(double z) const noexcept { return z / temperature_; }

    /** What shaped() and plain() cover from from() to to(), with a margin of this share. */
    [[nodiscard]] double lowest(double margin) const noexcept;
    [[nodiscard]] double highest(double margin) const noexcept;

    /** Where z lies. */
    [[nodiscard]] RegionKind region(double z) const noexcept;

    /** The visible regions, from below. */
    [[nodiscard]] std::vector<Region> regions() const;

    /** The visible places where the curve leaves the mid. */
    [[nodiscard]] std::vector<double> knots() const;

    /** Where the top token lies, if that does not depend on the model's distribution and is in sight. */
    [[nodiscard]] std::optional<double> top_token() const;

    /** Whether this z is in sight. */
    [[nodiscard]] bool shows(double z) const noexcept { return z >= from_ && z <= to_; }

private:
    [[nodiscard]] double lower_knot() const noexcept;
    [[nodiscard]] double upper_knot() const noexcept;

    Curve curve_;
    std::optional<std::string> preset_;
    double temperature_;
    double from_;
    double to_;
};

/** "toe", "mid", "shoulder". */
std::string name_of(RegionKind kind);

/** What the region does, in two words: "favourites compressed". */
std::string effect_of(RegionKind kind, const CurveView& view);

/** "preset balanced, T = 1" */
std::string heading(const CurveView& view);

/** "entropy pivot less 1.7, width 1.6, shoulder 0.6, toe 2 (fade)" */
std::string knobs(const CurveView& view);

/** A line for each region and the pivot, in at most 80 columns. */
std::vector<std::string> legend(const CurveView& view);

}  // namespace hlg::cli
