// SPDX-License-Identifier: MIT
#include "api/problem.hpp"

namespace hlg::api {
namespace {

constexpr int busy_seconds = 1;  // a queue of requests changes that fast

/** "[top_p] must be ..." of the lower rooms, as "top_p must be ...". */
Problem settings_problem(const std::string& message) {
    const std::size_t end = message.find("] ");
    if (!message.starts_with('[') || end == std::string::npos) return {.message = message};
    return bad_field(message.substr(1, end - 1), message.substr(end + 2));
}

}  // namespace

Problem bad_field(const std::string& path, const std::string& what) {
    return {.message = path.empty() ? "the body " + what : path + " " + what,
            .param = path.empty() ? std::nullopt : std::optional(path)};
}

Problem problem_of(const engine::Error& error) {
    using engine::ErrorCode;
    switch (error.code) {
        case ErrorCode::bad_request:
        case ErrorCode::bad_settings: return settings_problem(error.message);
        case ErrorCode::prompt_empty: return {.message = error.message};
        case ErrorCode::prompt_too_long: return {.message = error.message, .code = "context_length_exceeded"};
        case ErrorCode::too_busy: return {.status = 429, .message = error.message, .retry_after = busy_seconds};
        case ErrorCode::interrupted: return {.status = 503, .message = error.message};
        case ErrorCode::no_such_file:
        case ErrorCode::not_a_model:
        case ErrorCode::bad_model:
        case ErrorCode::bad_config:
        case ErrorCode::no_context:
        case ErrorCode::decode_failed:
        case ErrorCode::sampling_failed: break;
    }
    return {.status = 500, .message = error.message};
}

}  // namespace hlg::api
