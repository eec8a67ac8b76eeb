// SPDX-License-Identifier: MIT
#include "net/access_log.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hlg::net {
namespace {

AccessEntry entry() {
    return {.time_ms = 1'767'225'600'123,
            .id = "id-1",
            .client = "127.0.0.1:5",
            .method = "POST",
            .path = "/v1/x",
            .status = 200,
            .milliseconds = 12.3456,
            .tokens = 7,
            .bytes = 99,
            .end = End::client_gone};
}

TEST(AccessLog, Text) {
    EXPECT_EQ(
        access_line(entry(), LogFormat::text),
        R"(2026-01-01T00:00:00.123Z id="id-1" client="127.0.0.1:5" method="POST" path="/v1/x" status=200 ms=12.346 tokens=7 )"
        "bytes=99 end=client_gone");
}

TEST(AccessLog, Json) {
    const auto line = nlohmann::json::parse(access_line(entry(), LogFormat::json));
    EXPECT_EQ(line["time"], "2026-01-01T00:00:00.123Z");
    EXPECT_EQ(line["path"], "/v1/x");
    EXPECT_EQ(line["tokens"], 7);
    EXPECT_EQ(line["end"], "client_gone");
}

// What clients send can neither begin a line nor move a terminal's cursor.
TEST(AccessLog, NothingCanBeForged) {
    AccessEntry forged = entry();
    forged.path = "/a\" status=200\r\n2026 id=\x1b[2J\x7F\xC2\x9B\xE2\x80\xA8\xFF" + std::string(1000, 'x');
    forged.id = "\n";
    forged.method = "GET\n";
    for (const LogFormat format : {LogFormat::text, LogFormat::json}) {
        const std::string line = access_line(forged, format);
        EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; })) << line;
        EXPECT_NE(line.find(R"(/a\" status=200\r\n2026)"), std::string::npos) << line;
        EXPECT_LT(line.size(), 600U);
    }
    EXPECT_TRUE(nlohmann::json::accept(access_line(forged, LogFormat::json)));
}

TEST(AccessLog, LinesReachTheSinkInTheirOrder) {
    std::vector<std::string> lines;
    {
        AccessLog log(LogFormat::text, [&](std::string_view line) { lines.emplace_back(line); });
        for (int i = 0; i < 100; ++i) {
            AccessEntry one = entry();
            one.id = std::to_string(i);
            log.write(one);
        }
    }
    ASSERT_EQ(lines.size(), 100U);
    for (int i = 0; i < 100; ++i) EXPECT_NE(lines[i].find("id=\"" + std::to_string(i) + "\""), std::string::npos);
}

TEST(AccessLog, None) {
    int lines = 0;
    {
        AccessLog log(LogFormat::none, [&](std::string_view) { ++lines; });
        log.write(entry());
    }
    EXPECT_EQ(lines, 0);
}

}  // namespace
}  // namespace hlg::net
