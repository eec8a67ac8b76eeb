// SPDX-License-Identifier: MIT
//
// The task that matches two settings' entropies along a text.
#pragma once

#include <vector>

#include "engine/penalties.hpp"
#include "engine/spectrum.hpp"
#include "engine/task.hpp"

namespace hlg::engine {

class MatchTask final : public Task {
public:
    /** `tokens`: the prompt's, `first` of them, and the text's. */
    MatchTask(std::shared_ptr<Stream> stream, std::vector<Token> tokens, std::size_t first, const ResolvedSettings& reference,
              const ResolvedSettings& settings);

    /** The last token's own distribution is wanted, but nothing comes after it. */
    [[nodiscard]] std::span<const Token> tokens() const override { return std::span(tokens_).first(tokens_.size() - 1); }
    [[nodiscard]] std::size_t most_reusable() const override { return first_ - 1; }
    [[nodiscard]] bool wants(std::size_t position) const override { return position + 1 >= first_; }
    void take(std::size_t position, std::span<const float> logits) override;
    void cancel() override;

private:
    /** One of the two, as it would draw along the text. */
    struct Side {
        ResolvedSettings settings;
        Sampler sampler;
        EditList edits;
    };

    [[nodiscard]] Status measure(std::span<const float> logits);
    void finish();

    std::size_t first_;
    Side reference_;
    Side other_;  ///< at temperature 1
    std::vector<Spectrum> spectra_;
    std::vector<float> shaped_;
    double reference_entropy_ = 0;  ///< the sum so far
};

}  // namespace hlg::engine
