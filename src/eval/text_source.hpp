// SPDX-License-Identifier: MIT
//
// Where an evaluation of texts has its texts from: a model in this process (engine_source.hpp) or a server (endpoint_source.hpp);
// kept in a file, so that nothing is written twice (text_store.hpp).
//
//     std::vector<TextJob> jobs{{.prompt = "Once upon a time", .sampling = {.seed = 7}, .max_tokens = 64}};
//     source.write(jobs, [&](std::size_t job, WrittenText text) { ... }, progress);
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/chat.hpp"
#include "engine/chat_parser.hpp"
#include "engine/settings.hpp"
#include "eval/progress.hpp"
#include "eval/report.hpp"

namespace hlg::eval {

/** One text to write. */
struct TextJob {
    std::string label = {};                                      ///< for people and files; changes nothing
    std::variant<std::string, engine::ChatRequest> prompt = {};  ///< text that is continued as it stands, or a chat
    engine::SamplingSettings sampling = {};  ///< with the seed; unset = the source's own; as in a request, hlg with a knob is on
    std::size_t max_tokens = 256;
    std::vector<std::string> stop = {};
    std::string grammar = {};        ///< GBNF of the text; empty = none; not for a chat, which brings its own
    bool ignore_end = false;         ///< end-of-text tokens are banned
    bool log_probabilities = false;  ///< tell the tokens with ln p, where the source can
};

/** A token of a text. */
struct WrittenToken {
    std::string bytes;             ///< as the source spells them, possibly a part of a character
    float log_probability = 0.0F;  ///< nats, under the model's own distribution
};

struct WrittenText {
    std::string text = {};                              ///< a chat's content
    std::string reasoning = {};                         ///< of a chat
    std::vector<engine::ChatToolCall> tool_calls = {};  ///< of a chat
    std::string finish = {};                            ///< "stop", "length", "tool_calls", ...; "error" = see there
    std::string error = {};                             ///< why this job alone makes no sense: its prompt is too long, say
    std::size_t prompt_tokens = 0;
    std::size_t generated_tokens = 0;       ///< without the end-of-text token
    std::vector<WrittenToken> tokens = {};  ///< where asked for
};

/** What a report says of a source. */
struct SourceFacts {
    std::string id;              ///< the model's name
    std::string kind;            ///< "model" or "endpoint"
    std::string sha256 = {};     ///< of the model's file; empty = not known
    std::string engine = {};     ///< what computes, empty = not known
    std::size_t vocabulary = 0;  ///< tokens; 0 = not known
    std::string remark = {};     ///< what a reader must know
    bool knows_hlg = true;       ///< whether requests may ask for HLG

    [[nodiscard]] Json json() const;
};

class TextSource {
public:
    /** Gets each job's number and text. */
    using Take = std::function<void(std::size_t, WrittenText)>;

    TextSource() = default;
    virtual ~TextSource() = default;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;

    /** Writes all texts, many at a time, and gives them to `take` in the order of the jobs, as they are done, on the caller's
        thread. Throws Stopped when `progress`, which is asked several times a second, says so; std::runtime_error when the
        source fails. A job that alone makes no sense gets a text with an error. */
    virtual void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) = 0;

    [[nodiscard]] virtual const SourceFacts& facts() const = 0;
};

/** All texts at once. */
std::vector<WrittenText> write_all(TextSource& source, std::span<const TextJob> jobs, const Progress& progress = {});

/** Everything that a job's text depends on but for the source: no label. */
Json to_json(const TextJob& job);

/** A text for a file, and back. Tokens that are no UTF-8 by themselves are kept as hexadecimal digits. */
Json to_json(const WrittenText& text);
WrittenText written_text(const Json& json);

/** The tool_choice of OpenAI's chat completions. */
Json to_json(const engine::ToolChoice& choice);

}  // namespace hlg::eval
