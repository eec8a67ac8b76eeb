// SPDX-License-Identifier: MIT
//
// Bytes to one HTTP/1 request, however they are cut. Knows no socket.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "api/exchange.hpp"
#include "api/problem.hpp"

namespace hlg::net {

/** A request, and what answering it depends on beside its meaning. */
struct IncomingRequest {
    api::HttpRequest http;
    bool head_only = false;   ///< HEAD, which http calls GET
    bool keep_alive = false;  ///< the client wants to go on with this connection
    bool chunks = false;      ///< the client reads chunks: it speaks HTTP/1.1
};

class RequestReader {
public:
    /** Both in bytes. */
    RequestReader(std::size_t max_head, std::size_t max_body);
    ~RequestReader();
    RequestReader(RequestReader&&) noexcept;
    RequestReader& operator=(RequestReader&&) noexcept;

    enum class State {
        head,      ///< wants more of the headers
        body,      ///< wants more of the body
        complete,  ///< request() has it all
        bad,       ///< problem() tells why
    };
    [[nodiscard]] State state() const noexcept { return state_; }

    /** Takes from the bytes what it can use, and tells how many those were; the others belong in front of the next call's. */
    std::size_t take(std::string_view bytes);

    /** Whether the client waits for a "100 Continue" before it sends the body. */
    [[nodiscard]] bool expects_continue() const;

    /**
     * What is known of the request: all of it when complete, all but the body from State::body on, also where the body is what is
     * bad; next to nothing before.
     */
    [[nodiscard]] IncomingRequest& request() noexcept { return request_; }

    [[nodiscard]] const api::Problem& problem() const noexcept { return problem_; }

private:
    struct Parser;
    std::size_t step(std::string_view bytes);
    void read_head();
    void refuse(int status, std::string message);
    void refuse_body();

    std::unique_ptr<Parser> parser_;
    State state_ = State::head;
    IncomingRequest request_;
    api::Problem problem_;
};

/** The path of a request's target: without the query, percent-decoded. False where that is no UTF-8 or has control characters. */
bool decode_path(std::string_view target, std::string& path);

}  // namespace hlg::net
