// SPDX-License-Identifier: MIT
#include "api/error_body.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hlg::api {
namespace {

TEST(ErrorBody, PathsOfVendors) {
    EXPECT_EQ(vendor_of("/v1/messages"), Vendor::anthropic);
    EXPECT_EQ(vendor_of("/v1/messages/count_tokens"), Vendor::anthropic);
    for (const char* path : {"/v1/chat/completions", "/v1/messagesx", "/", "", "/v1/hlg/inspect"})
        EXPECT_EQ(vendor_of(path), Vendor::openai) << path;
}

TEST(ErrorBody, OpenAI) {
    EXPECT_EQ(error_json(Vendor::openai, {.message = "m", .param = "n"}).dump(),
              R"({"error":{"message":"m","type":"invalid_request_error","param":"n","code":null}})");
    EXPECT_EQ(error_json(Vendor::openai, {.status = 500, .message = "m", .code = "c"}).dump(),
              R"({"error":{"message":"m","type":"server_error","param":null,"code":"c"}})");
    const std::pair<int, const char*> types[] = {{401, "authentication_error"},
                                                 {404, "invalid_request_error"},
                                                 {413, "invalid_request_error"},
                                                 {429, "rate_limit_error"},
                                                 {503, "server_error"}};
    for (const auto& [status, type] : types)
        EXPECT_EQ(error_json(Vendor::openai, {.status = status})["error"]["type"], type) << status;
}

TEST(ErrorBody, Anthropic) {
    EXPECT_EQ(error_json(Vendor::anthropic, {.message = "m", .param = "n"}).dump(),
              R"({"type":"error","error":{"type":"invalid_request_error","message":"m"},"request_id":null})");
    const std::pair<int, const char*> types[] = {
        {401, "authentication_error"}, {403, "permission_error"}, {404, "not_found_error"},  {408, "timeout_error"},
        {413, "request_too_large"},    {429, "rate_limit_error"}, {503, "overloaded_error"}, {500, "api_error"}};
    for (const auto& [status, type] : types)
        EXPECT_EQ(error_json(Vendor::anthropic, {.status = status})["error"]["type"], type) << status;
}

TEST(ErrorBody, Replies) {
    const Reply reply = error_reply(Vendor::openai, {.status = 429, .message = "later", .retry_after = 3});
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.content_type, "application/json");
    ASSERT_EQ(reply.headers.size(), 1U);
    EXPECT_EQ(reply.headers[0].name, "retry-after");
    EXPECT_EQ(reply.headers[0].value, "3");
    EXPECT_TRUE(error_reply(Vendor::openai, {.message = "m"}).headers.empty());
    EXPECT_NE(error_reply(Vendor::openai, {.message = "\xff"}).body.find("\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace hlg::api
