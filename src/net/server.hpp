// SPDX-License-Identifier: MIT
//
// The server: one thread for all sockets, from the constructor on. It listens before there is a model, and says so to whoever
// asks.
//
//     Server server(options, log);     // throws ListenError
//     server.serve(backend);           // the model is there
//     server.drain();                  // no more requests; what runs may end
//     server.wait();                   // until it has
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "net/access_log.hpp"
#include "net/backend.hpp"
#include "net/server_options.hpp"

namespace hlg::net {

/** The server can't listen where it is told to. */
class ListenError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/** It would listen beyond this machine without a key, and nobody said that it may. */
class OpenToAllError : public ListenError {
public:
    using ListenError::ListenError;
};

class Server {
public:
    /** Listens. Throws ListenError. */
    Server(ServerOptions options, AccessLog& log);

    /** Stops at once, if it hasn't. */
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /** Where it listens: "http://127.0.0.1:8080". */
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::uint16_t port() const;

    /** From now on requests go there. Any thread may call it. */
    void serve(std::shared_ptr<Backend> backend);

    /** From now on requests are refused; the server ends when those under way do, or are cut at the time limit. Any thread. */
    void drain();

    /** Waits for the end of drain(). */
    void wait();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hlg::net
