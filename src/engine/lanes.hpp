// SPDX-License-Identifier: MIT
//
// The lanes: which tokens each sequence of the context holds, which of them are in use, and what of a new prompt is there
// already.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/batch_context.hpp"

namespace hlg::engine {

class Lanes {
public:
    /**
     * `grid`: 0 = any common prefix is reused. C > 0 = only whole chunks of C tokens that were computed as such, from a multiple
     * of C on, and never the last one: then reuse does not change a bit of the logits.
     */
    Lanes(BatchContext& context, std::size_t grid) : context_(context), grid_(grid), lanes_(context.limits().lanes) {}

    /**
     * Takes a free lane for these tokens and leaves in it what it can reuse of them: from its own last request, or copied from
     * another lane; at most `most` of them. Nothing if every lane is taken.
     */
    std::optional<std::size_t> take(std::span<const Token> tokens, std::size_t most);

    /** Gives a lane back; its tokens stay for reuse. */
    void release(std::size_t lane);

    /** The tokens that the lane holds, and so the position of its next. */
    [[nodiscard]] std::size_t held(std::size_t lane) const { return lanes_[lane].tokens.size(); }

    /** Tokens that a decode has put behind those held. `chunk`: they were one whole chunk of the grid. */
    void append(std::size_t lane, std::span<const Token> tokens, bool chunk);

    /** After a failed decode nobody knows what the lane holds: forget it. */
    void clear(std::size_t lane);

    /** After an aborted one: forget what was not appended. */
    void trim(std::size_t lane);

    [[nodiscard]] std::size_t busy() const;

private:
    struct Lane {
        std::vector<Token> tokens;
        std::size_t chunked = 0;  ///< so many of them, from the first, were computed in whole chunks
        bool busy = false;
        std::uint64_t released = 0;  ///< a clock of releases
    };
    [[nodiscard]] std::size_t reusable(const Lane& lane, std::span<const Token> tokens) const;  ///< how many
    void reuse_own(std::size_t lane, std::size_t count);
    void reuse_copy(std::size_t from, std::size_t to, std::size_t count);

    BatchContext& context_;
    std::size_t grid_;
    std::vector<Lane> lanes_;
    std::uint64_t clock_ = 0;
};

}  // namespace hlg::engine
