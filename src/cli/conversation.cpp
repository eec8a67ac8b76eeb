// SPDX-License-Identifier: MIT
#include "cli/conversation.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

ordered_json message(const char* role, std::string_view content) { return {{"role", role}, {"content", content}}; }

/** One text: each line is put behind it, and the model goes on from there. */
class RawText : public Conversation {
public:
    [[nodiscard]] bool continues_text() const noexcept override { return true; }

    [[nodiscard]] engine::Prompt ask(std::string_view line) override {
        turn_ = text_;
        // A line that begins with a blank goes on in the line before it.
        if (!turn_.empty() && !line.empty() && line.front() != ' ') turn_ += '\n';
        turn_ += line;
        return turn_;
    }

    void hear(std::string_view text) override { turn_ += text; }
    void end_answer() override { text_ = turn_; }
    void take_back() override { turn_ = text_; }
    void reset() override { text_.clear(); }

private:
    std::string text_;  ///< of the turns that have ended
    std::string turn_;  ///< and with the one under way
};

/** Messages of user and assistant. */
class Messages : public Conversation {
public:
    [[nodiscard]] bool continues_text() const noexcept override { return false; }

    [[nodiscard]] engine::Prompt ask(std::string_view line) override {
        messages_.push_back(message("user", line));
        answer_.clear();
        return engine::ChatRequest{.messages = messages_.dump()};
    }

    void hear(std::string_view text) override { answer_ += text; }
    void end_answer() override { messages_.push_back(message("assistant", answer_)); }
    void take_back() override { messages_.erase(messages_.size() - 1); }
    void reset() override { messages_.clear(); }

private:
    ordered_json messages_ = ordered_json::array();
    std::string answer_;
};

/** Whether there is something around what the user says. Models that only continue text may come with a template that has
    nothing; one that has no template at all has never seen the marks of ChatML, which the engine would use. */
bool tells_speakers_apart(const engine::ChatTemplate& form) {
    constexpr const char* probe = "hello";
    if (!form.own()) return false;
    const engine::Result<engine::RenderedChat> chat =
        form.render({.messages = ordered_json::array({message("user", probe)}).dump()});
    return !chat || chat->prompt != probe;  // one that refuses so little will say why when it is asked for more
}

}  // namespace

std::unique_ptr<Conversation> Conversation::make(const engine::ChatTemplate& form) {
    if (tells_speakers_apart(form)) return std::make_unique<Messages>();
    return std::make_unique<RawText>();
}

}  // namespace hlg::cli
