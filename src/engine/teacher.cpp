// SPDX-License-Identifier: MIT
#include "engine/teacher.hpp"

#include <algorithm>
#include <vector>

#include "engine/batch_context.hpp"

namespace hlg::engine {
namespace {

/** Reads tokens[from, to) into an empty sequence; tells the logits from place `told` on. */
Failure read_piece(BatchContext& context, std::span<const Token> tokens, std::size_t from, std::size_t to, std::size_t told,
                   const LogitsVisitor& visit) {
    std::vector<std::size_t> places;
    const auto decode = [&]() -> Failure {
        if (Failure failure = context.decode()) return failure;
        for (std::size_t row = 0; row < places.size(); ++row) visit(places[row], context.logits(static_cast<std::int32_t>(row)));
        places.clear();
        return std::nullopt;
    };
    for (std::size_t place = from; place < to; ++place) {
        const bool output = place >= told;
        // Rows are numbered by place in the batch, so a batch has logits for all of its tokens or for none.
        if (output && context.outputs() == 0 && context.size() > 0)
            if (Failure failure = decode()) return failure;
        context.add(tokens[place], place - from, 0, output);
        if (output) places.push_back(place);
        const bool full = context.size() == context.limits().chunk || context.outputs() == context.limits().outputs;
        if (full || place + 1 == to)
            if (Failure failure = decode()) return failure;
    }
    return std::nullopt;
}

}  // namespace

Failure read_text(const Model& model, const ContextOptions& options, std::span<const Token> tokens, const LogitsVisitor& visit,
                  const std::atomic<bool>& abort) {
    if (tokens.empty()) return Error{ErrorCode::prompt_empty, "[text] must have a token"};
    for (const Token token : tokens)
        if (token < 0 || static_cast<std::size_t>(token) >= model.vocabulary_size())
            return Error{ErrorCode::bad_request, "[text] token " + std::to_string(token) + " is not in the vocabulary"};
    Result<BatchContext> context = BatchContext::open(model, options, abort);
    if (!context) return context.error();
    const std::size_t room = context->limits().context;
    const std::size_t overlap = room / 4;
    for (std::size_t told = 0; told < tokens.size();) {
        const std::size_t from = told == 0 ? 0 : told - overlap;
        const std::size_t to = std::min(tokens.size(), from + room);
        context->forget(0, 0);
        if (Failure failure = read_piece(*context, tokens, from, to, told, visit)) return failure;
        told = to;
    }
    return std::nullopt;
}

}  // namespace hlg::engine
