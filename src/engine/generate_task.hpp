// SPDX-License-Identifier: MIT
//
// One choice of a generate request: draws a token from each row of logits, until something ends it.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "engine/grammar_draw.hpp"
#include "engine/penalties.hpp"
#include "engine/request.hpp"
#include "engine/task.hpp"
#include "engine/text_stream.hpp"

namespace hlg::engine {

/** What the choices of a request have in common, resolved and checked. */
struct GeneratePlan {
    std::vector<Token> prompt;
    ResolvedSettings settings;
    std::optional<std::size_t> max_tokens;
    std::vector<std::string> stop;
    std::optional<std::size_t> log_probabilities;
    std::optional<Grammar> grammar;  ///< before the first token
    std::vector<Edit> banned;        ///< end-of-generation tokens, where they are to be ignored
};

class GenerateTask final : public Task {
public:
    /** `context`: tokens that a lane holds. The model must outlive the task. Throws nothing: the settings are valid. */
    GenerateTask(std::shared_ptr<Stream> stream, std::size_t choice, std::shared_ptr<const GeneratePlan> plan, const Model& model,
                 std::size_t context);

    void take(std::size_t position, std::span<const float> logits) override;
    DrawTally take_draws() override { return std::exchange(draws_, {}); }
    void cancel() override { finish(Finish::cancelled); }

private:
    /** A token whose text is not wholly shown yet. */
    struct Pending {
        GeneratedToken token;
        std::size_t end;  ///< bytes of all tokens up to it
    };

    [[nodiscard]] Result<Token> draw(std::span<const float> logits);
    void count_draw(float logit);
    void accept(Token token, std::span<const float> logits);
    void show(std::string text, bool all);
    void finish(Finish reason);
    [[nodiscard]] Usage usage() const;

    std::shared_ptr<const GeneratePlan> plan_;
    const Model& model_;
    std::size_t context_;
    Sampler sampler_;
    EditList edits_;
    std::optional<Grammar> grammar_;
    DrawScratch scratch_;
    TextStream text_;
    LogProbabilities log_probabilities_;
    DrawTally draws_;
    std::deque<Pending> pending_;
    std::size_t bytes_ = 0;  ///< of all tokens
    Clock::time_point first_draw_;
};

}  // namespace hlg::engine
