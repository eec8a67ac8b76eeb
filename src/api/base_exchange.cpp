// SPDX-License-Identifier: MIT
#include "api/base_exchange.hpp"

#include <algorithm>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "api/hlg_object.hpp"
#include "api/request_problem.hpp"
#include "api/sampling_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {

Plan plan_of(Vendor vendor, const Node& body, SamplingFields&& sampling, std::vector<std::string> schema_ignored) {
    return {.vendor = vendor,
            .streams = body.at("stream").boolean().value_or(false),
            .ignored = std::move(sampling.ignored),
            .schema_ignored = std::move(schema_ignored),
            .negative_seed = sampling.negative_seed};
}

BaseExchange::BaseExchange(Plan plan)
    : plan_(std::move(plan)), states_(plan_.requests.size()), waiting_(states_.size()), open_(states_.size()) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (const auto* generate = std::get_if<engine::GenerateRequest>(&plan_.requests[i])) {
            states_[i].unfinished = generate->choices;
            states_[i].choices.resize(generate->choices);
        }
    }
}

void BaseExchange::on_accepted(std::size_t /*request*/, const engine::AcceptedEvent& /*event*/) {}
void BaseExchange::on_text(std::size_t /*request*/, std::size_t /*choice*/, const engine::TextEvent& /*event*/) {}
void BaseExchange::on_chat(std::size_t /*request*/, std::size_t /*choice*/, const engine::ChatEvent& /*event*/) {}
void BaseExchange::on_finished(std::size_t /*request*/, std::size_t /*choice*/) {}
void BaseExchange::on_scored(std::size_t /*request*/, engine::ScoredEvent&& /*event*/) {}
void BaseExchange::on_inspected(engine::InspectedEvent&& /*event*/) {}
void BaseExchange::on_matched(engine::MatchedEvent&& /*event*/) {}
void BaseExchange::on_counted(std::size_t /*tokens*/) {}
void BaseExchange::on_listed(std::vector<engine::Token>&& /*tokens*/) {}
void BaseExchange::on_complete() {}
void BaseExchange::on_failure(const Problem& problem) { write(error_json(plan_.vendor, problem)); }

void BaseExchange::take(std::size_t request, engine::Event event) {
    if (done_) return;
    std::visit([&](auto& what) { handle(request, event.choice, std::move(what)); }, event.what);
}

void BaseExchange::begin(State& state) {
    if (state.begun) return;
    state.begun = true;
    --waiting_;
}

void BaseExchange::handle(std::size_t request, std::size_t /*choice*/, engine::AcceptedEvent event) {
    State& state = states_[request];
    begin(state);
    state.accepted = std::move(event);
    on_accepted(request, *state.accepted);
}

void BaseExchange::keep(const std::vector<engine::GeneratedToken>& tokens, std::vector<engine::GeneratedToken>& kept) {
    for (const engine::GeneratedToken& token : tokens)
        if (token.log_probability) kept.push_back(token);
}

void BaseExchange::handle(std::size_t request, std::size_t choice, const engine::TextEvent& event) {
    engine::Completion& so_far = states_[request].choices[choice];
    so_far.text += event.text;
    keep(event.tokens, so_far.tokens);
    on_text(request, choice, event);
}

void BaseExchange::handle(std::size_t request, std::size_t choice, const engine::ChatEvent& event) {
    engine::Completion& so_far = states_[request].choices[choice];
    for (const engine::ChatDelta& delta : event.deltas) so_far.message.append(delta);
    keep(event.tokens, so_far.tokens);
    on_chat(request, choice, event);
}

void BaseExchange::handle(std::size_t request, std::size_t choice, engine::FinishedEvent event) {
    if (event.reason == engine::Finish::cancelled) return fail({.status = 503, .message = "the generation was interrupted"});
    State& state = states_[request];
    --state.unfinished;
    state.choices[choice].finished = std::move(event);
    on_finished(request, choice);
}

void BaseExchange::handle(std::size_t request, std::size_t /*choice*/, engine::ScoredEvent event) {
    State& state = states_[request];
    begin(state);
    --state.unfinished;
    on_scored(request, std::move(event));
}

