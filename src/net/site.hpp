// SPDX-License-Identifier: MIT
//
// What all connections of a server share. The network thread's alone, but for the context, to which any thread may post.
// Beside connection.hpp the one header that sees Boost; only this room's own sources include the two.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "net/access_log.hpp"
#include "net/access_rules.hpp"
#include "net/backend.hpp"
#include "net/metrics.hpp"
#include "net/own_pages.hpp"
#include "net/server_options.hpp"

namespace hlg::net {

class Connection;

struct Site {
    Site(ServerOptions given, AccessLog& access_log);

    [[nodiscard]] Health health() const {
        if (draining) return Health::draining;
        return backend ? Health::ok : Health::loading;
    }

    /** An id for a request that brought none. */
    std::string next_id();

    /** An answer is under way, or no longer. */
    void begin_answer() { ++answering; }
    void end_answer() {
        if (--answering == 0 && on_idle) on_idle();
    }

    ServerOptions options;
    AccessRules rules;
    AccessLog& log;
    Metrics metrics;
    /** Shared with the callbacks that engines hold, which may come when the server has gone. */
    std::shared_ptr<boost::asio::io_context> context = std::make_shared<boost::asio::io_context>(1);
    boost::asio::thread_pool workers;  ///< read what requests say: some take long, and no socket should wait for that
    std::shared_ptr<Backend> backend;  ///< none while the model loads
    std::set<std::shared_ptr<Connection>> connections;
    std::size_t answering = 0;
    bool draining = false;
    std::function<void()> on_idle;                     ///< called when no answer is under way any more
    std::array<char, std::size_t{64} << 10U> scratch;  ///< where bytes are read to; each connection keeps what it needs
};

}  // namespace hlg::net
