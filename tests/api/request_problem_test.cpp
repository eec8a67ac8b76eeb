// SPDX-License-Identifier: MIT
#include "api/request_problem.hpp"

#include <gtest/gtest.h>

namespace hlg::api {
namespace {

using engine::ErrorCode;

TEST(RequestProblem, HasTheFieldFirst) {
    struct Case {
        const char* said;
        const char* constraint;
        const char* message;
        const char* param;
    };
    const Case cases[] = {
        {"the grammar matches nothing", "grammar", "grammar: the grammar matches nothing", "grammar"},
        {"the JSON schema is not JSON", "text.format", "text.format: the JSON schema is not JSON", "text.format"},
        {"no token is left to draw", "tools", "tools: no token is left to draw", "tools"},
        {"no token is left to draw", "", "logit_bias: no token is left to draw", "logit_bias"},
        {"the template arguments are not a JSON object", "", "chat_template_kwargs: the template arguments are not a JSON object",
         "chat_template_kwargs"},
        {"the model's chat template has no way to call tools", "tools",
         "tool_choice: the model's chat template has no way to call tools", "tool_choice"},
        {"messages[2] has no role", "", "messages[2] has no role", "messages[2]"},
        {"messages[2]'s tool call arguments are deep", "", "messages[2]'s tool call arguments are deep", "messages[2]"},
        {"tools[0].function has no name", "grammar", "tools[0].function has no name", "tools[0].function"},
        {"[n] must be 1", "grammar", "n must be 1", "n"},
        {"the chat can't be rendered", "grammar", "input: the chat can't be rendered", "input"},
        {"the prompt is longer than the context: 9 tokens", "grammar", "input: the prompt is longer than the context: 9 tokens",
         "input"},
        {"something else", "grammar", "something else", ""},
    };
    for (const Case& one : cases) {
        const Problem problem = request_problem({ErrorCode::bad_request, one.said}, one.constraint, "input");
        EXPECT_EQ(problem.status, 400);
        EXPECT_EQ(problem.message, one.message);
        EXPECT_EQ(problem.param.value_or(""), one.param);
    }
}

TEST(RequestProblem, IsNotMadeOfTheServersFaults) {
    const Problem problem =
        request_problem({ErrorCode::sampling_failed, "the grammar does not allow token 5"}, "grammar", "prompt");
    EXPECT_EQ(problem.status, 500);
    EXPECT_EQ(problem.message, "the grammar does not allow token 5");
    EXPECT_FALSE(problem.param);
}

}  // namespace
}  // namespace hlg::api
