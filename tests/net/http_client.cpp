// SPDX-License-Identifier: MIT
#include "net/http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cctype>

#include <gtest/gtest.h>

namespace hlg::net {

HttpClient::HttpClient(std::uint16_t port, int receive_buffer) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) ADD_FAILURE() << "no connection";
}

HttpClient::~HttpClient() { close(); }

void HttpClient::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

void HttpClient::reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
}

void HttpClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return;  // the server has refused, as it may
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void HttpClient::ask(const std::string& method, const std::string& path, const std::string& body, const std::string& headers) {
    std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers;
    if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    send(request + "\r\n" + body);
}

bool HttpClient::fill() {
    std::array<char, 16384> bytes;
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count > 0) input_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
}

std::string HttpClient::read_until(std::string_view end) {
    std::size_t at = std::string::npos;
    while ((at = input_.find(end)) == std::string::npos)
        if (!fill()) return std::exchange(input_, {});
    std::string got = input_.substr(0, at + end.size());
    input_.erase(0, at + end.size());
    return got;
}

std::string HttpClient::read(std::size_t bytes) {
    while (input_.size() < bytes && fill()) continue;
    std::string got = input_.substr(0, bytes);
    input_.erase(0, got.size());
    return got;
}

std::string HttpClient::read_all() {
    while (fill()) continue;
    return std::exchange(input_, {});
}

bool HttpClient::closed_within(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd readable{.fd = socket_, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) return false;
        if (!fill()) return true;
    }
}

Response HttpClient::head() {
    Response response;
    const std::string text = read_until("\r\n\r\n");
    if (text.size() < 12) return response;
    response.status = std::stoi(text.substr(9, 3));
    for (std::size_t start = text.find("\r\n") + 2; start < text.size();) {
        const std::size_t end = text.find("\r\n", start);
        const std::size_t colon = text.find(": ", start);
        if (colon < end) response.headers[text.substr(start, colon - start)] += text.substr(colon + 2, end - colon - 2);
        start = end + 2;
    }
    return response;
}

Response HttpClient::answer(bool head_only) {
    Response response = head();
    if (head_only || response.status == 204) return response;
    if (const auto length = response.headers.find("content-length"); length != response.headers.end()) {
        response.body = read(std::stoul(length->second));
    } else if (response.headers.count("transfer-encoding") != 0) {
        for (std::size_t size = 1; size != 0;) {
            const std::string line = read_until("\r\n");
            if (line.empty()) break;
            size = std::stoul(line, nullptr, 16);
            response.body += read(size);
            read(2);
        }
    } else {
        response.body = read_all();
    }
    return response;
}

Response ask(std::uint16_t port, const std::string& method, const std::string& path, const std::string& body,
             const std::string& headers) {
    HttpClient client(port);
    client.ask(method, path, body, headers);
    return client.answer(method == "HEAD");
}

}  // namespace hlg::net
