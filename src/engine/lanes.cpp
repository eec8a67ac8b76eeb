// SPDX-License-Identifier: MIT
#include "engine/lanes.hpp"

#include <algorithm>

namespace hlg::engine {
namespace {

// A copy moves a lane's whole cache; for fewer tokens than this it would take longer than to compute them.
constexpr std::size_t worth_copying = 16;

}  // namespace

std::size_t Lanes::reusable(const Lane& lane, std::span<const Token> tokens) const {
    const std::size_t most = std::min(lane.tokens.size(), tokens.size());
    const auto differ = std::mismatch(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(most), lane.tokens.begin());
    const auto common = static_cast<std::size_t>(differ.first - tokens.begin());
    return grid_ == 0 ? common : std::min(common, lane.chunked) / grid_ * grid_;
}

void Lanes::reuse_own(std::size_t lane, std::size_t count) {
    Lane& own = lanes_[lane];
    const bool kept = context_.forget(lane, count);
    own.tokens.resize(kept ? count : 0);
    own.chunked = std::min(own.chunked, own.tokens.size());
}

void Lanes::reuse_copy(std::size_t from, std::size_t to, std::size_t count) {
    const Lane& source = lanes_[from];
    Lane& target = lanes_[to];
    const bool copied = context_.copy(from, to, count);
    const auto end = source.tokens.begin() + static_cast<std::ptrdiff_t>(copied ? count : 0);
    target.tokens.assign(source.tokens.begin(), end);
    target.chunked = std::min(source.chunked, target.tokens.size());
}

std::optional<std::size_t> Lanes::take(std::span<const Token> tokens, std::size_t most) {
    tokens = tokens.first(most);
    std::optional<std::size_t> own;      // the free lane with most to reuse; of two, the one that rests longest
    std::optional<std::size_t> oldest;   // the free lane that rests longest: the one to copy into
    std::optional<std::size_t> richest;  // of all lanes
    std::vector<std::size_t> common(lanes_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        common[i] = reusable(lanes_[i], tokens);
        if (!richest || common[i] > common[*richest]) richest = i;
        if (lanes_[i].busy) continue;
        const auto rests_longer = [&](std::size_t than) { return lanes_[i].released < lanes_[than].released; };
        if (!own || common[i] > common[*own] || (common[i] == common[*own] && rests_longer(*own))) own = i;
        if (!oldest || rests_longer(*oldest)) oldest = i;
    }
    if (!own) return std::nullopt;
    if (common[*richest] >= common[*own] + worth_copying) {
        // The richest is busy, else it were the own one.
        reuse_copy(*richest, *oldest, common[*richest]);
        own = oldest;
    } else {
        reuse_own(*own, common[*own]);
    }
    lanes_[*own].busy = true;
    return own;
}

void Lanes::release(std::size_t lane) {
    lanes_[lane].busy = false;
    lanes_[lane].released = ++clock_;
}

void Lanes::append(std::size_t lane, std::span<const Token> tokens, bool chunk) {
    Lane& to = lanes_[lane];
    if (chunk && to.chunked == to.tokens.size()) to.chunked += tokens.size();
    to.tokens.insert(to.tokens.end(), tokens.begin(), tokens.end());
}

void Lanes::clear(std::size_t lane) { reuse_own(lane, 0); }

void Lanes::trim(std::size_t lane) { reuse_own(lane, lanes_[lane].tokens.size()); }

std::size_t Lanes::busy() const {
    return static_cast<std::size_t>(std::count_if(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.busy; }));
}

}  // namespace hlg::engine
