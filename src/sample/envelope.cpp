#include "sample/envelope.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace hlg::sample {
namespace {

constexpr std::uint32_t kOpened = 0xFFFFFFFF;

// A block of 256 such weights, each up to a fifth too large, still adds up within 31 bits, as far as the vectors' own sums reach.
// Vocabularies of more than 2^21 tokens get more than half of the reference's units in their tail layer, and more proposals.
constexpr int kMaxScale = 22;

// More units than a small vocabulary needs cost nothing and save rounds.
constexpr int kMinScale = 12;

// Above this uncertainty of the float32 weights (nats) the envelope would waste too many proposals.
constexpr double kMaxSlack = 0.2;

// Closed blocks may hold this share of the units that are certain to be real weight.
constexpr double kClosedShare = 0.4;

// From this many opened blocks on the table pays for a curve: making it costs as much as opening eight. A line needs none.
constexpr std::size_t kTableFrom = 24;

// `spare`: how many tokens get a unit more than their weight.
int scale_for(std::size_t spare) { return std::clamp(static_cast<int>(std::bit_width(spare - 1)) + 1, kMinScale, kMaxScale); }

// The next float32 at or below, but finite: a mask of -inf must stay below every threshold.
float down(double value) {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const auto rounded = static_cast<float>(std::max(value, static_cast<double>(lowest)));
    return static_cast<double>(rounded) > value ? std::max(lowest, std::nextafter(rounded, kMinusInfinity)) : rounded;
}

// Knots and lengths as the kernels want them: a side that is off gets a knot at infinity and a length of 0.
UnitCurve unit_curve(const Curve& curve) {
    UnitCurve unit;
    if (curve.identity()) return unit;
    const auto side = [&](double length, float& knot, float& f32, float& inverse) {
        constexpr double kStraight = 1e15;  // z^2 / 2b of such a length is below 1e-7 nats at the mask's depth
        knot = length < kStraight ? static_cast<float>(curve.width()) : std::numeric_limits<float>::infinity();
        f32 = length < kStraight ? static_cast<float>(std::max(length, 1e-30)) : 0.0F;
        inverse = length < kStraight ? 1 / f32 : 0.0F;
    };
    unit.kind = curve.toe_shape() == ToeShape::log ? UnitCurve::Kind::log : UnitCurve::Kind::fade;
    side(curve.shoulder(), unit.shoulder_knot, unit.shoulder, unit.inverse_shoulder);
    side(curve.toe(), unit.toe_knot, unit.toe, unit.inverse_toe);
    unit.fade = unit.inverse_toe / 2;
    return unit;
}

// A bound, in nats, on how far a kernel's m h(z) may lie below the exact m (value - reference), for z between low and high.
// The kernels work on z in float32 (2^-24 of each of its terms, times the slope), multiply a logarithm that is good to 2e-6, and
// know nothing of the exact value's own rounding to float32.
double float32_error(const Shaper& shaper, double low, double high, double reference) {
    const Curve& curve = *shaper.curve;
    const double reach = std::abs(low) + std::abs(high);
    const double slope = std::max({1.0, curve.slope(low), curve.slope(high)});
    double error = reach * slope * 0x1p-21 + std::abs(reference) * 0x1p-21;
    if (!curve.identity()) {
        error += (std::abs(curve.h(low)) + std::abs(curve.h(high))) * 4e-6;
        error += (std::abs(static_cast<double>(shaper.top)) + std::abs(shaper.pivot) + reach) * 0x1p-22;
    }
    return static_cast<double>(shaper.gain) * error + 2e-5;
}

}  // namespace

bool Envelope::set_curve(const Shaper& shaper, std::size_t spare) {
    const Curve& curve = *shaper.curve;
    const auto top = static_cast<double>(shaper.top);
    const auto gain = static_cast<double>(shaper.gain);
    const int scale = scale_for(spare);
    scale_ = std::ldexp(1.0, scale);
    const double base = curve.identity() ? top : shaper.pivot;
    const double high = top - base;
    const double reference = static_cast<double>(shaper.reference) - base;
    // Where a weight falls to one unit, less a little so that the rounding below cannot reach it.
    const double unit_depth = (scale * std::numbers::ln2 + kMaxSlack) / gain;
    // Above the top (an edit may lift its token that far) one place is as good as another.
    const double low = std::clamp(curve.inverse(reference - unit_depth), high - kMaskDepth, high + 1);
    if (low > high) {
        // An edit forces its token: no other weighs a unit.
        threshold_ = std::numeric_limits<float>::infinity();
        return true;
    }
    const double slack = float32_error(shaper, low, high, reference);
    if (!(slack < kMaxSlack)) return false;
    threshold_ = down(base + low);
    curve_ = unit_curve(curve);
    curve_.top = shaper.top;
    curve_.mask_floor = down(top - kMaskDepth);
    curve_.z_top = static_cast<float>(high);
    curve_.gain = static_cast<float>(gain * std::numbers::log2e);
    curve_.lift = static_cast<float>(scale + (slack - gain * reference) * std::numbers::log2e);
    return true;
}

