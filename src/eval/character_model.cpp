// SPDX-License-Identifier: MIT
#include "eval/character_model.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::eval {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::string one_spaced(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (!is_space(c))
            plain += c;
        else if (plain.empty() || plain.back() != ' ')
            plain += ' ';
    }
    return plain;
}

}  // namespace

void CharacterModel::learn(std::string_view text) {
    const std::string plain = one_spaced(text);
    for (std::size_t at = 0; at < plain.size(); ++at)
        for (std::size_t length = 0; length < std::min(order_, at + 1); ++length) {
            Followers& followers = followers_[plain.substr(at - length, length)];
            followers.all += 1;
            followers.times[plain[at]] += 1;
        }
}

double CharacterModel::probability(std::string_view context, char next) const {
    double p = 1.0 / 256.0;
    for (std::size_t length = 0; length <= context.size(); ++length) {
        const auto found = followers_.find(std::string(context.substr(context.size() - length)));
        if (found == followers_.end()) break;  // a longer one is not known either
        const Followers& followers = found->second;
        const auto different = static_cast<double>(followers.times.size());
        const auto times = followers.times.find(next);
        p = ((times == followers.times.end() ? 0.0 : times->second) + different * p) / (followers.all + different);
    }
    return p;
}

CharacterModel::Score CharacterModel::score(std::string_view before, std::string_view text) const {
    // White space is one space across the border too.
    const std::size_t known = one_spaced(before).size();
    const std::string plain = one_spaced(std::string(before) + std::string(text));
    Score score;
    for (std::size_t at = known; at < plain.size(); ++at) {
        const std::size_t length = std::min(order_ - 1, at);
        score.log_probability += std::log(probability(std::string_view(plain).substr(at - length, length), plain[at]));
        ++score.characters;
    }
    return score;
}

}  // namespace hlg::eval
