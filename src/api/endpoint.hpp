// SPDX-License-Identifier: MIT
//
// What an endpoint is to the service: a function from a request to an answer. It throws Problem; the service gives that the
// vendor's shape. The table in service.cpp lists them all.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "api/exchange.hpp"
#include "api/service.hpp"

namespace hlg::api {

/** What all endpoints know. */
struct Context {
    const engine::Engine& engine;
    const ServiceOptions& options;  ///< names has at least the id
    std::int64_t created;           ///< when the service was made, seconds since 1970

    [[nodiscard]] const engine::Model& model() const noexcept { return engine.model(); }
    [[nodiscard]] const std::string& model_id() const noexcept { return options.names.front(); }
};

using Answer = std::variant<Reply, std::unique_ptr<Exchange>>;
using Endpoint = Answer (*)(const Context& context, const HttpRequest& request);

Answer chat_completions(const Context& context, const HttpRequest& request);
Answer count_message_tokens(const Context& context, const HttpRequest& request);
Answer completions(const Context& context, const HttpRequest& request);
Answer tokenize(const Context& context, const HttpRequest& request);
Answer detokenize(const Context& context, const HttpRequest& request);
Answer inspect(const Context& context, const HttpRequest& request);
Answer match(const Context& context, const HttpRequest& request);
Answer list_models(const Context& context, const HttpRequest& request);
Answer messages(const Context& context, const HttpRequest& request);
Answer responses(const Context& context, const HttpRequest& request);
Answer show_model(const Context& context, const HttpRequest& request);

}  // namespace hlg::api
