// SPDX-License-Identifier: MIT
//
// POST /v1/responses, OpenAI's, with our `hlg`, and `grammar` and `stop` as chat completions have them. Nothing is stored.
#include <nlohmann/json.hpp>

#include "api/endpoint.hpp"
#include "api/model_name.hpp"
#include "api/openai_json.hpp"
#include "api/responses_fields.hpp"
#include "api/responses_items.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

using Kind = AnswerPart::Kind;

/** OpenAI's word for it. */
const char* failure_code(int status) {
    if (status == 429) return "rate_limit_exceeded";
    return status < 500 ? "invalid_prompt" : "server_error";
}

class ResponsesExchange final : public PartsExchange {
public:
    ResponsesExchange(Plan plan, const Context& context, Json told)
        : PartsExchange(std::move(plan)), model_(context.model()), model_id_(context.model_id()), told_(std::move(told)) {}

protected:
    void on_accepted(std::size_t /*request*/, const engine::AcceptedEvent& /*event*/) override {
        if (!streams()) return;
        tell("response.created", {{"response", response_json("in_progress")}});
        tell("response.in_progress", {{"response", response_json("in_progress")}});
    }

    void begin_part(std::size_t index) override {
        const AnswerPart& part = parts()[index];
        tell("response.output_item.added", {{"output_index", index}, {"item", begun_item_json(part, id_of(index))}});
        if (part.kind == Kind::tool_call) return;
        tell_of(index, "response.content_part.added", {{"part", content_json(part, model_)}});
    }

    void grow_part(std::size_t index, const std::string& text, const std::vector<engine::GeneratedToken>& tokens) override {
        switch (parts()[index].kind) {
            case Kind::reasoning: return tell_of(index, "response.reasoning_text.delta", {{"delta", text}});
            case Kind::tool_call: return tell_of(index, "response.function_call_arguments.delta", {{"delta", text}});
            case Kind::content: break;
        }
        tell_of(index, "response.output_text.delta", {{"delta", text}, {"logprobs", token_log_probabilities(tokens, model_)}});
    }

    void end_part(std::size_t index) override {
        const AnswerPart& part = parts()[index];
        switch (part.kind) {
            case Kind::reasoning: tell_of(index, "response.reasoning_text.done", {{"text", part.text}}); break;
            case Kind::tool_call:
                tell_of(index, "response.function_call_arguments.done", {{"name", part.name}, {"arguments", part.text}});
                break;
            case Kind::content:
                tell_of(index, "response.output_text.done",
                        {{"text", part.text}, {"logprobs", token_log_probabilities(part.tokens, model_)}});
                break;
        }
        if (part.kind != Kind::tool_call) tell_of(index, "response.content_part.done", {{"part", content_json(part, model_)}});
        tell("response.output_item.done", {{"output_index", index}, {"item", item(index)}});
    }

    void on_complete() override {
        if (parts().empty()) begin_text();
        end_parts();
        completed_at_ = now();
        if (!streams()) return;
        tell(cut() ? "response.incomplete" : "response.completed", {{"response", answer()}});
    }

    void on_failure(const Problem& problem) override {
        failed_ = true;
        Json response = response_json("failed");
        response["error"] = {{"code", failure_code(problem.status)}, {"message", problem.message}};
        tell("response.failed", {{"response", std::move(response)}});
    }

    [[nodiscard]] Json answer() override {
        Json response = response_json(cut() ? "incomplete" : "completed");
        if (cut())
            response["incomplete_details"] = {
                {"reason", "max_output_tokens"}};  // of the full context too: there is no other word
        else
            response["completed_at"] = completed_at_;
        response["usage"] = usage_told();
        return response;
    }

private:
    void tell(const char* event, const Json& more) {
        Json data{{"type", event}, {"sequence_number", sequence_++}};
        data.update(more);
        write(data, event);
    }

    /** An event of a part: of its item, and of its content where it has one. */
    void tell_of(std::size_t index, const char* event, const Json& more) {
        Json data{{"item_id", id_of(index)}, {"output_index", index}};
        if (parts()[index].kind != Kind::tool_call) data["content_index"] = 0;
        data.update(more);
        tell(event, data);
    }

    const std::string& id_of(std::size_t index) {
        while (ids_.size() <= index) ids_.push_back(item_id(parts()[ids_.size()].kind));
        return ids_[index];
    }

    /** Whether the last item may lack its end. */
    [[nodiscard]] bool cut() const {
        const engine::Finish reason = choice(0, 0).finished.reason;
        return failed_ || reason == engine::Finish::length || reason == engine::Finish::context;
    }

    Json item(std::size_t index) {
        const bool open = cut() && index + 1 == parts().size();
        return item_json(parts()[index], id_of(index), open ? "incomplete" : "completed", model_);
    }

    Json response_json(const char* status) {
        Json output = Json::array();
        for (std::size_t i = 0; i < parts().size(); ++i) output.push_back(item(i));
        const SamplerParams& params = accepted(0).settings.params;
        Json response{{"id", id_},
                      {"object", "response"},
                      {"created_at", created_},
                      {"status", status},
                      {"completed_at", nullptr},
                      {"error", nullptr},
                      {"incomplete_details", nullptr},
                      {"model", model_id_},
                      {"output", std::move(output)},
                      {"temperature", params.temperature},
                      {"top_p", params.top_p},
                      {"usage", nullptr}};
        response.update(told_);
        response["seed"] = seed_field();
        response["hlg"] = hlg_field();
        return response;
    }

    [[nodiscard]] Json usage_told() const {
        const engine::Usage sum = usage();
        std::size_t reasoning = 0;
        for (const AnswerPart& part : parts())
            if (part.kind == Kind::reasoning) reasoning += part.token_count;
        return {{"input_tokens", sum.prompt_tokens},
                {"input_tokens_details", {{"cached_tokens", sum.reused_tokens}, {"cache_write_tokens", 0}}},
                {"output_tokens", sum.generated_tokens},
                {"output_tokens_details", {{"reasoning_tokens", reasoning}}},
                {"total_tokens", sum.prompt_tokens + sum.generated_tokens}};
    }

    const engine::Model& model_;
    std::string model_id_;
    Json told_;
    std::string id_ = random_id("resp_");
    std::int64_t created_ = now();
    std::int64_t completed_at_ = 0;
    std::vector<std::string> ids_;  ///< of the items
    std::size_t sequence_ = 0;
    bool failed_ = false;
};

}  // namespace

Answer responses(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    SamplingFields sampling = read_sampling(body, context.model().vocabulary_size());
    ResponsesFields fields = read_responses_fields(body);
    engine::GenerateRequest generate;
    generate.prompt = std::move(fields.request);
    generate.sampling = std::move(sampling.settings);
    generate.max_tokens = read_limit(body.at("max_output_tokens"), 1);
    generate.stop = read_stops(body.at("stop"));
    generate.log_probabilities = fields.log_probabilities;
    ignore_others(body, {"grammar", "stop"}, fields.ignored);
    Plan plan = plan_of(Vendor::openai, body, std::move(sampling), std::move(fields.schema_ignored));
    plan.ignored.insert(plan.ignored.end(), fields.ignored.begin(), fields.ignored.end());
    plan.constraint = std::move(fields.constraint);
    plan.prompt = "input";
    plan.requests.emplace_back(std::move(generate));
    return std::make_unique<ResponsesExchange>(std::move(plan), context, std::move(fields.told));
}

}  // namespace hlg::api
