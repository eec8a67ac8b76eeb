// SPDX-License-Identifier: MIT
//
// POST /v1/messages, Anthropic's, with our `hlg`.
#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "api/endpoint.hpp"
#include "api/messages_fields.hpp"
#include "api/model_name.hpp"
#include "api/parts_exchange.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

using Kind = AnswerPart::Kind;

/** Ids of calls that we made up look like Anthropic's; those that the model gave stay. */
std::string call_id(const std::string& id) {
    constexpr std::string_view ours = "call_";
    return id.starts_with(ours) ? "toolu_" + id.substr(ours.size()) : id;
}

/** A block without what streams tell bit by bit. */
Json empty_block(const AnswerPart& part) {
    switch (part.kind) {
        case Kind::reasoning: return {{"type", "thinking"}, {"thinking", ""}, {"signature", ""}};
        case Kind::tool_call:
            return {{"type", "tool_use"},
                    {"id", call_id(part.id)},
                    {"name", part.name},
                    {"input", Json::object()},
                    {"caller", {{"type", "direct"}}}};
        case Kind::content: break;
    }
    return {{"type", "text"}, {"text", ""}};
}

Json block_json(const AnswerPart& part) {
    Json block = empty_block(part);
    if (part.kind == Kind::content) block["text"] = part.text;
    if (part.kind == Kind::reasoning) block["thinking"] = part.text;
    if (part.kind != Kind::tool_call) return block;
    // Arguments that the end cut short are no JSON, and a client wants an object.
    Json input = Json::parse(part.text, nullptr, false);
    if (input.is_object()) block["input"] = std::move(input);
    return block;
}

Json delta_json(const AnswerPart& part, const std::string& text) {
    switch (part.kind) {
        case Kind::reasoning: return {{"type", "thinking_delta"}, {"thinking", text}};
        case Kind::tool_call: return {{"type", "input_json_delta"}, {"partial_json", text}};
        case Kind::content: break;
    }
    return {{"type", "text_delta"}, {"text", text}};
}

/** Tokens found in a lane are those of a cache, and are not among input_tokens. */
Json usage_json(const engine::Usage& usage) {
    return {{"input_tokens", usage.prompt_tokens - usage.reused_tokens},
            {"cache_creation_input_tokens", 0},
            {"cache_read_input_tokens", usage.reused_tokens},
            {"output_tokens", usage.generated_tokens},
            {"output_tokens_details", nullptr},
            {"server_tool_use", nullptr}};
}

class MessagesExchange final : public PartsExchange {
public:
    MessagesExchange(Plan plan, std::string model, std::vector<std::string> stops)
        : PartsExchange(std::move(plan)), model_(std::move(model)), stops_(std::move(stops)) {}

protected:
    void on_accepted(std::size_t /*request*/, const engine::AcceptedEvent& event) override {
        if (!streams()) return;
        Json message = message_json(Json::array(), {.prompt_tokens = event.prompt_tokens});
        tell("message_start", {{"message", std::move(message)}});
        tell("ping");
    }

    void begin_part(std::size_t index) override {
        tell("content_block_start", {{"index", index}, {"content_block", empty_block(parts()[index])}});
    }

    void grow_part(std::size_t index, const std::string& text, const std::vector<engine::GeneratedToken>& /*tokens*/) override {
        tell("content_block_delta", {{"index", index}, {"delta", delta_json(parts()[index], text)}});
    }

    void end_part(std::size_t index) override {
        // Clients give thinking back only with the signature that they heard.
        if (parts()[index].kind == Kind::reasoning)
            tell("content_block_delta", {{"index", index}, {"delta", {{"type", "signature_delta"}, {"signature", ""}}}});
        tell("content_block_stop", {{"index", index}});
    }

    void on_complete() override {
        end_parts();
        if (!streams()) return;
        tell("message_delta", {{"delta",
                                {{"container", nullptr},
                                 {"stop_details", nullptr},
                                 {"stop_reason", stop_reason()},
                                 {"stop_sequence", stop_sequence()}}},
                               {"usage", usage_json(usage())}});
        tell("message_stop");
    }

