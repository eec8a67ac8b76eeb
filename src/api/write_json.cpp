// SPDX-License-Identifier: MIT
#include "api/write_json.hpp"

#include <chrono>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/chat_parser.hpp"

namespace hlg::api {

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Reply json_reply(const Json& json, int status) { return {.status = status, .body = to_text(json)}; }

std::string frame(const Json& data, std::string_view event) {
    if (event.empty()) return fmt::format("data: {}\n\n", to_text(data));
    return fmt::format("event: {}\ndata: {}\n\n", event, to_text(data));
}

std::string random_id(std::string_view prefix) {
    return std::string(prefix) + engine::random_tool_call_id().substr(std::string_view("call_").size());
}

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace hlg::api
