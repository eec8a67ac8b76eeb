// Ranges and their messages, names, presets.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hlg/sampler.hpp"

namespace hlg {
namespace {

const double kNan = std::nan("");

struct Wrong {
    std::function<void(SamplerParams&)> set;
    std::string field, rule, got;
};

// A change to the curve's knobs.
std::function<void(SamplerParams&)> knob(const std::function<void(CurveParams&)>& set) {
    return [set](SamplerParams& params) {
        params.hlg.emplace();
        set(*params.hlg);
    };
}

void expect_refused(const Wrong& wrong) {
    SCOPED_TRACE(wrong.field + " " + wrong.got);
    SamplerParams params;
    wrong.set(params);
    const auto check = [&](const auto& act) {
        try {
            act();
            ADD_FAILURE() << "was accepted";
        } catch (const ParameterError& error) {
            EXPECT_EQ(error.field(), wrong.field);
            EXPECT_EQ(error.rule(), wrong.rule);
            EXPECT_EQ(error.what(), "[" + wrong.field + "] " + wrong.rule + ", got " + wrong.got);
        }
    };
    check([&] { validate(params); });
    check([&] { Sampler{params}; });
    if (params.hlg) {
        check([&] { validate(*params.hlg); });
        check([&] { Curve{*params.hlg}; });
    }
}

TEST(Params, TheTextIsTheContract) {
    try {
        CurveParams params;
        params.width = -1;
        validate(params);
        FAIL();
    } catch (const ParameterError& error) {
        EXPECT_STREQ(error.what(), "[hlg.width] must be >= 0 or off, got -1");
    }
}

TEST(Params, EveryKnobOfTheCurveIsChecked) {
    const std::string width = "must be >= 0 or off", length = "must be > 0 or off", range = "must be between -10000 and 10000";
    const std::vector<Wrong> all{
        {knob([](CurveParams& c) { c.width = -1; }), "hlg.width", width, "-1"},
        {knob([](CurveParams& c) { c.width = -1e-300; }), "hlg.width", width, "-1e-300"},
        {knob([](CurveParams& c) { c.width = -off; }), "hlg.width", width, "-inf"},
        {knob([](CurveParams& c) { c.width = kNan; }), "hlg.width", width, "nan"},
        {knob([](CurveParams& c) { c.shoulder = 0; }), "hlg.shoulder", length, "0"},
        {knob([](CurveParams& c) { c.shoulder = -2.5; }), "hlg.shoulder", length, "-2.5"},
        {knob([](CurveParams& c) { c.shoulder = kNan; }), "hlg.shoulder", length, "nan"},
        {knob([](CurveParams& c) { c.toe = 0; }), "hlg.toe", length, "0"},
        {knob([](CurveParams& c) { c.toe = -off; }), "hlg.toe", length, "-inf"},
        {knob([](CurveParams& c) { c.toe = kNan; }), "hlg.toe", length, "nan"},
        {knob([](CurveParams& c) { c.pivot_offset = 10000.5; }), "hlg.pivot_offset", range, "10000.5"},
        {knob([](CurveParams& c) { c.pivot_offset = -1e5; }), "hlg.pivot_offset", range, "-100000"},
        {knob([](CurveParams& c) { c.pivot_offset = off; }), "hlg.pivot_offset", range, "inf"},
        {knob([](CurveParams& c) { c.pivot_offset = kNan; }), "hlg.pivot_offset", range, "nan"},
        {knob([](CurveParams& c) { c.pivot = static_cast<Pivot>(3); }), "hlg.pivot", "must be top, entropy or median", "3"},
        {knob([](CurveParams& c) { c.pivot = static_cast<Pivot>(-1); }), "hlg.pivot", "must be top, entropy or median", "-1"},
        {knob([](CurveParams& c) { c.toe_shape = static_cast<ToeShape>(2); }), "hlg.toe_shape", "must be log or fade", "2"},
    };
    for (const Wrong& wrong : all) expect_refused(wrong);
}

TEST(Params, EverySettingOfTheSamplerIsChecked) {
    const std::string unit = "must be between 0 and 1", heat = "must be between 0 and 100", count = "must be >= 0, or -1 for off";
    const std::vector<Wrong> all{
        {[](SamplerParams& p) { p.temperature = -0.1; }, "temperature", heat, "-0.1"},
        {[](SamplerParams& p) { p.temperature = 100.5; }, "temperature", heat, "100.5"},
        {[](SamplerParams& p) { p.temperature = kNan; }, "temperature", heat, "nan"},
        {[](SamplerParams& p) { p.temperature = off; }, "temperature", heat, "inf"},
        {[](SamplerParams& p) { p.top_p = -0.5; }, "top_p", unit, "-0.5"},
        {[](SamplerParams& p) { p.top_p = 1.25; }, "top_p", unit, "1.25"},
        {[](SamplerParams& p) { p.top_p = kNan; }, "top_p", unit, "nan"},
        {[](SamplerParams& p) { p.min_p = -0.5; }, "min_p", unit, "-0.5"},
        {[](SamplerParams& p) { p.min_p = 2; }, "min_p", unit, "2"},
        {[](SamplerParams& p) { p.min_p = kNan; }, "min_p", unit, "nan"},
        {[](SamplerParams& p) { p.top_k = -2; }, "top_k", count, "-2"},
    };
    for (const Wrong& wrong : all) expect_refused(wrong);
}

TEST(Params, TheEndsOfTheRangesAreInside) {
    const auto accepted = [](const std::function<void(SamplerParams&)>& set) {
        SamplerParams params;
        set(params);
        EXPECT_NO_THROW(validate(params));
    };
    for (const double temperature : {0.0, 1e-5, 100.0}) accepted([&](SamplerParams& p) { p.temperature = temperature; });
    for (const double share : {0.0, 1.0}) accepted([&](SamplerParams& p) { p.top_p = p.min_p = share; });
    for (const std::int64_t k : {-1L, 0L, 1L, std::numeric_limits<std::int64_t>::max()})
        accepted([&](SamplerParams& p) { p.top_k = k; });
    for (const double offset : {-1e4, 0.0, 1e4}) accepted(knob([&](CurveParams& c) { c.pivot_offset = offset; }));
    accepted(knob([](CurveParams& c) { c = {Pivot::top, {}, 0, 1e-300, 1e300, ToeShape::log}; }));
    accepted(knob([](CurveParams& c) { c = {Pivot::top, {}, off, off, off, ToeShape::log}; }));
}

TEST(Params, Presets) {
    ASSERT_FALSE(presets().empty());
    EXPECT_EQ(presets().front().name, "note");
    for (const Preset& preset : presets()) {
        EXPECT_NO_THROW(validate(preset.params));
        EXPECT_FALSE(preset.summary.empty());
        EXPECT_EQ(find_preset(preset.name), &preset);
        EXPECT_FALSE(Curve(preset.params).identity());
    }
    EXPECT_EQ(find_preset("note")->params, (CurveParams{Pivot::top, 6.0, 4, 4, 6, ToeShape::log}));
    EXPECT_EQ(find_preset("gentle")->params, (CurveParams{Pivot::entropy, 2.3, 2.3, 1, 1.5, ToeShape::fade}));
    EXPECT_EQ(find_preset("balanced")->params, (CurveParams{Pivot::entropy, 1.7, 1.6, 0.6, 2, ToeShape::fade}));
    EXPECT_EQ(find_preset("bold")->params, (CurveParams{Pivot::entropy, 1.5, 1, 0.3, 1.2, ToeShape::fade}));
    EXPECT_EQ(find_preset("cheap")->params, (CurveParams{Pivot::top, 5.2, 0.1, 12, 0.4, ToeShape::fade}));
    EXPECT_EQ(find_preset("Note"), nullptr);
    EXPECT_EQ(find_preset(""), nullptr);
}

TEST(Params, NamesThereAndBack) {
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median}) EXPECT_EQ(pivot_from(to_string(pivot)), pivot);
    for (const ToeShape shape : {ToeShape::log, ToeShape::fade}) EXPECT_EQ(toe_shape_from(to_string(shape)), shape);
    EXPECT_EQ(pivot_from("middle"), std::nullopt);
    EXPECT_EQ(toe_shape_from(""), std::nullopt);
    EXPECT_EQ(to_string(Pivot::entropy), "entropy");
    EXPECT_EQ(to_string(ToeShape::fade), "fade");
}

TEST(Params, TheDefaultsAreBalanced) {
    const SamplerParams params;
    EXPECT_EQ(params.temperature, 1);
    EXPECT_FALSE(params.hlg.has_value());
    EXPECT_EQ(CurveParams{}, (CurveParams{Pivot::entropy, {}, 1.6, 0.6, 2, ToeShape::fade}));
    EXPECT_EQ(default_offset(Pivot::top), 3);
    EXPECT_EQ(default_offset(Pivot::entropy), 1.7);
    EXPECT_EQ(default_offset(Pivot::median), 2.5);
    CurveParams named = find_preset("balanced")->params;
    EXPECT_EQ(named.pivot_offset, default_offset(named.pivot));
    named.pivot_offset.reset();
    EXPECT_EQ(named, CurveParams{});
}

}  // namespace
}  // namespace hlg
