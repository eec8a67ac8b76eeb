// What a unit of the envelope proposes.
#include <algorithm>
#include <array>
#include <cmath>

#include "sample/envelope.hpp"

namespace hlg::sample {
namespace {

// Where a sorted list has this entry; its size if it has none.
std::size_t place_of(const std::vector<std::uint32_t>& sorted, std::size_t entry) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), entry);
    return static_cast<std::size_t>((found != sorted.end() && *found == entry ? found : sorted.end()) - sorted.begin());
}

}  // namespace

// Units of a token above the tail layer: the same that its layer holds for it.
std::uint32_t Envelope::above_tail(std::size_t token) const {
    const std::size_t index = token / kBlock;
    const std::size_t place = place_of(parted_, index);
    if (place < parted_.size()) return whole_ ? block_tokens(index).units[token % kBlock] : above_tail_in_split(place, token);
    const std::size_t head = place_of(heads_, index);
    return head < heads_.size() ? head_units_[head] : 0;
}

// Of a block that is opened whole.
Envelope::BlockTokens Envelope::block_tokens(std::size_t index) const {
    BlockBuffer buffer;
    const auto x = blocks_->block(index, buffer);
    BlockTokens tokens;
    if (tabled_)
        blocks_->kernels().look_up(x.data(), x.size(), table_, tokens.units.data());
    else
        blocks_->kernels().units(x.data(), x.size(), units_.curve, tokens.units.data());
    return tokens;
}

std::uint32_t Envelope::above_tail_in_split(std::size_t place, std::size_t token) const {
    const std::size_t lane = place * kLanes + token % kLanes;
    if (place_of(opened_lanes_, lane) == opened_lanes_.size()) return lane_units_[lane];
    return lane_tokens(lane).units[token % kBlock / kLanes];
}

// An opened lane's tokens one by one.
Envelope::LaneTokens Envelope::lane_tokens(std::size_t place) const {
    std::array<float, kBlock / kLanes> x;
    gather(lane_at(place), x.data(), 1);
    LaneTokens tokens;
    blocks_->kernels().units(x.data(), x.size(), units_.curve, tokens.units.data());
    return tokens;
}

Envelope::Proposal Envelope::propose_edited(std::uint64_t unit) const {
    const auto end = std::upper_bound(edited_ends_.begin(), edited_ends_.end(), unit);
    const EditedToken& edited = edits_->tokens()[static_cast<std::size_t>(end - edited_ends_.begin())];
    const double weight = shaper_.weight(edited.value) * scale_;
    return {static_cast<std::size_t>(edited.token), std::floor(weight) + 1, weight};
}

Envelope::Proposal Envelope::propose_present(std::size_t token, std::uint32_t above) const {
    // An edited token is no longer among the blocks: what its place in a block proposes comes to nothing, and so does a place
    // past the end of the vocabulary.
    const bool gone = token >= blocks_->logits().size() || edits_->find(token) != nullptr;
    const double weight = gone ? 0.0 : shaper_.weight(shaper_.value(blocks_->logits()[token])) * scale_;
    return {token, static_cast<double>(above) + 1, weight};
}

Envelope::Proposal Envelope::propose_closed_block(std::uint64_t unit) const {
    std::uint64_t each = unit / kBlock;
    const std::size_t head = blocks_->kernels().find(head_units_.data(), head_units_.size(), each);
    const std::size_t first = heads_[head] * kBlock;
    const std::uint64_t place = each * kBlock + unit % kBlock;
    return propose_present(first + place % tokens_in(heads_[head]), head_units_[head]);
}

Envelope::Proposal Envelope::propose_closed_lane(std::uint64_t unit) const {
    std::uint64_t each = unit / kLaneTokens;
    const std::size_t place = blocks_->kernels().find(lane_units_.data(), lane_units_.size(), each);
    const Lane lane = lane_at(place);
    return propose_present(lane.block * kBlock + unit % kLaneTokens * kLanes + lane.lane, lane_units_[place]);
}

Envelope::Proposal Envelope::propose_opened_lane(std::uint64_t unit) const {
    const std::size_t found = blocks_->kernels().find(opened_units_.data(), opened_units_.size(), unit);
    const std::size_t place = opened_lanes_[found];
    const LaneTokens tokens = lane_tokens(place);
    std::size_t i = 0;
    while (unit >= tokens.units[i]) unit -= tokens.units[i++];
    const Lane lane = lane_at(place);
    return propose_present(lane.block * kBlock + i * kLanes + lane.lane, tokens.units[i]);
}

Envelope::Proposal Envelope::propose_opened_block(std::uint64_t unit) const {
    const std::size_t found = blocks_->kernels().find(opened_units_.data(), opened_units_.size(), unit);
    const BlockTokens tokens = block_tokens(parted_[found]);
    std::size_t i = 0;
    while (unit >= tokens.units[i]) unit -= tokens.units[i++];
    return propose_present(parted_[found] * kBlock + i, tokens.units[i]);
}

Envelope::Proposal Envelope::propose(std::uint64_t unit) const {
    if (unit < edited_total_) return propose_edited(unit);
    unit -= edited_total_;
    if (unit < closed_block_total_) return propose_closed_block(unit);
    unit -= closed_block_total_;
    if (unit < closed_lane_total_) return propose_closed_lane(unit);
    unit -= closed_lane_total_;
    if (unit < opened_total_) return whole_ ? propose_opened_block(unit) : propose_opened_lane(unit);
    unit -= opened_total_;
    return propose_present(static_cast<std::size_t>(unit), above_tail(static_cast<std::size_t>(unit)));
}

}  // namespace hlg::sample
