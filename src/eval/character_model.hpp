// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hlg::eval {

/**
 * How likely characters (bytes, white space as one space) are after those before them, learned from texts: contexts of every
 * length below the order, interpolated as Witten and Bell (1991) do, down to 1/256 each.
 */
class CharacterModel {
public:
    explicit CharacterModel(std::size_t order) : order_(order) {}

    void learn(std::string_view text);

    /** Whether it has learned nothing. */
    [[nodiscard]] bool empty() const noexcept { return followers_.empty(); }

    /** ln p of a text that comes behind another, nats, and its characters. */
    struct Score {
        double log_probability = 0.0;
        std::size_t characters = 0;
    };
    [[nodiscard]] Score score(std::string_view before, std::string_view text) const;

private:
    struct Followers {
        double all = 0.0;
        std::unordered_map<char, double> times;
    };

    [[nodiscard]] double probability(std::string_view context, char next) const;

    std::size_t order_;
    std::unordered_map<std::string, Followers> followers_;
};

}  // namespace hlg::eval
