// SPDX-License-Identifier: MIT
#include "api/service.hpp"

#include <algorithm>
#include <array>
#include <exception>

#include <fmt/core.h>

#include "api/endpoint.hpp"
#include "api/error_body.hpp"
#include "api/json_reader.hpp"
#include "api/model_name.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

struct Route {
    std::string_view method;
    std::string_view path;  ///< one that ends in a slash stands for all below it
    Endpoint endpoint;
};

constexpr std::array routes = {
    Route{"POST", "/v1/chat/completions", chat_completions},
    Route{"POST", "/v1/messages", messages},
    Route{"POST", "/v1/messages/count_tokens", count_message_tokens},
    Route{"POST", "/v1/completions", completions},
    Route{"POST", "/v1/hlg/inspect", inspect},
    Route{"POST", "/v1/hlg/match", match},
    Route{"POST", "/tokenize", tokenize},
    Route{"POST", "/detokenize", detokenize},
    Route{"GET", "/v1/models", list_models},
    Route{"GET", "/v1/models/", show_model},
    Route{"POST", "/v1/responses", responses},
};

bool leads_to(const Route& route, std::string_view path) {
    return route.path.ends_with('/') ? path.starts_with(route.path) && path.size() > route.path.size() : path == route.path;
}

Reply wrong_method(const HttpRequest& request, std::string_view right) {
    Reply reply = Service::refuse(request, {.status = 405,
                                            .message = fmt::format("{} must be asked with {}", shown(request.path), right),
                                            .code = "method_not_allowed"});
    reply.headers.push_back({"allow", std::string(right)});
    return reply;
}

}  // namespace

Service::Service(const engine::Engine& engine, ServiceOptions options)
    : engine_(&engine), options_(std::move(options)), created_(now()) {
    if (options_.names.empty()) options_.names.push_back(id_of(engine.model().path()));
}

Answer Service::open(const HttpRequest& request) const {
    const auto route = std::find_if(routes.begin(), routes.end(), [&](const Route& one) { return leads_to(one, request.path); });
    if (route == routes.end()) return refuse(request, {.status = 404, .message = "there is nothing at " + shown(request.path)});
    if (request.method != route->method) return wrong_method(request, route->method);
    try {
        Answer answer = route->endpoint({*engine_, options_, created_}, request);
        if (const auto* exchange = std::get_if<std::unique_ptr<Exchange>>(&answer)) (*exchange)->identify(request.id);
        return answer;
    } catch (const Problem& problem) {
        return refuse(request, problem);
    } catch (const std::exception& error) {  // memory, as a rule
        return refuse(request, {.status = 500, .message = error.what()});
    }
}

std::vector<std::string_view> Service::paths() {
    std::vector<std::string_view> all;
    all.reserve(routes.size());
    for (const Route& route : routes) all.push_back(route.path);
    return all;
}

Reply Service::refuse(const HttpRequest& request, Problem problem) {
    if (!request.id.empty()) problem.request_id = request.id;
    return error_reply(vendor_of(request.path), problem);
}

}  // namespace hlg::api
