// SPDX-License-Identifier: MIT
#include "api/openai_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hlg::api {
namespace {

Json token_json(const std::string& bytes, float log_probability) {
    return {{"token", bytes}, {"logprob", finite(log_probability)}, {"bytes", bytes_json(bytes)}};
}

}  // namespace

Json usage_json(const engine::Usage& usage) {
    return {{"prompt_tokens", usage.prompt_tokens},
            {"completion_tokens", usage.generated_tokens},
            {"total_tokens", usage.prompt_tokens + usage.generated_tokens},
            {"prompt_tokens_details", {{"cached_tokens", usage.reused_tokens}}}};
}

const char* finish_word(engine::Finish finish) {
    switch (finish) {
        case engine::Finish::tool_calls: return "tool_calls";
        case engine::Finish::length:
        case engine::Finish::context: return "length";
        case engine::Finish::stop:
        case engine::Finish::cancelled: break;
    }
    return "stop";
}

Json bytes_json(std::string_view bytes) {
    Json all = Json::array();
    for (const char byte : bytes) all.push_back(static_cast<unsigned char>(byte));
    return all;
}

double finite(float log_probability) {
    constexpr double lowest = -9999.0;  // OpenAI's word for "too improbable to say"
    return std::isfinite(log_probability) ? static_cast<double>(log_probability) : lowest;
}

Json token_log_probabilities(const std::vector<engine::GeneratedToken>& tokens, const engine::Model& model) {
    Json content = Json::array();
    for (const engine::GeneratedToken& token : tokens) {
        if (!token.log_probability) continue;
        Json one = token_json(token.bytes, *token.log_probability);
        one["top_logprobs"] = Json::array();
        for (const engine::TokenLogProbability& rival : token.highest)
            one["top_logprobs"].push_back(token_json(model.piece(rival.token), rival.log_probability));
        content.push_back(std::move(one));
    }
    return content;
}

}  // namespace hlg::api