bool Envelope::build(Blocks& blocks, const Edits& edits, const Shaper& shaper) {
    blocks_ = &blocks;
    edits_ = &edits;
    shaper_ = shaper;
    if (!set_curve(shaper, blocks.logits().size() + edits.tokens().size())) return false;
    add_edits();
    add_blocks();
    total_ = edited_total_ + block_total_ + blocks.logits().size();
    return true;
}

void Envelope::add_edits() {
    edited_ends_.clear();
    edited_total_ = 0;
    for (const EditedToken& edited : edits_->tokens()) {
        edited_total_ += static_cast<std::uint64_t>(shaper_.weight(edited.value) * scale_) + 1;
        edited_ends_.push_back(edited_total_);
    }
}

std::uint64_t Envelope::units(std::size_t index, std::uint32_t* out) const {
    BlockBuffer buffer;
    const auto x = blocks_->block(index, buffer);
    if (tabled_) return blocks_->kernels().look_up(x.data(), x.size(), table_, out);
    return blocks_->kernels().units(x.data(), x.size(), curve_, out);
}

// Blocks whose largest weight has at most this many bits stay closed.
std::uint32_t Envelope::closed_width(std::uint64_t certain) const {
    std::array<std::uint64_t, 34> held{};  // what closed blocks would hold, by that width
    for (std::size_t i = 0; i < heads_.size(); ++i) held[std::bit_width(head_units_[i])] += head_units_[i];
    const double allowed = kClosedShare * std::max(static_cast<double>(certain), scale_) / kBlock;
    std::uint32_t width = 0;
    for (std::uint64_t closed = 0; width < 32 && static_cast<double>(closed + held[width + 1]) <= allowed; ++width)
        closed += held[width + 1];
    return width;
}

void Envelope::make_table() {
    // A log toe's threshold may lie thousands of nats down, where no logit is. The blocks' maxima tell how far the logits spread;
    // what lies below the last bin shares its units.
    const auto high = static_cast<double>(blocks_->top());
    const auto lowest = static_cast<double>(*std::min_element(head_maxima_.begin(), head_maxima_.end()));
    const double spread = 4 * (high - lowest) + 1 / static_cast<double>(shaper_.gain);
    const double bin = std::min(high - static_cast<double>(threshold_), spread) / UnitTable::kBins;
    table_.high = blocks_->top();
    table_.bins_per_nat = static_cast<float>(1 / bin);
    // Rounding may move a logit near a bin's end into the next one; an end that lies a little higher covers it.
    constexpr double kMargin = 1.0 / 256;
    std::array<float, UnitTable::kBins + 1> ends;
    for (std::size_t i = 0; i < ends.size(); ++i)
        ends[i] = static_cast<float>(high - std::max(static_cast<double>(i) - kMargin, 0.0) * bin);
    blocks_->kernels().units(ends.data(), ends.size(), curve_, table_.units.data());
}

// Equal bins suit a curve whose slope is much the same over all of them. Whether it is, some of the opened blocks tell: the one
// that holds most and a few across the vocabulary.
bool Envelope::table_is_tight() const {
    constexpr std::size_t kSample = 4;
    constexpr std::uint64_t kLooseness = 16;  // at most 1/16 more units than the kernel counts
    std::array<std::size_t, kSample + 1> chosen{};
    for (std::size_t i = 0; i < kSample; ++i) chosen[i] = i * opened_.size() / kSample;
    const auto holds_less = [this](std::uint32_t a, std::uint32_t b) { return head_units_[a] < head_units_[b]; };
    chosen[kSample] = static_cast<std::size_t>(std::max_element(opened_.begin(), opened_.end(), holds_less) - opened_.begin());
    std::array<std::uint32_t, kBlock> each;
    for (const std::size_t i : chosen) {
        BlockBuffer buffer;
        const auto x = blocks_->block(heads_[opened_[i]].index, buffer);
        const std::uint64_t exact = blocks_->kernels().units(x.data(), x.size(), curve_, each.data());
        if (head_units_[opened_[i]] > exact + exact / kLooseness + kBlock) return false;
    }
    return true;
}

