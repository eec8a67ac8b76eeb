// SPDX-License-Identifier: MIT
//
// POST /v1/hlg/inspect: what the next token's distribution is, under the model, under plain temperature, and as it would be
// drawn.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "api/base_exchange.hpp"
#include "api/chat_fields.hpp"
#include "api/completion_prompts.hpp"
#include "api/endpoint.hpp"
#include "api/model_name.hpp"
#include "api/openai_json.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

constexpr std::int64_t most_tokens = 1000;
constexpr std::int64_t default_tokens = 50;

/** nats; tail_mass is what goes to tokens to which the model gives less than 1e-4. */
Json statistics_json(const Statistics& statistics) {
    return {{"entropy", statistics.entropy},
            {"top1", statistics.top1},
            {"collision", statistics.collision},
            {"tail_mass", statistics.mass_below}};
}

class InspectExchange final : public BaseExchange {
public:
    InspectExchange(Plan plan, const Context& context) : BaseExchange(std::move(plan)), model_id_(context.model_id()) {}

protected:
    void on_inspected(engine::InspectedEvent&& event) override { event_ = std::move(event); }

    [[nodiscard]] Json answer() override {
        Json reply{{"object", "hlg.inspection"}, {"model", model_id_}};
        reply["temperature"] = event_.settings.params.temperature;
        reply["pivot"] = acts() ? Json(pivot()) : Json();
        reply["kl"] = std::max(event_.statistics.kl, 0.0);  // rounding takes it below
        reply["statistics"] = {{"model", statistics_json(event_.model)},
                               {"temperature", statistics_json(event_.plain)},
                               {"draw", statistics_json(event_.statistics)}};
        reply["tokens"] = Json::array();
        for (const engine::InspectedToken& token : event_.tokens) reply["tokens"].push_back(token_json(token));
        reply["usage"] = usage_json(event_.usage);
        reply["hlg"] = hlg_field();
        return reply;
    }

private:
    /** Whether there is a curve, and with it a pivot. */
    [[nodiscard]] bool acts() const { return event_.settings.params.hlg && !std::isnan(pivot()); }
    [[nodiscard]] double pivot() const { return event_.statistics.pivot; }

    [[nodiscard]] const char* region(double z) const {
        const double width = event_.settings.params.hlg->width;
        if (z > width) return "shoulder";
        return z < -width ? "toe" : "mid";
    }

    [[nodiscard]] Json token_json(const engine::InspectedToken& token) const {
        const double z = static_cast<double>(token.logit) - pivot();
        return {{"id", token.token},
                {"text", token.bytes},
                {"bytes", bytes_json(token.bytes)},
                {"logit", finite(token.logit)},
                {"logprob", finite(token.log_probability)},
                {"z", acts() ? Json(z) : Json()},
                {"region", acts() ? Json(region(z)) : Json()},
                {"probability",
                 {{"model", std::exp(static_cast<double>(token.log_probability))},
                  {"temperature", token.plain_probability},
                  {"draw", token.probability}}}};
    }

    std::string model_id_;
    engine::InspectedEvent event_;
};

engine::Prompt read_prompt(const Node& body, const engine::Model& model, std::vector<std::string>& schema_ignored) {
    const Node prompt = body.at("prompt");
    if (prompt.absent() == body.at("messages").absent()) throw bad_field("prompt", "or messages is required, and not both");
    if (prompt.absent()) {
        ChatFields chat = read_chat(body);
        schema_ignored = std::move(chat.schema_ignored);
        return std::move(chat.request);
    }
    if (prompt.is_string()) return *prompt.text();
    if (!prompt.is_array()) prompt.refuse("must be a string or an array of token ids");
    return read_tokens(prompt, model.vocabulary_size());
}

}  // namespace

Answer inspect(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    SamplingFields sampling = read_sampling(body, context.model().vocabulary_size());
    Plan plan{.ignored = std::move(sampling.ignored)};
    if (!body.at("prompt").absent()) plan.prompt = "prompt";
    engine::InspectRequest inspect;
    inspect.prompt = read_prompt(body, context.model(), plan.schema_ignored);
    ignore_others(body, {}, plan.ignored);
    inspect.sampling = std::move(sampling.settings);
    inspect.tokens = static_cast<std::size_t>(body.at("top_n").integer(1, most_tokens).value_or(default_tokens));
    plan.requests.emplace_back(std::move(inspect));
    return std::make_unique<InspectExchange>(std::move(plan), context);
}

}  // namespace hlg::api
