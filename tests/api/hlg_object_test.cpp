// SPDX-License-Identifier: MIT
#include "api/hlg_object.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

engine::HlgSettings read(const Node& body) { return read_hlg(body.at("hlg")); }

engine::HlgSettings of(const std::string& hlg) { return test::accepted(R"({"hlg": )" + hlg + "}", read); }

std::string refused(const std::string& hlg) { return test::refusal(R"({"hlg": )" + hlg + "}", read); }

TEST(HlgObject, Short) {
    EXPECT_EQ(test::accepted("{}", read), engine::HlgSettings());
    EXPECT_EQ(of("null"), engine::HlgSettings());
    EXPECT_EQ(of("true"), engine::HlgSettings{.enabled = true});
    EXPECT_EQ(of("false"), engine::HlgSettings{.enabled = false});
    EXPECT_EQ(of("{}"), engine::HlgSettings{.enabled = true});
}

TEST(HlgObject, Whole) {
    const engine::HlgSettings settings = of(R"({"enabled": null, "preset": "note", "pivot": "entropy", "pivot_offset": -1.5,
        "width": 0, "shoulder": "off", "toe": 2, "toe_shape": "fade"})");
    EXPECT_EQ(settings.enabled, true);
    EXPECT_EQ(settings.preset, "note");
    EXPECT_EQ(settings.pivot, Pivot::entropy);
    EXPECT_EQ(settings.pivot_offset, -1.5);
    EXPECT_EQ(settings.width, 0.0);
    EXPECT_EQ(settings.shoulder, off);
    EXPECT_EQ(settings.toe, 2.0);
    EXPECT_EQ(settings.toe_shape, ToeShape::fade);
    EXPECT_EQ(of(R"({"enabled": false, "width": null, "toe": "off"})"), (engine::HlgSettings{.enabled = false, .toe = off}));
}

TEST(HlgObject, Refused) {
    const std::pair<const char*, const char*> cases[] = {
        {"1", "hlg must be an object, true or false, got 1"},
        {"\"on\"", "hlg must be an object, true or false, got \"on\""},
        {R"({"gain": 1})",
         "hlg must have no member \"gain\", only enabled, preset, pivot, pivot_offset, width, shoulder, toe, toe_shape"},
        {R"({"gain": null})",
         "hlg must have no member \"gain\", only enabled, preset, pivot, pivot_offset, width, shoulder, toe, toe_shape"},
        {R"({"enabled": 1})", "hlg.enabled must be true or false, got 1"},
        {R"({"pivot": "middle"})", "hlg.pivot must be one of top, entropy, median, got \"middle\""},
        {R"({"pivot_offset": 10001})", "hlg.pivot_offset must be between -10000 and 10000, got 10001"},
        {R"({"pivot_offset": "off"})", "hlg.pivot_offset must be a number, got \"off\""},
        {R"({"width": -1})", "hlg.width must be >= 0 or off, got -1"},
        {R"({"width": "4"})", "hlg.width must be a number >= 0, or \"off\", got \"4\""},
        {R"({"shoulder": 0})", "hlg.shoulder must be > 0 or off, got 0"},
        {R"({"toe": 0.0})", "hlg.toe must be > 0 or off, got 0.0"},
        {R"({"toe_shape": "linear"})", "hlg.toe_shape must be one of log, fade, got \"linear\""},
    };
    for (const auto& [hlg, message] : cases) EXPECT_EQ(refused(hlg), message);
    EXPECT_EQ(refused(R"({"preset": "nothing"})"),
              "hlg.preset must be one of note, gentle, balanced, bold, cheap, got \"nothing\"");
    EXPECT_NE(refused(R"({"preset": 1})").find("got 1"), std::string::npos);
}

TEST(HlgObject, Reply) {
    engine::ResolvedSettings settings;
    EXPECT_EQ(hlg_json(settings, {}).dump(), R"({"enabled":false,"ignored":[]})");
    settings.params.hlg = CurveParams{.pivot = Pivot::entropy, .shoulder = off};
    settings.preset = "note";
    EXPECT_EQ(hlg_json(settings, {"top_p", "typical_p"}).dump(),
              R"({"enabled":true,"preset":"note","pivot":"entropy","pivot_offset":1.7,"width":1.6,"shoulder":"off","toe":2.0,)"
              R"("toe_shape":"fade","ignored":["top_p","typical_p"]})");
}

}  // namespace
}  // namespace hlg::api
