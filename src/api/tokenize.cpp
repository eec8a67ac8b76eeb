// SPDX-License-Identifier: MIT
//
// POST /tokenize and /detokenize, llama-server's.
#include <nlohmann/json.hpp>

#include "api/base_exchange.hpp"
#include "api/completion_prompts.hpp"
#include "api/endpoint.hpp"
#include "api/openai_json.hpp"
#include "api/write_json.hpp"
#include "engine/utf8.hpp"

namespace hlg::api {
namespace {

/** A piece that is a part of a character is told as bytes. */
Json with_piece(engine::Token token, const engine::Model& model) {
    const std::string piece = model.piece(token, true);
    return {{"id", token}, {"piece", engine::first_invalid_utf8(piece) ? bytes_json(piece) : Json(piece)}};
}

// Texts are tokenized by the engine's workers: a long one takes seconds.
class TokenizeExchange final : public BaseExchange {
public:
    TokenizeExchange(Plan plan, const Context& context, bool pieces)
        : BaseExchange(std::move(plan)), model_(context.model()), pieces_(pieces) {}

protected:
    void on_listed(std::vector<engine::Token>&& tokens) override { tokens_ = std::move(tokens); }

    [[nodiscard]] Json answer() override {
        Json list = Json::array();
        for (const engine::Token token : tokens_) list.push_back(pieces_ ? with_piece(token, model_) : Json(token));
        return {{"tokens", std::move(list)}};
    }

private:
    const engine::Model& model_;
    bool pieces_;
    std::vector<engine::Token> tokens_;
};

}  // namespace

Answer tokenize(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    const auto content = body.at("content").text();
    if (!content) body.at("content").miss();
    engine::CountRequest count{.prompt = *content, .list = true};
    count.options.begin = body.at("add_special").boolean().value_or(false);
    count.options.marks = body.at("parse_special").boolean().value_or(true);
    Plan plan;
    plan.requests.emplace_back(std::move(count));
    return std::make_unique<TokenizeExchange>(std::move(plan), context, body.at("with_pieces").boolean().value_or(false));
}

Answer detokenize(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node tokens = Node(json).at("tokens");
    if (tokens.absent()) tokens.miss();
    std::string content;
    if (!tokens.array().json().empty()) {
        for (const engine::Token token : read_tokens(tokens, context.model().vocabulary_size()))
            content += context.model().piece(token, true);
    }
    return json_reply({{"content", std::move(content)}});
}

}  // namespace hlg::api
