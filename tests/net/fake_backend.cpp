// SPDX-License-Identifier: MIT
#include "net/fake_backend.hpp"

#include <gtest/gtest.h>

#include "api/problem.hpp"
#include "api/service.hpp"

namespace hlg::net {

class FakeEvents : public Events {
public:
    explicit FakeEvents(std::shared_ptr<FakeRequest> request) : request_(std::move(request)) {}
    ~FakeEvents() override {
        const std::lock_guard lock(request_->mutex_);
        request_->gone_ = true;
        request_->changed_.notify_all();
    }

    std::optional<engine::Event> next(bool& ended) override {
        const std::lock_guard lock(request_->mutex_);
        ended = request_->events_.empty() && request_->closed_;
        if (request_->events_.empty()) return std::nullopt;
        engine::Event event = std::move(request_->events_.front());
        request_->events_.pop_front();
        ++request_->taken_;
        request_->changed_.notify_all();
        return event;
    }

    void on_event(std::function<void()> call) override {
        const std::lock_guard lock(request_->mutex_);
        request_->on_event_ = std::move(call);
    }

private:
    std::shared_ptr<FakeRequest> request_;
};

void FakeRequest::tell() {
    std::function<void()> call;
    {
        const std::lock_guard lock(mutex_);
        call = on_event_;
    }
    if (call) call();
}

void FakeRequest::push(engine::Event event) {
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    tell();
}

void FakeRequest::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    tell();
}

void FakeRequest::say(const std::string& text) { push({0, engine::TextEvent{text, {{.token = 1, .bytes = text}}}}); }

void FakeRequest::finish() {
    push({0, engine::FinishedEvent{}});
    close();
}

void FakeRequest::fail(engine::ErrorCode code, const std::string& message) {
    push({0, engine::ErrorEvent{{code, message}}});
    close();
}

std::size_t FakeRequest::taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
}

bool FakeRequest::gone_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return gone_; });
}

bool FakeRequest::taken_within(std::size_t events, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return taken_ >= events; });
}

namespace {

class FakeExchange : public api::Exchange {
public:
    FakeExchange(bool streams, std::size_t requests) : streams_(streams), requests_(requests) {}

    std::vector<engine::Request> requests() override {
        std::vector<engine::Request> all;
        for (std::size_t i = 0; i < requests_; ++i) all.emplace_back(engine::GenerateRequest{});
        return all;
    }
    void identify(const std::string& /*id*/) override {}
    [[nodiscard]] bool streams() const override { return streams_; }

    void take(std::size_t /*request*/, engine::Event event) override {
        if (done()) return;
        if (std::holds_alternative<engine::AcceptedEvent>(event.what)) ++accepted_;
        if (auto* text = std::get_if<engine::TextEvent>(&event.what)) add(text->text);
        if (auto* error = std::get_if<engine::ErrorEvent>(&event.what)) fail(api::problem_of(error->error));
    }
    void end(std::size_t /*request*/) override {
        if (++ended_ == requests_ && !problem_) add("[DONE]");
    }
    void fail(const api::Problem& problem) override {
        if (done()) return;
        problem_ = problem;
        if (begun()) add("error: " + problem.message);
    }
    [[nodiscard]] bool begun() const override { return accepted_ == requests_; }
    [[nodiscard]] bool done() const override { return ended_ == requests_ || problem_; }
    [[nodiscard]] api::Reply head() const override { return {.headers = {{"x-fake", "stream"}}}; }
    std::string frames() override { return std::exchange(text_, {}); }
    api::Reply reply() override {
        if (problem_) return api::Service::refuse({.path = "/v1/chat/completions"}, *problem_);
        return {.content_type = "text/plain", .body = text_};
    }

private:
    void add(const std::string& text) { text_ += streams_ ? "data: " + text + "\n\n" : text; }

    bool streams_;
    std::size_t requests_;
    std::size_t accepted_ = 0;
    std::size_t ended_ = 0;
    std::string text_;
    std::optional<api::Problem> problem_;
};

}  // namespace

Opened FakeBackend::open(const api::HttpRequest& request) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !held_; });
    }
    const bool known = request.path == "/now" || request.path == "/stream" || request.path == "/whole";
    if (known && request.method != "POST") {
        api::Reply refused = api::Service::refuse(request, {.status = 405, .message = "it must be asked with POST"});
        refused.headers.push_back({"allow", "POST"});
        return refused;
    }
    if (request.path == "/now") return api::Reply{.content_type = "text/plain", .body = request.method + " " + request.body};
    if (request.path == "/stream" || request.path == "/whole")
        return std::make_unique<FakeExchange>(request.path == "/stream", std::max<std::size_t>(request.body.size(), 1));
    return api::Service::refuse(request, {.status = 404, .message = "there is nothing at " + request.path});
}

std::unique_ptr<Events> FakeBackend::submit(engine::Request /*request*/) {
    auto request = std::make_shared<FakeRequest>();
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    changed_.notify_all();
    return std::make_unique<FakeEvents>(std::move(request));
}

std::shared_ptr<FakeRequest> FakeBackend::request(std::size_t number) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(10), [&] { return requests_.size() > number; })) {
        ADD_FAILURE() << "request " << number << " was not submitted";
        return std::make_shared<FakeRequest>();
    }
    return requests_[number];
}

void FakeBackend::hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
}

}  // namespace hlg::net
