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

/** Of a text or tokens; a text's tokens are not known yet. */
[[nodiscard]] Echo echo_of(const engine::Prompt& prompt, const engine::Model& model);

/** A text's tokens, as they are known now. Marks that the tokenizer put in front of it are no part of it. */
void set_tokens(Echo& echo, const std::vector<engine::Token>& tokens, const engine::Model& model);

}  // namespace hlg::api
