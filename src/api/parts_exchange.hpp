// SPDX-License-Identifier: MIT
//
// Exchanges whose answer is a list of parts, one after another: text, reasoning and calls, as the model brings them. Streams
// announce each part's begin and end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/base_exchange.hpp"

namespace hlg::api {

/** A run of an answer that is of one kind. */
struct AnswerPart {
    using Kind = engine::ChatDelta::Kind;

    Kind kind = Kind::content;
    std::string text = {};                            ///< of a call: its arguments
    std::size_t call = 0;                             ///< which call
    std::string id = {};                              ///< of a call
    std::string name = {};                            ///< of a call
    std::size_t token_count = 0;                      ///< its tokens, those that only mark its bounds included
    std::vector<engine::GeneratedToken> tokens = {};  ///< those that have log-probabilities
};

class PartsExchange : public BaseExchange {
public:
    using BaseExchange::BaseExchange;

protected:
    // Of a stream, part by part: begin_part, grow_part for each text that is not empty, end_part. A part begins when the one
    // before it has ended.
    virtual void begin_part(std::size_t index) = 0;
    virtual void grow_part(std::size_t index, const std::string& text, const std::vector<engine::GeneratedToken>& tokens) = 0;
    virtual void end_part(std::size_t index) = 0;

    void on_chat(std::size_t request, std::size_t choice, const engine::ChatEvent& event) final;

    /** The last part is complete. Once, when the answer is. */
    void end_parts();

    /** Begins a text, for vendors whose answers are never without a part. */
    void begin_text() { append({}, {}); }

    [[nodiscard]] const std::vector<AnswerPart>& parts() const noexcept { return parts_; }

private:
    static void add_tokens(AnswerPart& part, const std::vector<engine::GeneratedToken>& tokens);
    void append(const engine::ChatDelta& delta, const std::vector<engine::GeneratedToken>& tokens);
    [[nodiscard]] std::size_t place_of(const engine::ChatDelta& delta) const;

    std::vector<AnswerPart> parts_;
    std::vector<engine::GeneratedToken> unplaced_;  ///< came without text; they belong to the text that comes next
};

}  // namespace hlg::api