void BaseExchange::handle(std::size_t request, std::size_t /*choice*/, engine::InspectedEvent event) {
    State& state = states_[request];
    begin(state);
    --state.unfinished;
    state.accepted = engine::AcceptedEvent{event.usage.prompt_tokens, event.settings};
    on_inspected(std::move(event));
}

void BaseExchange::handle(std::size_t request, std::size_t /*choice*/, engine::MatchedEvent event) {
    State& state = states_[request];
    begin(state);
    --state.unfinished;
    state.accepted = engine::AcceptedEvent{event.usage.prompt_tokens, event.settings};
    on_matched(std::move(event));
}

void BaseExchange::handle(std::size_t request, std::size_t /*choice*/, engine::CountedEvent event) {
    begin(states_[request]);
    --states_[request].unfinished;
    on_counted(event.tokens);
    on_listed(std::move(event.list));
}

void BaseExchange::handle(std::size_t /*request*/, std::size_t /*choice*/, const engine::ErrorEvent& event) {
    fail(request_problem(event.error, plan_.constraint, plan_.prompt));
}

void BaseExchange::end(std::size_t request) {
    State& state = states_[request];
    if (done_ || state.ended) return;
    state.ended = true;
    if (state.unfinished > 0) return fail({.status = 500, .message = "the answer ended before it was complete"});
    if (--open_ > 0) return;
    on_complete();
    done_ = true;
}

void BaseExchange::fail(const Problem& problem) {
    if (done_) return;
    problem_ = problem;
    if (!request_id_.empty()) problem_->request_id = request_id_;
    if (begun() && streams()) on_failure(*problem_);
    done_ = true;
}

Reply BaseExchange::head() const {
    Reply reply{.content_type = "text/event-stream", .headers = headers()};
    reply.headers.push_back({"cache-control", "no-cache"});
    return reply;
}

std::string BaseExchange::frames() { return std::exchange(frames_, {}); }

Reply BaseExchange::reply() {
    if (problem_) return error_reply(plan_.vendor, *problem_);
    Reply reply = json_reply(answer());
    reply.headers = headers();
    return reply;
}

void BaseExchange::write(const Json& data, std::string_view event) { frames_ += frame(data, event); }

const engine::Completion& BaseExchange::choice(std::size_t request, std::size_t choice) const {
    return states_[request].choices[choice];
}

std::vector<std::string> BaseExchange::ignored() const {
    std::vector<std::string> all;
    for (const State& state : states_) {
        if (state.accepted) all = state.accepted->settings.ignored;  // alike for all requests of an exchange
    }
    all.insert(all.end(), plan_.ignored.begin(), plan_.ignored.end());
    return all;
}

std::vector<Header> BaseExchange::headers() const {
    std::vector<Header> headers;
    if (const auto names = ignored(); !names.empty())
        headers.push_back({"x-hlg-ignored", fmt::format("{}", fmt::join(names, ", "))});
    if (!plan_.schema_ignored.empty())
        headers.push_back({"x-hlg-schema-ignored", fmt::format("{}", fmt::join(plan_.schema_ignored, ", "))});
    return headers;
}

Json BaseExchange::hlg_field() const { return hlg_json(accepted(0).settings, ignored()); }

Json BaseExchange::seed_field() const { return seed_json(accepted(0).settings.params.seed, plan_.negative_seed); }

engine::Usage BaseExchange::usage() const {
    engine::Usage sum;
    for (const State& state : states_) {
        if (state.choices.empty()) continue;
        engine::Usage one = state.choices.front().finished.usage;
        one.generated_tokens = 0;
        for (const engine::Completion& choice : state.choices) {
            one.reused_tokens = std::min(one.reused_tokens, choice.finished.usage.reused_tokens);
            one.generated_tokens += choice.finished.usage.generated_tokens;
        }
        sum.prompt_tokens += one.prompt_tokens;
        sum.reused_tokens += one.reused_tokens;
        sum.generated_tokens += one.generated_tokens;
    }
    return sum;
}

}  // namespace hlg::api
