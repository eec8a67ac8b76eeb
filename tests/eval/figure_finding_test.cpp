// SPDX-License-Identifier: MIT
#include "eval/figure_finding.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hlg::eval {
namespace {

Table sweep() {
    Table table({{"class", "Class"}, {"toe", "Toe", "nats"}, {"tail", "Deep tail"}, {"source", "Source"}});
    const auto add = [&](const char* kind, double toe, Json tail, const char* source) {
        table.add({{"class", kind}, {"toe", toe}, {"tail", std::move(tail)}, {"source", source}});
    };
    add("open", 1, 0.5, "all");
    add("open", 20, 0.004, "all");
    add("mid", 1, 0.9, "all");
    add("mid", 20, 0.001, "all");
    add("confident", 20, nullptr, "all");
    add("open", 30, 9, "one");
    return table;
}

Json line() {
    return {{"title", "T"},          {"mark", "line"},         {"where", {{"source", "all"}}},
            {"x", {{"key", "toe"}}}, {"y", {{"key", "tail"}}}, {"series", "class"}};
}

TEST(FigureFinding, LinesAreReadAtTheirRightEnds) {
    EXPECT_EQ(finding_of(line(), sweep()), "Deep tail from 0.001 (mid) to 0.004 (open) at Toe 20");
    Json one = line();
    one["where"]["class"] = Json::array({"open"});
    EXPECT_EQ(finding_of(one, sweep()), "Deep tail 0.004 at Toe 20");
}

TEST(FigureFinding, PointsAlongYAndIntervalsAlongX) {
    Json points = line();
    points["mark"] = "point";
    points["y"]["label"] = "tail mass";
    EXPECT_EQ(finding_of(points, sweep()), "tail mass from 0.001 (mid) to 0.9 (mid)");
    Table table({{"task", "Task"}, {"arm", "Arm"}, {"difference", "Difference"}});
    table.add({{"task", "a"}, {"arm", "x"}, {"difference", -0.02}});
    table.add({{"task", "b"}, {"arm", "x"}, {"difference", 0.01}});
    const Json intervals{
        {"mark", "interval"}, {"x", {{"key", "difference"}}}, {"y", {{"key", "task"}, {"scale", "category"}}}, {"series", "arm"}};
    EXPECT_EQ(finding_of(intervals, table), "Difference from -0.02 (a) to 0.01 (b)");
}

TEST(FigureFinding, NothingToTell) {
    Json heat = line();
    heat["mark"] = "heat";
    EXPECT_EQ(finding_of(heat, sweep()), "");
    Json none = line();
    none["where"]["source"] = "nobody";
    EXPECT_EQ(finding_of(none, sweep()), "");
    none["where"]["source"] = "one";
    EXPECT_EQ(finding_of(none, sweep()), "");
    EXPECT_EQ(finding_of(line(), Table(std::vector<Column>{{"x", "X"}})), "");
}

TEST(FigureFinding, StandsInTheReportsTitles) {
    Report report("made", "M");
    report.table("t", sweep());
    Json figure = line();
    figure["table"] = "t";
    report.section("s", "S", {}, {figure}, {});
    EXPECT_EQ(report.json({})["sections"][0]["figures"][0]["title"], "T: Deep tail from 0.001 (mid) to 0.004 (open) at Toe 20");
}

}  // namespace
}  // namespace hlg::eval
