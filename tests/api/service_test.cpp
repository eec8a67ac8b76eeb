// SPDX-License-Identifier: MIT
#include "api/service.hpp"

#include <algorithm>

#include "api/client.hpp"
#include "api/model_name.hpp"
#include "api/reading.hpp"

namespace hlg::api {
namespace {

TEST(Service, UnknownPathsAndMethods) {
    for (const char* path : {"/", "/v1", "/v1/chat/completions/", "/v1/models/", "/v2/models"}) {
        const Reply reply = test::reply_of({"GET", path, {}, ""});
        EXPECT_EQ(reply.status, 404) << path;
        EXPECT_EQ(Json::parse(reply.body)["error"]["message"], std::string("there is nothing at ") + path);
    }
    // A path may be as long as all headers; its message is not.
    for (const char* method : {"GET", "POST"})
        for (const char* start : {"/", "/v1/models/"})
            EXPECT_LT(test::reply_of({method, start + std::string(10'000, 'x'), {}, ""}).body.size(), 300U) << method << start;
    EXPECT_EQ(Json::parse(test::reply_of({"GET", "/v1/messages/nothing", {}, ""}).body)["type"], "error");
    const Reply get = test::reply_of({"GET", "/v1/chat/completions", {}, ""});
    EXPECT_EQ(get.status, 405);
    EXPECT_EQ(test::header(get, "allow"), "POST");
    EXPECT_EQ(test::header(test::reply_of({"POST", "/v1/models", {}, "{}"}), "allow"), "GET");
}

TEST(Service, ListsItsPaths) {
    const auto paths = Service::paths();
    for (const char* path : {"/v1/chat/completions", "/v1/models", "/v1/models/"})
        EXPECT_NE(std::find(paths.begin(), paths.end(), path), paths.end()) << path;
}

TEST(Service, RefusesInTheVendorsShape) {
    const Json messages = Json::parse(Service::refuse({.path = "/v1/messages", .id = "req-1"}, {.message = "m"}).body);
    EXPECT_EQ(messages["type"], "error");
    EXPECT_EQ(messages["request_id"], "req-1");
    EXPECT_EQ(Json::parse(Service::refuse({.path = "/v1/models"}, {.message = "m"}).body)["error"]["message"], "m");
}

TEST(Service, NamesItsModel) {
    EXPECT_EQ(test::shared_service().model_id(), "storyteller");
    EXPECT_EQ(Service(test::shared_engine(), {}).model_id(), "storyteller");
    EXPECT_EQ(id_of("/a/b.c/model.Q4.gguf"), "model.Q4");
    EXPECT_EQ(id_of("model"), "model");
}

TEST(ModelName, Checked) {
    const ServiceOptions options{.names = {"id", "org/alias"}};
    const auto check = [](const ServiceOptions& given) {
        return [given](const Node& body) {
            check_model(body.at("model"), given, "/models/file.gguf");
            return true;
        };
    };
    for (const char* body : {"{}", R"({"model": null})", R"({"model": ""})", R"({"model": "id"})", R"({"model": "org/alias"})",
                             R"({"model": "file.gguf"})", R"({"model": "file"})"})
        EXPECT_TRUE(test::accepted(body, check(options)));
    EXPECT_EQ(test::refusal(R"({"model": 5})", check(options)), "model must be a string, got 5");
    const Problem problem = test::problem_of([&] {
        const Json json = parse_body(R"({"model": "gpt-4"})");
        (void)check(options)(Node(json));
    });
    EXPECT_EQ(problem.status, 404);
    EXPECT_EQ(problem.message, "model gpt-4 does not exist; there is id, org/alias");
    EXPECT_EQ(problem.param, "model");
    EXPECT_EQ(problem.code, "model_not_found");
    EXPECT_TRUE(test::accepted(R"({"model": "gpt-4"})", check({.names = {"id"}, .any_model = true})));
}

}  // namespace
}  // namespace hlg::api
