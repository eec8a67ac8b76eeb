// SPDX-License-Identifier: MIT
#include "api/responses_input.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

ChatHistory read(const Node& body) { return read_items(body.at("instructions"), body.at("input")); }

std::string messages_of(const std::string& members) { return test::accepted("{" + members + "}", read).text(); }

std::string refused(const std::string& input) { return test::refusal(R"({"input": )" + input + "}", read); }

TEST(ResponsesInput, Texts) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("input": "x")", R"([{"role":"user","content":"x"}])"},
        {R"("input": "x", "instructions": null)", R"([{"role":"user","content":"x"}])"},
        {R"("input": "x", "instructions": "be")", R"([{"role":"system","content":"be"},{"role":"user","content":"x"}])"},
        {R"("input": [{"role": "user", "content": "x"}])", R"([{"role":"user","content":"x"}])"},
        {R"("input": [{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be"}], "status": null}])",
         R"([{"role":"system","content":"be"}])"},
        {R"("input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]}])",
         R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])"},
        {R"("input": [{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": "a", "annotations": []}, {"type": "refusal", "refusal": "b"}]}])",
         R"([{"role":"assistant","content":"ab"}])"},
    };
    for (const auto& [given, expected] : cases) EXPECT_EQ(messages_of(given), expected);
}

TEST(ResponsesInput, CallsAndReasoning) {
    EXPECT_EQ(messages_of(R"("input": [{"role": "user", "content": "x"},
                  {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "t"}]},
                  {"role": "assistant", "content": "a"},
                  {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": "{\"a\":1}", "status": null},
                  {"type": "function_call", "call_id": "c2", "name": "g", "arguments": ""},
                  {"type": "function_call_output", "call_id": "c2", "output": "two"},
                  {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "one"}]},
                  {"type": "function_call_output", "call_id": "c9", "output": ""},
                  {"type": "reasoning", "summary": [{"type": "summary_text", "text": "s"}], "encrypted_content": "e"},
                  {"role": "assistant", "content": "b"}])"),
              R"([{"role":"user","content":"x"},{"role":"assistant","content":"a","reasoning_content":"t","tool_calls":[)"
              R"({"type":"function","function":{"name":"f","arguments":"{\"a\":1}"},"id":"c1"},)"
              R"({"type":"function","function":{"name":"g","arguments":""},"id":"c2"}]},)"
              R"({"role":"tool","content":"two","name":"g","tool_call_id":"c2"},)"
              R"({"role":"tool","content":"one","name":"f","tool_call_id":"c1"},)"
              R"({"role":"tool","content":"","tool_call_id":"c9"},)"
              R"({"role":"assistant","content":"b","reasoning_content":"s"}])");
}

TEST(ResponsesInput, Refused) {
    const char* types = "input[0].type must be one of message, function_call, function_call_output, reasoning, got ";
    const std::pair<std::string, std::string> cases[] = {
        {"null", "input is required"},
        {"5", "input must be a string or an array of items, got 5"},
        {"[]", "input must have at least one item"},
        {"[5]", "input[0] must be an object, got 5"},
        {"[{}]", "input[0].type is required"},
        {R"([{"type": "item_reference", "id": "x"}])", types + std::string("\"item_reference\"")},
        {R"([{"type": "web_search_call", "id": "x"}])", types + std::string("\"web_search_call\"")},
        {R"([{"type": "message"}])", "input[0].role is required"},
        {R"([{"role": "tool", "content": "x"}])",
         "input[0].role must be one of user, assistant, system, developer, got \"tool\""},
        {R"([{"role": "user"}])", "input[0].content is required"},
        {R"([{"role": "user", "content": 5}])", "input[0].content must be a string or an array of parts, got 5"},
        {R"([{"role": "user", "content": [{"type": "input_image"}]}])",
         "input[0].content[0].type must be \"input_text\": images, audio and files can't be read, got \"input_image\""},
        {R"([{"type": "function_call", "name": "f", "arguments": ""}])", "input[0].call_id is required"},
        {R"([{"type": "function_call", "call_id": "c", "arguments": ""}])", "input[0].name is required"},
        {R"([{"type": "function_call", "call_id": "c", "name": "f"}])", "input[0].arguments is required"},
        {R"([{"type": "function_call", "call_id": "c", "name": "f", "arguments": {}}])",
         "input[0].arguments must be a string, got an object"},
        {R"([{"type": "function_call_output", "output": "x"}])", "input[0].call_id is required"},
        {R"([{"type": "function_call_output", "call_id": "c"}])", "input[0].output is required"},
        {R"([{"type": "reasoning", "content": [5]}])", "input[0].content[0] must be an object, got 5"},
        {R"([{"type": "reasoning", "summary": [{}]}])", "input[0].summary[0].text is required"},
    };
    for (const auto& [given, message] : cases) EXPECT_EQ(refused(given), message);
    EXPECT_EQ(test::refusal(R"({"input": "x", "instructions": []})", read), "instructions must be a string, got an array");
}

}  // namespace
}  // namespace hlg::api
