// SPDX-License-Identifier: MIT
//
// hlg serve: listens, loads the model, answers until a signal. This thread loads and then only waits for the signal; the first
// one lets requests under way end, a second one ends the program at once.
#include <poll.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/engine_options.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/sampling_options.hpp"
#include "cli/server_flags.hpp"
#include "net/engine_backend.hpp"
#include "net/server.hpp"

namespace hlg::cli {
namespace {

// Lanes unless --batch says otherwise: each needs memory for a context.
constexpr std::size_t usual_lanes = 8;

struct ServeOptions {
    EngineOptions engine;
    SamplingOptions sampling;
    ServerFlags server;
};

std::unique_ptr<net::Server> listen(const ServeOptions& options, net::AccessLog& log) {
    try {
        return std::make_unique<net::Server>(options.server.options(), log);
    } catch (const net::OpenToAllError& error) {
        throw UsageError(std::string(error.what()) + ": set --api-key or --api-key-file, or say --allow-no-key");
    } catch (const net::ListenError& error) {
        throw UsageError(error.what());
    }
}

std::unique_ptr<engine::Engine> start(const ServeOptions& options, LoadedModel loaded) {
    static_cast<void>(options.sampling.resolve(loaded.own));  // warns of flags without effect
    engine::EngineOptions engine = options.engine.for_model(loaded.model, usual_lanes);
    engine.settings = {loaded.own, options.sampling.given()};
    engine.most_requests = engine.context.lanes + options.server.max_queue();
    return start_engine(std::move(loaded.model), std::move(engine));
}

api::ServiceOptions service_options(const ServeOptions& options) {
    api::ServiceOptions service;
    if (const auto& alias = options.engine.alias()) service.names = {*alias};
    service.any_model = options.server.any_model();
    return service;
}

/** A line to try. The key is not repeated: terminals are watched and logs are kept. */
std::string curl_line(const std::string& address, const engine::Engine& engine, bool key) {
    const bool chats = engine.chat_template() && engine.chat_template()->own();
    return fmt::format("curl {}/v1/{} {}-d '{}'", address, chats ? "chat/completions" : "completions",
                       key ? "-H \"Authorization: Bearer $KEY\" " : "",
                       chats ? R"({"messages": [{"role": "user", "content": "Hello"}]})"
                             : R"({"prompt": "Once upon a time", "max_tokens": 64})");
}

void wait_for_signal() {
    pollfd signal{.fd = interrupt_descriptor(), .events = POLLIN, .revents = 0};
    while (poll(&signal, 1, -1) < 0 && errno == EINTR) continue;
}

int serve(const ServeOptions& options) {
    options.sampling.check();
    options.engine.check();
    std::signal(SIGPIPE, SIG_IGN);  // a log that nobody reads any more ends no server
    const std::atomic<bool>& interrupted = watch_interrupt();
    net::AccessLog log(options.server.log_format());
    const std::unique_ptr<net::Server> server = listen(options, log);
    fmt::print(stderr, "hlg serve: listening on {}\n", server->address());
    try {
        LoadedModel loaded = options.engine.load(interrupted);
        const double seconds = loaded.seconds;
        std::unique_ptr<engine::Engine> engine = start(options, std::move(loaded));
        const engine::ContextLimits& limits = engine->limits();
        const std::string line = curl_line(server->address(), *engine, !options.server.options().api_keys.empty());
        const std::string name = options.engine.name(engine->model());
        fmt::print(stderr, "hlg serve: {} loaded in {:.2f} s; {} lane{} of {} tokens, {} thread{}\n", name, seconds, limits.lanes,
                   limits.lanes == 1 ? "" : "s", limits.context, limits.threads, limits.threads == 1 ? "" : "s");
        server->serve(net::engine_backend(std::move(engine), service_options(options)));
        fmt::print(stderr, "hlg serve: ready; try\n{}\n", line);
    } catch (const CommandError&) {
        if (!interrupted) throw;
        return exit_ok;  // told to stop while it loaded, and it does
    }
    wait_for_signal();
    fmt::print(stderr, "hlg serve: draining; a second signal ends it at once\n");
    server->drain();
    server->wait();
    return exit_ok;
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
    auto options = std::make_shared<ServeOptions>();
    Flags flags(app, "serve", "Answer clients of OpenAI's and Anthropic's interfaces over HTTP");
    options->server.add_to(flags);
    options->sampling.add_to(flags);
    options->sampling.add_edits_to(flags);
    options->engine.add_to(flags, std::to_string(usual_lanes));
    flags.when_chosen([options, &action] { action = [options] { return serve(*options); }; });
}

}  // namespace hlg::cli
