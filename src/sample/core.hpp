// A sampler's working parts and what it keeps between calls. The public Sampler is this behind a pointer; tests build it
// directly to choose the kernels.
//
// prepare() turns a step's logits into one of four ways to draw; sample() may then draw as often as wanted:
//
//   greedy    T below 1e-5: one token
//   list      a truncation is on and leaves few tokens: the survivors and their running weights
//   envelope  everything else: the exact draw in one read (envelope.hpp); what a truncation does not keep is refused
//   full      float32 is too coarse for these settings: the running sum over the whole vocabulary
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "hlg/sampler.hpp"
#include "sample/anchor.hpp"
#include "sample/envelope.hpp"
#include "sample/truncation.hpp"

namespace hlg::sample {

class Core {
public:
    explicit Core(const SamplerParams& params, const Kernels& kernels = *available_kernels().front());

    enum class Way { greedy, list, envelope, full };

    [[nodiscard]] const SamplerParams& params() const noexcept { return params_; }
    [[nodiscard]] const Curve& curve() const noexcept { return curve_; }

    /** Reads a step. The step's arrays must live until the last sample() of it. */
    [[nodiscard]] Status prepare(const Step& step);

    /** One token of the prepared step. */
    [[nodiscard]] std::int32_t sample(Position position);

    /** How the prepared step is drawn. */
    [[nodiscard]] Way way() const noexcept { return way_; }

    /** Of the prepared step. */
    [[nodiscard]] const Shaper& shaper() const noexcept { return shaper_; }
    [[nodiscard]] const Edits& edits() const noexcept { return edits_; }

    /** NaN where no curve was at work. */
    [[nodiscard]] double pivot() const noexcept {
        return shaper_.curve == nullptr || shaper_.curve->identity() ? std::numeric_limits<double>::quiet_NaN() : shaper_.pivot;
    }

    /** The value of token i before truncation; -inf if it is masked or banned. */
    [[nodiscard]] float value(std::size_t token) const;

    /** The value that token i is drawn with; -inf if it cannot be drawn. Not for the list way, see survivors(). */
    [[nodiscard]] float drawn_value(std::size_t token) const;

    /** Of the greedy and list ways. */
    [[nodiscard]] std::int32_t greedy_token() const noexcept { return greedy_token_; }
    [[nodiscard]] std::span<const Candidate> survivors() const noexcept { return survivors_; }

    /** Proposals that sample() has made in all. */
    [[nodiscard]] std::uint64_t proposals() const noexcept { return proposals_; }

private:
    [[nodiscard]] Status read(const Step& step);
    void mask(const Step& step);
    [[nodiscard]] Status choose_reference();
    void find_greedy();
    void weigh_survivors();
    [[nodiscard]] std::int32_t sample_list(Position position);
    [[nodiscard]] std::int32_t sample_envelope(Position position);
    [[nodiscard]] std::int32_t sample_full(Position position);

    SamplerParams params_;
    Curve curve_;
    Way way_ = Way::greedy;
    Blocks blocks_;
    Edits edits_;
    Anchor anchor_;
    Shaper shaper_;
    Envelope envelope_;
    Truncation truncation_;
    std::span<const float> logits_;  ///< the caller's, or masked_
    std::span<const Candidate> survivors_;
    bool refuses_ = false;         ///< a truncation is on, without a list
    std::vector<double> running_;  ///< [survivors_], sums of weights
    std::vector<float> masked_;
    std::int32_t greedy_token_ = -1;
    std::uint64_t proposals_ = 0;
};

}  // namespace hlg::sample
