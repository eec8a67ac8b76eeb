// SPDX-License-Identifier: MIT
//
// Chats: messages and tools become a prompt, a grammar, and what the parser of the answer needs. Templates and formats are
// llama-common's, so every model that llama.cpp knows to chat with works; this room adds bounds, and turns exceptions into
// errors.
//
// Rendering takes milliseconds to a second: a worker's job. A ChatTemplate never changes; any number of threads may share one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/grammar.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"

namespace hlg::engine {

/** Functions of one request. */
inline constexpr std::size_t max_tools = 256;

/** What a model's template can do. */
struct ChatCapabilities {
    bool tools = false;           ///< describes tools to the model
    bool parallel_tools = false;  ///< knows several tool calls in one answer
    bool system = false;          ///< has a system role; without one, system messages are joined with the user's
    bool thinking = false;        ///< marks reasoning, or switches it
};

struct ToolChoice {
    enum class Kind {
        automatic,  ///< the model decides
        none,       ///< no call, though the model is told about the tools
        required,   ///< at least one call
        function,   ///< a call of this one; the others are not shown
    };
    Kind kind = Kind::automatic;
    std::string function;
};

/** Texts are JSON as OpenAI's chat completions spell it; null members count as left out. Empty = not given. */
struct ChatRequest {
    std::string messages;    ///< array of messages; content a string or an array of text parts
    std::string tools = {};  ///< array of functions
    ToolChoice tool_choice = ToolChoice();
    std::optional<bool> parallel_tool_calls = {};  ///< more than one call in an answer; unset = as the template can
    std::string json_schema = {};                  ///< object: the answer is JSON that keeps to it; {} = any object
    std::string grammar = {};                      ///< GBNF of the answer; not beside json_schema or tools
    std::optional<bool> thinking = {};    ///< whether the model reasons first, where its template can switch that; unset = yes
    bool extract_reasoning = true;        ///< reasoning apart from the content; false leaves it in there
    std::string template_arguments = {};  ///< object: further variables of the template
    bool add_generation_prompt = true;    ///< ends the prompt with the beginning of the assistant's turn
    bool continue_final_message = false;  ///< goes on with the last message, the assistant's, instead of a new one
};

struct ChatFormat;

struct RenderedChat {
    std::string prompt;                        ///< without the begin mark that the tokenizer adds
    std::vector<std::string> stops;            ///< strings that end this template's answers, besides end-of-generation tokens
    std::optional<GrammarSpec> grammar;        ///< of the request, of its schema, or of its tools
    std::shared_ptr<const ChatFormat> format;  ///< for ChatParser
};

class ChatTemplate {
public:
    /** The model's own template, or the given one. A model without one gets ChatML, as with llama-server. The model must outlive
       it. A template that can't be parsed is a bad_config. */
    static Result<ChatTemplate> make(const Model& model, const std::string& given = {});

    /** The prompt for a chat. What can't be rendered is a bad_request: one line that says why. */
    [[nodiscard]] Result<RenderedChat> render(const ChatRequest& request) const;

    /** Whether the template is the model's or a given one, not ChatML for want of one. */
    [[nodiscard]] bool own() const noexcept;

    /** The template's text, Jinja. */
    [[nodiscard]] const std::string& source() const noexcept;

    [[nodiscard]] const ChatCapabilities& capabilities() const noexcept;

private:
    struct Data;
    explicit ChatTemplate(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

    std::shared_ptr<const Data> data_;
};

}  // namespace hlg::engine
