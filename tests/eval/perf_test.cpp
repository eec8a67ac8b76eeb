// SPDX-License-Identifier: MIT
//
// Times of a source that takes as long as it is told.
#include "eval/perf.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace hlg::eval {
namespace {

using std::chrono::milliseconds;

class SlowSource final : public TextSource {
public:
    explicit SlowSource(milliseconds with_hlg) : with_hlg_(with_hlg) {}

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override {
        if (progress && !progress(0)) throw Stopped();
        const bool hlg = jobs.front().sampling.hlg != engine::HlgSettings{};
        std::this_thread::sleep_for(milliseconds(10) +
                                    (hlg ? with_hlg_ : milliseconds(4)) * static_cast<int>(jobs.front().max_tokens - 1));
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            prompts.push_back(std::get<std::string>(jobs[i].prompt));
            EXPECT_TRUE(jobs[i].ignore_end);
            WrittenText text;
            text.generated_tokens = jobs[i].max_tokens - short_by;
            take(i, std::move(text));
        }
    }
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }

    std::vector<std::string> prompts;
    std::size_t short_by = 0;

private:
    milliseconds with_hlg_;
    SourceFacts facts_{.id = "slow", .kind = "model"};
};

PerfOptions few() {
    PerfOptions options;
    options.at_a_time = {2};
    options.tokens = 10;
    options.pairs = 5;
    options.words = 3;
    return options;
}

TEST(Perf, FindsAPlantedLossAndNoOther) {
    SlowSource source(milliseconds(8));
    const auto pairs = time_pairs(source, few(), 2);
    ASSERT_EQ(pairs.size(), 5U);
    const Interval decoding = median_ratio(pairs, &PerfRun::tokens_per_second, {});
    EXPECT_NEAR(decoding.estimate, 0.5, 0.12);
    EXPECT_LT(decoding.high, 0.9);
    EXPECT_NEAR(median_ratio(pairs, &PerfRun::first_seconds, {}).estimate, 1, 0.3);
    for (const PerfPair& pair : pairs) {
        EXPECT_GE(pair[0].first_seconds, 0.01);
        EXPECT_LE(pair[0].tokens_per_second, 2 * 10 / 0.036);  // sleeping takes at least as long as asked for
    }
}

TEST(Perf, NoTwoPromptsBeginAlike) {
    SlowSource source(milliseconds(1));
    (void)time_pairs(source, few(), 2);
    ASSERT_EQ(source.prompts.size(), 6U * 2 * 2 * 2);
    std::vector<std::string> begins;
    for (const std::string& prompt : source.prompts) begins.push_back(prompt.substr(0, prompt.find(' ')));
    std::sort(begins.begin(), begins.end());
    EXPECT_EQ(std::unique(begins.begin(), begins.end()), begins.end());
}

TEST(Perf, MedianOfRatiosByHand) {
    const std::vector<PerfPair> pairs{{{{1, 100}, {1, 90}}}, {{{1, 100}, {3, 99}}}, {{{2, 50}, {2, 100}}}};
    EXPECT_DOUBLE_EQ(median_ratio(pairs, &PerfRun::tokens_per_second, {}).estimate, 0.99);
    EXPECT_DOUBLE_EQ(median_ratio(pairs, &PerfRun::first_seconds, {}).estimate, 1);
    EXPECT_DOUBLE_EQ(median_ratio(pairs, &PerfRun::tokens_per_second, {}).low, 0.9);
    EXPECT_DOUBLE_EQ(median_ratio(pairs, &PerfRun::tokens_per_second, {}).high, 2);
}

TEST(Perf, RefusesWhatMeasuresNothing) {
    SlowSource source(milliseconds(1));
    source.short_by = 1;
    EXPECT_THROW((void)perf_report(source, few()), std::runtime_error);
    PerfOptions options = few();
    options.arms.pop_back();
    EXPECT_THROW((void)perf_report(source, options), std::invalid_argument);
    options = few();
    options.at_a_time.clear();
    EXPECT_THROW((void)perf_report(source, options), std::invalid_argument);
    source.short_by = 0;
    EXPECT_THROW((void)time_pairs(source, few(), 2, [](double) { return false; }), Stopped);
}

TEST(Perf, ReportsEachNumberOfRequests) {
    SlowSource source(milliseconds(4));
    PerfOptions options = few();
    options.at_a_time = {1, 2};
    const Json json = perf_report(source, options).json({});
    EXPECT_EQ(json["kind"], "perf");
    EXPECT_EQ(json["tables"]["speed"]["rows"].size(), 4U);
    EXPECT_EQ(json["findings"].size(), 2U);
}

}  // namespace
}  // namespace hlg::eval
