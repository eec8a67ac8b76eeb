// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/engine.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval {

/**
 * Texts of a model in this process, as many at a time as the engine has lanes. The same jobs give the same texts where the engine
 * is reproducible or has one lane; else what is computed side by side changes logits in their last bits, and now and then a draw.
 */
class EngineSource final : public TextSource {
public:
    /** `id` is what to call the model. Reads its file once more, for the digest. */
    EngineSource(std::unique_ptr<engine::Engine> engine, std::string id);

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override;
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }
    [[nodiscard]] engine::Engine& engine() noexcept { return *engine_; }

private:
    std::unique_ptr<engine::Engine> engine_;
    SourceFacts facts_;
};

}  // namespace hlg::eval
