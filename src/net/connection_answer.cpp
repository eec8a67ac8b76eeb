// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "api/service.hpp"
#include "net/allowed_methods.hpp"
#include "net/connection.hpp"

namespace hlg::net {

namespace asio = boost::asio;

namespace {

// Bytes of a stream that are sent at once: enough to catch up quickly, little enough that a slow client's lane soon waits.
constexpr std::size_t enough = std::size_t{32} << 10U;

/** An id that a client gave, if it may stand in headers and logs. */
std::optional<std::string> given_id(const api::HttpRequest& request) {
    constexpr std::size_t longest = 128;
    const std::optional<std::string_view> id = header_of(request, "x-request-id");
    const auto plain = [](unsigned char letter) { return letter > 0x20 && letter < 0x7F; };
    if (!id || id->empty() || id->size() > longest || !std::all_of(id->begin(), id->end(), plain)) return std::nullopt;
    return std::string(*id);
}

void add_if_missing(std::vector<api::Header>& headers, const std::string& name, const std::string& value) {
    const auto same = [&](const api::Header& header) { return header.name == name; };
    if (std::none_of(headers.begin(), headers.end(), same)) headers.push_back({name, value});
}

std::int64_t now_ms() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

void Connection::begin_answer() {
    ++number_;
    request_ = std::move(reader_.request());
    arrived_ = Clock::now();
    id_ = given_id(request_.http).value_or(std::string());
    if (id_.empty()) id_ = site_.next_id();
    request_.http.id = id_;
    head_sent_ = false;
    keep_alive_ = request_.keep_alive && !site_.draining;
    status_ = 0;
    end_ = End::complete;
    body_bytes_ = 0;
    tokens_ = 0;
    state_ = State::opening;
    site_.begin_answer();
}

void Connection::on_request() {
    if (reader_.state() == RequestReader::State::bad) return refuse(reader_.problem());
    begin_answer();
    const api::HttpRequest& request = request_.http;
    if (answer_ourselves(request)) return;
    if (site_.draining) return refuse({.status = 503, .message = "the server is stopping", .code = "stopping", .retry_after = 5});
    if (!site_.backend)
        return refuse({.status = 503, .message = "the model is loading", .code = "model_loading", .retry_after = 1});
    open();
}

// Why the request may not be made. Balancers ask for the health without a key, browsers for a page in which one can be typed, and
// what they may before they send it.
std::optional<api::Problem> Connection::barred(const api::HttpRequest& request) const {
    if (request.method == "OPTIONS") return std::nullopt;
    if (std::optional<api::Problem> problem = site_.rules.against_pages(request)) return problem;
    if (request.path == "/health" || has_page(request.path) || site_.rules.admits(request)) return std::nullopt;
    return api::Problem{
        .status = 401, .message = "a key is needed, as Authorization: Bearer or x-api-key", .code = "invalid_api_key"};
}

void Connection::refuse_method() {
    api::Reply reply =
        api::Service::refuse(request_.http, {.status = 405, .message = "this path only knows GET", .code = "method_not_allowed"});
    reply.headers.push_back({"allow", "GET"});
    respond(std::move(reply));
}

// Of the others' paths the backend knows the methods: its refusal of this one tells them.
void Connection::tell_options(const api::HttpRequest& request) {
    if (request.path == "*") return respond(site_.rules.options(request, "GET, HEAD, POST, OPTIONS"));
    if (is_own(request.path)) return respond(site_.rules.options(request, methods_with("GET")));
    if (!site_.backend) return respond(site_.rules.options(request, {}));
    open();
}

// What needs no backend. False for the rest.
bool Connection::answer_ourselves(const api::HttpRequest& request) {
    if (request.method == "OPTIONS") return tell_options(request), true;
    if (const std::optional<api::Problem> problem = barred(request)) return refuse(*problem), true;
    if (!is_own(request.path)) return false;
    if (request.method != "GET") {
        refuse_method();
    } else if (request.path == "/health") {
        respond(health_page(site_.health()));
    } else if (has_page(request.path)) {
        respond(page(request.path, header_of(request, "accept-encoding")));
    } else if (site_.backend) {
        respond(metrics_page(site_.metrics.text(site_.backend->statistics(), site_.backend->model_id())));
    } else {
        respond(metrics_page(site_.metrics.text(std::nullopt, {})));
    }
    return true;
}

void Connection::open() {
    auto request = std::make_shared<api::HttpRequest>(std::move(request_.http));
    request_.http.method = request->method;
    request_.http.path = request->path;
    request_.http.id = request->id;
    request_.http.headers.clear();
    for (const api::Header& header : request->headers)
        if (header.name == "origin" || header.name == "access-control-request-headers") request_.http.headers.push_back(header);
    asio::post(site_.workers, [self = weak_from_this(), number = number_, request, backend = site_.backend,
                               context = site_.context, guard = asio::make_work_guard(*site_.context)] {
        auto opened = std::make_shared<Opened>(backend->open(*request));
        asio::post(*context, [self, number, opened, backend] {
            const std::shared_ptr<Connection> connection = self.lock();
            if (!connection || connection->number_ != number || connection->state_ != State::opening) return;
            connection->guard([&] { connection->on_opened(std::move(*opened)); });
            connection->arm();
        });
    });
}

void Connection::on_opened(Opened opened) {
    if (auto* reply = std::get_if<api::Reply>(&opened)) {
        if (request_.http.method == "OPTIONS") return respond(site_.rules.options(request_.http, methods_by(*reply)));
        return respond(std::move(*reply));
    }
    ask(std::move(std::get<std::unique_ptr<api::Exchange>>(opened)));
}

// The engine's thread tells of every event, this thread takes all that came since it looked: one note in its queue is enough.
void Connection::ask(std::unique_ptr<api::Exchange> exchange) {
    state_ = State::answering;
    auto told = std::make_shared<std::atomic<bool>>(false);
    const auto wake = [context = site_.context, told, self = weak_from_this(), number = number_] {
        if (told->exchange(true)) return;
        asio::post(*context, [told, self, number] {
            told->store(false);
            const std::shared_ptr<Connection> connection = self.lock();
            if (!connection || connection->number_ != number) return;
            connection->guard([&] { connection->pump(); });
            connection->arm();
        });
    };
    answer_ = std::make_unique<Answer>(std::move(exchange), *site_.backend, site_.metrics, arrived_, wake);
}

void Connection::pump() {
    if (state_ != State::answering || writing_) return;
    const std::string bytes = answer_->take(enough);
    if (head_sent_ || answer_->streaming())
        stream(bytes);
    else if (answer_->done())
        respond(answer_->reply());
}

void Connection::stream(const std::string& bytes) {
    std::string output;
    if (!head_sent_) {
        api::Reply head = answer_->head();
        head.content_type = "text/event-stream";
        add_if_missing(head.headers, "cache-control", "no-cache");
        add_if_missing(head.headers, "x-accel-buffering", "no");  // nginx would hold events back
        keep_alive_ = keep_alive_ && request_.chunks;
        output = head_text(head, more_headers(), request_.chunks ? Framing::chunks : Framing::close, keep_alive_);
        status_ = head.status;
        head_sent_ = true;
    }
    output += frame(bytes);
    if (answer_->done()) {
        state_ = State::sending;
        if (answer_->failed() && end_ == End::complete) end_ = End::error;
        if (request_.chunks) output += last_chunk;
    }
    if (!output.empty()) {
        send(std::move(output));
    } else if (state_ == State::sending) {  // nothing left to say, and nobody to tell of it
        finish_answer(End::complete);
        say_farewell();
    }
}

std::string Connection::frame(const std::string& bytes) {
    body_bytes_ += bytes.size();
    return bytes.empty() || !request_.chunks ? bytes : chunk_text(bytes);
}

void Connection::ping() {
    if (state_ == State::answering && head_sent_ && !writing_) send(frame(": ping\n\n"));
}

// Whatever is wrong with a request that was not read to its end, what follows it can't be read either.
void Connection::refuse(const api::Problem& problem) {
    if (state_ == State::reading) {
        begin_answer();
        keep_alive_ = false;
    }
    respond(api::Service::refuse(request_.http, problem));
}

void Connection::respond(api::Reply reply) {
    if (answer_) tokens_ = answer_->tokens();
    answer_.reset();
    state_ = State::sending;
    status_ = reply.status;
    keep_alive_ = keep_alive_ && !site_.draining;
    complete_allow(reply);
    if (status_ == 401) reply.headers.push_back({"www-authenticate", "Bearer"});
    std::string output = head_text(reply, more_headers(), Framing::length, keep_alive_);
    if (!request_.head_only) output += reply.body;
    body_bytes_ = request_.head_only ? 0 : reply.body.size();
    send(std::move(output));
}

void Connection::cut(const api::Problem& problem, End why) {
    if (state_ == State::opening) {
        end_ = why;
        refuse(problem);
    } else if (state_ == State::answering) {
        if (!answer_->done()) end_ = why;
        answer_->fail(problem);
        pump();
    }
    arm();
}

std::vector<api::Header> Connection::more_headers() const {
    // Anthropic's clients look for the latter.
    std::vector<api::Header> headers{{"x-request-id", id_}, {"request-id", id_}};
    if (request_.http.method == "OPTIONS") return headers;
    for (api::Header& header : site_.rules.cors(request_.http)) headers.push_back(std::move(header));
    return headers;
}

void Connection::finish_answer(End end) {
    constexpr int client_closed_request = 499;  // nobody got it; nginx's number
    if (answer_) tokens_ = answer_->tokens();
    answer_.reset();
    if (status_ == 0) status_ = client_closed_request;
    site_.metrics.answered(request_.head_only ? "HEAD" : request_.http.method, status_);
    const std::chrono::duration<double, std::milli> took = Clock::now() - arrived_;
    site_.log.write({.time_ms = now_ms() - static_cast<std::int64_t>(took.count()),
                     .id = id_,
                     .client = client_,
                     .method = request_.head_only ? "HEAD" : request_.http.method,
                     .path = request_.http.path,
                     .status = status_,
                     .milliseconds = took.count(),
                     .tokens = tokens_,
                     .bytes = body_bytes_,
                     .end = end == End::complete ? end_ : end});
    site_.end_answer();
}

}  // namespace hlg::net
