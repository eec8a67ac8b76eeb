// SPDX-License-Identifier: MIT
//
// One line for each request. Written by a thread of its own: a terminal or a pipe that takes nothing must not stop the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hlg::net {

/** How an answer ended. */
enum class End {
    complete,
    client_gone,    ///< it closed the connection
    too_slow,       ///< it did not read
    timeout,        ///< it took longer than a request may; the client was told
    drain_timeout,  ///< it took longer than the server waits before it stops; the client was told
    stopped,        ///< the server stopped at once
    error,          ///< something went wrong on the way; in a stream the client was told
};

struct AccessEntry {
    std::int64_t time_ms = 0;  ///< since 1970, of the request's arrival
    std::string id;
    std::string client;  ///< address and port
    std::string method;
    std::string path;
    int status = 0;
    double milliseconds = 0.0;
    std::size_t tokens = 0;  ///< generated
    std::size_t bytes = 0;   ///< of the answer's body
    End end = End::complete;
};

enum class LogFormat { text, json, none };

/** The entry as a line, without its end. Whatever a client sent, it is one line of printable ASCII. */
std::string access_line(const AccessEntry& entry, LogFormat format);

class AccessLog {
public:
    /** Writes to stderr; or to `sink`, called by this log's thread. */
    explicit AccessLog(LogFormat format, std::function<void(std::string_view)> sink = {});
    ~AccessLog();  ///< writes what is left
    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;

    /** Never blocks: when lines come faster than they can be written, the oldest are lost. */
    void write(const AccessEntry& entry);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hlg::net
