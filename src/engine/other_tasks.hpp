// SPDX-License-Identifier: MIT
//
// The tasks that look at the model's distribution without generating: score and inspect.
#pragma once

#include "engine/request.hpp"
#include "engine/task.hpp"

namespace hlg::engine {

class ScoreTask final : public Task {
public:
    ScoreTask(std::shared_ptr<Stream> stream, ScoreRequest request)
        : Task(std::move(stream), 0, std::move(request.tokens)),
          first_(request.first),
          highest_(request.highest),
          told_(request.text) {}

    /** The last token is scored, but nothing comes after it. */
    [[nodiscard]] std::span<const Token> tokens() const override { return std::span(tokens_).first(tokens_.size() - 1); }
    [[nodiscard]] std::size_t most_reusable() const override { return first_ - 1; }
    [[nodiscard]] bool wants(std::size_t position) const override { return position + 1 >= first_; }
    void take(std::size_t position, std::span<const float> logits) override;
    void cancel() override;

private:
    std::size_t first_;
    std::size_t highest_;
    bool told_;  ///< whether the tokens are, too
    LogProbabilities log_probabilities_;
    ScoredEvent scored_;
};

class InspectTask final : public Task {
public:
    InspectTask(std::shared_ptr<Stream> stream, std::vector<Token> prompt, ResolvedSettings settings, std::size_t tokens,
                const Model& model)
        : Task(std::move(stream), 0, std::move(prompt)), settings_(std::move(settings)), count_(tokens), model_(model) {}

    void take(std::size_t position, std::span<const float> logits) override;
    void cancel() override;

private:
    /** Fills in what the distribution looks like, of the draw, of plain temperature and of the model. */
    [[nodiscard]] Status describe(const Step& step, InspectedEvent& inspected, std::vector<double>& probabilities,
                                  std::vector<double>& plain) const;

    ResolvedSettings settings_;
    std::size_t count_;
    const Model& model_;
};

}  // namespace hlg::engine
