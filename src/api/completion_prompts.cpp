// SPDX-License-Identifier: MIT
#include "api/completion_prompts.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace hlg::api {
namespace {

constexpr std::size_t most_prompts = 128;

[[noreturn]] void refuse(const Node& prompt) {
    prompt.refuse("must be a string, an array of strings, an array of token ids, or an array of arrays of token ids");
}

engine::Prompt read_one(const Node& prompt, std::size_t vocabulary) {
    if (prompt.is_string()) return *prompt.text();
    if (prompt.is_array()) return read_tokens(prompt, vocabulary);
    refuse(prompt);
}

/** Some tokenizers begin every text with a blank, which the text does not have. */
void drop_blank(Echo& echo) {
    std::string all;
    for (const engine::GeneratedToken& token : echo.tokens) all += token.bytes;
    if (all != " " + echo.text) return;
    for (engine::GeneratedToken& token : echo.tokens) {
        if (token.bytes.empty()) continue;
        token.bytes.erase(0, 1);
        return;
    }
}

}  // namespace

std::vector<engine::Token> read_tokens(const Node& tokens, std::size_t vocabulary) {
    std::vector<engine::Token> ids;
    const auto last = static_cast<std::int64_t>(vocabulary) - 1;
    for (const Node& token : tokens.items()) {
        const auto id = token.integer(0, last, fmt::format("a token id from 0 to {}", last));
        if (!id) token.miss();
        ids.push_back(static_cast<engine::Token>(*id));
    }
    if (ids.empty()) throw bad_field(tokens.path(), "must have at least one token");
    return ids;
}

std::vector<engine::Prompt> read_prompts(const Node& prompt, std::size_t vocabulary) {
    if (prompt.absent()) prompt.miss();
    if (prompt.is_string()) return {*prompt.text()};
    if (!prompt.is_array()) refuse(prompt);
    const std::vector<Node> items = prompt.items();
    if (items.empty()) throw bad_field(prompt.path(), "must not be empty");
    if (items.front().json().is_number()) return {read_tokens(prompt, vocabulary)};
    if (items.size() > most_prompts)
        throw bad_field(prompt.path(), fmt::format("must be up to {} prompts, got {}", most_prompts, items.size()));
    std::vector<engine::Prompt> prompts;
    prompts.reserve(items.size());
    for (const Node& item : items) prompts.push_back(read_one(item, vocabulary));
    return prompts;
}

Echo echo_of(const engine::Prompt& prompt, const engine::Model& model) {
    if (const auto* text = std::get_if<std::string>(&prompt)) return {*text};
    Echo echo;
    for (const engine::Token token : std::get<std::vector<engine::Token>>(prompt)) {
        echo.tokens.push_back({.token = token, .bytes = model.piece(token)});
        echo.text += echo.tokens.back().bytes;
    }
    return echo;
}

void set_tokens(Echo& echo, const std::vector<engine::Token>& tokens, const engine::Model& model) {
    for (const engine::Token token : tokens) {
        std::string bytes = model.piece(token, true);
        const bool first = echo.tokens.empty();
        const bool mark = first && model.piece(token).empty();
        echo.tokens.push_back({.token = token, .bytes = mark && !echo.text.starts_with(bytes) ? "" : std::move(bytes)});
    }
    drop_blank(echo);
}

}  // namespace hlg::api
