// Reports as docs/reference/report.md has them, summaries by hand, and whole evaluations on made-up contexts.
#include "eval/report.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "eval/calibrate.hpp"
#include "eval/comparison.hpp"
#include "eval/expand.hpp"
#include "eval/kl.hpp"
#include "eval/reach_report.hpp"
#include "eval/remarks.hpp"

namespace hlg::eval {
namespace {

Corpus made_corpus() {
    Corpus corpus;
    std::size_t seed = 1;
    for (std::size_t source = 0; source < 2; ++source) {
        corpus.sources.push_back({.id = source == 0 ? "one" : "two",
                                  .kind = "logits",
                                  .vocabulary = 300,
                                  .texts = {"t"},
                                  .sha256 = "00",
                                  .contexts = 9,
                                  .clusters = 9});
        for (std::size_t place = 0; place < 9; ++place) {
            const double spread = place % 3 == 0 ? 4.0 : place % 3 == 1 ? 2.0 : 1.3;
            corpus.contexts.push_back(make_context(random_logits(300, spread, place % 3 == 0 ? 1 : 5, seed++)));
            corpus.contexts.back().source = source;
            corpus.contexts.back().place = place;
            corpus.contexts.back().cluster = place;
        }
    }
    return corpus;
}

/** Whatever a figure or a section names must be there. */
void expect_whole(const Json& report) {
    EXPECT_EQ(report["format"], "hlg-report");
    EXPECT_EQ(report["version"], 1);
    EXPECT_FALSE(report["findings"].empty());
    const auto has_column = [&](const std::string& table, const std::string& key) {
        for (const Json& column : report["tables"][table]["columns"])
            if (column["key"] == key) return true;
        return false;
    };
    for (const Json& section : report["sections"]) {
        for (const Json& id : section["tables"]) EXPECT_TRUE(report["tables"].contains(id.get<std::string>())) << id;
        for (const Json& figure : section["figures"]) {
            const auto table = figure["table"].get<std::string>();
            ASSERT_TRUE(report["tables"].contains(table)) << table;
            for (const char* axis : {"x", "y"}) EXPECT_TRUE(has_column(table, figure[axis]["key"])) << figure;
            for (const char* key : {"series", "facet", "label"})
                EXPECT_TRUE(!figure.contains(key) || has_column(table, figure[key])) << figure;
        }
    }
    // JSON has no NaN: such a value is null, or the dump would not be read.
    EXPECT_FALSE(Json::parse(report.dump(), nullptr, false).is_discarded());
}

TEST(Report, IsWrittenAsItsReferenceSays) {
    Report report("made", "A title");
    report.find("It works.");
    report.inputs(made_corpus());
    report.seed("bootstrap", 7);
    report.set("knob", 1.5);
    Table table({{"x", "x", "nats", 2, "a note"}, {"y", "y", "", 3, "", true}});
    Json row{{"x", number(std::numeric_limits<double>::quiet_NaN())}};
    Table::put(row, "y", {1.0, 0.5, 1.5});
    table.add(row);
    report.table("t", table);
    report.section("s", "Finding", {"Text."}, {{{"table", "t"}, {"mark", "line"}, {"x", {{"key", "x"}}}, {"y", {{"key", "y"}}}}},
                   {"t"});
    const Json json = report.json({"0.1.0", "", "hlg eval made", "2026-01-31T12:00:00Z", "2 x CPU", 1.5});
    expect_whole(json);
    EXPECT_TRUE(json["made"]["engine"].is_null());
    EXPECT_EQ(json["inputs"][0]["remark"], "1 prompt");
    EXPECT_EQ(json["tables"]["t"]["columns"][1]["low"], "y_low");
    EXPECT_TRUE(json["tables"]["t"]["rows"][0]["x"].is_null());
    EXPECT_EQ(json["tables"]["t"]["rows"][0]["y_high"], 1.5);
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "hlg_report" / "deep";
    std::filesystem::remove_all(folder);
    write_report(folder.string(), json);
    std::ifstream in(folder / "report.json");
    EXPECT_EQ(Json::parse(in), json);
    EXPECT_GT(std::filesystem::file_size(folder / "report.html"), 100'000U);
    EXPECT_EQ(utc_now().size(), 20U);
    EXPECT_NE(machine_name().find(" x "), std::string::npos);
}

TEST(Summary, QuantilesAndClassesByHand) {
    EXPECT_EQ(weighted_quantile(std::vector<double>{3, 1, 2}, std::vector<double>{1, 1, 1}, 0.5), 2.0);
    EXPECT_EQ(weighted_quantile(std::vector<double>{3, 1, 2}, std::vector<double>{5, 1, 1}, 0.5), 3.0);
    EXPECT_TRUE(std::isnan(weighted_quantile({}, {}, 0.5)));
    const Corpus corpus = made_corpus();
    std::vector<Row> rows(corpus.contexts.size());
    std::vector<double> prices(rows.size(), 0.25);
    std::size_t open = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        at(rows[i], Measure::kl) = corpus.contexts[i].kind() == Class::open ? 2.0 : 1.0;
        open += corpus.contexts[i].kind() == Class::open ? 1 : 0;
    }
    ASSERT_GT(open, 2U);
    const std::vector<Summary> summaries = summarise(corpus, rows, prices, {.block = 3, .bootstrap = {.resamples = 50}});
    ASSERT_EQ(summaries.size(), 4U);
    EXPECT_EQ(summaries[2].kind, Class::open);
    EXPECT_EQ(summaries[2].contexts, open);
    EXPECT_EQ(summaries[2].mean[static_cast<std::size_t>(Measure::kl)].estimate, 2.0);
    EXPECT_EQ(summaries[2].kl_p95, 2.0);
    EXPECT_EQ(summaries[3].contexts, rows.size());
    EXPECT_EQ(summaries[3].price.estimate, 0.25);
    const std::vector<Summary> back = summaries_of(numbers_of(summaries));
    ASSERT_EQ(back.size(), 4U);
    EXPECT_EQ(back[2].kind, Class::open);
    EXPECT_FALSE(back[3].kind);
    EXPECT_EQ(back[3].mean[2].low, summaries[3].mean[2].low);
}

TEST(Kl, ReportIsWholeAndTemperatureIsAtNothing) {
    const Corpus corpus = made_corpus();
    KlOptions options;
    options.intervals.bootstrap.resamples = 20;
    Memo memo("", "");
    const Report report = kl_report(corpus, options, memo, {});
    expect_whole(report.json({}));
    for (const Json& row : report.table("presets")->rows()) EXPECT_TRUE(row["setting"] != "temperature" || row["kl"] == 0.0);
    bool off_is_nothing = false;
    for (const Json& row : report.table("kl")->rows()) {
        if (row["setting"] != "width 8" || row["class"] != "all" || row["source"] != "all") continue;
        off_is_nothing = row["kl"].get<double>() < 0.05;
    }
    EXPECT_TRUE(off_is_nothing);
}

TEST(Kl, GoesOnWhereItStopped) {
    const Corpus corpus = made_corpus();
    KlOptions options;
    options.intervals.bootstrap.resamples = 20;
    const std::string path = testing::TempDir() + "hlg_kl_memo";
    std::filesystem::remove(path);
    const auto run = [&](const Progress& progress) {
        Memo memo(path, kl_inputs(corpus, options));
        return std::pair(memo.resumed(), kl_report(corpus, options, memo, progress).json({}));
    };
    EXPECT_THROW(run([](double done) { return done < 0.3; }), Stopped);
    const auto [resumed, json] = run({});
    Memo none("", "");
    EXPECT_EQ(json, kl_report(corpus, options, none, {}).json({}));
}

TEST(Match, ReportIsWholeAndHeldOut) {
    const Corpus corpus = made_corpus();
    MatchOptions options;
    options.families = {"temperature", "top_p", "p_less", "mirostat", "hlg-fade-entropy"};
    options.budgets = {0.03, 0.1};
    options.evaluations = 12;
    options.intervals.bootstrap.resamples = 20;
    Memo memo("", "");
    const Report report = match_report(corpus, options, memo, {});
    expect_whole(report.json({}));
    EXPECT_EQ(report.table("match")->rows().size(), 5U * 4U);
    for (const Json& row : report.table("match")->rows()) {
        if (row["family"] != "temperature") continue;
        const bool kept = row["limits"] == "price";
        EXPECT_EQ(row["status"], kept ? "" : "no setting keeps the limits");
        EXPECT_NEAR(kept ? row["collision"].get<double>() : 1.0, 1.0, 1e-6);
    }
    MatchOptions wrong = options;
    wrong.families = {"top_q"};
    EXPECT_THROW(match_report(corpus, wrong, memo, {}), std::invalid_argument);
}

TEST(Calibrate, ReportIsWholeAndTopPPaysForWhatItCuts) {
    const Corpus corpus = made_corpus();
    CalibrateOptions options;
    options.families = {"hlg-fade-entropy"};
    options.budgets = {0.05, 0.1};
    options.evaluations = 10;
    options.intervals.bootstrap.resamples = 20;
    Memo memo("", "");
    const Report report = calibrate_report(corpus, options, memo, {});
    expect_whole(report.json({}));
    EXPECT_EQ(report.table("front")->rows().size(), 4U);
    EXPECT_EQ(report.table("presets")->rows().size(), presets().size() * 3);
    const TopPAtPrice top_p(Baseline(corpus, Weighing::contexts));
    EXPECT_LT(top_p.collision(0.05), top_p.collision(0.02));
    EXPECT_LT(top_p.collision(0.02), 1.0);
    EXPECT_TRUE(std::isnan(top_p.collision(9.0)));
}

TEST(ReachReport, TemperatureIsAtNothingAndBendingIsNot) {
    const Corpus corpus = made_corpus();
    ReachOptions options;
    options.intervals.bootstrap.resamples = 20;
    Memo memo("", "");
    const Report report = reach_report(corpus, options, memo, {});
    expect_whole(report.json({}));
    bool bent = false;
    for (const Json& row : report.table("reach")->rows()) {
        const bool control = row["sampler"] == "temperature" || row["sampler"] == "top_p + T";
        EXPECT_NEAR(control ? row["reach"].get<double>() : 0.0, 0.0, 1e-9);
        if (row["sampler"] == "quadratic smoothing" && row["class"] == "all") bent = row["reach"].get<double>() > 0.005;
        EXPECT_LE(row["error"].get<double>(), options.tolerance);
        EXPECT_LE(row["reach"].get<double>(), row["fixed"].get<double>() + 1e-9);
    }
    EXPECT_TRUE(bent);
}

TEST(Remarks, SayWhatConclusionsRestOn) {
    const std::string text = what_it_rests_on(made_corpus());
    EXPECT_NE(text.find("one: 1 prompt, distinct contexts"), std::string::npos) << text;
    EXPECT_EQ(fingerprint(made_corpus()), fingerprint(made_corpus()));
    Corpus other = made_corpus();
    other.contexts[0].logit[1] -= 1e-9;
    EXPECT_NE(fingerprint(other), fingerprint(made_corpus()));
}

}  // namespace
}  // namespace hlg::eval
