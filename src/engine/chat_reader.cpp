// SPDX-License-Identifier: MIT
#include "engine/chat_reader.hpp"

namespace hlg::engine {

Event ChatReader::next() {
    Event event = std::move(ready_.front());
    ready_.pop_front();
    return event;
}

// The answer's end makes certain what was not; a call of tools in it is why the model stopped.
void ChatReader::take_finished(Event event, ChatParser& parser) {
    std::vector<ChatDelta> rest = parser.finish();
    if (!rest.empty()) ready_.push_back({event.choice, ChatEvent{std::move(rest), {}}});
    auto& finished = std::get<FinishedEvent>(event.what);
    if (finished.reason == Finish::stop && !parser.message().tool_calls.empty()) finished.reason = Finish::tool_calls;
    ready_.push_back(std::move(event));
}

bool ChatReader::take(std::optional<Event> event, const std::optional<RenderedChat>& chat) {
    if (!event) return false;
    if (!chat) {
        ready_.push_back(std::move(*event));
        return true;
    }
    ChatParser& parser = parsers_.try_emplace(event->choice, *chat).first->second;
    if (auto* text = std::get_if<TextEvent>(&event->what)) {
        ChatEvent told{parser.push(text->text), std::move(text->tokens)};
        if (!told.deltas.empty() || !told.tokens.empty()) ready_.push_back({event->choice, std::move(told)});
    } else if (std::holds_alternative<FinishedEvent>(event->what)) {
        take_finished(std::move(*event), parser);
    } else {
        ready_.push_back(std::move(*event));
    }
    return true;
}

}  // namespace hlg::engine
