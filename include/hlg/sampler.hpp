// SPDX-License-Identifier: MIT
//
// The sampler: one object a request. It draws from the whole vocabulary, exactly, in about the time of one read of the logits.
//
//     hlg::SamplerParams params;
//     params.temperature = 0.8;
//     params.hlg = hlg::find_preset("balanced")->params;
//     hlg::Sampler sampler(params);
//     hlg::Draw draw = sampler.draw({.logits = logits}, {.index = 0});
//     if (draw.status == hlg::Status::ok) use(draw.token);
//
// A Sampler keeps scratch memory, so one thread uses one at a time; two samplers share nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "hlg/curve.hpp"
#include "hlg/status.hpp"

namespace hlg {

/** Every setting of a sampler; ranges as in hlg_params in hlg.h. */
struct SamplerParams {
    double temperature = 1.0;             ///< 0 to 100; below 1e-5 greedy
    double top_p = 1.0;                   ///< 0 to 1; 1 = off, 0 = one token
    std::int64_t top_k = 0;               ///< tokens; 0 or -1 = off
    double min_p = 0.0;                   ///< 0 to 1; 0 = off
    std::uint64_t seed = 0;               ///< key of the random stream
    std::optional<CurveParams> hlg = {};  ///< set = the curve is the sampler; top_p, top_k and min_p are then not applied
};

/** Throws ParameterError for the first setting out of its range. */
void validate(const SamplerParams& params);

/** A change to one token's score after the curve: shaped = m * (curve(x) + delta). A delta of -inf bans the token. */
struct Edit {
    std::int32_t token = 0;
    float delta = 0.0F;
};

/** One decoding step's input. */
struct Step {
    std::span<const float> logits;                ///< [vocab], raw from the model; -inf or 1e4 nats below the top = masked
    std::span<const Edit> edits = {};             ///< any order, deltas of one token add up; sorted by token is fastest
    std::span<const std::uint32_t> allowed = {};  ///< bit i%32 of word i/32 allows token i; empty = all allowed
};

/** Where in the random stream a draw stands. */
struct Position {
    std::uint64_t index = 0;    ///< of the generated token, from 0
    std::uint32_t choice = 0;   ///< which of the request's n answers, from 0
    std::uint32_t attempt = 0;  ///< one more for each redraw of the same token; below 2^24
};

/** A drawn token, or why there is none. */
struct Draw {
    Status status = Status::internal;
    std::int32_t token = -1;  ///< -1 unless status is ok
};

/** What a shaped distribution looks like; fields as in hlg_statistics in hlg.h. */
struct Statistics {
    double entropy = 0.0;
    double model_entropy = 0.0;
    double top1 = 0.0;
    double collision = 0.0;
    double mass_below = 0.0;
    double kl = 0.0;
    double pivot = std::numeric_limits<double>::quiet_NaN();
};

class Sampler {
public:
    /** Throws ParameterError. */
    explicit Sampler(const SamplerParams& params);
    ~Sampler();
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    [[nodiscard]] const SamplerParams& params() const noexcept;

    /** One token. Allocates nothing after warm-up, with hlg_draw's exceptions; see hlg.h. */
    [[nodiscard]] Draw draw(const Step& step, Position position);

    /** tokens.size() tokens of one distribution: the generated tokens first.index, first.index + 1, ... of these logits. */
    [[nodiscard]] Status draw_many(const Step& step, Position first, std::span<std::int32_t> tokens);

    /** The exact distribution that draw draws from, [vocab]. */
    [[nodiscard]] Status probabilities(const Step& step, std::span<double> out);

    /** The shaped logits, [vocab]; -inf where masked, banned or truncated away. `out` may be the logits themselves. */
    [[nodiscard]] Status shape(const Step& step, std::span<float> out);

    /** Statistics of the distribution; `log_prob` is the threshold of mass_below, nats. */
    [[nodiscard]] Status statistics(const Step& step, double log_prob, Statistics& out);

    /** How the last draw (or draws) went: proposals made in all, for tests and monitoring. */
    [[nodiscard]] std::uint64_t proposals() const noexcept;

    /** The last step's pivot, a logit; NaN where no curve was at work: none, one without rolloff, or a greedy step. */
    [[nodiscard]] double pivot() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hlg
