// SPDX-License-Identifier: MIT
//
// A client that does what tests want, right or wrong: bytes out, bytes in, over a blocking socket. Nothing waits for more than
// ten seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hlg::net {

struct Response {
    int status = 0;  ///< 0: the connection ended before there was an answer
    std::map<std::string, std::string> headers;
    std::string body;
};

class HttpClient {
public:
    /** `receive_buffer` in bytes, 0 = the system's own. */
    explicit HttpClient(std::uint16_t port, int receive_buffer = 0);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    void send(std::string_view bytes);

    /** A request with a Host, and a body if there is one. */
    void ask(const std::string& method, const std::string& path, const std::string& body = {}, const std::string& headers = {});

    /** The next answer, to its end. */
    Response answer(bool head_only = false);

    /** Status and headers of the next answer. */
    Response head();

    /** What comes until this is in it, that included; all there is if the connection ends before. */
    std::string read_until(std::string_view end);

    /** The next so many bytes. */
    std::string read(std::size_t bytes);

    /** Everything until the connection ends. */
    std::string read_all();

    /** Whether the server has closed, waiting so long for it. */
    bool closed_within(std::chrono::milliseconds time);

    void close();
    void reset();  ///< closes without a farewell

private:
    bool fill();

    int socket_ = -1;
    std::string input_;
};

/** One request over a connection of its own. */
Response ask(std::uint16_t port, const std::string& method, const std::string& path, const std::string& body = {},
             const std::string& headers = {});

}  // namespace hlg::net
