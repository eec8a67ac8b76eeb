// SPDX-License-Identifier: MIT
#include "engine/grammar_vocabulary.hpp"

#include <algorithm>
#include <array>

#include <llama.h>

namespace hlg::engine {
namespace {

void append_text(const llama_vocab* vocab, Token token, std::string& bytes) {
    std::array<char, 64> piece{};
    std::int32_t count = llama_token_to_piece(vocab, token, piece.data(), static_cast<std::int32_t>(piece.size()), 0, true);
    if (count >= 0) {
        bytes.append(piece.data(), static_cast<std::size_t>(count));
        return;
    }
    const std::size_t start = bytes.size();
    bytes.resize(start + static_cast<std::size_t>(-count));
    count = llama_token_to_piece(vocab, token, bytes.data() + start, -count, 0, true);
    bytes.resize(start + static_cast<std::size_t>(std::max(count, 0)));
}

std::uint32_t common_bytes(std::string_view a, std::string_view b) {
    const auto [end, ignored] =
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
    return static_cast<std::uint32_t>(end - a.begin());
}

}  // namespace

GrammarVocabulary::GrammarVocabulary(const Model& model) {
    auto data = std::make_shared<Data>();
    data_ = data;
    const llama_vocab* vocab = llama_model_get_vocab(model.handle());
    data->vocab = vocab;
    const Token count = llama_vocab_n_tokens(vocab);
    for (Token token = 0; token < count; ++token) {
        data->starts.push_back(static_cast<std::uint32_t>(data->bytes.size()));
        append_text(vocab, token, data->bytes);
        data->is_end.push_back(llama_vocab_is_eog(vocab, token));
        if (data->is_end.back()) data->ends.push_back(token);
    }
    data->starts.push_back(static_cast<std::uint32_t>(data->bytes.size()));
    for (Token token = 0; token < count; ++token) {
        if (has_text(token)) data->sorted.push_back({token, 0});
    }
    std::sort(data->sorted.begin(), data->sorted.end(),
              [&](const Sorted& a, const Sorted& b) { return text(a.token) < text(b.token); });
    for (std::size_t i = 1; i < data->sorted.size(); ++i)
        data->sorted[i].common = common_bytes(text(data->sorted[i - 1].token), text(data->sorted[i].token));
}

std::string_view GrammarVocabulary::text(Token token) const noexcept {
    const auto index = static_cast<std::size_t>(token);
    return std::string_view(data_->bytes).substr(data_->starts[index], data_->starts[index + 1] - data_->starts[index]);
}

bool GrammarVocabulary::has_text(Token token) const noexcept {
    const std::string_view bytes = text(token);
    return !bytes.empty() && bytes.front() != '\0' && !is_end(token);
}

std::optional<Token> GrammarVocabulary::token_of(const std::string& text) const {
    std::array<Token, 2> tokens{};
    const std::int32_t count = llama_tokenize(data_->vocab, text.data(), static_cast<std::int32_t>(text.size()), tokens.data(),
                                              static_cast<std::int32_t>(tokens.size()), false, true);
    return count == 1 ? std::optional(tokens[0]) : std::nullopt;
}

}  // namespace hlg::engine
