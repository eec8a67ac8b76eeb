// SPDX-License-Identifier: MIT
//
// POST /tokenize and /detokenize, llama-server's.
#include <nlohmann/json.hpp>

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

}  // namespace

Answer tokenize(const Context& context, const HttpRequest& request) {
    const Json json = parse_body(request.body);
    const Node body(json);
    const auto content = body.at("content").text();
    if (!content) body.at("content").miss();
    const engine::TokenizeOptions options{.begin = body.at("add_special").boolean().value_or(false),
                                          .marks = body.at("parse_special").boolean().value_or(true)};
    const bool pieces = body.at("with_pieces").boolean().value_or(false);
    Json tokens = Json::array();
    for (const engine::Token token : context.model().tokenize(*content, options))
        tokens.push_back(pieces ? with_piece(token, context.model()) : Json(token));
    return json_reply({{"tokens", std::move(tokens)}});
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
