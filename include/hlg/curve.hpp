// SPDX-License-Identifier: MIT
//
// The HLG curve: a shoulder that compresses the favourites, a linear mid, a toe that shapes the tail, anchored at a pivot.
//
//     z = logit - pivot                                             nats
//     h(z) = z                                    |z| <= width      mid
//     h(z) =  w + bh ln(1 + ( z - w) / bh)         z >  w           shoulder
//     h(z) = -w - bt ln(1 + (-z - w) / bt)         z < -w           toe, shape log
//     h(z) = -w - u - u^2 / (2 bt),  u = -z - w    z < -w           toe, shape fade
//
// and a token's weight is exp(h(z) / temperature). The pieces meet with equal value and slope, and h rises everywhere.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "hlg/status.hpp"

namespace hlg {

/** Where the curve is anchored; see hlg_pivot in hlg.h. */
enum class Pivot : int { top = HLG_PIVOT_TOP, entropy = HLG_PIVOT_ENTROPY, median = HLG_PIVOT_MEDIAN };

/** The curve's shape below the linear part; see hlg_toe_shape in hlg.h. */
enum class ToeShape : int { log = HLG_TOE_LOG, fade = HLG_TOE_FADE };

/** The value that switches a width, a shoulder or a toe off. */
inline constexpr double off = std::numeric_limits<double>::infinity();

/** The curve's knobs, in nats; by themselves those of the preset "balanced". */
struct CurveParams {
    Pivot pivot = Pivot::entropy;
    std::optional<double> pivot_offset = {};  ///< -1e4 to 1e4; unset = default_offset(pivot)
    double width = 1.6;                       ///< >= 0, or off
    double shoulder = 0.6;                    ///< > 0, or off
    double toe = 2.0;                         ///< > 0, or off
    ToeShape toe_shape = ToeShape::fade;

    friend bool operator==(const CurveParams&, const CurveParams&) = default;
};

/** The pivot's own offset below its anchor, nats: top 3, entropy 1.7, median 2.5. */
double default_offset(Pivot pivot) noexcept;

/** Throws ParameterError for the first knob out of its range. */
void validate(const CurveParams& params);

/** A named setting of the curve. */
struct Preset {
    std::string_view name;
    std::string_view summary;
    CurveParams params;
};

/** The named settings, "note" first. */
std::span<const Preset> presets() noexcept;

/** The preset of that name, or null. */
const Preset* find_preset(std::string_view name) noexcept;

/** A pivot's or shape's name as flags and requests spell it, and back. */
std::string_view to_string(Pivot pivot) noexcept;
std::string_view to_string(ToeShape shape) noexcept;
std::optional<Pivot> pivot_from(std::string_view name) noexcept;
std::optional<ToeShape> toe_shape_from(std::string_view name) noexcept;

/** h of the formula above, ready to evaluate in float64. The default curve is the identity, which is plain temperature. */
class Curve {
public:
    Curve() = default;

    /** Throws ParameterError. A width of off, or shoulder and toe both off, gives the identity. */
    explicit Curve(const CurveParams& params);

    /** Whether h(z) = z for every z, so that no pivot is needed. */
    [[nodiscard]] bool identity() const noexcept { return identity_; }

    [[nodiscard]] Pivot pivot() const noexcept { return pivot_; }
    [[nodiscard]] double offset() const noexcept { return offset_; }
    [[nodiscard]] double width() const noexcept { return width_; }
    [[nodiscard]] double shoulder() const noexcept { return shoulder_; }
    [[nodiscard]] double toe() const noexcept { return toe_; }
    [[nodiscard]] ToeShape toe_shape() const noexcept { return toe_shape_; }

    /** What the curve adds to a token z nats above the pivot: h(z) - z, exactly 0 in the mid. */
    [[nodiscard]] double rho(double z) const noexcept;

    /** h(z), nats. */
    [[nodiscard]] double h(double z) const noexcept;

    /** h'(z), > 0. */
    [[nodiscard]] double slope(double z) const noexcept;

    /** The z with h(z) = value; -inf where it lies further down than a float64 reaches. */
    [[nodiscard]] double inverse(double value) const noexcept;

private:
    bool identity_ = true;
    Pivot pivot_ = Pivot::top;
    ToeShape toe_shape_ = ToeShape::log;
    double offset_ = 0.0;
    double width_ = off;
    double shoulder_ = off;
    double toe_ = off;
};

}  // namespace hlg
