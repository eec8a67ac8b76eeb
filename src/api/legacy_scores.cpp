// SPDX-License-Identifier: MIT
#include "api/legacy_scores.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "api/openai_json.hpp"
#include "engine/utf8.hpp"

namespace hlg::api {
namespace {

/** Of tokens that read alike, the most probable counts. */
void add(Json& rivals, const std::string& text, float log_probability) {
    if (!rivals.contains(text)) rivals[text] = finite(log_probability);
}

Json rivals_of(const engine::GeneratedToken& token, const engine::Model& model) {
    if (!token.log_probability) return {};
    Json rivals = Json::object();
    for (const engine::TokenLogProbability& rival : token.highest)
        add(rivals, rival.token == token.token ? legacy_token(token.bytes) : legacy_token(model.piece(rival.token)),
            rival.log_probability);
    add(rivals, legacy_token(token.bytes), *token.log_probability);
    return rivals;
}

}  // namespace

std::string legacy_token(std::string_view bytes) {
    if (!engine::first_invalid_utf8(bytes)) return std::string(bytes);
    std::string text = "bytes:";
    for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::size_t characters(std::string_view bytes) noexcept {
    return static_cast<std::size_t>(
        std::count_if(bytes.begin(), bytes.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

Json legacy_scores(const std::vector<engine::GeneratedToken>& tokens, const engine::Model& model, std::size_t& offset) {
    Json scores{{"tokens", Json::array()},
                {"token_logprobs", Json::array()},
                {"top_logprobs", Json::array()},
                {"text_offset", Json::array()}};
    for (const engine::GeneratedToken& token : tokens) {
        scores["tokens"].push_back(legacy_token(token.bytes));
        scores["token_logprobs"].push_back(token.log_probability ? Json(finite(*token.log_probability)) : Json());
        scores["top_logprobs"].push_back(rivals_of(token, model));
        scores["text_offset"].push_back(offset);
        offset += characters(token.bytes);
    }
    return scores;
}

}  // namespace hlg::api
