// How the layers are made; envelope_proposals.cpp draws from them.
#include "sample/envelope.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace hlg::sample {
namespace {

// A block of 256 such weights, each up to a fifth too large, still adds up within 31 bits, as far as the vectors' own sums reach.
// Vocabularies of more than 2^21 tokens get more than half of the reference's units in their tail layer, and more proposals.
constexpr int kMaxScale = 22;

// More units than a small vocabulary needs cost nothing and save rounds.
constexpr int kMinScale = 12;

// What is left of the certain weight after the tail layer may be wasted, but for the units' rounding up.
constexpr double kClosedShare = 0.9;

// Blocks are closed before the lanes' own weights are known, so they get a part of that only.
constexpr double kBlockShare = 0.75;

// What a table may waste of the weight it stands for.
constexpr double kLooseness = 0.5;

// Opening a block's lanes one by one takes as long as reading it whole from a table when there are this many to open, and as long
// as computing it whole when there are that many.
constexpr std::size_t kLanesForTable = 2;
constexpr std::size_t kLanesABlock = 8;

// `spare`: how many tokens get a unit more than their weight.
int scale_for(std::size_t spare) { return std::clamp(static_cast<int>(std::bit_width(spare - 1)) + 1, kMinScale, kMaxScale); }

}  // namespace

bool Envelope::build(Blocks& blocks, const Edits& edits, const Shaper& shaper) {
    blocks_ = &blocks;
    edits_ = &edits;
    shaper_ = shaper;
    const int scale = scale_for(blocks.logits().size() + edits.tokens().size());
    scale_ = std::ldexp(1.0, scale);
    if (!make_unit_step(shaper, scale, units_)) return false;
    reserve(blocks.maxima().size());
    add_edits();
    add_blocks();
    total_ = edited_total_ + closed_block_total_ + closed_lane_total_ + opened_total_ + blocks.logits().size();
    return true;
}

// Room for the flattest step: a later one must not allocate.
void Envelope::reserve(std::size_t blocks) {
    heads_.reserve(blocks);
    head_maxima_.reserve(blocks);
    head_units_.reserve(blocks + kPadding);
    parted_.reserve(blocks + kLanes);
    lane_maxima_.reserve(blocks * kLanes);
    lane_units_.reserve(blocks * kLanes + kPadding);
    opened_lanes_.reserve(blocks * kLanes + kLanes);
    opened_units_.reserve(blocks * kLanesABlock + 2 * kLanes);
}

void Envelope::add_edits() {
    edited_ends_.clear();
    edited_total_ = 0;
    for (const EditedToken& edited : edits_->tokens()) {
        edited_total_ += static_cast<std::uint64_t>(shaper_.weight(edited.value) * scale_) + 1;
        edited_ends_.push_back(edited_total_);
    }
}

// Units that closed blocks and lanes may hold, given that so many are certainly real weight.
double Envelope::budget(std::uint64_t certain) const {
    const auto tail = static_cast<double>(blocks_->logits().size());
    return std::max(kClosedShare * std::max(static_cast<double>(certain), scale_) - tail, 0.0);
}

// The highest of a few limits under which what stays closed fits the budget.
Envelope::Closing Envelope::close(const std::vector<std::uint32_t>& units, double tokens, double budget) const {
    const double entries = budget / tokens;
    // This one fits whatever the entries are.
    const auto sure = static_cast<std::uint32_t>(entries / static_cast<double>(units.size() + 1));
    Cuts cuts;
    for (std::size_t i = 0; i < Cuts::kCount; ++i) cuts.limits[i] = std::min((sure + 1) << i, 1U << 30U) - 1;
    blocks_->kernels().sums_up_to(units.data(), units.size(), cuts);
    std::size_t best = 0;
    while (best + 1 < Cuts::kCount && static_cast<double>(cuts.sums[best + 1]) <= entries) ++best;
    return {cuts.limits[best], cuts.sums[best]};
}

