// Properties of the shaped logits as the sampler gives them, in float32: order, argmax, masks.
#include "support/properties.hpp"

#include <algorithm>
#include <numeric>

#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

std::vector<float> shape(const SamplerParams& params, const std::vector<float>& logits) {
    std::vector<float> out(logits.size());
    Sampler sampler(params);
    RC_ASSERT(sampler.shape({.logits = logits}, out) == Status::ok);
    return out;
}

SamplerParams any_params(const rc::Gen<double>& lengths) {
    SamplerParams params;
    params.temperature = std::pow(10.0, *between(-2, 2));
    params.hlg = *curves(lengths);
    return params;
}

// Rising logits never get falling shaped logits.
bool in_order(const std::vector<float>& logits, const std::vector<float>& shaped) {
    std::vector<std::size_t> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0U);
    std::sort(ids.begin(), ids.end(), [&](auto a, auto b) { return logits[a] < logits[b]; });
    for (std::size_t i = 1; i < ids.size(); ++i)
        if (shaped[ids[i - 1]] > shaped[ids[i]] && logits[ids[i - 1]] < logits[ids[i]]) return false;
    return true;
}

RC_GTEST_PROP(ShapeProperty, OrderIsNeverReversed, ()) {
    const std::vector<float> x = *logits();
    RC_ASSERT(in_order(x, shape(any_params(length()), x)));
}

RC_GTEST_PROP(ShapeProperty, NeighbouringFloatsStayInOrder, ()) {
    std::vector<float> x{static_cast<float>(*between(-30, 30)), static_cast<float>(*between(-30, 30))};
    for (std::size_t start = 0; start < 2; ++start)
        for (int i = 0; i < 200; ++i) x.push_back(std::nextafter(i == 0 ? x[start] : x.back(), 100.0F));
    RC_ASSERT(in_order(x, shape(any_params(length()), x)));
}

RC_GTEST_PROP(ShapeProperty, TheFavouriteStaysAmongTheBest, ()) {
    const std::vector<float> x = *logits();
    const std::vector<float> y = shape(any_params(length()), x);
    const auto favourite = std::max_element(x.begin(), x.end()) - x.begin();
    RC_ASSERT(y[static_cast<std::size_t>(favourite)] == *std::max_element(y.begin(), y.end()));
}

RC_GTEST_PROP(ShapeProperty, GreedyTakesTheLowestIdOfTheBestRawLogits, ()) {
    const std::vector<float> x = *logits();
    SamplerParams params = any_params(any_length());
    params.temperature = *between(0, 9.9e-6);
    const auto favourite = std::max_element(x.begin(), x.end()) - x.begin();
    RC_ASSERT(Sampler(params).draw({.logits = x}, {}).token == favourite);
}

RC_GTEST_PROP(ShapeProperty, MasksStayMasked, ()) {
    const std::vector<float> x = *logits();
    const SamplerParams params = any_params(any_length());
    Sampler sampler(params);
    std::vector<float> y(x.size());
    std::vector<double> p(x.size());
    const Status status = sampler.shape({.logits = x}, y);
    // A fade toe of next to nothing may press even the top token, put far below the pivot, beyond float32.
    if (status == Status::no_token) return;
    RC_ASSERT(status == Status::ok);
    RC_ASSERT(sampler.probabilities({.logits = x}, p) == Status::ok);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] > -1e4F) continue;
        RC_ASSERT(y[i] == kMinusInfinity);
        RC_ASSERT(p[i] == 0);
    }
}

RC_GTEST_PROP(ShapeProperty, AgreesWithTheReference, ()) {
    const std::vector<float> x = *logits();
    const SamplerParams params = any_params(length());
    const std::vector<float> y = shape(params, x);
    Statistics statistics;
    RC_ASSERT(Sampler(params).statistics({.logits = x}, -10, statistics) == Status::ok);
    const Reference expected = reference_at(params, {.logits = x}, statistics.pivot);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isinf(expected.shaped[i])) {
            RC_ASSERT(y[i] == expected.shaped[i]);
            continue;
        }
        // The same float32 number, or its neighbour where float64's rounding tips the scale; m passes that on.
        const float ulp = std::nextafter(std::abs(expected.value[i]), 1e30F) - std::abs(expected.value[i]);
        RC_ASSERT(std::abs(y[i] - expected.shaped[i]) <= 1.5F * ulp * expected.gain);
    }
}

RC_GTEST_PROP(ShapeProperty, FadeWithToeOffIsLogWithToeOff, ()) {
    const std::vector<float> x = *logits();
    SamplerParams params = any_params(length());
    params.hlg->toe = off;
    params.hlg->toe_shape = ToeShape::log;
    const std::vector<float> log = shape(params, x);
    params.hlg->toe_shape = ToeShape::fade;
    RC_ASSERT(shape(params, x) == log);
}

RC_GTEST_PROP(ShapeProperty, AnyAllowedKnobsGiveNumbersAndATokenThatCanBeDrawn, ()) {
    const std::vector<float> x = *logits();
    const SamplerParams params = any_params(any_length());
    Sampler sampler(params);
    const Draw draw = sampler.draw({.logits = x}, {});
    std::vector<float> y(x.size());
    const Status status = sampler.shape({.logits = x}, y);
    RC_ASSERT(draw.status == status);
    RC_ASSERT(status == Status::ok || status == Status::no_token);
    if (status != Status::ok) return;
    for (const float value : y) RC_ASSERT(!std::isnan(value));
    RC_ASSERT(y[static_cast<std::size_t>(draw.token)] > kMinusInfinity);
    std::vector<double> p(x.size());
    RC_ASSERT(sampler.probabilities({.logits = x}, p) == Status::ok);
    RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
    for (const double q : p) RC_ASSERT(q >= 0 && q <= 1);
}

}  // namespace
}  // namespace hlg::test
