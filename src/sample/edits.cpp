#include "sample/edits.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::sample {
namespace {

// Within a token by delta, so that their sum does not depend on the caller's order and a ban comes first.
constexpr auto by_token = [](const EditedToken& a, const EditedToken& b) {
    return a.token != b.token ? a.token < b.token : a.delta < b.delta;
};

// Entries of one token become one; summed in float64, where no sum of float32 deltas overflows.
void merge(std::vector<EditedToken>& tokens) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens.size();) {
        const std::int32_t token = tokens[i].token;
        double delta = 0;
        for (; i < tokens.size() && tokens[i].token == token; ++i) delta += static_cast<double>(tokens[i].delta);
        constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
        const bool fits = std::abs(delta) <= largest;
        tokens[kept++] = {token, fits ? static_cast<float>(delta) : (delta < 0 ? kMinusInfinity : -kMinusInfinity), 0.0F};
    }
    tokens.resize(kept);
}

}  // namespace

Status Edits::assign(std::span<const Edit> edits, std::size_t vocab) {
    tokens_.clear();
    bool sorted = true;
    for (const Edit& edit : edits) {
        if (edit.token < 0 || static_cast<std::size_t>(edit.token) >= vocab) return Status::edit;
        if (!(edit.delta < std::numeric_limits<float>::infinity())) return Status::edit;
        sorted = sorted && (tokens_.empty() || tokens_.back().token <= edit.token);
        tokens_.push_back({edit.token, edit.delta, 0.0F});
    }
    if (!sorted) std::sort(tokens_.begin(), tokens_.end(), by_token);
    merge(tokens_);
    return Status::ok;
}

Status Edits::shape(std::span<const float> logits, const Shaper& shaper) {
    for (EditedToken& edited : tokens_) {
        const float value = shaper.value(logits[static_cast<std::size_t>(edited.token)]);
        edited.value = value + edited.delta;
        if (!(edited.value < std::numeric_limits<float>::infinity())) return Status::edit;
    }
    return Status::ok;
}

std::span<const EditedToken> Edits::between(std::size_t first, std::size_t last) const noexcept {
    const auto before = [](const EditedToken& edited, std::size_t token) {
        return static_cast<std::size_t>(edited.token) < token;
    };
    const auto from = std::lower_bound(tokens_.begin(), tokens_.end(), first, before);
    const auto to = std::lower_bound(from, tokens_.end(), last, before);
    return {from, to};
}

const EditedToken* Edits::find(std::size_t token) const noexcept {
    const auto found = between(token, token + 1);
    return found.empty() ? nullptr : found.data();
}

}  // namespace hlg::sample
