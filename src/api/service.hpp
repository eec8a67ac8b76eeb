// SPDX-License-Identifier: MIT
//
// The endpoints that speak JSON: OpenAI's chat completions, completions and responses, Anthropic's messages, and our own. Pure
// translation; any number of threads may use one service.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/exchange.hpp"
#include "engine/engine.hpp"

namespace hlg::api {

struct ServiceOptions {
    std::vector<std::string> names = {};  ///< of the model, the first is its id; empty = the file's name without .gguf
    bool any_model = false;               ///< requests may name any model, and get the one that there is
};

class Service {
public:
    /** The engine must outlive the service. */
    Service(const engine::Engine& engine, ServiceOptions options);

    /**
     * Reads a request: what can be answered at once is, refusals too; else an exchange. Paths that are not among paths() get 404,
     * other methods 405. Never throws.
     */
    [[nodiscard]] std::variant<Reply, std::unique_ptr<Exchange>> open(const HttpRequest& request) const;

    /** The paths that there are; one that ends in a slash stands for all below it. */
    [[nodiscard]] static std::vector<std::string_view> paths();

    /** A problem in the shape of the vendor whose path it is, with the request's id where that vendor tells it. */
    [[nodiscard]] static Reply refuse(const HttpRequest& request, Problem problem);

    /** The model's id. */
    [[nodiscard]] const std::string& model_id() const noexcept { return options_.names.front(); }

private:
    const engine::Engine* engine_;
    ServiceOptions options_;
    std::int64_t created_;  ///< seconds since 1970
};

}  // namespace hlg::api
