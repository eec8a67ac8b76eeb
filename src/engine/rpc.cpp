// SPDX-License-Identifier: MIT
#include "engine/rpc.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <ggml-backend.h>

namespace hlg::engine {
namespace {

constexpr int patience_ms = 5000;

using AddServer = ggml_backend_reg_t (*)(const char* endpoint);

/** llama.cpp's function that adds a server; null where it was built without. */
AddServer find_add_server() {
    ggml_backend_reg_t rpc = ggml_backend_reg_by_name("RPC");
    return rpc == nullptr ? nullptr
                          : reinterpret_cast<AddServer>(ggml_backend_reg_get_proc_address(rpc, "ggml_backend_rpc_add_server"));
}

Error bad(const std::string& server, const std::string& why) {
    return {ErrorCode::bad_settings, "[rpc] can't use " + (server.empty() ? "an empty name" : server) + ": " + why};
}

struct Endpoint {
    std::string host;
    std::string port;
};

/** Nothing where the name is none. */
std::optional<Endpoint> endpoint_of(const std::string& server) {
    const std::size_t colon = server.rfind(':');
    if (colon == std::string::npos || colon == 0) return std::nullopt;
    Endpoint endpoint{server.substr(0, colon), server.substr(colon + 1)};
    const bool digits = endpoint.port.find_first_not_of("0123456789") == std::string::npos;
    if (endpoint.port.empty() || endpoint.port.size() > 5 || !digits) return std::nullopt;
    const int port = std::stoi(endpoint.port);
    if (port < 1 || port > 65535 || endpoint.host.find(':') != std::string::npos) return std::nullopt;
    return endpoint;
}

/** 0, or why the address does not answer, an errno. */
int try_address(const addrinfo& address) {
    const int file = socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
    if (file < 0) return errno;
    int error = connect(file, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        pollfd waiting{.fd = file, .events = POLLOUT, .revents = 0};
        socklen_t size = sizeof error;
        if (poll(&waiting, 1, patience_ms) == 1)
            getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size);
        else
            error = ETIMEDOUT;
    }
    close(file);
    return error;
}

// llama.cpp aborts the process where nobody answers.
Failure reach(const std::string& server, const Endpoint& endpoint) {
    addrinfo hints{};
    hints.ai_family = AF_INET;  // all that llama.cpp knows
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(endpoint.host.c_str(), endpoint.port.c_str(), &hints, &found); error != 0)
        return bad(server, gai_strerror(error));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, freeaddrinfo);
    int error = ECONNREFUSED;
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        error = try_address(*address);
        if (error == 0) return std::nullopt;
    }
    return bad(server, std::strerror(error));
}

}  // namespace

Failure add_rpc_servers(const std::vector<std::string>& servers) {
    if (servers.empty()) return std::nullopt;
    const AddServer add = find_add_server();
    if (add == nullptr)
        return Error{ErrorCode::bad_settings, "[rpc] needs a llama.cpp built with RPC, as HLG_ENGINE=source builds it"};
    for (const std::string& server : servers) {
        const std::optional<Endpoint> endpoint = endpoint_of(server);
        if (!endpoint) return bad(server, "it must be host:port");
        if (Failure failure = reach(server, *endpoint)) return failure;
        ggml_backend_reg_t added = add(server.c_str());
        if (added == nullptr) return bad(server, "it has no devices");
        ggml_backend_register(added);
    }
    return std::nullopt;
}

}  // namespace hlg::engine
