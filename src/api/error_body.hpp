// SPDX-License-Identifier: MIT
//
// A problem in the shape that a vendor's clients read.
#pragma once

#include <string_view>

#include "api/exchange.hpp"
#include "api/problem.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hlg::api {

enum class Vendor {
    openai,     ///< {"error": {"message", "type", "param", "code"}}
    anthropic,  ///< {"type": "error", "error": {"type", "message"}, "request_id"}
};

/** Whose shape a path's errors have: Anthropic's below /v1/messages, else OpenAI's. */
[[nodiscard]] Vendor vendor_of(std::string_view path) noexcept;

/** The body. */
[[nodiscard]] nlohmann::ordered_json error_json(Vendor vendor, const Problem& problem);

/** The whole answer, retry-after included. */
[[nodiscard]] Reply error_reply(Vendor vendor, const Problem& problem);

}  // namespace hlg::api
