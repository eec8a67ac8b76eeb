// SPDX-License-Identifier: MIT
//
// POST /v1/hlg/match: the temperature that makes settings comparable with others, by equal mean entropy along a text.
#include <cmath>

#include <nlohmann/json.hpp>

#include "api/base_exchange.hpp"
#include "api/completion_prompts.hpp"
#include "api/endpoint.hpp"
#include "api/model_name.hpp"
#include "api/openai_json.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

constexpr double no_residual = 1e-6;  // nats: what the search for the temperature leaves

class MatchExchange final : public BaseExchange {
public:
    MatchExchange(Plan plan, const Context& context) : BaseExchange(std::move(plan)), model_id_(context.model_id()) {}

protected:
    void on_matched(engine::MatchedEvent&& event) override { event_ = std::move(event); }

    [[nodiscard]] Json answer() override {
        Json reply{{"object", "hlg.match"}, {"model", model_id_}};
        reply["temperature"] = event_.temperature;
        reply["entropy"] = {{"reference", event_.reference_entropy}, {"settings", event_.entropy}};
        const double residual = event_.entropy - event_.reference_entropy;
        reply["residual"] = std::abs(residual) < no_residual ? 0.0 : residual;
        reply["positions"] = event_.positions;
        reply["usage"] = usage_json(event_.usage);
        reply["hlg"] = hlg_field();
        return reply;
    }

private:
    std::string model_id_;
    engine::MatchedEvent event_;
};

engine::Prompt read_text(const Node& text, const engine::Model& model) {
    if (text.absent()) text.miss();
    if (text.is_string()) return *text.text();
    if (!text.is_array()) text.refuse("must be a string or an array of token ids");
    return read_tokens(text, model.vocabulary_size());
}

/** One of the two settings; adds what of it is not there. */
engine::SamplingSettings read_settings(const Node& settings, const Context& context, std::vector<std::string>& ignored) {
    if (settings.absent()) settings.miss();
    SamplingFields fields = read_sampling(settings.object(), context.model().vocabulary_size());
    ignore_others(settings, {}, fields.ignored);
    for (const std::string& field : fields.ignored) ignored.push_back(settings.path() + "." + field);
    return std::move(fields.settings);
}

}  // namespace

Answer match(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    engine::MatchRequest match;
    match.prompt = read_text(body.at("prompt"), context.model());
    match.text = read_text(body.at("text"), context.model());
    Plan plan{.prompt = "prompt"};
    match.reference = read_settings(body.at("reference"), context, plan.ignored);
    match.settings = read_settings(body.at("settings"), context, plan.ignored);
    plan.requests.emplace_back(std::move(match));
    return std::make_unique<MatchExchange>(std::move(plan), context);
}

}  // namespace hlg::api