    void on_failure(const Problem& problem) override { write(error_json(Vendor::anthropic, problem), "error"); }

    [[nodiscard]] Json answer() override {
        Json content = Json::array();
        for (const AnswerPart& part : parts()) content.push_back(block_json(part));
        Json message = message_json(std::move(content), usage());
        message["stop_reason"] = stop_reason();
        message["stop_sequence"] = stop_sequence();
        return message;
    }

private:
    void tell(const char* event, const Json& more = Json::object()) {
        Json data{{"type", event}};
        data.update(more);
        write(data, event);
    }

    [[nodiscard]] Json message_json(Json content, const engine::Usage& usage) const {
        Json counted = usage_json(usage);
        for (const char* name : {"cache_creation", "inference_geo", "speed"}) counted[name] = nullptr;
        counted["service_tier"] = "standard";
        return {{"id", id_},
                {"type", "message"},
                {"role", "assistant"},
                {"model", model_},
                {"content", std::move(content)},
                {"stop_reason", nullptr},
                {"stop_sequence", nullptr},
                {"stop_details", nullptr},
                {"container", nullptr},
                {"diagnostics", nullptr},
                {"usage", std::move(counted)},
                {"seed", seed_field()},
                {"hlg", hlg_field()}};
    }

    [[nodiscard]] const engine::FinishedEvent& finished() const { return choice(0, 0).finished; }

    /** The request's string that ended the answer; one of the template's own is just an end of turn. */
    [[nodiscard]] Json stop_sequence() const {
        const auto& stop = finished().stop;
        return stop && std::find(stops_.begin(), stops_.end(), *stop) != stops_.end() ? Json(*stop) : Json();
    }

    [[nodiscard]] const char* stop_reason() const {
        switch (finished().reason) {
            case engine::Finish::length: return "max_tokens";
            case engine::Finish::context: return "model_context_window_exceeded";
            case engine::Finish::tool_calls: return "tool_use";
            case engine::Finish::stop:
            case engine::Finish::cancelled: break;
        }
        return stop_sequence().is_null() ? "end_turn" : "stop_sequence";
    }

    std::string id_ = random_id("msg_");
    std::string model_;
    std::vector<std::string> stops_;
};

class CountExchange final : public BaseExchange {
public:
    using BaseExchange::BaseExchange;

protected:
    void on_counted(std::size_t tokens) override { tokens_ = tokens; }
    [[nodiscard]] Json answer() override { return {{"input_tokens", tokens_}}; }

private:
    std::size_t tokens_ = 0;
};

std::optional<std::size_t> read_required_limit(const Node& limit) {
    if (limit.absent()) limit.miss();
    const bool huge = limit.json().is_number() && limit.json().get<double>() >= 9e18;  // for read_limit()
    if (!huge) (void)limit.integer(1, std::numeric_limits<std::int64_t>::max(), "1 or more");
    return read_limit(limit, 1);
}

}  // namespace

Answer messages(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    SamplingFields sampling = read_sampling(body, context.model().vocabulary_size());
    MessagesFields fields = read_messages_fields(body);
    engine::GenerateRequest generate;
    generate.prompt = std::move(fields.request);
    generate.sampling = std::move(sampling.settings);
    generate.max_tokens = read_required_limit(body.at("max_tokens"));
    generate.stop = read_stops(body.at("stop_sequences").array());
    std::vector<std::string> stops = generate.stop;
    ignore_others(body, {}, fields.ignored);
    Plan plan = plan_of(Vendor::anthropic, body, std::move(sampling), std::move(fields.schema_ignored));
    plan.ignored.insert(plan.ignored.end(), fields.ignored.begin(), fields.ignored.end());
    plan.constraint = std::move(fields.constraint);
    plan.requests.emplace_back(std::move(generate));
    return std::make_unique<MessagesExchange>(std::move(plan), context.model_id(), std::move(stops));
}

Answer count_message_tokens(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    Plan plan{.vendor = Vendor::anthropic};
    plan.requests.emplace_back(engine::CountRequest{.prompt = read_messages_fields(body).request});
    return std::make_unique<CountExchange>(std::move(plan));
}

}  // namespace hlg::api
