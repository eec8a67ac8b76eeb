// SPDX-License-Identifier: MIT
#include "engine/match_task.hpp"

#include "engine/sampling_error.hpp"

namespace hlg::engine {
namespace {

// Truncations keep tokens by their probabilities at temperature 1, so scores at that temperature hold for all.
SamplerParams at_temperature_1(SamplerParams params) {
    params.temperature = 1;
    return params;
}

}  // namespace

MatchTask::MatchTask(std::shared_ptr<Stream> stream, std::vector<Token> tokens, std::size_t first,
                     const ResolvedSettings& reference, const ResolvedSettings& settings)
    : Task(std::move(stream), 0, std::move(tokens)),
      first_(first),
      reference_{reference, Sampler(reference.params),
                 EditList(reference.penalties, reference.logit_bias, std::span(tokens_).first(first))},
      other_{settings, Sampler(at_temperature_1(settings.params)),
             EditList(settings.penalties, settings.logit_bias, std::span(tokens_).first(first))} {}

Status MatchTask::measure(std::span<const float> logits) {
    Statistics statistics;
    const Step step{.logits = logits, .edits = reference_.edits.edits(logits)};
    if (const Status status = reference_.sampler.statistics(step, 0, statistics); status != Status::ok) return status;
    reference_entropy_ += statistics.entropy;
    shaped_.resize(logits.size());
    const Status status = other_.sampler.shape({.logits = logits, .edits = other_.edits.edits(logits)}, shaped_);
    if (status == Status::ok) spectra_.emplace_back(shaped_);
    return status;
}

void MatchTask::take(std::size_t position, std::span<const float> logits) {
    if (const Status status = measure(logits); status != Status::ok) return fail(sampling_error(status));
    const Token next = tokens_[position + 1];
    reference_.edits.accept(next);
    other_.edits.accept(next);
    if (position + 2 == tokens_.size()) finish();
}

void MatchTask::finish() {
    MatchedEvent matched;
    matched.positions = spectra_.size();
    matched.reference_entropy = reference_entropy_ / static_cast<double>(spectra_.size());
    const TemperatureMatch match = match_entropy(spectra_, matched.reference_entropy);
    matched.temperature = match.temperature;
    matched.entropy = match.entropy;
    matched.reference = std::move(reference_.settings);
    matched.settings = std::move(other_.settings);
    matched.settings.params.temperature = match.temperature;
    matched.usage = prompt_usage();
    end({0, std::move(matched)});
}

void MatchTask::cancel() { fail({ErrorCode::interrupted, "cancelled"}); }

}  // namespace hlg::engine
