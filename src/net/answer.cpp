// SPDX-License-Identifier: MIT
#include "net/answer.hpp"

#include <algorithm>
#include <utility>

namespace hlg::net {
namespace {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Answer::Answer(std::unique_ptr<api::Exchange> exchange, Backend& backend, Metrics& metrics, Clock::time_point arrival,
               const std::function<void()>& wake)
    : exchange_(std::move(exchange)), metrics_(metrics), arrival_(arrival) {
    for (engine::Request& request : exchange_->requests()) {
        const auto* generate = std::get_if<engine::GenerateRequest>(&request);
        const std::size_t choices = generate != nullptr ? generate->choices : 0;
        Source& source = sources_.emplace_back(Source{.events = backend.submit(std::move(request)), .choices = choices});
        source.events->on_event(wake);
    }
    wake();  // for what came before the engine knew whom to tell
}

Answer::~Answer() {
    for (Source& source : sources_) {
        if (source.events) source.events->on_event({});
        metrics_.aborted(std::exchange(source.open, 0));
    }
}

bool Answer::take_one(std::size_t index) {
    Source& source = sources_[index];
    if (source.ended) return false;
    std::optional<engine::Event> event = source.events->next(source.ended);
    if (event) {
        measure(source, *event);
        exchange_->take(index, std::move(*event));
    } else if (source.ended) {
        exchange_->end(index);
    }
    return event.has_value();
}

std::string Answer::take(std::size_t enough) {
    std::string bytes;
    std::size_t idle = 0;  // sources in a row without an event
    while (!done() && idle < sources_.size() && bytes.size() < enough) {
        idle = take_one(turn_) ? 0 : idle + 1;
        turn_ = (turn_ + 1) % sources_.size();
        if (streaming()) bytes += exchange_->frames();
    }
    if (streaming()) bytes += exchange_->frames();
    if (done()) finish();
    return bytes;
}

void Answer::fail(const api::Problem& problem) {
    if (done()) return;
    exchange_->fail(problem);
    for (Source& source : sources_) metrics_.failed(std::exchange(source.open, 0));
    finish();
}

void Answer::finish() {
    if (std::exchange(finished_, true)) return;
    metrics_.completed(seconds_since(arrival_));
    for (Source& source : sources_) {
        source.events->on_event({});
        source.events.reset();
        source.ended = true;
        metrics_.aborted(std::exchange(source.open, 0));  // another one of them failed
    }
}

void Answer::measure(Source& source, const engine::Event& event) {
    if (std::holds_alternative<engine::AcceptedEvent>(event.what)) source.open = source.choices;
    if (const auto* text = std::get_if<engine::TextEvent>(&event.what)) measure_tokens(text->tokens.size());
    if (const auto* chat = std::get_if<engine::ChatEvent>(&event.what)) measure_tokens(chat->tokens.size());
    if (const auto* finished = std::get_if<engine::FinishedEvent>(&event.what)) {
        metrics_.finished(*finished);
        source.open -= std::min<std::size_t>(source.open, 1);
    }
    if (!std::holds_alternative<engine::ErrorEvent>(event.what)) return;
    failed_ = true;
    metrics_.failed(std::exchange(source.open, 0));
}

void Answer::measure_tokens(std::size_t tokens) {
    if (tokens == 0) return;
    const Clock::time_point now = Clock::now();
    if (last_tokens_)
        metrics_.next_tokens(std::chrono::duration<double>(now - *last_tokens_).count(), tokens);
    else
        metrics_.first_token(std::chrono::duration<double>(now - arrival_).count());
    last_tokens_ = now;
    tokens_ += tokens;
}

}  // namespace hlg::net