void Envelope::add_blocks() {
    const auto found = blocks_->at_least(units_.threshold);
    heads_.assign(found.begin(), found.end());
    head_maxima_.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) head_maxima_[i] = blocks_->maxima()[found[i]];
    head_units_.resize(found.size() + kPadding);
    const std::uint64_t certain =
        edited_total_ + blocks_->kernels().units(head_maxima_.data(), found.size(), units_.curve, head_units_.data());
    head_units_.resize(found.size());
    const Closing closing = close(head_units_, kBlock, kBlockShare * budget(certain));
    part_blocks(closing);
    closed_block_total_ = closing.sum * kBlock;
    // The vocabulary's last block may be short.
    if (!heads_.empty()) closed_block_total_ -= (kBlock - tokens_in(heads_.back())) * head_units_.back();
    split(certain);
}

// The blocks above the limit leave the closed ones.
void Envelope::part_blocks(const Closing& closing) {
    parted_.resize(head_units_.size() + kLanes);
    parted_.resize(blocks_->kernels().above(head_units_.data(), head_units_.size(), closing.limit, parted_.data()));
    for (std::uint32_t& place : parted_) {
        head_units_[place] = 0;
        place = heads_[place];
    }
}

// Units of the lanes of every stride-th parted block; returns their sum.
std::uint64_t Envelope::weigh_lanes(std::size_t stride) {
    const std::size_t lanes = (parted_.size() + stride - 1) / stride * kLanes;
    lane_maxima_.resize(lanes);
    for (std::size_t i = 0, at = 0; i < parted_.size(); i += stride, at += kLanes) {
        const auto maxima = blocks_->lane_maxima(parted_[i]);
        std::copy(maxima.begin(), maxima.end(), lane_maxima_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    lane_units_.resize(lanes + kPadding);
    const std::uint64_t sum = blocks_->kernels().units(lane_maxima_.data(), lanes, units_.curve, lane_units_.data());
    lane_units_.resize(lanes);
    return sum;
}

// Which lanes stay closed, when those weighed are one in `stride`.
Envelope::Closing Envelope::close_lanes(std::uint64_t certain, std::size_t stride) const {
    const auto tokens = static_cast<double>(kLaneTokens * stride);
    return close(lane_units_, tokens, std::max(budget(certain) - static_cast<double>(closed_block_total_), 0.0));
}

// Flat steps end in a table, whatever their lanes weigh: a few blocks tell before all are weighed.
bool Envelope::open_if_flat(std::uint64_t certain) {
    constexpr std::size_t kStride = 8;
    constexpr std::size_t kMany = 8 * kStride;
    if (parted_.size() < std::max(kMany, heads_.size())) return false;
    const std::uint64_t sum = weigh_lanes(kStride);
    const Closing closing = close_lanes(edited_total_ + kStride * sum, kStride);
    const std::size_t opened = static_cast<std::size_t>(
        std::count_if(lane_units_.begin(), lane_units_.end(), [&closing](std::uint32_t units) { return units > closing.limit; }));
    return opened * kStride > 2 * kLanesForTable * parted_.size() && open_from_table(std::max(certain, edited_total_ + sum));
}

// False if the table wastes too much.
bool Envelope::open_from_table(std::uint64_t certain) {
    tabled_ = make_table(certain);
    if (!tabled_) return false;
    open_blocks();
    return tabled_ = table_is_tight();
}

void Envelope::split(std::uint64_t certain_of_blocks) {
    tabled_ = false;
    closed_lane_total_ = 0;
    if (open_if_flat(certain_of_blocks)) return;
    const std::uint64_t certain = edited_total_ + closed_block_total_ / kBlock + weigh_lanes(1);
    Closing closing = close_lanes(certain, 1);
    const bool few = list_opened_lanes(closing.limit);
    if (opened_lanes_.size() > kLanesForTable * parted_.size() && open_from_table(certain)) return;
    if (!few) return open_blocks();
    open_last_block(closing);
    closed_lane_total_ = closing.sum * kLaneTokens;
    open_lanes();
}

// The lanes above the limit; false, and soon, when they are so many that their blocks should be opened whole.
bool Envelope::list_opened_lanes(std::uint32_t limit) {
    constexpr std::size_t kStride = 64 * kLanes;
    const std::size_t lanes = lane_units_.size();
    const std::size_t most = kLanesABlock * parted_.size();
    opened_lanes_.resize(std::min(most + kStride, lanes) + kLanes);
    std::size_t count = 0;
    for (std::size_t at = 0; at < lanes && count <= most; at += kStride) {
        std::uint32_t* const out = opened_lanes_.data() + count;
        const std::size_t found = blocks_->kernels().above(lane_units_.data() + at, std::min(kStride, lanes - at), limit, out);
        for (std::size_t i = 0; i < found; ++i) out[i] += static_cast<std::uint32_t>(at);
        count += found;
    }
    opened_lanes_.resize(count);
    return count <= most;
}

// The lanes of a short block, which have not all the same number of tokens, do not stay closed.
void Envelope::open_last_block(Closing& closing) {
    if (parted_.empty() || tokens_in(parted_.back()) == kBlock) return;
    const auto first = static_cast<std::uint32_t>(lane_units_.size() - kLanes);
    while (!opened_lanes_.empty() && opened_lanes_.back() >= first) opened_lanes_.pop_back();
    for (std::uint32_t place = first; place < lane_units_.size(); ++place) {
        if (lane_units_[place] <= closing.limit) closing.sum -= lane_units_[place];
        opened_lanes_.push_back(place);
    }
}

Envelope::Lane Envelope::lane_at(std::size_t place) const { return {parted_[place / kLanes], place % kLanes}; }

// A lane's logits to out[0], out[stride], ...; -inf past the vocabulary's end.
void Envelope::gather(const Lane& lane, float* out, std::size_t stride) const {
    BlockBuffer buffer;
    const auto x = blocks_->block(lane.block, buffer);
    for (std::size_t i = lane.lane; i < kBlock; i += kLanes, out += stride) *out = i < x.size() ? x[i] : kMinusInfinity;
}

// Lanes by the dozen and a bit: one a column, so that the kernel's sums by lane are theirs.
void Envelope::open_lanes() {
    whole_ = false;
    opened_total_ = 0;
    alignas(64) std::array<float, kBlock> columns;
    const std::size_t count = opened_lanes_.size();
    opened_units_.resize((count + kLanes - 1) / kLanes * kLanes);
    for (std::size_t at = 0; at < count; at += kLanes) {
        const std::size_t used = std::min(kLanes, count - at);
        if (used < kLanes) columns.fill(kMinusInfinity);
        for (std::size_t i = 0; i < used; ++i) {
            const std::size_t place = opened_lanes_[at + i];
            lane_units_[place] = 0;
            gather(lane_at(place), columns.data() + i, kLanes);
        }
        blocks_->kernels().lane_units(columns.data(), units_.curve, opened_units_.data() + at);
    }
    opened_units_.resize(count);
    for (const std::uint32_t units : opened_units_) opened_total_ += units;
}

// A table wastes what a bin's upper end weighs more than its tokens do. With what the tail layer and the closed blocks take, two
// proposals stay expected if that is not more than kLooseness of the opened weight.
bool Envelope::make_table(std::uint64_t certain) {
    constexpr double kLastBin = 0.1;  // of the certain weight, if every token lay in the last bin
    const auto sure = static_cast<double>(certain);
    const auto vocab = static_cast<double>(blocks_->logits().size());
    if (vocab + static_cast<double>(closed_block_total_) > (1 - kLooseness) * sure) return false;
    const double base = shaper_.curve->identity() ? static_cast<double>(shaper_.top) : shaper_.pivot;
    const double depth = std::log(vocab * scale_ / (kLastBin * sure)) / static_cast<double>(shaper_.gain);
    const double light = base + shaper_.curve->inverse(static_cast<double>(shaper_.reference) - base - depth);
    // A log toe keeps its weight for thousands of nats, where no logit is: the blocks' maxima tell how far the logits spread.
    const auto high = static_cast<double>(blocks_->top());
    const auto lowest = static_cast<double>(*std::min_element(head_maxima_.begin(), head_maxima_.end()));
    const double low = std::max(light, high - 4 * (high - lowest) - 1 / static_cast<double>(shaper_.gain));
    const double bin = (high - low) / (UnitTable::kBins - 1);
    // Rounding may move a logit near a bin's end into the next one; an end that lies a little higher covers it. Half of it goes
    // to each side, and float32 places, below 1/256 of 2^22, are wrong by less than that.
    constexpr double kMargin = 1.0 / 256;
    if (!(bin > 0) || !(std::abs(high / bin) < 0x1p22 * kMargin)) return false;
    // Half a bin for rounding down with what rounds to nearest, and as much more as the arithmetic may be wrong.
    table_.start = static_cast<float>(high / bin - 0.5 + kMargin / 2);
    table_.bins_per_nat = static_cast<float>(1 / bin);
    std::array<float, UnitTable::kBins> ends;
    for (std::size_t i = 0; i < ends.size(); ++i)
        ends[i] = static_cast<float>(high - std::max(static_cast<double>(i) - kMargin, 0.0) * bin);
    std::array<std::uint32_t, UnitTable::kBins + kPadding> units;
    blocks_->kernels().units(ends.data(), ends.size(), units_.curve, units.data());
    std::copy_n(units.begin(), table_.units.size(), table_.units.begin());
    return true;
}

// Equal bins suit a curve whose slope is much the same over those that matter. Whether it is, the block that holds most and a few
// across the vocabulary tell.
bool Envelope::table_is_tight() const {
    constexpr std::size_t kSample = 4;
    std::array<std::size_t, kSample + 1> chosen{};
    for (std::size_t i = 0; i < kSample; ++i) chosen[i] = i * parted_.size() / kSample;
    const auto most = std::max_element(opened_units_.begin(), opened_units_.end());
    chosen[kSample] = static_cast<std::size_t>(most - opened_units_.begin());
    return std::all_of(chosen.begin(), chosen.end(), [this](std::size_t i) {
        BlockBuffer buffer;
        const auto x = blocks_->block(parted_[i], buffer);
        const auto exact = static_cast<double>(blocks_->kernels().units(x.data(), x.size(), units_.curve, nullptr) + kBlock);
        return static_cast<double>(opened_units_[i]) <= (1 + kLooseness) * exact;
    });
}

void Envelope::open_blocks() {
    whole_ = true;
    opened_units_.resize(parted_.size());
    if (tabled_ && parted_.size() == blocks_->maxima().size()) {
        const auto x = blocks_->logits();
        blocks_->kernels().look_up_blocks(x.data(), x.size(), table_, opened_units_.data());
        for (const EditedToken& edited : edits_->tokens()) {
            const std::size_t index = static_cast<std::size_t>(edited.token) / kBlock;
            opened_units_[index] = block_units(index);
        }
    } else {
        std::transform(parted_.begin(), parted_.end(), opened_units_.begin(), [this](std::size_t i) { return block_units(i); });
    }
    opened_total_ = std::accumulate(opened_units_.begin(), opened_units_.end(), std::uint64_t{0});
}

std::uint32_t Envelope::block_units(std::size_t index) const {
    BlockBuffer buffer;
    const auto x = blocks_->block(index, buffer);
    std::uint32_t sum = 0;
    if (tabled_)
        blocks_->kernels().look_up_blocks(x.data(), x.size(), table_, &sum);
    else
        sum = static_cast<std::uint32_t>(blocks_->kernels().units(x.data(), x.size(), units_.curve, nullptr));
    return sum;
}

}  // namespace hlg::sample
