// SPDX-License-Identifier: MIT
#include "api/client.hpp"

namespace hlg::api {
namespace {

TEST(Models, Listed) {
    const Json list = Json::parse(test::reply_of({"GET", "/v1/models", {}, ""}).body);
    EXPECT_EQ(list["object"], "list");
    ASSERT_EQ(list["data"].size(), 2U);
    EXPECT_EQ(list["data"][0]["id"], "storyteller");
    EXPECT_EQ(list["data"][1]["id"], "org/teller");
    EXPECT_EQ(list["data"][0]["object"], "model");
    EXPECT_GT(list["data"][0]["created"], 1'700'000'000);
    EXPECT_EQ(list["data"][0]["owned_by"], "hlg");
    EXPECT_EQ(list["data"][0]["max_model_len"], 512);
    EXPECT_EQ(list["data"][0]["meta"]["n_vocab"], test::shared_engine().model().vocabulary_size());
}

TEST(Models, OneByOne) {
    for (const char* id : {"storyteller", "org/teller", "storyteller.gguf"}) {
        const Reply reply = test::reply_of({"GET", std::string("/v1/models/") + id, {}, ""});
        EXPECT_EQ(reply.status, 200) << id;
        EXPECT_EQ(Json::parse(reply.body)["id"], id);
    }
    const Reply missing = test::reply_of({"GET", "/v1/models/org/other", {}, ""});
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(Json::parse(missing.body)["error"],
              Json::parse(R"({"message": "model org/other does not exist; there is storyteller, org/teller",
                  "type": "invalid_request_error", "param": "model", "code": "model_not_found"})"));
}

}  // namespace
}  // namespace hlg::api
