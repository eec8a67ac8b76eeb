// What one step does to one logit: the exact arithmetic that every other part of this room must agree with.
//
//     value  = (float)(x + rho(x - pivot)) + edit       float32; x itself in the mid and under the identity
//     shaped = m * value                                float32
//     weight = exp(m * (value - reference))             float64
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "hlg/curve.hpp"

namespace hlg::sample {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/** A logit further below the raw top than this counts as masked, nats: callers also mask with -1e30 and -FLT_MAX. */
inline constexpr double kMaskDepth = 1e4;

/** The lowest that a curve takes a logit down to. */
inline constexpr double kDeepest = -1e30;

/** Temperatures below this are greedy. */
inline constexpr double kGreedyTemperature = 1e-5;

/** One step's curve, its pivot and gain. */
struct Shaper {
    const Curve* curve = nullptr;
    double pivot = 0.0;          ///< logit; without meaning under the identity
    float gain = 1.0F;           ///< m = 1 / T
    float top = kMinusInfinity;  ///< the largest raw logit
    float reference = 0.0F;      ///< the value that weights are relative to: the best one left to draw

    /** Whether x counts as masked. */
    [[nodiscard]] bool masked(float x) const noexcept {
        return !(static_cast<double>(top) - static_cast<double>(x) <= kMaskDepth);
    }

    /** The lowest logit that is not masked. */
    [[nodiscard]] float lowest_unmasked() const noexcept {
        const double limit = static_cast<double>(top) - kMaskDepth;
        constexpr float lowest = std::numeric_limits<float>::lowest();
        const auto rounded = static_cast<float>(std::max(limit, static_cast<double>(lowest)));
        return static_cast<double>(rounded) < limit ? std::nextafter(rounded, -kMinusInfinity) : rounded;
    }

    /** The curved logit before edits; -inf if masked, and only then. */
    [[nodiscard]] float value(float x) const noexcept {
        if (masked(x)) return kMinusInfinity;
        if (curve->identity()) return x;
        const double rho = curve->rho(static_cast<double>(x) - pivot);
        // x + 0.0 would turn -0.0 into 0.0, and the mid must keep its bits.
        if (rho == 0) return x;
        // A steep fade could leave float32, here or times the gain (at most 1e5); it stops short of that.
        const double floor = std::min(static_cast<double>(x), kDeepest);
        return static_cast<float>(std::max(static_cast<double>(x) + rho, floor));
    }

    /** The weight of a value, relative to the reference. */
    [[nodiscard]] double weight(float value) const noexcept {
        return std::exp(static_cast<double>(gain) * (static_cast<double>(value) - static_cast<double>(reference)));
    }
};

}  // namespace hlg::sample
