// The curve in the compute graph against libhlg.
#include "llama/graph.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <ggml-backend.h>
#include <ggml.h>
#include <gtest/gtest.h>

#include "engine/backend.hpp"
#include "llama/graph_run.hpp"
#include "sample/shaper.hpp"
#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

using llama::GraphCurve;
using llama::Role;

constexpr float kMask = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Every part of the curve on and off, both shapes, both pivots, pivots above the top and far below it.
std::vector<CurveParams> curves() {
    std::vector<CurveParams> all;
    for (const Preset& preset : presets()) all.push_back(preset.params);
    for (const Pivot pivot : {Pivot::top, Pivot::entropy})
        for (const ToeShape shape : {ToeShape::log, ToeShape::fade}) {
            all.push_back({pivot, 2.0, 1.0, 0.5, 1.5, shape});
            all.push_back({pivot, 0.0, 0.0, 64.0, 64.0, shape});
            all.push_back({pivot, 5.0, 1.0, off, 2.0, shape});
            all.push_back({pivot, 5.0, 1.0, 2.0, off, shape});
            all.push_back({pivot, -3.0, 0.5, 1.0, 1.0, shape});
            all.push_back({pivot, 40.0, 2.0, 1e-3, 1e-3, shape});
        }
    return all;
}

std::string describe(const SamplerParams& params) {
    std::string text = "T " + std::to_string(params.temperature);
    if (!params.hlg) return text;
    const CurveParams& c = *params.hlg;
    return text + " " + std::string(to_string(c.pivot)) + " " + std::to_string(c.pivot_offset.value_or(-99)) + " w " +
           std::to_string(c.width) + " bh " + std::to_string(c.shoulder) + " bt " + std::to_string(c.toe) + " " +
           std::string(to_string(c.toe_shape));
}

// The difference allowed, in shaped logits: 1e-5 nats times the gain, or ten float32 steps of the largest number on the way.
double allowed(const CurveParams& curve, double x, double pivot, double gain) {
    const double z = x - pivot;
    const double largest = std::max({std::abs(z), std::abs(reference_h(curve, z)), std::abs(x)});
    return gain * 1e-5 * std::max(1.0, largest / 8);
}

// A float32 step at the depth of masks: in between, either side is right.
bool on_the_edge(double depth) { return std::abs(depth - llama::mask_depth) < 0.001; }

void expect_same(const SamplerParams& params, std::span<const float> logits) {
    SCOPED_TRACE(describe(params) + ", " + std::to_string(logits.size()) + " tokens");
    std::vector<float> expected(logits.size());
    Sampler sampler(params);
    ASSERT_EQ(sampler.shape({.logits = logits}, expected), Status::ok);
    const double pivot = reference_pivot(*params.hlg, logits);
    const std::vector<float> shaped = shape_in_graph(params, logits);
    ASSERT_EQ(shaped.size(), logits.size());
    const double top = *std::max_element(logits.begin(), logits.end());
    const double gain = 1 / params.temperature;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        ASSERT_FALSE(std::isnan(shaped[i])) << i;
        if (on_the_edge(top - logits[i])) continue;
        if (expected[i] == kMask || expected[i] < -1e25F) {
            ASSERT_LT(shaped[i], -1e25F) << i << ": " << logits[i];
            continue;
        }
        if (shaped[i] == expected[i]) continue;  // infinite, from logits near float32's largest
        ASSERT_NEAR(shaped[i], expected[i], allowed(*params.hlg, logits[i], pivot, gain)) << i << ": " << logits[i];
    }
}

TEST(Graph, ConstantsAreTheLibrarysOwn) {
    EXPECT_EQ(llama::greedy_temperature, sample::kGreedyTemperature);
    EXPECT_EQ(llama::mask_depth, sample::kMaskDepth);
}

TEST(Graph, ShapesAsTheLibraryDoes) {
    for (const CurveParams& curve : curves())
        for (const std::size_t vocab : {1U, 2U, 17U, 512U, 32000U})
            for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat})
                expect_same({.temperature = 0.8, .hlg = curve}, synthetic(shape, vocab, vocab + 1));
}

