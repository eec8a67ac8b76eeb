// SPDX-License-Identifier: MIT
#include "net/answer.hpp"

#include <utility>

namespace hlg::net {
namespace {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Answer::Answer(std::unique_ptr<api::Exchange> exchange, Backend& backend, Metrics& metrics, Clock::time_point arrival,
               const std::function<void()>& wake)
    : exchange_(std::move(exchange)), metrics_(metrics), arrival_(arrival) {
    for (engine::Request& request : exchange_->requests()) {
        Source& source = sources_.emplace_back(Source{backend.submit(std::move(request))});
        source.events->on_event(wake);
    }
    wake();  // for what came before the engine knew whom to tell
}

Answer::~Answer() {
    for (const Source& source : sources_)
        if (source.events) source.events->on_event({});
}

bool Answer::take_one(std::size_t index) {
    Source& source = sources_[index];
    if (source.ended) return false;
    std::optional<engine::Event> event = source.events->next(source.ended);
    if (event) {
        measure(*event);
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
    metrics_.failed();
    finish();
}

void Answer::finish() {
    if (std::exchange(finished_, true)) return;
    metrics_.completed(seconds_since(arrival_));
    for (Source& source : sources_) {
        source.events->on_event({});
        source.events.reset();
        source.ended = true;
    }
}

void Answer::measure(const engine::Event& event) {
    if (const auto* text = std::get_if<engine::TextEvent>(&event.what)) measure_tokens(text->tokens.size());
    if (const auto* chat = std::get_if<engine::ChatEvent>(&event.what)) measure_tokens(chat->tokens.size());
    if (const auto* finished = std::get_if<engine::FinishedEvent>(&event.what)) metrics_.finished(*finished);
    if (std::holds_alternative<engine::ErrorEvent>(event.what)) metrics_.failed();
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
