// SPDX-License-Identifier: MIT
#include "engine/generate.hpp"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

class Generate : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto model = Model::load(std::getenv("HLG_TEST_MODEL"));
        ASSERT_TRUE(model) << model.error().message;
        model_ = new Model(std::move(*model));
    }
    static void TearDownTestSuite() {
        delete model_;
        model_ = nullptr;
    }

    static GenerationRequest story(std::int64_t tokens) {
        GenerationRequest request;
        request.prompt = model_->tokenize("Once upon a time");
        request.sampling.seed = 7;
        request.max_tokens = tokens;
        return request;
    }

    static Lane lane(const LaneOptions& options = {}) {
        auto lane = Lane::open(*model_, options);
        EXPECT_TRUE(lane);
        return std::move(*lane);
    }

    static std::string text(const GenerationRequest& request) {
        Lane fresh = lane();
        std::string all;
        const auto sink = [&](std::string_view part) {
            all += part;
            return true;
        };
        EXPECT_TRUE(generate(*model_, fresh, request, sink));
        return all;
    }

    static inline Model* model_ = nullptr;
};

bool swallow(std::string_view) { return true; }

TEST_F(Generate, OneSeedOneText) {
    GenerationRequest request = story(50);
    const std::string first = text(request);
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(text(request), first);
    request.sampling.seed = 8;
    EXPECT_NE(text(request), first);
}

TEST_F(Generate, StopsAtTheAskedLength) {
    Lane fresh = lane();
    const auto result = generate(*model_, fresh, story(10), swallow);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->finish, Finish::length);
    EXPECT_EQ(result->generated_tokens, 10U);
    EXPECT_EQ(result->prompt_tokens, story(0).prompt.size());
}

TEST_F(Generate, FillsTheContextToTheLastPlace) {
    Lane fresh = lane({.context = 16});
    const GenerationRequest request = story(-1);
    const auto result = generate(*model_, fresh, request, swallow);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->finish, Finish::context);
    EXPECT_EQ(fresh.used(), 16U);
    EXPECT_EQ(result->generated_tokens, 16U - request.prompt.size() + 1U);  // the last one is shown, but never fed
}

TEST_F(Generate, APromptAsLongAsTheContextIsTheLongest) {
    GenerationRequest request = story(-1);
    request.prompt.resize(16, request.prompt.back());
    Lane fits = lane({.context = 16});
    const auto result = generate(*model_, fits, request, swallow);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->generated_tokens, 1U);

    request.prompt.push_back(request.prompt.back());
    Lane small = lane({.context = 16});
    const auto refused = generate(*model_, small, request, swallow);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::prompt_too_long);
    EXPECT_NE(refused.error().message.find("17"), std::string::npos);
    EXPECT_NE(refused.error().message.find("16"), std::string::npos);
}

TEST_F(Generate, ChunkedPrefillCountsEveryToken) {
    GenerationRequest request = story(1);
    request.prompt.resize(700, request.prompt.back());
    Lane fresh = lane();
    ASSERT_TRUE(generate(*model_, fresh, request, swallow));
    EXPECT_EQ(fresh.used(), 700U);
}

TEST_F(Generate, EndsWithWhatItHasWhenCancelled) {
    std::atomic<bool> cancel{false};
    GenerationRequest request = story(-1);
    request.cancel = &cancel;
    Lane fresh = lane({.cancel = &cancel});
    int parts = 0;
    const auto result = generate(*model_, fresh, request, [&](std::string_view) {
        cancel = ++parts == 5;
        return true;
    });
    ASSERT_TRUE(result);
    EXPECT_EQ(result->finish, Finish::interrupted);
    EXPECT_GE(result->generated_tokens, 5U);
    EXPECT_LE(result->generated_tokens, 10U);
}

TEST_F(Generate, CancelledBeforeItStartsItGivesNothing) {
    const std::atomic<bool> cancel{true};
    GenerationRequest request = story(-1);
    request.cancel = &cancel;
    Lane fresh = lane({.cancel = &cancel});
    const auto result = generate(*model_, fresh, request, swallow);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->finish, Finish::interrupted);
    EXPECT_EQ(result->generated_tokens, 0U);
}

TEST_F(Generate, BadRequestsAreErrors) {
    Lane fresh = lane();
    GenerationRequest request = story(1);
    request.prompt.clear();
    EXPECT_EQ(generate(*model_, fresh, request, swallow).error().code, ErrorCode::prompt_empty);
    request = story(1);
    request.sampling.temperature = std::nan("");
    EXPECT_EQ(generate(*model_, fresh, request, swallow).error().code, ErrorCode::bad_settings);
}

TEST_F(Generate, TheCurveChangesTheStory) {
    GenerationRequest request = story(60);
    const std::string plain = text(request);
    request.sampling.hlg = find_preset("balanced")->params;
    EXPECT_NE(text(request), plain);
    request.sampling.hlg->width = off;  // the identity: plain temperature again, token for token
    EXPECT_EQ(text(request), plain);
}

}  // namespace
}  // namespace hlg::engine