TEST(Graph, ShapesLargeVocabularies) {
    for (const CurveParams& curve : {find_preset("balanced")->params, find_preset("note")->params, curves()[4]})
        for (const Shape shape : {Shape::certain, Shape::open, Shape::flat})
            expect_same({.hlg = curve}, synthetic(shape, 262144, 5));
}

TEST(Graph, ShapesRealLogits) {
    for (const RealLogits& real : real_logits(20)) {
        SCOPED_TRACE(real.name);
        for (const Preset& preset : presets()) expect_same({.hlg = preset.params}, real.logits);
    }
}

TEST(Graph, ShapesAdversarialRows) {
    for (const std::vector<float>& logits : adversarial())
        for (const CurveParams& curve : curves())
            for (const double temperature : {0.3, 1.0, 90.0}) expect_same({.temperature = temperature, .hlg = curve}, logits);
}

TEST(Graph, TokensInTheMidKeepTheirBits) {
    for (const Pivot pivot : {Pivot::top, Pivot::entropy}) {
        const CurveParams curve{pivot, 3.0, 2.5, 1.0, 1.0, ToeShape::fade};
        const std::vector<float> logits = synthetic(Shape::open, 4096, 3);
        const double anchor = reference_pivot(curve, logits);
        const std::vector<float> shaped = shape_in_graph({.temperature = 0.7, .hlg = curve}, logits);
        int seen = 0;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            if (std::abs(logits[i] - anchor) > 2.499) continue;
            ++seen;
            ASSERT_EQ(shaped[i], static_cast<float>(1 / 0.7) * logits[i]);
        }
        EXPECT_GT(seen, 0);
    }
}

TEST(Graph, TheIdentityIsScaleAlone) {
    const std::vector<float> logits = synthetic(Shape::open, 4096, 3);
    std::vector<float> scaled = logits;
    for (float& x : scaled) x *= static_cast<float>(1 / 0.7);
    EXPECT_EQ(shape_in_graph({.temperature = 0.7}, logits), scaled);
    EXPECT_EQ(shape_in_graph({.temperature = 0.7, .hlg = CurveParams{.width = off}}, logits), scaled);
    EXPECT_EQ(shape_in_graph({.temperature = 0.7, .hlg = CurveParams{.shoulder = off, .toe = off}}, logits), scaled);
}

TEST(Graph, MaskedTokensWeighNothing) {
    std::vector<float> logits{2, -1e4F, 1, kMask, -1e30F, std::numeric_limits<float>::lowest(), -10010, -20000};
    std::vector<CurveParams> all = curves();
    all.push_back({.width = off});
    for (const CurveParams& curve : all)
        for (const double temperature : {0.05, 1.0, 90.0}) {
            const std::vector<float> shaped = shape_in_graph({.temperature = temperature, .hlg = curve}, logits);
            for (std::size_t i = 3; i < logits.size(); ++i) EXPECT_EQ(std::exp(shaped[i] - std::max(shaped[0], shaped[2])), 0.0F);
        }
}

// A later softmax turns each of these into NaN everywhere, never into equal chances.
TEST(Graph, RowsWithNothingToDrawStayThatWay) {
    const std::vector<std::vector<float>> rows{{kMask, kMask, kMask}, {1, kNan, 2}, {kNan, kNan}, {1, -kMask, 2}};
    std::vector<SamplerParams> settings{{.temperature = 0.5}, {.temperature = 0}};
    for (const CurveParams& curve : curves()) settings.push_back({.hlg = curve});
    for (const SamplerParams& params : settings)
        for (const std::vector<float>& row : rows) {
            const std::vector<float> shaped = shape_in_graph(params, row);
            float top = kMask;
            float sum = 0;
            for (const float x : shaped) top = std::max(top, x);
            for (const float x : shaped) sum += std::exp(x - top);
            EXPECT_TRUE(std::isnan(sum)) << describe(params);
        }
}

GraphResult greedy(std::span<const float> logits, Role role, std::span<const std::int32_t> candidates = {}) {
    const GraphCurve curve({.temperature = 0, .hlg = CurveParams{}}, role);
    return run_graph({.logits = logits, .candidates = candidates},
                     [&](ggml_context* ctx, llama_sampler_data& data) { curve.build(ctx, data); });
}

