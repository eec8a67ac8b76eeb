// SPDX-License-Identifier: MIT
//
// Parts of replies that OpenAI's endpoints have in common.
#pragma once

#include <string_view>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/event.hpp"

namespace hlg::api {

/** usage: tokens of the prompt, of them cached ones, and of the answer. */
[[nodiscard]] Json usage_json(const engine::Usage& usage);

/** finish_reason. */
[[nodiscard]] const char* finish_word(engine::Finish finish);

/** Bytes as an array of numbers. */
[[nodiscard]] Json bytes_json(std::string_view bytes);

/** A log-probability that JSON can hold: -inf becomes -9999. */
[[nodiscard]] double finite(float log_probability);

/** The elements of `logprobs.content`: of each token that has a log-probability its text, bytes and rivals. */
[[nodiscard]] Json token_log_probabilities(const std::vector<engine::GeneratedToken>& tokens, const engine::Model& model);

}  // namespace hlg::api
