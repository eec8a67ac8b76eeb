// SPDX-License-Identifier: MIT
//
// From JSON to bytes: replies and frames of streams. Bytes that are not UTF-8, such as a token that holds half a character,
// become U+FFFD.
#pragma once

#include <string>
#include <string_view>

#include "api/exchange.hpp"
#include "api/json_reader.hpp"

namespace hlg::api {

[[nodiscard]] std::string to_text(const Json& json);

[[nodiscard]] Reply json_reply(const Json& json, int status = 200);

/** A frame of server-sent events; without an event's name, just its data. */
[[nodiscard]] std::string frame(const Json& data, std::string_view event = {});

/** The prefix and 24 random letters and digits. */
[[nodiscard]] std::string random_id(std::string_view prefix);

/** Seconds since 1970. */
[[nodiscard]] std::int64_t now();

}  // namespace hlg::api
