// SPDX-License-Identifier: MIT
#include "api/responses_items.hpp"

#include <nlohmann/json.hpp>

#include "api/openai_json.hpp"
#include "api/write_json.hpp"

namespace hlg::api {

using Kind = AnswerPart::Kind;

std::string item_id(Kind kind) { return random_id(kind == Kind::content ? "msg_" : kind == Kind::reasoning ? "rs_" : "fc_"); }

Json content_json(const AnswerPart& part, const engine::Model& model) {
    if (part.kind == Kind::reasoning) return {{"type", "reasoning_text"}, {"text", part.text}};
    return {{"type", "output_text"},
            {"annotations", Json::array()},
            {"logprobs", token_log_probabilities(part.tokens, model)},
            {"text", part.text}};
}

Json begun_item_json(const AnswerPart& part, const std::string& id) {
    switch (part.kind) {
        case Kind::reasoning:
            return {{"id", id},
                    {"type", "reasoning"},
                    {"status", "in_progress"},
                    {"summary", Json::array()},
                    {"content", Json::array()}};
        case Kind::tool_call:
            return {{"id", id},        {"type", "function_call"}, {"status", "in_progress"},
                    {"arguments", ""}, {"call_id", part.id},      {"name", part.name}};
        case Kind::content: break;
    }
    return {{"id", id}, {"type", "message"}, {"status", "in_progress"}, {"role", "assistant"}, {"content", Json::array()}};
}

Json item_json(const AnswerPart& part, const std::string& id, const char* status, const engine::Model& model) {
    Json item = begun_item_json(part, id);
    item["status"] = status;
    if (part.kind == Kind::tool_call)
        item["arguments"] = part.text;
    else
        item["content"].push_back(content_json(part, model));
    return item;
}

}  // namespace hlg::api
