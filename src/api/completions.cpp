// SPDX-License-Identifier: MIT
//
// POST /v1/completions, OpenAI's legacy one: several prompts, echo, log-probabilities of prompts too.
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "api/base_exchange.hpp"
#include "api/chat_fields.hpp"
#include "api/completion_prompts.hpp"
#include "api/endpoint.hpp"
#include "api/legacy_scores.hpp"
#include "api/model_name.hpp"
#include "api/openai_json.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

constexpr std::int64_t most_rivals = 20;
constexpr std::size_t most_answers = 256;  // each holds its state until the last is there

/** What the reply needs of the request. */
struct Form {
    std::vector<Echo> echoes = {};           ///< of each prompt; empty without echo
    std::vector<std::size_t> scored = {};    ///< prompts that are scored, by requests behind those that generate
    std::optional<std::size_t> rivals = {};  ///< set: log-probabilities
    bool include_usage = false;
};

// Each prompt has a request that generates; prompts whose log-probabilities are echoed have another that scores. Of a stream,
// what follows such an echo is held back until the scores are there.
class CompletionExchange final : public BaseExchange {
public:
    CompletionExchange(Plan plan, const Context& context, Form form, std::size_t prompts)
        : BaseExchange(std::move(plan)),
          model_(context.model()),
          model_id_(context.model_id()),
          form_(std::move(form)),
          prompts_(prompts),
          held_(prompts),
          waits_(prompts, false) {
        for (std::size_t prompt = 0; prompt < prompts_; ++prompt) {
            const std::size_t start = form_.echoes.empty() ? 0 : characters(form_.echoes[prompt].text);
            offsets_.emplace_back(choices(prompt), start);
        }
        for (const std::size_t prompt : form_.scored) waits_[prompt] = true;
    }

protected:
    void on_accepted(std::size_t prompt, const engine::AcceptedEvent& /*event*/) override {
        if (!waits_[prompt]) write_echo(prompt);
    }

    void on_scored(std::size_t request, engine::ScoredEvent&& event) override {
        const std::size_t prompt = form_.scored[request - prompts_];
        if (!event.tokens.empty()) set_tokens(form_.echoes[prompt], event.tokens, model_);
        std::vector<engine::GeneratedToken>& tokens = form_.echoes[prompt].tokens;
        for (std::size_t i = 0; i < event.log_probabilities.size(); ++i) {  // nothing comes before the first token
            tokens[i + 1].log_probability = event.log_probabilities[i];
            if (!event.highest.empty()) tokens[i + 1].highest = std::move(event.highest[i]);
        }
        waits_[prompt] = false;
        write_echo(prompt);
        write_raw(std::exchange(held_[prompt], {}));
    }

    void on_text(std::size_t prompt, std::size_t choice, const engine::TextEvent& event) override {
        if (!streams() || (event.text.empty() && !form_.rivals)) return;
        Json scores = form_.rivals ? legacy_scores(event.tokens, model_, offsets_[prompt][choice]) : Json();
        write_chunk(prompt, make_chunk(prompt, choice, event.text, std::move(scores)));
    }

    void on_finished(std::size_t prompt, std::size_t choice) override {
        if (!streams()) return;
        Json chunk = make_chunk(prompt, choice, "", Json());
        chunk["choices"][0]["finish_reason"] = finish_word(this->choice(prompt, choice).finished.reason);
        chunk["seed"] = seed_of(prompt);
        chunk["hlg"] = hlg_field();
        write_chunk(prompt, chunk);
    }

    void on_complete() override {
        if (!streams()) return;
        if (form_.include_usage) {
            Json last = envelope();
            last["choices"] = Json::array();
            last["usage"] = usage_json(usage());
            write(last);
        }
        write_raw("data: [DONE]\n\n");
    }

    [[nodiscard]] Json answer() override {
        Json reply = envelope();
        reply["choices"] = Json::array();
        for (std::size_t prompt = 0; prompt < prompts_; ++prompt)
            for (std::size_t choice = 0; choice < choices(prompt); ++choice)
                reply["choices"].push_back(choice_json(prompt, choice));
        reply["usage"] = usage_json(usage());
        reply["seed"] = seed_field();
        reply["hlg"] = hlg_field();
        return reply;
    }

private:
    [[nodiscard]] Json envelope() const {
        return {{"id", id_}, {"object", "text_completion"}, {"created", created_}, {"model", model_id_}};
    }

    [[nodiscard]] Json seed_of(std::size_t prompt) const {
        return seed_json(accepted(prompt).settings.params.seed, plan().negative_seed);
    }

    [[nodiscard]] std::size_t index(std::size_t prompt, std::size_t choice) const { return prompt * choices(prompt) + choice; }

    [[nodiscard]] Json choice_json(std::size_t prompt, std::size_t choice) const {
        const engine::Completion& one = this->choice(prompt, choice);
        std::string text = one.text;
        std::vector<engine::GeneratedToken> tokens = one.tokens;
        if (!form_.echoes.empty()) {
            const Echo& echo = form_.echoes[prompt];
            text.insert(0, echo.text);
            tokens.insert(tokens.begin(), echo.tokens.begin(), echo.tokens.end());
        }
        std::size_t offset = 0;
        Json json{{"text", std::move(text)},
                  {"index", index(prompt, choice)},
                  {"logprobs", form_.rivals ? legacy_scores(tokens, model_, offset) : Json()},
                  {"finish_reason", finish_word(one.finished.reason)}};
        if (prompts_ > 1) json["seed"] = seed_of(prompt);  // each prompt has its own, unless the request gives one
        return json;
    }

