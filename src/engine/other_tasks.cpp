// SPDX-License-Identifier: MIT
#include "engine/other_tasks.hpp"

#include <algorithm>
#include <numeric>

#include "engine/penalties.hpp"
#include "engine/sampling_error.hpp"

namespace hlg::engine {
namespace {

Error cancelled_error() { return {ErrorCode::interrupted, "cancelled"}; }

/** The n largest places, the largest first, lower places first among equals. */
std::vector<std::size_t> largest_places(const std::vector<double>& values, std::size_t n) {
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(n, places.size()));
    std::partial_sort(places.begin(), end, places.end(),
                      [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
    places.erase(end, places.end());
    return places;
}

}  // namespace

void ScoreTask::take(std::size_t position, std::span<const float> logits) {
    if (const Status status = log_probabilities_.read(logits); status != Status::ok) return fail(sampling_error(status));
    scored_.log_probabilities.push_back(log_probabilities_.of(tokens_[position + 1]));
    if (highest_ > 0) scored_.highest.push_back(log_probabilities_.highest(highest_));
    if (position + 2 < tokens_.size()) return;
    if (told_) scored_.tokens = tokens_;
    scored_.usage = prompt_usage();
    end({0, std::move(scored_)});
}

void ScoreTask::cancel() { fail(cancelled_error()); }

Status InspectTask::describe(const Step& step, InspectedEvent& inspected, std::vector<double>& probabilities,
                             std::vector<double>& plain) const {
    constexpr double deep = -9.210340371976182;  // ln 1e-4
    Sampler draw(settings_.params);
    if (const Status status = draw.probabilities(step, probabilities); status != Status::ok) return status;
    if (const Status status = draw.statistics(step, deep, inspected.statistics); status != Status::ok) return status;
    Sampler temperature(SamplerParams{.temperature = settings_.params.temperature});
    if (const Status status = temperature.probabilities(step, plain); status != Status::ok) return status;
    if (const Status status = temperature.statistics(step, deep, inspected.plain); status != Status::ok) return status;
    return Sampler(SamplerParams{}).statistics(Step{.logits = step.logits}, deep, inspected.model);
}

void InspectTask::take(std::size_t /*position*/, std::span<const float> logits) {
    InspectedEvent inspected;
    LogProbabilities model;
    if (const Status status = model.read(logits); status != Status::ok) return fail(sampling_error(status));
    EditList edits(settings_.penalties, settings_.logit_bias, tokens_);
    std::vector<double> probabilities(logits.size());
    std::vector<double> plain(logits.size());
    const Status status = describe({.logits = logits, .edits = edits.edits(logits)}, inspected, probabilities, plain);
    if (status != Status::ok) return fail(sampling_error(status));
    for (const std::size_t place : largest_places(probabilities, count_)) {
        const auto token = static_cast<Token>(place);
        inspected.tokens.push_back(
            {token, model_.piece(token), logits[place], model.of(token), probabilities[place], plain[place]});
    }
    inspected.settings = settings_;
    inspected.usage = prompt_usage();
    end({0, std::move(inspected)});
}

void InspectTask::cancel() { fail(cancelled_error()); }

}  // namespace hlg::engine
