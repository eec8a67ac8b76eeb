// SPDX-License-Identifier: MIT
//
// A row of scores, gathered so that its entropy at any temperature costs some hundred exponentials instead of one a token.
#pragma once

#include <span>
#include <vector>

namespace hlg::engine {

class Spectrum {
public:
    /** Of scores as Sampler::shape gives them at temperature 1, [vocab]; -inf counts for nothing, at least one must be finite. */
    explicit Spectrum(std::span<const float> scores);

    /** Entropy of softmax(scores / temperature), nats, within 1e-4 for temperatures from 0.1 up. */
    [[nodiscard]] double entropy(double temperature) const;

private:
    struct Line {
        double distance;  ///< below the highest score, the mean of those gathered here
        double count;
    };
    std::vector<Line> lines_;
};

/** Where the spectra's mean entropy is the target, nats. The nearest end of 0.01 to 100 where it is nowhere. */
struct TemperatureMatch {
    double temperature = 1.0;
    double entropy = 0.0;  ///< the mean at that temperature
};

/** Solves for the temperature; the mean entropy rises with it. At least one spectrum. */
[[nodiscard]] TemperatureMatch match_entropy(std::span<const Spectrum> spectra, double target);

}  // namespace hlg::engine