// Each opened block's own units; their sum.
std::uint64_t Envelope::count_opened() {
    std::array<std::uint32_t, kBlock> each;
    std::uint64_t sum = 0;
    for (const std::uint32_t i : opened_)
        sum += head_units_[i] = static_cast<std::uint32_t>(units(heads_[i].index, tabled_ ? nullptr : each.data()));
    return sum;
}

void Envelope::add_blocks() {
    const auto found = blocks_->at_least(threshold_);
    const std::size_t vocab = blocks_->logits().size();
    // Room for all blocks at once: a flatter step must not allocate.
    heads_.reserve(blocks_->maxima().size());
    opened_.reserve(blocks_->maxima().size());
    head_maxima_.reserve(blocks_->maxima().size());
    head_units_.reserve(blocks_->maxima().size() + kPadding);
    heads_.resize(found.size());
    head_maxima_.resize(found.size());
    head_units_.resize(found.size() + kPadding);
    for (std::size_t i = 0; i < found.size(); ++i) head_maxima_[i] = blocks_->maxima()[found[i]];
    const std::uint64_t certain =
        edited_total_ + blocks_->kernels().units(head_maxima_.data(), found.size(), curve_, head_units_.data());
    const std::uint32_t width = closed_width(certain);
    block_total_ = 0;
    opened_.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (static_cast<std::uint32_t>(std::bit_width(head_units_[i])) > width) {
            heads_[i] = {found[i], kOpened};
            opened_.push_back(static_cast<std::uint32_t>(i));
        } else {
            heads_[i] = {found[i], head_units_[i]};
            head_units_[i] *= static_cast<std::uint32_t>(std::min(kBlock, vocab - found[i] * kBlock));
            block_total_ += head_units_[i];
        }
    }
    tabled_ = curve_.kind != UnitCurve::Kind::line && opened_.size() > kTableFrom;
    if (tabled_) make_table();
    std::uint64_t opened = count_opened();
    if (tabled_ && !table_is_tight()) {
        tabled_ = false;
        opened = count_opened();
    }
    block_total_ += opened;
}

Envelope::Proposal Envelope::propose_edited(const EditedToken& edited) const {
    const double weight = shaper_.weight(edited.value) * scale_;
    return {static_cast<std::size_t>(edited.token), std::floor(weight) + 1, weight};
}

Envelope::Proposal Envelope::propose_present(std::size_t token, std::uint32_t above) const {
    // An edited token is no longer among the blocks: what its place in a block proposes comes to nothing.
    const bool gone = edits_->find(token) != nullptr;
    const double weight = gone ? 0.0 : shaper_.weight(shaper_.value(blocks_->logits()[token])) * scale_;
    return {token, static_cast<double>(above) + 1, weight};
}

Envelope::Proposal Envelope::propose_in_block(std::size_t position, std::uint64_t unit) const {
    const Block& head = heads_[position];
    const std::size_t first = head.index * kBlock;
    if (head.each != kOpened) return propose_present(first + unit / head.each, head.each);
    std::array<std::uint32_t, kBlock> each;
    units(head.index, each.data());
    std::size_t i = 0;
    while (unit >= each[i]) unit -= each[i++];
    return propose_present(first + i, each[i]);
}

Envelope::Proposal Envelope::propose_in_tail(std::size_t token) const {
    const auto index = static_cast<std::uint32_t>(token / kBlock);
    const auto before = [](const Block& head, std::uint32_t wanted) { return head.index < wanted; };
    const auto head = std::lower_bound(heads_.begin(), heads_.end(), index, before);
    if (head == heads_.end() || head->index != index) return propose_present(token, 0);
    if (head->each != kOpened) return propose_present(token, head->each);
    std::array<std::uint32_t, kBlock> each;
    units(index, each.data());
    return propose_present(token, each[token % kBlock]);
}

Envelope::Proposal Envelope::propose(std::uint64_t unit) const {
    if (unit < edited_total_) {
        const auto end = std::upper_bound(edited_ends_.begin(), edited_ends_.end(), unit);
        return propose_edited(edits_->tokens()[static_cast<std::size_t>(end - edited_ends_.begin())]);
    }
    unit -= edited_total_;
    if (unit >= block_total_) return propose_in_tail(static_cast<std::size_t>(unit - block_total_));
    std::size_t position = 0;
    while (unit >= head_units_[position]) unit -= head_units_[position++];
    return propose_in_block(position, unit);
}

}  // namespace hlg::sample
