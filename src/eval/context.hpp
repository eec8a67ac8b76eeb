// SPDX-License-Identifier: MIT
//
// One decoding step's distribution, kept as its distinct logits and how many tokens share each. Nothing is lost by that, since
// every sampler treats equal logits alike, and logits that came as 16-bit numbers have some thousands of distinct values where
// the vocabulary has a quarter of a million tokens: sweeps are so much cheaper.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hlg/curve.hpp"

namespace hlg::eval {

/** How sure the model is, by the entropy H of its distribution at temperature 1. */
enum class Class { confident, mid, open };
inline constexpr std::array<Class, 3> classes{Class::confident, Class::mid, Class::open};
inline constexpr double confident_below = 0.1;  ///< nats
inline constexpr double open_above = 1.5;       ///< nats

/** "confident", "mid", "open". */
std::string_view to_string(Class one) noexcept;

/** The thresholds of the deep tail: the tokens outside the 0.99 nucleus to which the model gives less than this. */
inline constexpr std::array<double, 3> tail_thresholds{1e-4, 1e-5, 1e-6};
inline constexpr double nucleus_share = 0.99;

/** What is known of a token besides its logit; flags of the arrays that come with a vocabulary. */
enum TokenKind : std::uint8_t {
    plain_token = 0,
    control_token = 1,  ///< a mark, such as the end of a turn
    byte_token = 2,     ///< a piece that is no whole character
    foreign_token = 4,  ///< letters of a script that the text has none of
};
inline constexpr std::size_t token_kinds = 3;

/** The token that came next in the text: its group, and how many tokens of the group have lower ids. */
struct NextToken {
    std::size_t group = 0;
    double rank = 0.0;
};

struct Context {
    std::size_t source = 0;  ///< which of the corpus
    std::size_t text = 0;    ///< which of its source
    std::size_t place = 0;   ///< order within the text
    std::size_t vocabulary = 0;

    std::vector<double> logit;                          ///< [groups] distinct values, falling, the largest taken as 0; nats
    std::vector<double> count;                          ///< [groups] tokens that have it
    std::vector<double> log_p;                          ///< [groups] of one such token at temperature 1, nats
    std::vector<double> p;                              ///< [groups]
    std::array<std::vector<float>, token_kinds> kinds;  ///< [groups] share of control, byte, foreign tokens; empty = not known
    std::optional<NextToken> next;

    double entropy = 0.0;                                         ///< nats
    double median_logit = 0.0;                                    ///< where the mass from the top reaches one half
    std::array<std::size_t, tail_thresholds.size()> tail_from{};  ///< the first group of the deep tail

    std::size_t cluster = 0;  ///< number of its group of near-duplicates within the source

    [[nodiscard]] std::size_t groups() const noexcept { return logit.size(); }
    [[nodiscard]] Class kind() const noexcept;

    /** The pivot's anchor, relative to the largest logit as `logit` is. */
    [[nodiscard]] double anchor(Pivot pivot) const noexcept;
};

/** Logits [vocab], with what is known of each token, [vocab] or empty, and the token that came next. Masked tokens (-inf, or 1e4
    nats below the largest) are left out. Throws std::invalid_argument for NaN, +inf, an unknown next token, and where no token is
    left. */
Context make_context(std::span<const float> logits, std::span<const std::uint8_t> kinds = {},
                     std::optional<std::size_t> next = {});

}  // namespace hlg::eval
