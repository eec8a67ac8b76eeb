// The report inside its page: whatever it says, the page's parser must not see the end of the script, and its reader the same
// JSON.
#include "web/report_page.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "web/pages.hpp"

namespace hlg::web {
namespace {

using Json = nlohmann::json;

constexpr std::string_view open = R"(<script type="application/json" id="report">)";

/** What stands in the script, up to where HTML ends it. */
std::string embedded(const std::string& page) {
    const std::size_t begin = page.find(open) + open.size();
    return page.substr(begin, page.find("</script", begin) - begin);
}

std::string made_up_report() {
    std::ifstream file(HLG_MADE_UP_REPORT);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(ReportPage, HoldsTheReport) {
    const std::string report = made_up_report();
    EXPECT_EQ(Json::parse(embedded(report_page(report))), Json::parse(report));
}

TEST(ReportPage, NoTextEndsTheScript) {
    const std::string empty = report_page("");
    for (const char* text : {"</script><script>alert(1)</script>", "<!--<script>", "</SCRIPT >", "<", "\\u003c/script>", "]]>"}) {
        const std::string hostile = text;
        const Json report{{"title", hostile}, {hostile, 1}};
        const std::string page = report_page(report.dump());
        EXPECT_EQ(Json::parse(embedded(page)), report) << hostile;
        EXPECT_EQ(count(page, "<script"), count(empty, "<script")) << hostile;
        EXPECT_EQ(count(page, "<!--"), count(empty, "<!--")) << hostile;
    }
}

TEST(ReportPage, NeedsNothingBesideIt) {
    const std::string page = report_page("{}");
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_EQ(count(page, "<link rel=\"stylesheet\""), 0);
    EXPECT_EQ(count(page, "<script src"), 0);
    EXPECT_EQ(count(page, "http-equiv=\"Content-Security-Policy\""), 1);
}

TEST(Pages, AreSmall) {
    for (const Page& page : {playground(), report_viewer()}) {
        EXPECT_GT(page.gzip.size(), 10'000U);
        EXPECT_LT(page.gzip.size(), 400'000U);
    }
}

TEST(Pages, PoliciesAreOneLineThatAllowsNoOtherOrigin) {
    for (const Page& page : {playground(), report_viewer()}) {
        const std::string policy(page.policy);
        EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'sha256-")) << policy;
        EXPECT_TRUE(policy.ends_with("frame-ancestors 'none'")) << policy;
        for (const std::string_view bad : {"\n", "unsafe", "http", "*"}) EXPECT_EQ(policy.find(bad), std::string::npos) << policy;
    }
}

TEST(Pages, ADamagedPageIsNotUnpacked) {
    const Page whole = report_viewer();
    EXPECT_THROW(unpacked({.gzip = whole.gzip.substr(0, whole.gzip.size() / 2), .policy = {}}), std::runtime_error);
    EXPECT_THROW(unpacked({.gzip = "<!doctype html>", .policy = {}}), std::runtime_error);
}

}  // namespace
}  // namespace hlg::web
