// SPDX-License-Identifier: MIT
#include "api/request_problem.hpp"

#include <string_view>

namespace hlg::api {
namespace {

/** The path that a message begins with, if that is one of messages or tools: "messages[2]" of "messages[2] has no role". */
std::optional<std::string> path_of(std::string_view message) {
    const std::string_view path = message.substr(0, message.find_first_of(" '"));
    const std::string_view field = path.substr(0, path.find_first_of("[."));
    if (field == "messages" || field == "tools" || field == "tool_choice") return std::string(path);
    return std::nullopt;
}

/** The field that a message of the engine's is about. */
std::string field_of(std::string_view message, const std::string& constraint, const std::string& prompt) {
    if (message.starts_with("the prompt") || message.starts_with("the chat")) return prompt;
    if (message.starts_with("the template argument")) return "chat_template_kwargs";
    if (message.starts_with("the model's chat template has no way to call")) return "tool_choice";
    if (message.starts_with("the grammar") || message.starts_with("the JSON schema")) return constraint;
    if (message.starts_with("no token is left")) return constraint.empty() ? "logit_bias" : constraint;
    return {};
}

}  // namespace

Problem request_problem(const engine::Error& error, const std::string& constraint, const std::string& prompt) {
    Problem problem = problem_of(error);
    if (problem.status != 400 || problem.param) return problem;
    const std::string field = field_of(error.message, constraint, prompt);
    if (field.empty()) {
        problem.param = path_of(error.message);
    } else {
        problem.message.insert(0, field + ": ");
        problem.param = field;
    }
    return problem;
}

}  // namespace hlg::api
