// The C interface's work: null pointers and impossible steps, outputs that errors leave alone, agreement with the C++
// interface, threads.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "hlg/hlg.h"
#include "hlg/sampler.hpp"

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Free {
    void operator()(hlg_sampler* sampler) const { hlg_sampler_free(sampler); }
};
using Handle = std::unique_ptr<hlg_sampler, Free>;

Handle sampler(const char* preset = nullptr, double temperature = 1, std::uint64_t seed = 0) {
    hlg_params params;
    EXPECT_EQ(hlg_params_init(&params, sizeof params), HLG_OK);
    if (preset != nullptr) {
        EXPECT_EQ(hlg_params_preset(&params, preset), HLG_OK);
    }
    params.temperature = temperature;
    params.seed = seed;
    hlg_sampler* made = nullptr;
    EXPECT_EQ(hlg_sampler_new(&params, &made, nullptr, 0), HLG_OK);
    return Handle(made);
}

std::vector<float> noise(std::size_t vocab, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::vector<float> logits(vocab);
    for (float& x : logits) x = static_cast<float>(random() % 4096) / 256.0F;
    return logits;
}

hlg_step step_of(const std::vector<float>& logits) {
    hlg_step step{};
    step.logits = logits.data();
    step.vocab = logits.size();
    return step;
}

// Every call that takes a step, on outputs that are marked: what they answer, and whether they touched anything.
class Calls {
public:
    explicit Calls(std::size_t vocab) : probabilities_(vocab, kMark), shaped_(vocab, kMark) {}

    std::vector<hlg_status> run(hlg_sampler* sampler, const hlg_step* step) {
        const hlg_position at{0, 0, 0};
        return {hlg_draw(sampler, step, at, tokens_.data()), hlg_draw_many(sampler, step, at, tokens_.size(), tokens_.data()),
                hlg_probabilities(sampler, step, probabilities_.data()), hlg_shape(sampler, step, shaped_.data()),
                hlg_statistics_of(sampler, step, -9, &statistics_)};
    }

    [[nodiscard]] bool untouched() const {
        return tokens_ == std::array<std::int32_t, 3>{kMark, kMark, kMark} && statistics_.entropy == kMark &&
               statistics_.kl == kMark && probabilities_ == std::vector<double>(probabilities_.size(), kMark) &&
               shaped_ == std::vector<float>(shaped_.size(), kMark);
    }

private:
    static constexpr int kMark = -77;
    std::array<std::int32_t, 3> tokens_{kMark, kMark, kMark};
    std::vector<double> probabilities_;
    std::vector<float> shaped_;
    hlg_statistics statistics_{kMark, kMark, kMark, kMark, kMark, kMark, kMark};
};

// Every call must answer `wanted` and leave its outputs alone.
void expect_all(hlg_status wanted, hlg_sampler* sampler, const hlg_step* step, std::size_t vocab) {
    Calls calls(vocab);
    EXPECT_EQ(calls.run(sampler, step), std::vector<hlg_status>(5, wanted));
    EXPECT_TRUE(calls.untouched());
}

TEST(CStep, NullPointers) {
    const auto logits = noise(100);
    const Handle handle = sampler();
    hlg_step step = step_of(logits);
    expect_all(HLG_ERROR_ARGUMENT, nullptr, &step, 100);
    expect_all(HLG_ERROR_ARGUMENT, handle.get(), nullptr, 100);
    step.edit_count = 1;  // and no edits
    expect_all(HLG_ERROR_ARGUMENT, handle.get(), &step, 100);
    step = step_of(logits);
    step.logits = nullptr;
    expect_all(HLG_ERROR_ARGUMENT, handle.get(), &step, 100);
}

TEST(CStep, NullOutputs) {
    const auto logits = noise(100);
    const Handle handle = sampler();
    const hlg_step step = step_of(logits);
    EXPECT_EQ(hlg_draw(handle.get(), &step, {}, nullptr), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_draw_many(handle.get(), &step, {}, 4, nullptr), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_probabilities(handle.get(), &step, nullptr), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_shape(handle.get(), &step, nullptr), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_statistics_of(handle.get(), &step, -9, nullptr), HLG_ERROR_ARGUMENT);
}

TEST(CStep, ImpossibleSizes) {
    const auto logits = noise(100);
    const Handle handle = sampler();
    hlg_step step = step_of(logits);
    step.vocab = 0;
    expect_all(HLG_ERROR_EMPTY, handle.get(), &step, 100);
    step.logits = nullptr;  // nothing, and a pointer to nothing
    expect_all(HLG_ERROR_EMPTY, handle.get(), &step, 100);
    step = step_of(logits);
    step.vocab = std::size_t{1} << 31;
    expect_all(HLG_ERROR_TOO_LARGE, handle.get(), &step, 100);
    step.vocab = std::numeric_limits<std::size_t>::max();
    expect_all(HLG_ERROR_TOO_LARGE, handle.get(), &step, 100);
}

TEST(CStep, LogitsThatAreNone) {
    for (const char* preset : {static_cast<const char*>(nullptr), "note", "balanced"}) {
        const Handle handle = sampler(preset);
        for (const std::size_t at : {std::size_t{0}, std::size_t{500}, std::size_t{999}}) {
            auto logits = noise(1000);
            const hlg_step step = step_of(logits);
            logits[at] = std::numeric_limits<float>::quiet_NaN();
            expect_all(HLG_ERROR_NAN, handle.get(), &step, 1000);
            logits[at] = kInf;
            expect_all(HLG_ERROR_INFINITE, handle.get(), &step, 1000);
        }
        const std::vector<float> masked(1000, -kInf);
        const hlg_step step = step_of(masked);
        expect_all(HLG_ERROR_NO_TOKEN, handle.get(), &step, 1000);
    }
}

