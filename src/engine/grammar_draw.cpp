// SPDX-License-Identifier: MIT
#include "engine/grammar_draw.hpp"

#include <algorithm>
#include <limits>

namespace hlg::engine {
namespace {

/** Keeps sorted edits sorted, which is what the sampler is fastest with. */
void ban(Token token, std::vector<Edit>& edits) {
    const auto place =
        std::lower_bound(edits.begin(), edits.end(), token, [](const Edit& edit, Token id) { return edit.token < id; });
    edits.insert(place, {token, -std::numeric_limits<float>::infinity()});
}

}  // namespace

ConstrainedDraw constrained_draw(Sampler& sampler, const Step& step, Position position, const Grammar& grammar,
                                 DrawScratch& scratch) {
    ConstrainedDraw result;
    result.draw = sampler.draw(step, position);
    Step redraw = step;
    while (result.draw.status == Status::ok && !grammar.allows(result.draw.token)) {
        ++position.attempt;
        if (++result.refused == 1) scratch.edits.assign(step.edits.begin(), step.edits.end());
        if (result.refused <= max_refusals) {
            ban(result.draw.token, scratch.edits);
            redraw.edits = scratch.edits;
            result.draw = sampler.draw(redraw, position);
            continue;
        }
        scratch.allowed.resize((step.logits.size() + 31) / 32);
        result.failure = grammar.mask(scratch.allowed);
        if (result.failure) {
            result.draw = {};
            return result;
        }
        for (std::size_t i = 0; i < std::min(step.allowed.size(), scratch.allowed.size()); ++i)
            scratch.allowed[i] &= step.allowed[i];
        result.draw = sampler.draw({.logits = step.logits, .edits = step.edits, .allowed = scratch.allowed}, position);
        return result;
    }
    return result;
}

}  // namespace hlg::engine
