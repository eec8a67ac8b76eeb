// SPDX-License-Identifier: MIT
//
// Random weights know nothing: their next-token distribution is all but uniform, which is no test of a sampler. Scaling the
// logits makes it as open as a trained model's.
#pragma once

#include <cstddef>
#include <string>

namespace hlg::tools {

/** Next-token entropies over the prompts, nats. */
struct Entropies {
    double lowest = 0.0;
    double highest = 0.0;

    [[nodiscard]] double middle() const noexcept { return (lowest + highest) / 2.0; }
};

/** What a made model turned out to be. */
struct Calibration {
    double scale = 1.0;  ///< of the output norm's weights
    Entropies entropies;
    std::size_t vocabulary = 0;
    std::size_t parameters = 0;
};

/** Every prompt's entropy must lie between these, nats. */
inline constexpr double lowest_entropy = 1.0;
inline constexpr double highest_entropy = 4.0;

/** Scales the model's output norm, in its file, so that the middle between the lowest and the highest entropy is `target`.
    Throws MakeError if the model does not load, or if a prompt's entropy is out of bounds then. */
Calibration calibrate(const std::string& path, double target);

}  // namespace hlg::tools
