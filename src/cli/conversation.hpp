// SPDX-License-Identifier: MIT
//
// What the turns of a chat become for the model: raw text that goes on, or messages that the engine renders with a template.
#pragma once

#include <memory>
#include <string_view>

#include "engine/request.hpp"

namespace hlg::cli {

/** A turn is ask(), then hear() for each part of the answer, then end_answer() or take_back(). */
class Conversation {
public:
    /** Messages, if the template tells speakers apart, else raw text. */
    static std::unique_ptr<Conversation> make(const engine::ChatTemplate& form);

    virtual ~Conversation() = default;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /** Whether lines are put behind one text. Then an empty one means something: go on. */
    [[nodiscard]] virtual bool continues_text() const noexcept = 0;

    /** The prompt after the user's turn. */
    [[nodiscard]] virtual engine::Prompt ask(std::string_view line) = 0;

    /** More of the answer, without what was only thought. */
    virtual void hear(std::string_view text) = 0;

    /** The answer has ended, and belongs to the conversation from now on. */
    virtual void end_answer() = 0;

    /** The turn has failed: as if it had not been. */
    virtual void take_back() = 0;

    /** Starts over. */
    virtual void reset() = 0;

protected:
    Conversation() = default;
};

}  // namespace hlg::cli
