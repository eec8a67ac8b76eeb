// The golden vectors of tests/vectors, which say what an implementation in any language has to give.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sample/philox.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

using nlohmann::json;

json read(const std::string& name) {
    std::ifstream file(HLG_VECTORS "/" + name);
    EXPECT_TRUE(file) << name;
    return json::parse(file);
}

// A number, "off" or "-inf".
double number(const json& value) {
    if (!value.is_string()) return value.get<double>();
    return value == "-inf" ? -off : off;
}

std::vector<double> numbers(const json& list) {
    std::vector<double> out;
    for (const json& value : list) out.push_back(number(value));
    return out;
}

std::vector<float> floats(const json& list) {
    std::vector<float> out;
    for (const double value : numbers(list)) out.push_back(static_cast<float>(value));
    return out;
}

CurveParams curve_params(const json& hlg) {
    return {pivot_from(hlg["pivot"].get<std::string>()).value(),
            number(hlg["pivot_offset"]),
            number(hlg["width"]),
            number(hlg["shoulder"]),
            number(hlg["toe"]),
            toe_shape_from(hlg["toe_shape"].get<std::string>()).value()};
}

SamplerParams sampler_params(const json& params) {
    SamplerParams out;
    out.temperature = params["temperature"];
    out.top_p = params.value("top_p", 1.0);
    out.top_k = params.value("top_k", 0);
    out.min_p = params.value("min_p", 0.0);
    if (!params["hlg"].is_null()) out.hlg = curve_params(params["hlg"]);
    return out;
}

// A case's step; keeps the arrays it points to.
struct Input {
    explicit Input(const json& of) : logits(floats(of["logits"])) {
        for (const json& edit : of.value("edits", json::array()))
            edits.push_back({edit[0].get<std::int32_t>(), static_cast<float>(number(edit[1]))});
        if (!of.contains("allowed")) return;
        allowed.assign((logits.size() + 31) / 32, 0);
        for (const std::size_t token : of["allowed"]) allowed[token / 32] |= 1U << (token % 32);
    }
    [[nodiscard]] Step step() const { return {.logits = logits, .edits = edits, .allowed = allowed}; }

    std::vector<float> logits;
    std::vector<Edit> edits;
    std::vector<std::uint32_t> allowed;
};

// How far a shaped logit may lie from the vector's; see tests/vectors/README.md.
double tolerance(const SamplerParams& params, double pivot, float logit, double shaped) {
    if (std::isnan(pivot)) return 0;
    if (params.hlg->pivot == Pivot::entropy) return 2e-4;
    if (std::abs(static_cast<double>(logit) - pivot) <= params.hlg->width) return 0;
    return std::abs(shaped) * 0x1p-23 + 1e-300;
}

void expect_step(const json& expected, double pivot, const std::vector<float>& shaped, const std::vector<double>& probabilities) {
    const SamplerParams params = sampler_params(expected["params"]);
    const bool entropy = params.hlg && params.hlg->pivot == Pivot::entropy;
    if (expected["pivot"].is_null())
        EXPECT_TRUE(std::isnan(pivot));
    else
        EXPECT_NEAR(pivot, number(expected["pivot"]), entropy ? 1e-5 : 1e-12);
    const std::vector<float> logits = floats(expected["logits"]);
    const std::vector<double> wanted = numbers(expected["shaped"]);
    const std::vector<double> chances = numbers(expected["probabilities"]);
    for (std::size_t i = 0; i < logits.size(); ++i) {
        SCOPED_TRACE("token " + std::to_string(i));
        if (std::isinf(wanted[i]))
            EXPECT_EQ(static_cast<double>(shaped[i]), wanted[i]);
        else
            EXPECT_NEAR(shaped[i], wanted[i], tolerance(params, pivot, logits[i], wanted[i]));
        EXPECT_NEAR(probabilities[i], chances[i], (entropy ? 4e-4 : 4e-6) * chances[i] + 1e-300);
    }
}

TEST(Vectors, Curves) {
    const json all = read("curves.json");
    ASSERT_GE(all.size(), 4U);
    for (const json& expected : all) {
        SCOPED_TRACE(expected["name"]);
        const Curve curve(curve_params(expected["hlg"]));
        const auto z = numbers(expected["z"]), rho = numbers(expected["rho"]), slope = numbers(expected["slope"]);
        for (std::size_t i = 0; i < z.size(); ++i) {
            EXPECT_NEAR(curve.rho(z[i]), rho[i], 1e-14 * (std::abs(z[i]) + std::abs(rho[i])));
            EXPECT_NEAR(curve.slope(z[i]), slope[i], 1e-14 * slope[i]);
        }
        const auto value = numbers(expected["value"]), inverse = numbers(expected["inverse"]);
        for (std::size_t i = 0; i < value.size(); ++i)
            EXPECT_NEAR(curve.inverse(value[i]), inverse[i], 1e-12 * std::abs(inverse[i]));
    }
}

TEST(Vectors, Steps) {
    const json all = read("steps.json");
    ASSERT_GE(all.size(), 20U);
    for (const json& expected : all) {
        SCOPED_TRACE(expected["name"]);
        const Input input(expected);
        Sampler sampler(sampler_params(expected["params"]));
        std::vector<float> shaped(input.logits.size());
        std::vector<double> probabilities(input.logits.size());
        Statistics statistics;
        ASSERT_EQ(sampler.shape(input.step(), shaped), Status::ok);
        ASSERT_EQ(sampler.probabilities(input.step(), probabilities), Status::ok);
        ASSERT_EQ(sampler.statistics(input.step(), -10, statistics), Status::ok);
        expect_step(expected, statistics.pivot, shaped, probabilities);
    }
}

// The tests' own reference has to pass as well: three independent ways to one result.
TEST(Vectors, StepsOfTheReference) {
    for (const json& expected : read("steps.json")) {
        SCOPED_TRACE(expected["name"]);
        const Input input(expected);
        const Reference found = reference(sampler_params(expected["params"]), input.step());
        expect_step(expected, found.pivot, found.shaped, found.probabilities);
    }
}

TEST(Vectors, Stream) {
    const json all = read("stream.json");
    ASSERT_GE(all.size(), 5U);
    const auto hex = [](const json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); };
    for (const json& expected : all) {
        const Position position{hex(expected["index"]), expected["choice"], expected["attempt"]};
        const sample::RandomBits bits = sample::random_bits(hex(expected["seed"]), position, expected["round"]);
        EXPECT_EQ(bits.first, hex(expected["first"]));
        EXPECT_EQ(bits.second, hex(expected["second"]));
    }
}

}  // namespace
}  // namespace hlg::test
