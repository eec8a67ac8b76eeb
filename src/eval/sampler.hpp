// SPDX-License-Identifier: MIT
//
// Every sampler in one harness: what it does to a context, in float64, as an exact distribution. A sampler is a rule that says
// which tokens are left and with which score (candidates), then temperature, then what some rules do after it (finish).
//
//     const Candidates left = sampler.candidates(context);     // does not depend on the temperature: made once, heated often
//     heat(left, 0.8, distribution);
//     sampler.finish(context, left, state, distribution);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "eval/context.hpp"

namespace hlg::eval {

/** The tokens that a rule leaves, as cells: some tokens of one group, which share a score. */
struct Candidates {
    std::vector<std::uint32_t> group;  ///< [cells] of the context; a group's lower ids come first
    std::vector<double> count;         ///< [cells] tokens, > 0
    std::vector<double> score;         ///< [cells] nats, before temperature
    double factor = 1.0;               ///< this context's temperature is so many times the sampler's
    double rest_share = 0.0;           ///< with this probability only the cells from `rest_from` on are drawn from
    std::size_t rest_from = 0;

    [[nodiscard]] std::size_t cells() const noexcept { return group.size(); }
    void add(std::size_t of, double tokens, double value);
};

/** What a sampler draws from. */
struct Distribution {
    std::vector<double> q;      ///< [cells] probability of one token of the cell
    std::vector<double> log_q;  ///< [cells] nats; without meaning where q is 0
};

/** What a sampler that watches its own text knows; its meaning is the sampler's. */
struct SamplerState {
    double first = 0.0;
    double second = 0.0;
};

class Sampler {
public:
    Sampler() = default;
    virtual ~Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    [[nodiscard]] virtual Candidates candidates(const Context& context) const = 0;

    /** Whether finish does anything. */
    [[nodiscard]] virtual bool finishes() const noexcept { return false; }

    /** Whether contexts of a text must be taken in their order, with one state from the text's start. */
    [[nodiscard]] virtual bool stateful() const noexcept { return false; }
    [[nodiscard]] virtual SamplerState start() const noexcept { return {}; }

    /** What the rule does after temperature. The state moves on by what is expected of the token drawn: the mean over q. */
    virtual void finish(const Context& context, const Candidates& left, SamplerState& state, Distribution& distribution) const;
};

using SamplerPointer = std::shared_ptr<const Sampler>;

/** softmax(score / (T * factor)), and the mixture where there is one. T > 0. */
void heat(const Candidates& left, double temperature, Distribution& out);

/** The entropy of that, nats, at a third of the cost. */
double heated_entropy(const Candidates& left, double temperature);

/** Makes q sum to 1 after some were set to 0 or changed, and log_q to fit. */
void normalise(const Candidates& left, Distribution& distribution);

}  // namespace hlg::eval