TEST(Graph, GreedyTakesTheFirstOfEqualBests) {
    const std::vector<std::vector<float>> rows{{1}, {1, 3, 3, 2, 3}, {kMask, -1e30F, 5, 5}, {-5, -5}, {0.0F, -0.0F, 0.0F}};
    for (const std::vector<float>& row : rows) {
        Sampler sampler({.temperature = 0});
        const Draw drawn = sampler.draw({.logits = row}, {});
        EXPECT_EQ(greedy(row, Role::draw).sampled, drawn.token);
        const GraphResult shaped = greedy(row, Role::shape);
        EXPECT_EQ(shaped.candidates, std::vector{drawn.token});
        EXPECT_EQ(shaped.logits, std::vector{row[static_cast<std::size_t>(drawn.token)]});
    }
}

TEST(Graph, GreedyKnowsCandidates) {
    const std::vector<float> logits{4, 9, 1};
    const std::vector<std::int32_t> ids{70, 262143, 5};
    EXPECT_EQ(greedy(logits, Role::draw, ids).sampled, 262143);
    EXPECT_EQ(greedy(logits, Role::shape, ids).candidates, std::vector{262143});
}

TEST(Graph, GreedyLeavesTheTokenAlone) {
    const std::vector<float> logits{4, 9, 1};
    const GraphResult result = greedy(logits, Role::draw);
    EXPECT_TRUE(result.logits.empty());
    EXPECT_TRUE(result.probabilities.empty());
    EXPECT_TRUE(result.candidates.empty());
}

TEST(Graph, GreedyWithoutATokenSaysSo) {
    for (const std::vector<float>& row : {std::vector{kMask, kMask}, std::vector{1.0F, kNan}, std::vector{-kMask, 1.0F}})
        EXPECT_EQ(greedy(row, Role::draw).sampled, LLAMA_TOKEN_NULL);
}

TEST(Graph, WhatFloat32CannotDoIsLeftToTheCpu) {
    const auto fits = [](const SamplerParams& params, Role role = Role::shape) { return GraphCurve(params, role).expressible(); };
    EXPECT_TRUE(fits({}));
    EXPECT_TRUE(fits({.hlg = CurveParams{}}));
    EXPECT_TRUE(fits({.temperature = 0}, Role::draw));
    EXPECT_TRUE(fits({.top_p = 0.9, .hlg = CurveParams{}}));  // the curve is the sampler, top_p rests
    EXPECT_FALSE(fits({.hlg = CurveParams{}}, Role::draw));
    EXPECT_FALSE(fits({.top_p = 0.9}));
    EXPECT_FALSE(fits({.top_k = 40}));
    EXPECT_FALSE(fits({.min_p = 0.1}));
    EXPECT_FALSE(fits({.temperature = 91}));
    EXPECT_FALSE(fits({.hlg = CurveParams{.pivot = Pivot::median}}));
    EXPECT_FALSE(fits({.hlg = CurveParams{.shoulder = 65}}));
    EXPECT_FALSE(fits({.hlg = CurveParams{.toe = 65}}));
    EXPECT_FALSE(fits({.hlg = CurveParams{.toe = 1e-4}}));
}

// The CPU has every operation that samplers use, and does not make importance-matrix quants on its own.
TEST(Graph, ADeviceWithoutAnOperationIsNoticed) {
    engine::start_backend(false);
    ggml_backend_buffer_type_t buffers = ggml_backend_dev_buffer_type(ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU));
    const GraphCurve curve({.hlg = CurveParams{}}, Role::shape);
    const auto build = [&](ggml_context* ctx, llama_sampler_data& data) { curve.build(ctx, data); };
    EXPECT_TRUE(llama::device_runs(buffers, build));
    const auto with_more = [&](ggml_context* ctx, llama_sampler_data& data) {
        curve.build(ctx, data);
        data.logits = ggml_cast(ctx, data.logits, GGML_TYPE_IQ2_XXS);
    };
    EXPECT_FALSE(llama::device_runs(buffers, with_more));
}

}  // namespace
}  // namespace hlg::test
