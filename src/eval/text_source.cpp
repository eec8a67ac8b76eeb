// SPDX-License-Identifier: MIT
#include "eval/text_source.hpp"

#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "engine/settings_json.hpp"
#include "engine/utf8.hpp"

namespace hlg::eval {
namespace {

/** JSON that somebody gave as text; as it is where it is none. */
Json parsed(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? Json(text) : json;
}

Json chat_json(const engine::ChatRequest& chat) {
    Json json{{"messages", parsed(chat.messages)}};
    if (!chat.tools.empty()) {
        json["tools"] = parsed(chat.tools);
        json["tool_choice"] = to_json(chat.tool_choice);
    }
    if (chat.parallel_tool_calls) json["parallel_tool_calls"] = *chat.parallel_tool_calls;
    if (!chat.json_schema.empty()) json["json_schema"] = parsed(chat.json_schema);
    if (!chat.grammar.empty()) json["grammar"] = chat.grammar;
    if (chat.thinking) json["thinking"] = *chat.thinking;
    if (!chat.extract_reasoning) json["extract_reasoning"] = false;
    if (!chat.template_arguments.empty()) json["template_arguments"] = parsed(chat.template_arguments);
    if (!chat.add_generation_prompt) json["add_generation_prompt"] = false;
    if (chat.continue_final_message) json["continue_final_message"] = true;
    return json;
}

/** ln p to a ten-thousandth of a nat: it has less than that of error. */
Json rounded(float log_probability) {
    constexpr double fine = 1e4;
    return number(std::round(static_cast<double>(log_probability) * fine) / fine);
}

Json bytes_json(const std::string& bytes) {
    if (!engine::first_invalid_utf8(bytes)) return bytes;
    std::string digits;
    for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return {{"hex", digits}};
}

std::string bytes_of(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    const std::string digits = json.at("hex").get<std::string>();
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        bytes += static_cast<char>(value);
    }
    return bytes;
}

}  // namespace

Json SourceFacts::json() const {
    Json json{{"id", id}, {"source", kind}, {"vocabulary", vocabulary == 0 ? Json() : Json(vocabulary)}};
    if (!sha256.empty()) json["sha256"] = sha256;
    if (!remark.empty()) json["remark"] = remark;
    return json;
}

std::vector<WrittenText> write_all(TextSource& source, std::span<const TextJob> jobs, const Progress& progress) {
    std::vector<WrittenText> texts(jobs.size());
    source.write(
        jobs, [&](std::size_t job, WrittenText text) { texts[job] = std::move(text); }, progress);
    return texts;
}

Json to_json(const engine::ToolChoice& choice) {
    switch (choice.kind) {
        case engine::ToolChoice::Kind::automatic: return "auto";
        case engine::ToolChoice::Kind::none: return "none";
        case engine::ToolChoice::Kind::required: return "required";
        case engine::ToolChoice::Kind::function: break;
    }
    return {{"type", "function"}, {"function", {{"name", choice.function}}}};
}

Json to_json(const TextJob& job) {
    Json json = Json::object();
    if (const auto* chat = std::get_if<engine::ChatRequest>(&job.prompt))
        json["chat"] = chat_json(*chat);
    else
        json["prompt"] = std::get<std::string>(job.prompt);
    json["sampling"] = Json(engine::to_json(job.sampling));
    json["max_tokens"] = job.max_tokens;
    if (!job.stop.empty()) json["stop"] = job.stop;
    if (!job.grammar.empty()) json["grammar"] = job.grammar;
    if (job.ignore_end) json["ignore_end"] = true;
    if (job.log_probabilities) json["log_probabilities"] = true;
    return json;
}

Json to_json(const WrittenText& text) {
    Json json{{"text", text.text},
              {"finish", text.finish},
              {"prompt_tokens", text.prompt_tokens},
              {"generated_tokens", text.generated_tokens}};
    if (!text.reasoning.empty()) json["reasoning"] = text.reasoning;
    for (const engine::ChatToolCall& call : text.tool_calls)
        json["tool_calls"].push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
    if (text.tokens.empty()) return json;
    json["tokens"] = Json::array();
    json["log_probabilities"] = Json::array();
    for (const WrittenToken& token : text.tokens) {
        json["tokens"].push_back(bytes_json(token.bytes));
        json["log_probabilities"].push_back(rounded(token.log_probability));
    }
    return json;
}

WrittenText written_text(const Json& json) {
    WrittenText text;
    text.text = json.at("text").get<std::string>();
    text.finish = json.at("finish").get<std::string>();
    text.prompt_tokens = json.at("prompt_tokens").get<std::size_t>();
    text.generated_tokens = json.at("generated_tokens").get<std::size_t>();
    text.reasoning = json.value("reasoning", "");
    for (const Json& call : json.value("tool_calls", Json::array()))
        text.tool_calls.push_back(
            {call.at("id").get<std::string>(), call.at("name").get<std::string>(), call.at("arguments").get<std::string>()});
    const Json tokens = json.value("tokens", Json::array());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Json& value = json.at("log_probabilities").at(i);
        text.tokens.push_back({bytes_of(tokens[i]), value.is_null() ? -HUGE_VALF : value.get<float>()});
    }
    return text;
}

}  // namespace hlg::eval
