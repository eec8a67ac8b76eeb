// SPDX-License-Identifier: MIT
#include "net/connection.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/core.h>
#include <boost/asio/buffer.hpp>

namespace hlg::net {

namespace asio = boost::asio;

namespace {

// Read ahead of the request that is being answered. When a client sends more than that, its going away is noticed late.
constexpr std::size_t most_ahead = std::size_t{64} << 10U;

// Bytes a second. A body may take as long as it takes to send it so slowly; one byte now and then is an attack.
constexpr std::size_t slowest_body = std::size_t{16} << 10U;

std::string name_of(const asio::ip::tcp::socket& socket) {
    boost::system::error_code error;
    const auto client = socket.remote_endpoint(error);
    if (error) return "unknown";
    const std::string address = client.address().to_string();
    return client.address().is_v6() ? fmt::format("[{}]:{}", address, client.port())
                                    : fmt::format("{}:{}", address, client.port());
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, Site& site)
    : socket_(std::move(socket)),
      timer_(*site.context),
      site_(site),
      client_(name_of(socket_)),
      reader_(site.options.max_head, site.options.max_body) {}

void Connection::start() {
    Error error;
    socket_.non_blocking(true, error);
    socket_.set_option(asio::ip::tcp::no_delay(true), error);
    if (site_.options.send_buffer != 0)
        socket_.set_option(asio::socket_base::send_buffer_size(static_cast<int>(site_.options.send_buffer)), error);
    read();
    arm();
}

// Waits for bytes without a buffer to put them in: of a thousand connections that only stream, each would have one.
void Connection::read() {
    const bool enough = state_ != State::reading && state_ != State::farewell && input_.size() >= most_ahead;
    if (waiting_to_read_ || state_ == State::closed || enough) return;
    waiting_to_read_ = true;
    socket_.async_wait(asio::ip::tcp::socket::wait_read,
                       [self = shared_from_this()](const Error& error) { self->guard([&] { self->on_readable(error); }); });
}

void Connection::break_off(const std::exception& error) {
    fmt::print(stderr, "hlg serve: {}: {}\n", client_, error.what());
    close(End::error);
}

void Connection::on_readable(const Error& error) {
    waiting_to_read_ = false;
    if (state_ == State::closed) return;
    Error failed = error;
    const std::size_t count = failed ? 0 : socket_.read_some(asio::buffer(site_.scratch), failed);
    if (failed && failed != asio::error::would_block) return on_end_of_input();
    const bool deaf = state_ == State::farewell || (state_ == State::sending && !keep_alive_);
    if (!deaf) input_.append(site_.scratch.data(), count);
    if (state_ == State::reading) advance();
    read();
    arm();
}

// Who closes its side while it is owed an answer has gone: browsers and client libraries abort in this way.
void Connection::on_end_of_input() {
    if (state_ == State::sending && writing_)
        keep_alive_ = false;  // it may read the last of it yet
    else
        close(End::client_gone);
}

// Uses what was read, up to the end of a request.
void Connection::advance() {
    if (input_.empty()) return;
    if (received_ == 0) started_ = Clock::now();
    const std::size_t used = reader_.take(input_);
    input_.erase(0, used);
    received_ += used == 0 ? 1 : used;  // something came, even if it can't be used yet
    switch (reader_.state()) {
        case RequestReader::State::complete:
        case RequestReader::State::bad: return on_request();
        case RequestReader::State::head: return;
        case RequestReader::State::body:
            if (!std::exchange(head_seen_, true)) on_head();
            return;
    }
}

// A client that may not ask gets no room for a body.
void Connection::on_head() {
    if (const std::optional<api::Problem> problem = barred(reader_.request().http)) return refuse(*problem);
    if (reader_.expects_continue() && input_.empty()) send(std::string(continue_text));
}

void Connection::send(std::string bytes) {
    if (writing_) {
        next_output_ += bytes;
        return;
    }
    output_ = std::move(bytes);
    sent_ = 0;
    writing_ = true;
    progress_ = Clock::now();
    write_some();
}

void Connection::write_some() {
    socket_.async_write_some(asio::buffer(output_.data() + sent_, output_.size() - sent_),
                             [self = shared_from_this()](const Error& error, std::size_t count) {
                                 self->guard([&] { self->on_written(error, count); });
                             });
}

void Connection::on_written(const Error& error, std::size_t count) {
    if (state_ == State::closed) return;
    if (error) return close(End::client_gone);
    progress_ = Clock::now();
    sent_ += count;
    if (sent_ < output_.size()) return write_some();
    writing_ = false;
    output_.clear();
    if (!next_output_.empty()) {
        send(std::exchange(next_output_, {}));
    } else if (state_ == State::answering) {
        pump();
    } else if (state_ == State::sending) {
        finish_answer(End::complete);
        keep_alive_ ? next_request() : say_farewell();
    }
    arm();
}

void Connection::next_request() {
    state_ = State::reading;
    reader_ = RequestReader(site_.options.max_head, site_.options.max_body);
    head_seen_ = false;
    received_ = 0;
    started_ = Clock::now();
    advance();
    read();
}

// To close a socket that has unread bytes resets it, and a client that is still sending would not get to read why it was refused.
void Connection::say_farewell() {
    Error ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    state_ = State::farewell;
    started_ = Clock::now();
    input_.clear();
    read();
}

void Connection::close(End end) {
    if (state_ == State::closed) return;
    const bool answering = state_ == State::opening || state_ == State::answering || state_ == State::sending;
    state_ = State::closed;
    if (answering) finish_answer(end);
    Error ignored;
    timer_.cancel();
    socket_.close(ignored);
    site_.connections.erase(shared_from_this());
}

Clock::time_point Connection::reading_due() const {
    const TimeLimits& limits = site_.options.limits;
    if (received_ == 0) return started_ + limits.idle;
    if (reader_.state() == RequestReader::State::head) return started_ + limits.head;
    return started_ + limits.head + limits.body + std::chrono::seconds(received_ / slowest_body);
}

// When something must have happened.
Clock::time_point Connection::due() const {
    const TimeLimits& limits = site_.options.limits;
    Clock::time_point due = Clock::time_point::max();
    if (state_ == State::reading) due = reading_due();
    if (state_ == State::farewell) due = started_ + limits.farewell;
    if (writing_) due = std::min(due, progress_ + limits.write);
    if (state_ != State::opening && state_ != State::answering) return due;
    const bool ended = answer_ && answer_->done();  // all that is left is for the client to take it
    if (limits.request.count() > 0 && !ended) due = std::min(due, arrived_ + limits.request);
    if (head_sent_ && !writing_) due = std::min(due, progress_ + limits.ping);
    return due;
}

void Connection::on_due() {
    const Clock::time_point now = Clock::now();
    const TimeLimits& limits = site_.options.limits;
    if (writing_ && now >= progress_ + limits.write) return close(End::too_slow);
    switch (state_) {
        case State::reading:
            if (received_ == 0) return close(End::complete);
            return refuse({.status = 408, .message = "the request took too long to arrive"});
        case State::opening:
        case State::answering:
            if (limits.request.count() > 0 && now >= arrived_ + limits.request)
                return cut({.status = 504, .message = "the answer took longer than this server allows", .code = "timeout"},
                           End::timeout);
            return ping();
        default: return close(End::complete);
    }
}

// Deadlines move with every token; the timer only when one comes nearer, else it looks again when it fires.
void Connection::arm() {
    const Clock::time_point next = due();
    if (state_ == State::closed || next >= armed_until_) return;
    armed_until_ = next;
    timer_.expires_at(next);
    timer_.async_wait([self = shared_from_this()](const Error& error) {
        if (error || self->state_ == State::closed) return;
        self->armed_until_ = Clock::time_point::max();
        if (Clock::now() >= self->due()) self->guard([&] { self->on_due(); });
        self->arm();
    });
}

}  // namespace hlg::net
