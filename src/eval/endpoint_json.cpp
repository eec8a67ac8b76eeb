// SPDX-License-Identifier: MIT
//
// OpenAI's completions and chat completions, as a client writes and reads them.
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "engine/settings_json.hpp"
#include "eval/endpoint_source.hpp"

namespace hlg::eval {
namespace {

void put_chat(Json& body, const engine::ChatRequest& chat, bool log_probabilities) {
    body["messages"] = Json::parse(chat.messages);
    if (!chat.tools.empty()) {
        body["tools"] = Json::parse(chat.tools);
        body["tool_choice"] = to_json(chat.tool_choice);
        if (chat.parallel_tool_calls) body["parallel_tool_calls"] = *chat.parallel_tool_calls;
    }
    if (!chat.json_schema.empty())
        body["response_format"] = {{"type", "json_schema"},
                                   {"json_schema", {{"name", "answer"}, {"schema", Json::parse(chat.json_schema)}}}};
    if (!chat.grammar.empty()) body["grammar"] = chat.grammar;
    Json arguments = chat.template_arguments.empty() ? Json::object() : Json::parse(chat.template_arguments);
    if (chat.thinking) arguments["enable_thinking"] = *chat.thinking;
    if (!arguments.empty()) body["chat_template_kwargs"] = std::move(arguments);
    if (!chat.add_generation_prompt || chat.continue_final_message || !chat.extract_reasoning)
        throw std::runtime_error("a chat for an endpoint can't change where its prompt ends");
    if (log_probabilities) body["logprobs"] = true;
}

float log_probability(const Json& value) { return value.is_number() ? value.get<float>() : -HUGE_VALF; }

/** Either vendor's spelling of log-probabilities. */
void read_tokens(const Json& choice, WrittenText& text) {
    const auto found = choice.find("logprobs");
    if (found == choice.end() || !found->is_object()) return;
    if (const auto content = found->find("content"); content != found->end() && content->is_array()) {
        for (const Json& token : *content)
            text.tokens.push_back({token.value("token", ""), log_probability(token.value("logprob", Json()))});
        return;
    }
    const Json tokens = found->value("tokens", Json::array());
    const Json values = found->value("token_logprobs", Json::array());
    for (std::size_t i = 0; i < tokens.size() && i < values.size(); ++i)
        text.tokens.push_back({tokens[i].get<std::string>(), log_probability(values[i])});
}

std::string text_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void read_message(const Json& message, WrittenText& text) {
    text.text = text_at(message, "content");
    text.reasoning = text_at(message, "reasoning_content");
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) return;
    for (const Json& call : *calls) {
        const Json function = call.value("function", Json::object());
        text.tool_calls.push_back({text_at(call, "id"), text_at(function, "name"), text_at(function, "arguments")});
    }
}

}  // namespace

Json endpoint_body(const TextJob& job, const std::string& model) {
    Json body{{"model", model}, {"max_tokens", job.max_tokens}};
    body.update(Json(engine::to_json(job.sampling)));
    if (!job.stop.empty()) body["stop"] = job.stop;
    if (job.ignore_end) body["ignore_eos"] = true;
    if (!job.grammar.empty()) body["grammar"] = job.grammar;
    if (const auto* chat = std::get_if<engine::ChatRequest>(&job.prompt)) {
        put_chat(body, *chat, job.log_probabilities);
    } else {
        body["prompt"] = std::get<std::string>(job.prompt);
        if (job.log_probabilities) body["logprobs"] = 0;
    }
    return body;
}

WrittenText endpoint_text(const std::string& body) {
    try {
        const Json json = Json::parse(body);
        const Json& choice = json.at("choices").at(0);
        WrittenText text;
        text.finish = text_at(choice, "finish_reason");
        if (text.finish.empty()) text.finish = "stop";
        if (const auto message = choice.find("message"); message != choice.end())
            read_message(*message, text);
        else
            text.text = choice.at("text").get<std::string>();
        const auto usage = json.find("usage");
        if (usage != json.end() && usage->is_object()) {
            text.prompt_tokens = usage->value("prompt_tokens", std::size_t{0});
            text.generated_tokens = usage->value("completion_tokens", std::size_t{0});
        }
        read_tokens(choice, text);
        return text;
    } catch (const Json::exception& error) {
        throw std::runtime_error(fmt::format("the endpoint's answer is no completion: {}", error.what()));
    }
}

}  // namespace hlg::eval
