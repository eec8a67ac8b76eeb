// SPDX-License-Identifier: MIT
#include "api/error_body.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "api/write_json.hpp"

namespace hlg::api {
namespace {

const char* openai_type(int status) {
    switch (status) {
        case 401: return "authentication_error";
        case 403: return "permission_error";
        case 429: return "rate_limit_error";
        default: return status < 500 ? "invalid_request_error" : "server_error";
    }
}

const char* anthropic_type(int status) {
    switch (status) {
        case 401: return "authentication_error";
        case 403: return "permission_error";
        case 404: return "not_found_error";
        case 408:
        case 504: return "timeout_error";
        case 413: return "request_too_large";
        case 429: return "rate_limit_error";
        case 503:
        case 529: return "overloaded_error";
        default: return status < 500 ? "invalid_request_error" : "api_error";
    }
}

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

}  // namespace

Vendor vendor_of(std::string_view path) noexcept {
    constexpr std::string_view messages = "/v1/messages";
    const bool below = path.starts_with(messages) && (path.size() == messages.size() || path[messages.size()] == '/');
    return below ? Vendor::anthropic : Vendor::openai;
}

Json error_json(Vendor vendor, const Problem& problem) {
    if (vendor == Vendor::anthropic)
        return {{"type", "error"},
                {"error", {{"type", anthropic_type(problem.status)}, {"message", problem.message}}},
                {"request_id", or_null(problem.request_id)}};
    return {{"error",
             {{"message", problem.message},
              {"type", openai_type(problem.status)},
              {"param", or_null(problem.param)},
              {"code", or_null(problem.code)}}}};
}

Reply error_reply(Vendor vendor, const Problem& problem) {
    Reply reply = json_reply(error_json(vendor, problem), problem.status);
    if (problem.retry_after) reply.headers.push_back({"retry-after", std::to_string(*problem.retry_after)});
    return reply;
}

}  // namespace hlg::api
