// SPDX-License-Identifier: MIT
//
// A server on a port of its own, and what it logs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "net/fake_backend.hpp"
#include "net/http_client.hpp"
#include "net/server.hpp"

namespace hlg::net {

using namespace std::chrono_literals;

/** Log lines, for whoever waits for one. */
class Lines {
public:
    void add(std::string_view line) {
        const std::lock_guard lock(mutex_);
        lines_.emplace_back(line);
        changed_.notify_all();
    }
    /** The first line with this in it, waiting for it; nothing when none comes. */
    std::string with(const std::string& part) {
        std::unique_lock lock(mutex_);
        std::string found;
        changed_.wait_for(lock, 10s, [&] {
            for (const std::string& line : lines_)
                if (line.find(part) != std::string::npos) found = line;
            return !found.empty();
        });
        return found;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;
};

class TestServer {
public:
    explicit TestServer(ServerOptions options = {}, bool loaded = true) {
        options.port = 0;
        server_ = std::make_unique<Server>(std::move(options), log_);
        if (loaded) server_->serve(backend_);
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    Server& operator*() { return *server_; }
    Server* operator->() { return server_.get(); }
    FakeBackend& backend() { return *backend_; }
    void load() { server_->serve(backend_); }
    Lines& lines() { return lines_; }

    Response ask(const std::string& method, const std::string& path, const std::string& body = {},
                 const std::string& headers = {}) {
        return net::ask(port(), method, path, body, headers);
    }

private:
    Lines lines_;
    AccessLog log_{LogFormat::text, [this](std::string_view line) { lines_.add(line); }};
    std::shared_ptr<FakeBackend> backend_ = std::make_shared<FakeBackend>();
    std::unique_ptr<Server> server_;
};

}  // namespace hlg::net
