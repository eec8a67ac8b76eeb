// SPDX-License-Identifier: MIT
#include "api/parts_exchange.hpp"

#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

namespace hlg::api {

void PartsExchange::add_tokens(AnswerPart& part, const std::vector<engine::GeneratedToken>& tokens) {
    part.token_count += tokens.size();
    keep(tokens, part.tokens);
}

// A call's part is found by its number; text goes on only where nothing else came in between.
std::size_t PartsExchange::place_of(const engine::ChatDelta& delta) const {
    if (delta.kind != AnswerPart::Kind::tool_call)
        return !parts_.empty() && parts_.back().kind == delta.kind ? parts_.size() - 1 : parts_.size();
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (parts_[i].kind == delta.kind && parts_[i].call == delta.index) return i;
    return parts_.size();
}

void PartsExchange::append(const engine::ChatDelta& delta, const std::vector<engine::GeneratedToken>& tokens) {
    const std::size_t place = place_of(delta);
    if (place == parts_.size()) {
        end_parts();
        parts_.push_back({.kind = delta.kind, .call = delta.index, .id = delta.id, .name = delta.name});
        if (streams()) begin_part(place);
    }
    parts_[place].text += delta.text;
    add_tokens(parts_[place], tokens);
    if (streams() && !delta.text.empty()) grow_part(place, delta.text, tokens);
}

void PartsExchange::on_chat(std::size_t /*request*/, std::size_t /*choice*/, const engine::ChatEvent& event) {
    unplaced_.insert(unplaced_.end(), event.tokens.begin(), event.tokens.end());
    for (const engine::ChatDelta& delta : event.deltas) append(delta, std::exchange(unplaced_, {}));
}

void PartsExchange::end_parts() {
    if (parts_.empty()) return;
    add_tokens(parts_.back(), std::exchange(unplaced_, {}));
    if (streams()) end_part(parts_.size() - 1);
}

}  // namespace hlg::api
