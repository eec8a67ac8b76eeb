// SPDX-License-Identifier: MIT
#include "api/messages_history.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

ChatHistory read(const Node& body) { return read_blocks(body.at("system"), body.at("messages")); }

std::string history_of(const std::string& body) { return test::accepted(body, read).text(); }

std::string messages_of(const std::string& messages) { return history_of(R"({"messages": )" + messages + "}"); }

std::string refused(const std::string& messages) { return test::refusal(R"({"messages": )" + messages + "}", read); }

TEST(MessagesHistory, System) {
    const std::string user = R"("messages": [{"role": "user", "content": "x"}]})";
    const std::string after = R"({"role":"user","content":"x"}])";
    for (const char* nothing : {"{", R"({"system": null, )", R"({"system": "", )", R"({"system": [], )"})
        EXPECT_EQ(history_of(nothing + user), "[" + after) << nothing;
    EXPECT_EQ(history_of(R"({"system": "be", )" + user), R"([{"role":"system","content":"be"},)" + after);
    EXPECT_EQ(history_of(R"({"system": [{"type": "text", "text": "be", "cache_control": {"type": "ephemeral"}}], )" + user),
              R"([{"role":"system","content":"be"},)" + after);
    EXPECT_EQ(history_of(R"({"system": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], )" + user),
              R"([{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},)" + after);
    EXPECT_EQ(messages_of(R"([{"role": "user", "content": "x"}, {"role": "system", "content": "be"}])"),
              R"([{"role":"user","content":"x"},{"role":"system","content":"be"}])");
}

TEST(MessagesHistory, Texts) {
    const std::pair<const char*, const char*> cases[] = {
        {R"([{"role": "user", "content": [{"type": "text", "text": "x", "citations": null}]}])",
         R"([{"role":"user","content":"x"}])"},
        {R"([{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "b"}]}])",
         R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])"},
        {R"([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": ""}])",
         R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":""}])"},
        {R"([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])",
         R"([{"role":"assistant","content":"ab"}])"},
        {R"([{"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"},
            {"type": "redacted_thinking", "data": "d"}, {"type": "thinking", "thinking": "u"}, {"type": "text", "text": "a"}]}])",
         R"([{"role":"assistant","content":"a","reasoning_content":"t\nu"}])"},
    };
    for (const auto& [given, expected] : cases) EXPECT_EQ(messages_of(given), expected);
}

TEST(MessagesHistory, Calls) {
    EXPECT_EQ(messages_of(R"([{"role": "assistant", "content": [{"type": "text", "text": "a"},
                  {"type": "tool_use", "id": "t1", "name": "f", "input": {"b": 1, "a": "x"}, "caller": {"type": "direct"}},
                  {"type": "tool_use", "id": "t2", "name": "g", "input": null}]},
              {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "one"},
                  {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "two"}]},
                  {"type": "text", "text": "go"}]}])"),
              R"([{"role":"assistant","content":"a","tool_calls":[)"
              R"({"type":"function","function":{"name":"f","arguments":"{\"b\":1,\"a\":\"x\"}"},"id":"t1"},)"
              R"({"type":"function","function":{"name":"g","arguments":"{}"},"id":"t2"}]},)"
              R"({"role":"tool","content":"one","name":"f","tool_call_id":"t1"},)"
              R"({"role":"tool","content":"two","name":"g","tool_call_id":"t2"},{"role":"user","content":"go"}])");
    const std::pair<const char*, const char*> results[] = {
        {R"("content": null)", R"("content":"")"},
        {R"("is_error": true, "content": "no")", R"("content":"Error: no")"},
        {R"("is_error": true)", R"("content":"Error: ")"},
        {R"("is_error": false, "content": "yes")", R"("content":"yes")"},
        {R"("is_error": true, "content": [{"type": "text", "text": "a"}])",
         R"("content":[{"type":"text","text":"Error: "},{"type":"text","text":"a"}])"},
    };
    for (const auto& [given, expected] : results)
        EXPECT_EQ(messages_of(R"([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", )" +
                              std::string(given) + "}]}]"),
                  R"([{"role":"tool",)" + std::string(expected) + R"(,"tool_call_id":"t"}])");
}

