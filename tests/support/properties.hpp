// rapidcheck with a fixed seed, so that a property passes or fails for good; RC_PARAMS in the environment overrides it.
#pragma once

#include <gtest/gtest.h>
// gtest first: rapidcheck's header needs it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "hlg/sampler.hpp"

namespace hlg::test {

inline const int fixed_seed = setenv("RC_PARAMS", "seed=20240229 max_success=500", 0);

/** A float64 between low and high, evenly. */
inline rc::Gen<double> between(double low, double high) {
    return rc::gen::map(rc::gen::inRange<std::int64_t>(0, (1LL << 52) + 1),
                        [=](std::int64_t part) { return low + (high - low) * std::ldexp(static_cast<double>(part), -52); });
}

/** A length of the curve: evenly in its logarithm over what people may use, now and then off. */
inline rc::Gen<double> length() {
    const auto usual = rc::gen::map(between(-3, 3), [](double exponent) { return std::pow(10.0, exponent); });
    return rc::gen::weightedOneOf<double>({{8, usual}, {1, rc::gen::just(off)}});
}

/** Any length that the parameters allow, the absurd ones included. */
inline rc::Gen<double> any_length() {
    using Limits = std::numeric_limits<double>;
    return rc::gen::weightedOneOf<double>(
        {{2, length()},
         {3, rc::gen::element(1e-300, 1e300, 1e-30, 1e30, Limits::denorm_min(), 1e-310, Limits::min(), Limits::max())}});
}

/** Knobs with this generator for shoulder and toe. */
inline rc::Gen<CurveParams> curves(const rc::Gen<double>& lengths) {
    const auto zero_or = [](const rc::Gen<double>& gen) {
        return rc::gen::weightedOneOf<double>({{1, rc::gen::just(0.0)}, {6, gen}});
    };
    const auto offset = rc::gen::weightedOneOf<std::optional<double>>(
        {{1, rc::gen::just(std::optional<double>())}, {4, rc::gen::cast<std::optional<double>>(between(-12, 12))}});
    return rc::gen::construct<CurveParams>(rc::gen::element(Pivot::top, Pivot::entropy, Pivot::median), offset, zero_or(lengths),
                                           lengths, lengths, rc::gen::element(ToeShape::log, ToeShape::fade));
}

/** Logits as models give them, with masks, signed zeros and exact neighbours among them; at least one is not masked. */
inline rc::Gen<std::vector<float>> logits() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto usual = rc::gen::map(between(-30, 30), [](double x) { return static_cast<float>(x); });
    const auto odd = rc::gen::element(-infinity, -std::numeric_limits<float>::max(), -1e30F, 0.0F, -0.0F,
                                      std::numeric_limits<float>::denorm_min(), 7.25F, std::nextafter(7.25F, 8.0F));
    const auto one = rc::gen::weightedOneOf<float>({{6, usual}, {1, odd}});
    return rc::gen::apply(
        [](std::vector<float> rest, float first) {
            rest.push_back(first);
            return rest;
        },
        rc::gen::container<std::vector<float>>(one), usual);
}

}  // namespace hlg::test
