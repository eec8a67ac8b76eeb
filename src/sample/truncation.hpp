// The classic truncations: top_p, top_k and min_p, in that order, on the model's distribution with the edits, before temperature.
//
// Each keeps a prefix of the tokens in rank order. top_p's prefix is measured on the whole distribution and comes first, so the
// survivors are the shortest of the three prefixes, whatever the order in which they are found.
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

    /** The survivors, sorted by token; at least one. `blocks` must lack the edited tokens; the shaper's reference is the best
     * left. */
    [[nodiscard]] std::span<const Candidate> apply(Blocks& blocks, const Edits& edits, const Shaper& shaper,
                                                   const SamplerParams& params);

private:
    [[nodiscard]] float cut_value(const Blocks& blocks, const SamplerParams& params);
    void gather(Blocks& blocks, const Edits& edits, float floor);
    [[nodiscard]] double gathered_mass() const;
    void cut_top_p(Blocks& blocks, const Edits& edits, double top_p, float floor);

    float top_ = 0;         ///< the largest value left
    float mask_floor_ = 0;  ///< the lowest logit that is not masked
    std::vector<std::uint32_t> ids_;
    std::vector<float> maxima_;
    std::vector<Candidate> candidates_;
};

}  // namespace hlg::sample
