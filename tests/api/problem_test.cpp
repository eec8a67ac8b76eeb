// SPDX-License-Identifier: MIT
#include "api/problem.hpp"

#include <gtest/gtest.h>

namespace hlg::api {
namespace {

using engine::ErrorCode;

TEST(Problem, OfAField) {
    const Problem problem = bad_field("n", "must be 1");
    EXPECT_EQ(problem.status, 400);
    EXPECT_EQ(problem.message, "n must be 1");
    EXPECT_EQ(problem.param, "n");
    EXPECT_EQ(problem.code, std::nullopt);
    EXPECT_EQ(bad_field("", "is odd").message, "the body is odd");
    EXPECT_EQ(bad_field("", "is odd").param, std::nullopt);
}

TEST(Problem, OfAnErrorOfTheEngine) {
    const std::pair<ErrorCode, int> cases[] = {
        {ErrorCode::bad_request, 400},     {ErrorCode::bad_settings, 400},    {ErrorCode::prompt_empty, 400},
        {ErrorCode::prompt_too_long, 400}, {ErrorCode::too_busy, 429},        {ErrorCode::interrupted, 503},
        {ErrorCode::decode_failed, 500},   {ErrorCode::sampling_failed, 500}, {ErrorCode::bad_config, 500},
        {ErrorCode::no_context, 500},      {ErrorCode::bad_model, 500},
    };
    for (const auto& [code, status] : cases) {
        const Problem problem = problem_of({code, "what happened"});
        EXPECT_EQ(problem.status, status) << static_cast<int>(code);
        EXPECT_EQ(problem.message, "what happened");
        EXPECT_EQ(problem.retry_after.has_value(), status == 429);
        EXPECT_EQ(problem.code.value_or(""), code == ErrorCode::prompt_too_long ? "context_length_exceeded" : "");
    }
}

TEST(Problem, NamesTheEnginesField) {
    const Problem problem = problem_of({ErrorCode::bad_settings, "[hlg.width] must be >= 0 or off, got -1"});
    EXPECT_EQ(problem.message, "hlg.width must be >= 0 or off, got -1");
    EXPECT_EQ(problem.param, "hlg.width");
}

}  // namespace
}  // namespace hlg::api