TEST(MessagesHistory, EndsInAnAnswer) {
    const auto ends = [](const std::string& messages) {
        return test::accepted(R"({"messages": )" + messages + "}", read).ends_in_answer();
    };
    EXPECT_TRUE(ends(R"([{"role": "assistant", "content": "So"}])"));
    EXPECT_FALSE(ends(R"([{"role": "assistant", "content": ""}])"));
    EXPECT_FALSE(ends(R"([{"role": "user", "content": "So"}])"));
    EXPECT_FALSE(ends(R"([{"role": "assistant", "content": [{"type": "text", "text": "a"},
                           {"type": "tool_use", "id": "t", "name": "f", "input": {}}]}])"));
}

TEST(MessagesHistory, Refused) {
    const std::pair<const char*, const char*> cases[] = {
        {"null", "messages is required"},
        {"[]", "messages must have at least one message"},
        {"{}", "messages must be an array, got an object"},
        {"[1]", "messages[0] must be an object, got 1"},
        {R"([{"content": "x"}])", "messages[0].role is required"},
        {R"([{"role": "tool", "content": "x"}])", "messages[0].role must be one of user, assistant, system, got \"tool\""},
        {R"([{"role": "user"}])", "messages[0].content is required"},
        {R"([{"role": "user", "content": 5}])", "messages[0].content must be a string or an array of blocks, got 5"},
        {R"([{"role": "user", "content": ["x"]}])", "messages[0].content[0] must be an object, got \"x\""},
        {R"([{"role": "user", "content": [{"text": "x"}]}])", "messages[0].content[0].type is required"},
        {R"([{"role": "user", "content": [{"type": "text"}]}])", "messages[0].content[0].text is required"},
        {R"([{"role": "user", "content": [{"type": "text", "text": 5}]}])",
         "messages[0].content[0].text must be a string, got 5"},
        {R"([{"role": "user", "content": [{"type": "image", "source": {}}]}])",
         "messages[0].content[0].type must be text or tool_result: images and documents can't be read, got \"image\""},
        {R"([{"role": "user", "content": [{"type": "document", "source": {}}]}])",
         "messages[0].content[0].type must be text or tool_result: images and documents can't be read, got \"document\""},
        {R"([{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}])",
         "messages[0].content[0].tool_use_id is required"},
        {R"([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "is_error": 1}]}])",
         "messages[0].content[0].is_error must be true or false, got 1"},
        {R"([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}]}])",
         "messages[0].content[0].content[0].type must be \"text\": images, audio and files can't be read, got \"image\""},
        {R"([{"role": "assistant", "content": [{"type": "image"}]}])",
         "messages[0].content[0].type must be one of text, tool_use, thinking, redacted_thinking, got \"image\""},
        {R"([{"role": "assistant", "content": [{"type": "thinking"}]}])", "messages[0].content[0].thinking is required"},
        {R"([{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}])",
         "messages[0].content[0].id is required"},
        {R"([{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "input": {}}]}])",
         "messages[0].content[0].name is required"},
        {R"([{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": "x"}]}])",
         "messages[0].content[0].input must be an object, got \"x\""},
        {R"([{"role": "system", "content": [{"type": "image"}]}])",
         "messages[0].content[0].type must be \"text\": images, audio and files can't be read, got \"image\""},
    };
    for (const auto& [given, message] : cases) EXPECT_EQ(refused(given), message);
    EXPECT_EQ(test::refusal(R"({"system": 5, "messages": []})", read), "system must be a string or an array of parts, got 5");
}

}  // namespace
}  // namespace hlg::api
