// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlg::net {

using Milliseconds = std::chrono::milliseconds;

/** How long things may take. Nobody changes most of them but tests. */
struct TimeLimits {
    Milliseconds request{std::chrono::hours(1)};     ///< from a request's arrival to its answer's end; 0 = no limit
    Milliseconds drain{std::chrono::seconds(30)};    ///< what runs when the server is told to stop
    Milliseconds head{std::chrono::seconds(10)};     ///< from a request's first byte to the end of its headers
    Milliseconds body{std::chrono::seconds(30)};     ///< a body, beside what slowest_body grants for its size
    Milliseconds idle{std::chrono::seconds(75)};     ///< a connection without a request
    Milliseconds write{std::chrono::seconds(30)};    ///< until a client takes what it was sent
    Milliseconds ping{std::chrono::seconds(15)};     ///< of silence in a stream, for proxies drop what is silent for long
    Milliseconds farewell{std::chrono::seconds(2)};  ///< for a client to read why it is refused while it still sends
};

struct ServerOptions {
    std::string host = "127.0.0.1";                 ///< an address, or a name for one
    std::uint16_t port = 8080;                      ///< 0 = any that is free
    bool open_to_all = false;                       ///< listen beyond this machine without a key
    std::vector<std::string> api_keys = {};         ///< any of them will do; none = nobody is asked
    std::vector<std::string> cors_origins = {};     ///< of pages that may call, "*" = all; none = CORS is off
    std::size_t max_head = std::size_t{32} << 10U;  ///< bytes of a request's line and headers
    std::size_t max_body = std::size_t{16} << 20U;  ///< bytes of a request's body
    std::size_t max_connections = 4096;             ///< more are told to come back
    std::size_t send_buffer = 0;                    ///< bytes that the system holds for each client; 0 = as it likes
    TimeLimits limits = {};
};

}  // namespace hlg::net
