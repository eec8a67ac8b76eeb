// SPDX-License-Identifier: MIT
#include "cli/curve_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cli/command.hpp"
#include "cli/curve_plot.hpp"
#include "cli/curve_svg.hpp"

namespace hlg::cli {
namespace {

engine::ResolvedSettings with(const CurveParams& curve, double temperature = 1.0) {
    engine::ResolvedSettings settings;
    settings.params.hlg = curve;
    settings.params.temperature = temperature;
    return settings;
}

CurveView view_of(std::string_view preset) { return {with(find_preset(preset)->params), {}, {}}; }

/** Columns of the widest line; a character outside ASCII counts once. */
std::size_t widest(const std::string& text) {
    std::size_t best = 0;
    std::size_t columns = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80) ++columns;  // not a continuation byte
        best = std::max(best, c == '\n' ? columns - 1 : columns);
        if (c == '\n') columns = 0;
    }
    return best;
}

TEST(CurveView, ShowsEveryRegionByDefault) {
    for (const Preset& preset : presets()) {
        const CurveView view = view_of(preset.name);
        ASSERT_EQ(view.regions().size(), 3U) << preset.name;
        EXPECT_EQ(view.regions()[0].kind, RegionKind::toe);
        EXPECT_EQ(view.regions()[2].kind, RegionKind::shoulder);
        EXPECT_EQ(view.knots(), (std::vector<double>{-preset.params.width, preset.params.width}));
        EXPECT_EQ(view.top_token().has_value(), preset.params.pivot == Pivot::top);
    }
}

TEST(CurveView, ScoresAreDividedByTheTemperature) {
    const CurveView view(with({}, 0.5), {}, {});
    EXPECT_EQ(view.shaped(1), 2);
    EXPECT_EQ(view.plain(-3), -6);
    EXPECT_EQ(view.shaped(5), 2 * Curve(CurveParams{}).h(5));
}

TEST(CurveView, RegionsThatAreOffOrOutOfSightAreNotShown) {
    CurveParams params;
    params.shoulder = off;
    EXPECT_EQ(CurveView(with(params), {}, {}).regions().size(), 2U);
    EXPECT_EQ(CurveView(with({}), -1, 1).regions().size(), 1U);
    EXPECT_EQ(CurveView(with({}), 5, 9).regions().size(), 1U);
    params.width = off;
    const CurveView identity(with(params), {}, {});
    EXPECT_TRUE(identity.knots().empty());
    EXPECT_EQ(identity.regions().size(), 1U);
    EXPECT_EQ(identity.top_token(), std::nullopt);
}

TEST(CurveView, RefusesWhatCannotBeShown) {
    EXPECT_THROW(CurveView(with({}), 3, 3), UsageError);
    EXPECT_THROW(CurveView(with({}), 3, -3), UsageError);
    EXPECT_THROW(CurveView(with({}), -1e5, {}), UsageError);
    EXPECT_THROW(CurveView(with({}), {}, std::numeric_limits<double>::quiet_NaN()), UsageError);
    EXPECT_THROW(CurveView(with({}, 0), {}, {}), UsageError);
}

TEST(CurvePlot, FitsEightyColumnsWhateverTheKnobs) {
    CurveParams longest{Pivot::median, -1234.5678, 12.345678, 1.2345e-5, 1234.5678, ToeShape::fade};
    CurveParams zero{Pivot::top, 0, 0, 1, 1, ToeShape::log};
    CurveParams tiny{Pivot::entropy, {}, 0.001234, 1e-300, 1e-300, ToeShape::log};
    for (const CurveParams& params : {CurveParams{}, longest, zero, tiny}) {
        for (const double from : {-1e4, -20.0, 1.0}) {
            for (const bool unicode : {true, false}) {
                const CurveView view(with(params, 0.123), from, 1e4);
                EXPECT_LE(widest(terminal_plot(view, {unicode, false})), 80U) << terminal_plot(view, {unicode, false});
            }
        }
    }
}

TEST(CurvePlot, AsciiIsAsciiAndPlainIsWithoutEscapes) {
    const std::string plot = terminal_plot(view_of("note"), {false, false});
    EXPECT_TRUE(std::all_of(plot.begin(), plot.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    EXPECT_EQ(terminal_plot(view_of("note"), {true, false}).find('\x1b'), std::string::npos);
    EXPECT_NE(terminal_plot(view_of("note"), {true, true}).find("\x1b["), std::string::npos);
}

TEST(CurvePlot, NamesWhatItShows) {
    const std::string plot = terminal_plot(view_of("balanced"), {true, false});
    for (const char* word : {"toe", "mid", "shoulder", "●", "◆", "1.7 nats below the mean logit", "tail faded"})
        EXPECT_NE(plot.find(word), std::string::npos) << word;
    EXPECT_EQ(plot.find("top token"), std::string::npos);  // its place depends on the distribution
    EXPECT_NE(terminal_plot(view_of("note"), {true, false}).find("▲"), std::string::npos);
}

TEST(CurveSvg, KeepsItsCommandAndEscapesIt) {
    const std::string svg = svg_plot(view_of("balanced"), "hlg curve --svg 'a<b>&c'");
    EXPECT_NE(svg.find("<metadata>hlg curve --svg 'a&lt;b&gt;&amp;c'</metadata>"), std::string::npos);
}

TEST(CurveSvg, StandsAlone) {
    const std::string svg = svg_plot(view_of("balanced"), "hlg curve");
    EXPECT_EQ(svg.find("href"), std::string::npos);
    EXPECT_EQ(svg.find("url("), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
    for (const char* word : {">toe<", ">mid<", ">shoulder<", ">pivot<", ">plain temperature<"})
        EXPECT_NE(svg.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace hlg::cli
