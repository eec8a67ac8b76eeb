// SPDX-License-Identifier: MIT
#include "net/server.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "api/service.hpp"
#include "net/connection.hpp"
#include "net/response_text.hpp"
#include "net/site.hpp"

namespace hlg::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::size_t openers = 2;  // so that a request of megabytes does not delay a short one

/** Every client is a file to the system, which lets a process have 1024 unless it asks for more. */
void allow_many_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

tcp::endpoint resolve(asio::io_context& context, const ServerOptions& options) {
    boost::system::error_code error;
    const auto found = tcp::resolver(context).resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
    if (error || found.empty()) throw ListenError(fmt::format("there is no address {}: {}", options.host, error.message()));
    for (const auto& entry : found)
        if (entry.endpoint().address().is_v4()) return entry.endpoint();
    return found.begin()->endpoint();
}

tcp::acceptor listen(asio::io_context& context, const ServerOptions& options) {
    const tcp::endpoint endpoint = resolve(context, options);
    if (!endpoint.address().is_loopback() && options.api_keys.empty() && !options.open_to_all)
        throw OpenToAllError(fmt::format("{} can be reached from other machines, and there is no key to ask for", options.host));
    try {
        tcp::acceptor acceptor(context);
        acceptor.open(endpoint.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address(true));  // also while connections of an earlier server linger
        acceptor.bind(endpoint);
        acceptor.listen();
        return acceptor;
    } catch (const boost::system::system_error& error) {
        throw ListenError(fmt::format("can't listen on {} port {}: {}", options.host, options.port, error.code().message()));
    }
}

}  // namespace

Site::Site(ServerOptions given, AccessLog& access_log)
    : options(std::move(given)), rules(options.api_keys, options.cors_origins), log(access_log), workers(openers) {}

std::string Site::next_id() {
    static thread_local std::mt19937_64 random{std::random_device{}()};
    return fmt::format("req-{:016x}{:016x}", random(), random());
}

struct Server::Impl {
    Impl(ServerOptions options, AccessLog& log)
        : site(std::move(options), log),
          acceptor(listen(*site.context, site.options)),
          pause(*site.context),
          limit(*site.context),
          endpoint(acceptor.local_endpoint()) {
        if (endpoint.address().is_loopback()) site.rules.only_this_machine(site.options.host);
    }

    void run();
    void accept();
    void on_accepted(const boost::system::error_code& error, tcp::socket socket);
    void drain();
    void cut();
    void finish();

    Site site;
    tcp::acceptor acceptor;
    asio::steady_timer pause;  ///< before the next client is accepted, when that failed
    asio::steady_timer limit;  ///< of draining
    tcp::endpoint endpoint;
    std::thread thread;
};

void Server::Impl::run() {
    for (;;) {
        try {
            site.context->run();
            return;
        } catch (const std::exception& error) {  // of one client; the others go on
            fmt::print(stderr, "hlg serve: {}\n", error.what());
        }
    }
}

void Server::Impl::accept() {
    acceptor.async_accept(*site.context, [this](const boost::system::error_code& error, tcp::socket socket) {
        on_accepted(error, std::move(socket));
    });
}

void Server::Impl::on_accepted(const boost::system::error_code& error, tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (error) {  // out of file descriptors, as a rule: to ask again at once would only keep a core busy
        pause.expires_after(std::chrono::milliseconds(50));
        pause.async_wait([this](const boost::system::error_code& stopped) {
            if (!stopped && acceptor.is_open()) accept();
        });
        return;
    }
    if (site.connections.size() < site.options.max_connections) {
        auto connection = std::make_shared<Connection>(std::move(socket), site);
        site.connections.insert(connection);
        connection->start();
    } else {
        const api::Reply reply = api::Service::refuse(
            {.path = "/"}, {.status = 503, .message = "too many connections", .code = "too_many_connections", .retry_after = 1});
        boost::system::error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(head_text(reply, {}, Framing::length, false) + reply.body), ignored);
    }
    accept();
}

void Server::Impl::drain() {
    if (std::exchange(site.draining, true)) return;
    // Posted, for it closes connections, one of which may be telling of its last answer's end.
    site.on_idle = [this] { asio::post(*site.context, [this] { finish(); }); };
    if (site.answering == 0) return finish();
    limit.expires_after(site.options.limits.drain);
    limit.async_wait([this](const boost::system::error_code& stopped) {
        if (!stopped) cut();
    });
}

void Server::Impl::cut() {
    const std::set<std::shared_ptr<Connection>> all = site.connections;
    for (const auto& connection : all)
        connection->cut({.status = 503, .message = "the server is stopping", .code = "stopping", .retry_after = 5},
                        End::drain_timeout);
    limit.expires_after(site.options.limits.farewell);
    limit.async_wait([this](const boost::system::error_code& stopped) {
        if (!stopped) finish();
    });
}

void Server::Impl::finish() {
    boost::system::error_code ignored;
    site.draining = true;
    site.on_idle = {};
    acceptor.close(ignored);
    pause.cancel();
    limit.cancel();
    const std::set<std::shared_ptr<Connection>> all = std::move(site.connections);
    site.connections.clear();
    for (const auto& connection : all) connection->close(End::stopped);
}

Server::Server(ServerOptions options, AccessLog& log) : impl_(std::make_unique<Impl>(std::move(options), log)) {
    allow_many_files();
    impl_->accept();
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

Server::~Server() {
    asio::post(*impl_->site.context, [impl = impl_.get()] { impl->finish(); });
    wait();
    impl_->site.workers.join();
}

std::string Server::address() const {
    const asio::ip::address address = impl_->endpoint.address();
    const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
    return fmt::format("http://{}:{}", host, impl_->endpoint.port());
}

std::uint16_t Server::port() const { return impl_->endpoint.port(); }

void Server::serve(std::shared_ptr<Backend> backend) {
    asio::post(*impl_->site.context, [impl = impl_.get(), backend = std::move(backend)] { impl->site.backend = backend; });
}

void Server::drain() {
    asio::post(*impl_->site.context, [impl = impl_.get()] { impl->drain(); });
}

void Server::wait() {
    if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace hlg::net
