// SPDX-License-Identifier: MIT
//
// The fields of OpenAI's responses: those that make the prompt and the answer's form, and what the reply says of them. Throws
// Problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"
#include "engine/chat.hpp"

namespace hlg::api {

struct ResponsesFields {
    engine::ChatRequest request;
    std::optional<std::size_t> log_probabilities = {};  ///< how many rivals of each token are told, if any are
    Json told = Json::object();                         ///< members of the reply that repeat the request
    std::vector<std::string> ignored = {};              ///< what the request sets and has no effect
    std::vector<std::string> schema_ignored = {};       ///< keywords of its schemas that are not enforced
    std::string constraint = {};                        ///< the field that the answer's grammar comes from; "" for none
};

/** Nothing is stored here: what builds on stored responses is refused, `store` is not. */
[[nodiscard]] ResponsesFields read_responses_fields(const Node& body);

}  // namespace hlg::api
