// SPDX-License-Identifier: MIT
//
// Between a request's stream and its reader, in the reader's thread: of a chat it turns texts into what they mean.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "engine/event.hpp"

namespace hlg::engine {

class ChatReader {
public:
    /** Takes an event; false if there was none. It may yield none, one or two. `chat`: what the texts answer, if it is a chat. */
    bool take(std::optional<Event> event, const std::optional<RenderedChat>& chat);

    [[nodiscard]] bool ready() const noexcept { return !ready_.empty(); }
    [[nodiscard]] Event next();

private:
    void take_finished(Event event, ChatParser& parser);

    std::map<std::size_t, ChatParser> parsers_;  ///< of each choice
    std::deque<Event> ready_;
};

}  // namespace hlg::engine
