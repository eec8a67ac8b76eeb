// SPDX-License-Identifier: MIT
//
// The prompts of a completion: a text, a list of texts, tokens, or a list of lists of tokens.
#pragma once

#include <string>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/event.hpp"
#include "engine/request.hpp"

namespace hlg::api {

/** Texts, or tokens. Throws. */
[[nodiscard]] std::vector<engine::Prompt> read_prompts(const Node& prompt, std::size_t vocabulary);

/** Token ids, at least one. Throws. */
[[nodiscard]] std::vector<engine::Token> read_tokens(const Node& tokens, std::size_t vocabulary);

/** A prompt as a reply repeats it. */
struct Echo {
    std::string text;
    std::vector<engine::GeneratedToken> tokens = {};  ///< their bytes make the text; no log-probabilities yet
};

/** Of a text or tokens. With tokens if asked, which for a text takes the time of tokenizing it. */
[[nodiscard]] Echo echo_of(const engine::Prompt& prompt, const engine::Model& model, bool with_tokens);

}  // namespace hlg::api
