// The matrix of the exactness tests: distributions from certain to flat, every curve, temperatures from 0.1 to 5, edits and
// masks.
#pragma once

#include <string>
#include <vector>

#include "hlg/sampler.hpp"
#include "support/logits.hpp"

namespace hlg::test {

/** What a caller does to the model's distribution. */
enum class Change { none, top_banned, head_banned, tail_boosted, tail_lifted, one_left, half_masked, allowed_mask, penalties };

/** One cell of the matrix, by name, so that it can be made when its test runs. */
struct Plan {
    std::size_t vocab;
    Shape shape;
    std::size_t curve;  ///< index in curve_choices()
    double temperature;
    Change change;

    [[nodiscard]] std::string name() const;
};

struct CurveChoice {
    std::string name;
    std::optional<CurveParams> params;
};

/** Plain temperature, then every pivot with both toe shapes. */
const std::vector<CurveChoice>& curve_choices();

/** A step to draw from, with its settings. */
struct Case {
    SamplerParams params;
    std::vector<float> logits;
    std::vector<Edit> edits;
    std::vector<std::uint32_t> allowed;

    [[nodiscard]] Step step() const { return {.logits = logits, .edits = edits, .allowed = allowed}; }
};

Case make(const Plan& plan);

/** Every vocabulary with every curve; shapes and temperatures take turns, so that each meets all the others. */
std::vector<Plan> plain_plans();

/** Every change on a small, a middle and a large vocabulary, the curves taking turns. */
std::vector<Plan> changed_plans();

/** Draws a test makes: the HLG_TEST_DRAWS of the environment, or `usual`, a tenth of it under a sanitizer. */
std::size_t draws(std::size_t usual);

}  // namespace hlg::test
