// SPDX-License-Identifier: MIT
//
// Log-probabilities as completions tell them: arrays side by side, of tokens, their log-probabilities, the most probable ones at
// each place, and where in the text each token begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/event.hpp"

namespace hlg::api {

/** A token's text; bytes that are not UTF-8 by themselves read "bytes:\xf0\x9f", as OpenAI spells them. */
[[nodiscard]] std::string legacy_token(std::string_view bytes);

/** Characters, code points, that begin in these bytes. */
[[nodiscard]] std::size_t characters(std::string_view bytes) noexcept;

/** `logprobs` for tokens whose first one begins at this character of the text; `offset` moves on behind the last. At each place
    the token itself is among the most probable ones that are told, as one more where it is not. A token without a log-probability
    gets null. */
[[nodiscard]] Json legacy_scores(const std::vector<engine::GeneratedToken>& tokens, const engine::Model& model,
                                 std::size_t& offset);

}  // namespace hlg::api
