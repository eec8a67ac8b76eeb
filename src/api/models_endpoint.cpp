// SPDX-License-Identifier: MIT
//
// GET /v1/models and /v1/models/{id}: the one model under each of its names.
#include <nlohmann/json.hpp>

#include "api/endpoint.hpp"
#include "api/model_name.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

constexpr std::string_view prefix = "/v1/models/";

Json model_json(const Context& context, const std::string& name) {
    const engine::Model& model = context.model();
    return {{"id", name},
            {"object", "model"},
            {"created", context.created},
            {"owned_by", "hlg"},
            {"max_model_len", context.engine.limits().context},
            {"meta",
             {{"n_vocab", model.vocabulary_size()},
              {"n_params", model.parameters()},
              {"n_ctx", context.engine.limits().context},
              {"n_ctx_train", model.trained_context()}}}};
}

}  // namespace

Answer list_models(const Context& context, const HttpRequest& /*request*/) {
    Json data = Json::array();
    for (const std::string& name : context.options.names) data.push_back(model_json(context, name));
    return json_reply({{"object", "list"}, {"data", std::move(data)}});
}

Answer show_model(const Context& context, const HttpRequest& request) {
    const std::string name = request.path.substr(prefix.size());
    if (!names_model(name, context.options, context.model().path())) throw no_such_model(name, context.options);
    return json_reply(model_json(context, name));
}

}  // namespace hlg::api
