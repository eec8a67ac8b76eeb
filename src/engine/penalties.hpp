// SPDX-License-Identifier: MIT
//
// Penalties and biases as the sampler's edits. They cost the tokens they name, never a pass over the vocabulary.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/model.hpp"
#include "engine/settings.hpp"

namespace hlg::engine {

class EditList {
public:
    /** `bias` and `penalties` as resolved; the prompt counts for the repeat penalty. */
    EditList(const Penalties& penalties, std::vector<Edit> bias, std::span<const Token> prompt);

    /** A generated token: it is penalised from the next step on. */
    void accept(Token token);

    /**
     * The edits of a step with these raw logits, [vocab]: biases, and for each penalised token
     *     delta = (x / r if x > 0 else x r) - x - presence - frequency count      (CTRL, Keskar et al. 2019; OpenAI)
     * Valid until the next call.
     */
    [[nodiscard]] std::span<const Edit> edits(std::span<const float> logits);

private:
    struct Count {
        std::size_t recent = 0;  ///< within the last last_n tokens of prompt and text
        std::size_t generated = 0;
    };
    void enter(Token token);

    Penalties penalties_;
    std::vector<Edit> bias_;
    std::vector<Token> window_;  ///< a ring of the last last_n tokens; all of them if that is -1
    std::size_t oldest_ = 0;
    std::unordered_map<Token, Count> counts_;
    std::vector<Edit> edits_;
};

}  // namespace hlg::engine
