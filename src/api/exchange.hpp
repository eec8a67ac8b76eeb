// SPDX-License-Identifier: MIT
//
// One HTTP request and its answer, as far as they are JSON: what the engine is asked, and how its events become a reply or a
// stream of server-sent events. Knows no socket: whoever owns one
//
//     opens an exchange (Service::open) and submits its requests() to the engine,
//     hands it each event (take) and each stream's end (end), in the order of their coming,
//     once begun() sends head() and then frames(), if it streams(); else waits until done() and sends reply().
//
// Not thread-safe: one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/problem.hpp"
#include "engine/event.hpp"
#include "engine/request.hpp"

namespace hlg::api {

/** A header; names of incoming ones are in lower case. */
struct Header {
    std::string name;
    std::string value;
};

/** What the api reads of an HTTP request. */
struct HttpRequest {
    std::string method = {};  ///< "GET", "POST"
    std::string path = {};    ///< percent-decoded, without the query
    std::vector<Header> headers = {};
    std::string body = {};
    std::string id = {};  ///< the server's own for this request, as in its log; empty = none
};

/** A whole HTTP answer, or the head of a stream. */
struct Reply {
    int status = 200;
    std::string content_type = "application/json";
    std::vector<Header> headers = {};
    std::string body = {};
};

class Exchange {
public:
    Exchange() = default;
    virtual ~Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /** What the engine is asked, at least one thing. Called once. */
    [[nodiscard]] virtual std::vector<engine::Request> requests() = 0;

    /** The request's id, for what is told of failures. */
    virtual void identify(const std::string& id) = 0;

    /** Whether the answer is a stream of server-sent events. */
    [[nodiscard]] virtual bool streams() const = 0;

    /** An event of the request with this place in requests(). Events after an error are ignored. */
    virtual void take(std::size_t request, engine::Event event) = 0;

    /** No more events will come of that request. */
    virtual void end(std::size_t request) = 0;

    /** Ends everything with this problem; for what the server decides, such as a time limit. */
    virtual void fail(const Problem& problem) = 0;

    /** Whether the answer may begin: every request is accepted, and nothing failed before that. */
    [[nodiscard]] virtual bool begun() const = 0;

    /** Whether the answer is complete: nothing changes any more. */
    [[nodiscard]] virtual bool done() const = 0;

    /** The head of a stream: status and headers. Once begun. */
    [[nodiscard]] virtual Reply head() const = 0;

    /** The bytes of a stream that came together since the last call, whole frames; none is as good as any. */
    [[nodiscard]] virtual std::string frames() = 0;

    /** The whole answer. Once done, of what does not stream, and of what failed before it had begun. */
    [[nodiscard]] virtual Reply reply() = 0;
};

}  // namespace hlg::api
