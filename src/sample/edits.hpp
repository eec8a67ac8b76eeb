// Sparse changes to single tokens: penalties, biases, bans. They act after the curve and must not cost a pass over the
// vocabulary, so an edited token leaves the blocks that the kernels see and is carried in a list of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hlg/sampler.hpp"
#include "sample/shaper.hpp"

namespace hlg::sample {

/** One edited token: its change, then what became of its score. */
struct EditedToken {
    std::int32_t token;
    float delta;
    float value;  ///< curved logit + delta; -inf = banned or masked
};

/** A step's edits: one entry a token, sorted by token. */
class Edits {
public:
    /** Takes the caller's list: sorts it if need be and adds up the deltas of one token. */
    Status assign(std::span<const Edit> edits, std::size_t vocab);

    /** Fills in the values. Status::edit if one is beyond float32. */
    Status shape(std::span<const float> logits, const Shaper& shaper);

    [[nodiscard]] std::span<const EditedToken> tokens() const noexcept { return tokens_; }
    [[nodiscard]] bool empty() const noexcept { return tokens_.empty(); }

    /** The edited tokens with first <= token < last. */
    [[nodiscard]] std::span<const EditedToken> between(std::size_t first, std::size_t last) const noexcept;

    /** The entry of a token, or null. */
    [[nodiscard]] const EditedToken* find(std::size_t token) const noexcept;

private:
    std::vector<EditedToken> tokens_;
};

}  // namespace hlg::sample
