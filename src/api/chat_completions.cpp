// SPDX-License-Identifier: MIT
//
// POST /v1/chat/completions, OpenAI's, with llama-server's `grammar` and our `hlg`.
#include <nlohmann/json.hpp>

#include "api/base_exchange.hpp"
#include "api/chat_fields.hpp"
#include "api/endpoint.hpp"
#include "api/model_name.hpp"
#include "api/openai_json.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

constexpr std::int64_t most_rivals = 20;

Json tool_call_json(const engine::ChatToolCall& call) {
    return {{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
}

Json message_json(const engine::ChatMessage& message) {
    Json json{{"role", "assistant"}, {"content", message.content}, {"refusal", nullptr}};
    if (message.content.empty() && !message.tool_calls.empty()) json["content"] = nullptr;
    if (!message.reasoning.empty()) json["reasoning_content"] = message.reasoning;
    for (const engine::ChatToolCall& call : message.tool_calls) json["tool_calls"].push_back(tool_call_json(call));
    return json;
}

Json delta_json(const engine::ChatDelta& delta) {
    switch (delta.kind) {
        case engine::ChatDelta::Kind::content: return {{"content", delta.text}};
        case engine::ChatDelta::Kind::reasoning: return {{"reasoning_content", delta.text}};
        case engine::ChatDelta::Kind::tool_call: break;
    }
    Json call{{"index", delta.index}};
    if (!delta.name.empty()) {
        call["id"] = delta.id;
        call["type"] = "function";
        call["function"]["name"] = delta.name;
    }
    call["function"]["arguments"] = delta.text;
    return {{"tool_calls", Json::array({std::move(call)})}};
}

class ChatExchange final : public BaseExchange {
public:
    ChatExchange(Plan plan, const Context& context, bool log_probabilities, bool include_usage)
        : BaseExchange(std::move(plan)),
          model_(context.model()),
          model_id_(context.model_id()),
          log_probabilities_(log_probabilities),
          include_usage_(include_usage) {}

protected:
    void on_accepted(std::size_t request, const engine::AcceptedEvent& /*event*/) override {
        if (!streams()) return;
        for (std::size_t i = 0; i < choices(request); ++i) write_chunk(i, {{"role", "assistant"}, {"content", ""}});
    }

    void on_chat(std::size_t /*request*/, std::size_t choice, const engine::ChatEvent& event) override {
        if (!streams()) return;
        Json scores = log_probabilities_ ? token_log_probabilities(event.tokens, model_) : Json::array();
        for (const engine::ChatDelta& delta : event.deltas)
            write_chunk(choice, delta_json(delta), std::exchange(scores, Json::array()));
        if (!scores.empty()) write_chunk(choice, Json::object(), std::move(scores));
    }

    void on_finished(std::size_t request, std::size_t choice) override {
        if (!streams()) return;
        Json chunk = make_chunk(choice, Json::object(), Json::array());
        chunk["choices"][0]["finish_reason"] = finish_word(this->choice(request, choice).finished.reason);
        chunk["seed"] = seed_field();
        chunk["hlg"] = hlg_field();
        write(chunk);
    }

    void on_complete() override {
        if (!streams()) return;
        if (include_usage_) {
            Json last = envelope("chat.completion.chunk");
            last["choices"] = Json::array();
            last["usage"] = usage_json(usage());
            write(last);
        }
        write_raw("data: [DONE]\n\n");
    }

    [[nodiscard]] Json answer() override {
        Json reply = envelope("chat.completion");
        reply["choices"] = Json::array();
        for (std::size_t i = 0; i < choices(0); ++i) {
            const engine::Completion& one = choice(0, i);
            Json scores = log_probabilities_ ? log_probabilities_json(token_log_probabilities(one.tokens, model_)) : Json();
            reply["choices"].push_back({{"index", i},
                                        {"message", message_json(one.message)},
                                        {"logprobs", std::move(scores)},
                                        {"finish_reason", finish_word(one.finished.reason)}});
        }
        reply["usage"] = usage_json(usage());
        reply["seed"] = seed_field();
        reply["hlg"] = hlg_field();
        return reply;
    }

private:
    [[nodiscard]] Json envelope(const char* object) const {
        return {{"id", id_}, {"object", object}, {"created", created_}, {"model", model_id_}};
    }

    static Json log_probabilities_json(Json content) { return {{"content", std::move(content)}, {"refusal", nullptr}}; }

    [[nodiscard]] Json make_chunk(std::size_t choice, Json delta, Json scores) const {
        Json chunk = envelope("chat.completion.chunk");
        chunk["choices"] = Json::array({{{"index", choice},
                                         {"delta", std::move(delta)},
                                         {"logprobs", scores.empty() ? Json() : log_probabilities_json(std::move(scores))},
                                         {"finish_reason", nullptr}}});
        if (include_usage_) chunk["usage"] = nullptr;
        return chunk;
    }

    void write_chunk(std::size_t choice, Json delta, Json scores = Json::array()) {
        write(make_chunk(choice, std::move(delta), std::move(scores)));
    }

    const engine::Model& model_;
    std::string model_id_;
    std::string id_ = random_id("chatcmpl-");
    std::int64_t created_ = now();
    bool log_probabilities_;
    bool include_usage_;
};

/** How many rivals of each token are told; nothing if log-probabilities are not. */
std::optional<std::size_t> read_log_probabilities(const Node& body) {
    const bool wanted = body.at("logprobs").boolean().value_or(false);
    const auto rivals = body.at("top_logprobs").integer(0, most_rivals);
    if (rivals && !wanted) throw bad_field("top_logprobs", "must come with logprobs: true");
    if (!wanted) return std::nullopt;
    return static_cast<std::size_t>(rivals.value_or(0));
}

}  // namespace

Answer chat_completions(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    SamplingFields sampling = read_sampling(body, context.model().vocabulary_size());
    ChatFields chat = read_chat(body);
    engine::GenerateRequest generate;
    generate.prompt = std::move(chat.request);
    generate.sampling = std::move(sampling.settings);
    generate.max_tokens = read_max_tokens(body, 1);
    generate.stop = read_stops(body.at("stop"));
    generate.choices = read_choices(body);
    generate.log_probabilities = read_log_probabilities(body);
    generate.ignore_end = body.at("ignore_eos").boolean().value_or(false);
    const bool include_usage = body.at("stream_options").object().at("include_usage").boolean().value_or(false);
    const bool scores = generate.log_probabilities.has_value();
    Plan plan = plan_of(Vendor::openai, body, std::move(sampling), std::move(chat.schema_ignored));
    plan.constraint = std::move(chat.constraint);
    plan.requests.emplace_back(std::move(generate));
    return std::make_unique<ChatExchange>(std::move(plan), context, scores, include_usage);
}

}  // namespace hlg::api
