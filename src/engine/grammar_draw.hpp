// SPDX-License-Identifier: MIT
//
// A draw under a grammar. Most tokens that a model likes are allowed, so the grammar is asked about the token drawn and not about
// the vocabulary: a refused one is banned and drawn again, which draws exactly from the distribution over all others. Only a
// model that insists on what is not allowed costs a mask.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/grammar.hpp"
#include "hlg/sampler.hpp"

namespace hlg::engine {

/** Redraws before the whole vocabulary is masked. */
inline constexpr std::uint32_t max_refusals = 8;

/** Memory that is used again from draw to draw. */
struct DrawScratch {
    std::vector<Edit> edits;
    std::vector<std::uint32_t> allowed;
};

struct ConstrainedDraw {
    Draw draw;
    std::uint32_t refused = 0;  ///< tokens drawn that the grammar did not allow; above max_refusals the vocabulary was masked
    Failure failure;            ///< why there was no mask; draw then holds no token
};

/** Draws a token that the grammar allows. The step's own edits and mask hold too. Redraws count up from position.attempt, so the
   result depends on the logits, the seed and the position alone. With top_p, top_k or min_p, what they keep is chosen again at
   every redraw, from what is not banned. Of the grammar only its memory changes. */
[[nodiscard]] ConstrainedDraw constrained_draw(Sampler& sampler, const Step& step, Position position, const Grammar& grammar,
                                               DrawScratch& scratch);

}  // namespace hlg::engine
