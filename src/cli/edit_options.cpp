// SPDX-License-Identifier: MIT
#include "cli/edit_options.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/numbers.hpp"

namespace hlg::cli {
namespace {

constexpr float ban = -std::numeric_limits<float>::infinity();

std::optional<std::int32_t> token_id(std::string_view word) {
    const std::optional<std::int64_t> id = parse_whole(word);
    if (!id || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return static_cast<std::int32_t>(*id);
}

Edit parse_ban(const std::string& word) {
    const std::optional<std::int32_t> token = token_id(word);
    if (!token) throw UsageError(fmt::format("--ban must be a token id, got {}", word));
    return {*token, ban};
}

Edit parse_bias(const std::string& word) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::optional<std::int32_t> token = token_id(std::string_view(word).substr(0, colon));
    const std::optional<double> delta = parse_real(std::string_view(word).substr(std::min(colon + 1, word.size())));
    const bool fits = delta && std::isfinite(static_cast<float>(*delta));
    if (!token || !fits) throw UsageError(fmt::format("--bias must be ID:DELTA, a token id and finite nats, got {}", word));
    return {*token, static_cast<float>(*delta)};
}

}  // namespace

Edit parse_logit_bias(const std::string& word) {
    const std::size_t sign = std::min(word.find_first_of("+-"), word.size());
    const std::optional<std::int32_t> token = token_id(std::string_view(word).substr(0, sign));
    const std::string_view amount = std::string_view(word).substr(std::min(sign + 1, word.size()));
    if (token && word.substr(sign) == "-inf") return {*token, ban};
    const std::optional<double> delta = amount.starts_with('-') ? std::nullopt : parse_real(amount);
    const bool fits = delta && std::isfinite(static_cast<float>(*delta));
    if (!token || !fits)
        throw UsageError(
            fmt::format("--logit-bias must be TOKEN+BIAS, TOKEN-BIAS or TOKEN-inf, a token id and nats, got {}", word));
    return {*token, static_cast<float>(word[sign] == '-' ? -*delta : *delta)};
}

void EditOptions::add_to(Flags& flags) {
    flags.group("Edits, which act after the curve");
    flags.each(
        "--ban", "ID", [this](const std::string& word) { edits_.push_back(parse_ban(word)); },
        "Never draw this token; repeatable");
    flags.each(
        "--bias", "ID:DELTA", [this](const std::string& word) { edits_.push_back(parse_bias(word)); },
        "Add this many nats to the token's score; repeatable, deltas of one token add up");
}

void EditOptions::check(std::size_t vocab) const {
    for (const Edit& edit : edits_) {
        if (static_cast<std::size_t>(edit.token) < vocab) continue;
        throw UsageError(fmt::format("{} must be a token id from 0 to {}, as there are {} tokens; got {}",
                                     edit.delta == ban ? "--ban" : "--bias", vocab - 1, vocab, edit.token));
    }
}

}  // namespace hlg::cli
