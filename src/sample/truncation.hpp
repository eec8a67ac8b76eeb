// The classic truncations: top_p, top_k and min_p, in that order, on the model's distribution with the edits, before temperature.
//
// Each keeps a prefix of the tokens in rank order. top_p's prefix is measured on the whole distribution and comes first, so the
// survivors are the shortest of the three prefixes, whatever the order in which they are found: all tokens up to one, the last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hlg/sampler.hpp"
#include "sample/nucleus.hpp"

namespace hlg::sample {

class Truncation {
public:
    /** Whether these settings truncate a vocabulary of this size at all. */
    [[nodiscard]] static bool active(const SamplerParams& params, std::size_t vocab) noexcept;

    /**
     * The survivors, sorted by token; at least one. Empty if they are so many that a list of them would cost more than refusing
     * the others: ask keeps(). `blocks` must lack the edited tokens; the shaper's reference is the best left.
     */
    [[nodiscard]] std::span<const Candidate> apply(Blocks& blocks, const Edits& edits, const Shaper& shaper,
                                                   const SamplerParams& params);

    /** Whether a token of this value survives. */
    [[nodiscard]] bool keeps(float value, std::size_t token) const noexcept {
        return value > last_.value || (value == last_.value && token <= last_.token);
    }

private:
    [[nodiscard]] float top_k_floor(const Blocks& blocks, const SamplerParams& params);
    [[nodiscard]] std::optional<Crossing> cross_top_p(Blocks& blocks, const Edits& edits, double top_p);
    [[nodiscard]] std::uint32_t tied(Blocks& blocks, const Edits& edits, const Crossing& crossing) const;
    void gather(Blocks& blocks, const Edits& edits);
    void cut_top_k(std::size_t k);

    float top_ = 0;         ///< the largest value left
    float mask_floor_ = 0;  ///< the lowest logit that is not masked
    Candidate last_{};      ///< the last survivor's place in the ranking
    Nucleus nucleus_;
    std::vector<std::uint32_t> ids_;
    std::vector<float> values_;
    std::vector<Candidate> candidates_;
    std::vector<Candidate> ranking_;
};

}  // namespace hlg::sample