TEST(CStep, EditsThatAreNone) {
    const auto logits = noise(100);
    const Handle handle = sampler();
    hlg_step step = step_of(logits);
    for (const hlg_edit edit : {hlg_edit{-1, 0}, hlg_edit{100, 0}, hlg_edit{std::numeric_limits<std::int32_t>::min(), 0},
                                hlg_edit{5, std::numeric_limits<float>::quiet_NaN()}, hlg_edit{5, kInf}}) {
        step.edits = &edit;
        step.edit_count = 1;
        expect_all(HLG_ERROR_EDIT, handle.get(), &step, 100);
    }
    std::vector<hlg_edit> bans;
    for (std::int32_t i = 99; i >= 0; --i) bans.push_back({i, -kInf});
    step.edits = bans.data();
    step.edit_count = bans.size();
    expect_all(HLG_ERROR_NO_TOKEN, handle.get(), &step, 100);
}

TEST(CStep, AttemptsEndWhereTheHeaderSays) {
    const auto logits = noise(100);
    const Handle handle = sampler();
    const hlg_step step = step_of(logits);
    std::int32_t token = -1;
    EXPECT_EQ(hlg_draw(handle.get(), &step, {0, 0, (1U << 24) - 1}, &token), HLG_OK);
    token = -77;
    EXPECT_EQ(hlg_draw(handle.get(), &step, {0, 0, 1U << 24}, &token), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(token, -77);
}

TEST(CStep, AnErrorDoesNotSpoilTheSampler) {
    auto logits = noise(5000);
    const Handle fresh = sampler("balanced");
    const Handle used = sampler("balanced");
    const hlg_step step = step_of(logits);
    logits[17] = kInf;
    expect_all(HLG_ERROR_INFINITE, used.get(), &step, 5000);
    logits[17] = 0;
    std::array<std::int32_t, 100> a{}, b{};
    ASSERT_EQ(hlg_draw_many(fresh.get(), &step, {}, a.size(), a.data()), HLG_OK);
    ASSERT_EQ(hlg_draw_many(used.get(), &step, {}, b.size(), b.data()), HLG_OK);
    EXPECT_EQ(a, b);
}

TEST(CStep, AgreesWithTheCppInterface) {
    const auto logits = noise(3000);
    const std::vector<hlg_edit> c_edits{{10, -1.5F}, {20, -kInf}, {30, 2.0F}};
    const std::vector<hlg::Edit> edits{{10, -1.5F}, {20, -kInf}, {30, 2.0F}};
    std::vector<std::uint32_t> allowed((logits.size() + 31) / 32, 0xFFFFFFF0U);
    hlg_step c_step = step_of(logits);
    c_step.edits = c_edits.data();
    c_step.edit_count = c_edits.size();
    c_step.allowed = allowed.data();
    const hlg::Step step{.logits = logits, .edits = edits, .allowed = allowed};

    const Handle handle = sampler("balanced", 0.7, 99);
    hlg::Sampler cpp({.temperature = 0.7, .seed = 99, .hlg = hlg::find_preset("balanced")->params});
    std::vector<double> c_probabilities(logits.size()), probabilities(logits.size());
    ASSERT_EQ(hlg_probabilities(handle.get(), &c_step, c_probabilities.data()), HLG_OK);
    ASSERT_EQ(cpp.probabilities(step, probabilities), hlg::Status::ok);
    EXPECT_EQ(c_probabilities, probabilities);
    for (std::uint64_t index = 0; index < 50; ++index) {
        std::int32_t token = -1;
        ASSERT_EQ(hlg_draw(handle.get(), &c_step, {index, 3, 1}, &token), HLG_OK);
        EXPECT_EQ(token, cpp.draw(step, {index, 3, 1}).token);
        EXPECT_NE(token, 20);
        EXPECT_GE(token % 32, 4);
    }
}

TEST(CStep, ShapesInPlace) {
    auto logits = noise(3000);
    std::vector<float> shaped(logits.size());
    const Handle handle = sampler("note");
    const hlg_step step = step_of(logits);
    ASSERT_EQ(hlg_shape(handle.get(), &step, shaped.data()), HLG_OK);
    ASSERT_EQ(hlg_shape(handle.get(), &step, logits.data()), HLG_OK);
    EXPECT_EQ(logits, shaped);
}

std::vector<std::int32_t> draw_all(const std::vector<std::vector<float>>& texts, std::uint64_t seed) {
    const Handle handle = sampler("balanced", 0.9, seed);
    std::vector<std::int32_t> tokens(texts.size() * 20);
    std::int32_t* at = tokens.data();
    for (const auto& logits : texts) {
        const hlg_step step = step_of(logits);
        EXPECT_EQ(hlg_draw_many(handle.get(), &step, {}, 20, at), HLG_OK);
        at += 20;
    }
    return tokens;
}

TEST(CThreads, OwnSamplersGiveTheTokensOfOneThread) {
    std::vector<std::vector<float>> texts;
    for (unsigned i = 0; i < 40; ++i) texts.push_back(noise(20000 + 37 * i, i));
    constexpr std::size_t kThreads = 4;
    std::array<std::vector<std::int32_t>, kThreads> together;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[i] = draw_all(texts, i % 2); });
    }
    const auto zero = draw_all(texts, 0);
    const auto one = draw_all(texts, 1);
    EXPECT_NE(zero, one);
    for (std::size_t i = 0; i < kThreads; ++i) EXPECT_EQ(together[i], i % 2 == 0 ? zero : one);
}

}  // namespace
