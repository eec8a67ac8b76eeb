#include "sample/core.hpp"

#include <algorithm>
#include <cmath>

#include "sample/philox.hpp"

namespace hlg::sample {

Core::Core(const SamplerParams& params, const Kernels& kernels) : params_(params), blocks_(kernels) {
    validate(params);
    if (params.hlg) curve_ = Curve(*params.hlg);
}

Status Core::prepare(const Step& step) {
    if (const Status status = read(step); status != Status::ok) return status;
    if (const Status status = choose_reference(); status != Status::ok) return status;
    refuses_ = false;
    if (params_.temperature < kGreedyTemperature) {
        way_ = Way::greedy;
        find_greedy();
        return Status::ok;
    }
    if (!params_.hlg && Truncation::active(params_, step.logits.size())) {
        survivors_ = truncation_.apply(blocks_, edits_, shaper_, params_);
        refuses_ = survivors_.empty();
        if (!refuses_) {
            way_ = Way::list;
            weigh_survivors();
            return Status::ok;
        }
    }
    way_ = envelope_.build(blocks_, edits_, shaper_) ? Way::envelope : Way::full;
    return Status::ok;
}

Status Core::read(const Step& step) {
    const std::size_t vocab = step.logits.size();
    if (vocab == 0) return Status::empty;
    if (vocab > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return Status::too_large;
    if (!step.allowed.empty() && step.allowed.size() < (vocab + 31) / 32) return Status::argument;
    if (const Status status = edits_.assign(step.edits, vocab); status != Status::ok) return status;
    const bool greedy = params_.temperature < kGreedyTemperature;
    const bool weigh = !greedy && !curve_.identity() && curve_.pivot() == Pivot::entropy;
    const Status status = weigh ? blocks_.scan_and_weigh(step.logits) : blocks_.scan(step.logits);
    if (status != Status::ok) return status;
    logits_ = step.logits;
    shaper_ = Shaper{.curve = &curve_, .top = blocks_.top()};
    shaper_.gain = greedy ? 1.0F : static_cast<float>(1.0 / params_.temperature);
    static const Curve identity;
    if (greedy) shaper_.curve = &identity;
    if (!shaper_.curve->identity()) shaper_.pivot = anchor_.pivot(curve_, blocks_);
    if (step.allowed.empty()) return edits_.shape(logits_, shaper_);
    // The pivot and the mask's depth came from the model's own distribution; the draw sees the allowed tokens only.
    mask(step);
    if (const Status status = blocks_.scan(masked_); status != Status::ok) return status;
    logits_ = masked_;
    return edits_.shape(logits_, shaper_);
}

void Core::mask(const Step& step) {
    masked_.assign(step.logits.begin(), step.logits.end());
    for (std::size_t i = 0; i < masked_.size(); ++i)
        if ((step.allowed[i / 32] >> (i % 32) & 1U) == 0) masked_[i] = kMinusInfinity;
}

Status Core::choose_reference() {
    blocks_.remove(edits_);
    float best = shaper_.value(blocks_.top());
    for (const EditedToken& edited : edits_.tokens()) best = std::max(best, edited.value);
    shaper_.reference = best;
    return best > kMinusInfinity ? Status::ok : Status::no_token;
}

void Core::find_greedy() {
    std::size_t best = edits_.tokens().empty() || shaper_.value(blocks_.top()) == shaper_.reference
                           ? blocks_.first_with(blocks_.top())
                           : blocks_.logits().size();
    for (const EditedToken& edited : edits_.tokens())
        if (edited.value == shaper_.reference) best = std::min(best, static_cast<std::size_t>(edited.token));
    greedy_token_ = static_cast<std::int32_t>(best);
}

void Core::weigh_survivors() {
    running_.resize(survivors_.size());
    double sum = 0;
    for (std::size_t i = 0; i < survivors_.size(); ++i) running_[i] = sum += shaper_.weight(survivors_[i].value);
}

float Core::value(std::size_t token) const {
    const EditedToken* edited = edits_.find(token);
    return edited != nullptr ? edited->value : shaper_.value(logits_[token]);
}

float Core::drawn_value(std::size_t token) const {
    const float before = value(token);
    return refuses_ && !truncation_.keeps(before, token) ? kMinusInfinity : before;
}

std::int32_t Core::sample(Position position) {
    switch (way_) {
        case Way::greedy: return greedy_token_;
        case Way::list: return sample_list(position);
        case Way::envelope: return sample_envelope(position);
        case Way::full: break;
    }
    return sample_full(position);
}

std::int32_t Core::sample_list(Position position) {
    ++proposals_;
    const double goal = uniform(random_bits(params_.seed, position, 0).first) * running_.back();
    auto found = std::upper_bound(running_.begin(), running_.end(), goal);
    // Rounding may leave the goal past the end: then the last token that has a weight.
    if (found == running_.end()) found = std::lower_bound(running_.begin(), running_.end(), running_.back());
    return static_cast<std::int32_t>(survivors_[static_cast<std::size_t>(found - running_.begin())].token);
}

std::int32_t Core::sample_envelope(Position position) {
    for (std::uint32_t round = 0; round < kMaxRounds; ++round) {
        ++proposals_;
        const RandomBits bits = random_bits(params_.seed, position, round);
        std::uint64_t unit = 0;
        if (!uniform_below(bits.first, envelope_.total(), unit)) continue;
        const Envelope::Proposal proposal = envelope_.propose(unit);
        if (refuses_ && !(drawn_value(proposal.token) > kMinusInfinity)) continue;
        if (uniform(bits.second) * proposal.envelope < proposal.weight) return static_cast<std::int32_t>(proposal.token);
    }
    return sample_full(position);
}

std::int32_t Core::sample_full(Position position) {
    ++proposals_;
    const auto weight = [this](std::size_t i) { return shaper_.weight(drawn_value(i)); };
    double total = 0;
    for (std::size_t i = 0; i < logits_.size(); ++i) total += weight(i);
    const double goal = uniform(random_bits(params_.seed, position, kMaxRounds).first) * total;
    double sum = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < logits_.size(); ++i) {
        const double w = weight(i);
        if (w > 0) last = i;
        if ((sum += w) > goal) break;
    }
    return static_cast<std::int32_t>(last);
}

}  // namespace hlg::sample