    [[nodiscard]] Json make_chunk(std::size_t prompt, std::size_t choice, const std::string& text, Json scores) const {
        Json chunk = envelope();
        chunk["choices"] = Json::array(
            {{{"text", text}, {"index", index(prompt, choice)}, {"logprobs", std::move(scores)}, {"finish_reason", nullptr}}});
        if (form_.include_usage) chunk["usage"] = nullptr;
        return chunk;
    }

    void write_chunk(std::size_t prompt, const Json& chunk) {
        if (waits_[prompt])
            held_[prompt] += frame(chunk);
        else
            write(chunk);
    }

    void write_echo(std::size_t prompt) {
        if (!streams() || form_.echoes.empty()) return;
        const Echo& echo = form_.echoes[prompt];
        for (std::size_t choice = 0; choice < choices(prompt); ++choice) {
            std::size_t offset = 0;
            Json scores = form_.rivals ? legacy_scores(echo.tokens, model_, offset) : Json();
            write(make_chunk(prompt, choice, echo.text, std::move(scores)));
        }
    }

    const engine::Model& model_;
    std::string model_id_;
    std::string id_ = random_id("cmpl-");
    std::int64_t created_ = now();
    Form form_;
    std::size_t prompts_;
    std::vector<std::string> held_;                  ///< frames of prompts that wait
    std::vector<bool> waits_;                        ///< for their scores
    std::vector<std::vector<std::size_t>> offsets_;  ///< of each choice, where in its text the next token begins
};

engine::Constraint read_constraint(const Node& body, std::set<std::string>& lost) {
    const std::string grammar = body.at("grammar").text().value_or("");
    std::string schema = read_response_format(body, lost);
    if (!grammar.empty() && !schema.empty())
        throw bad_field("grammar", fmt::format("can't be used together with {}", schema_field(body)));
    if (!grammar.empty()) {
        engine::GrammarSpec spec;
        spec.gbnf = grammar;
        return spec;
    }
    if (!schema.empty()) return engine::JsonSchema{std::move(schema)};
    return {};
}

std::string constraint_field(const Node& body, const engine::Constraint& constraint) {
    if (std::holds_alternative<std::monostate>(constraint)) return {};
    return std::holds_alternative<engine::GrammarSpec>(constraint) ? "grammar" : schema_field(body);
}

void refuse_unsupported(const Node& body, std::size_t choices) {
    if (!body.at("suffix").text().value_or("").empty()) throw bad_field("suffix", "is not supported");
    const auto best_of = body.at("best_of").integer(1, 64);
    if (best_of && static_cast<std::size_t>(*best_of) != choices) body.at("best_of").refuse("must be n: answers are not ranked");
}

/** What all prompts have in common. */
engine::GenerateRequest read_generation(const Node& body, SamplingFields& sampling, std::set<std::string>& lost) {
    engine::GenerateRequest generate;
    generate.sampling = std::move(sampling.settings);
    generate.max_tokens = read_max_tokens(body, 0);
    generate.stop = read_stops(body.at("stop"));
    generate.choices = read_choices(body);
    generate.constraint = read_constraint(body, lost);
    generate.ignore_end = body.at("ignore_eos").boolean().value_or(false);
    if (const auto rivals = body.at("logprobs").integer(0, most_rivals))
        generate.log_probabilities = static_cast<std::size_t>(*rivals);
    refuse_unsupported(body, generate.choices);
    return generate;
}

/** Asks for the log-probabilities of prompts of which there are any. */
void add_scores(const std::vector<engine::Prompt>& prompts, Form& form, Plan& plan) {
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        engine::ScoreRequest score{.highest = *form.rivals};
        if (const auto* tokens = std::get_if<std::vector<engine::Token>>(&prompts[i]))
            score.tokens = *tokens;
        else
            score.text = std::get<std::string>(prompts[i]);
        if (!score.text && score.tokens.size() < 2) continue;
        form.scored.push_back(i);
        plan.requests.emplace_back(std::move(score));
    }
}

}  // namespace

Answer completions(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    check_model(body.at("model"), context.options, context.model().path());
    SamplingFields sampling = read_sampling(body, context.model().vocabulary_size());
    std::set<std::string> lost;
    const engine::GenerateRequest common = read_generation(body, sampling, lost);
    const std::vector<engine::Prompt> prompts = read_prompts(body.at("prompt"), context.model().vocabulary_size());
    if (prompts.size() * common.choices > most_answers)
        throw bad_field("n", fmt::format("times the number of prompts must be up to {}, got {}", most_answers,
                                         prompts.size() * common.choices));
    const bool echo = body.at("echo").boolean().value_or(false);
    Form form{.rivals = common.log_probabilities,
              .include_usage = body.at("stream_options").object().at("include_usage").boolean().value_or(false)};
    Plan plan = plan_of(Vendor::openai, body, std::move(sampling), {lost.begin(), lost.end()});
    plan.constraint = constraint_field(body, common.constraint);
    plan.prompt = "prompt";
    for (const engine::Prompt& prompt : prompts) {
        engine::GenerateRequest generate = common;
        generate.prompt = prompt;
        plan.requests.emplace_back(std::move(generate));
        if (echo) form.echoes.push_back(echo_of(prompt, context.model()));
    }
    if (echo && form.rivals) add_scores(prompts, form, plan);
    return std::make_unique<CompletionExchange>(std::move(plan), context, std::move(form), prompts.size());
}

}  // namespace hlg::api
