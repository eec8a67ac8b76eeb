#include "sample/truncation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace hlg::sample {
namespace {

constexpr std::uint32_t kEveryToken = std::numeric_limits<std::uint32_t>::max();

// Whether drawing among all tokens and refusing the others is cheaper than a list. At any temperature the survivors hold at least
// their number's share of the mass, so this takes 16 proposals at the worst, and most often one or two.
bool many(std::size_t survivors, std::size_t vocab) { return survivors >= 512 && survivors * 16 >= vocab; }

// The least float32 that is not below the limit.
float rounded_up(double limit) {
    const auto rounded = static_cast<float>(limit);
    return static_cast<double>(rounded) < limit ? std::nextafter(rounded, -kMinusInfinity) : rounded;
}

// The least value that min_p keeps.
float min_p_floor(double min_p, float top) {
    return min_p > 0 ? std::min(rounded_up(static_cast<double>(top) + std::log(min_p)), top) : kMinusInfinity;
}

}  // namespace

bool Truncation::active(const SamplerParams& params, std::size_t vocab) noexcept {
    const bool keeps_all = params.top_k <= 0 || static_cast<std::uint64_t>(params.top_k) >= vocab;
    return params.top_p < 1 || !keeps_all || params.min_p > 0;
}

// A value that no survivor of top_k lies below.
float Truncation::top_k_floor(const Blocks& blocks, const SamplerParams& params) {
    const auto k = static_cast<std::size_t>(params.top_k);
    if (params.top_k <= 0 || k > blocks.maxima().size()) return kMinusInfinity;
    // k blocks reach their k-th largest maximum, so at least k tokens do.
    values_.assign(blocks.maxima().begin(), blocks.maxima().end());
    const auto kth = values_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(values_.begin(), kth, values_.end(), std::greater<>());
    return *kth;
}

std::optional<Crossing> Truncation::cross_top_p(Blocks& blocks, const Edits& edits, double top_p) {
    values_.clear();
    for (const EditedToken& edited : edits.tokens())
        if (edited.value > kMinusInfinity) values_.push_back(edited.value);
    return nucleus_.find(blocks, values_, {top_p, top_, last_.value, mask_floor_});
}

// The last token that is kept of those that tie at the end of a prefix.
std::uint32_t Truncation::tied(Blocks& blocks, const Edits& edits, const Crossing& crossing) const {
    if (crossing.kept == crossing.ties) return kEveryToken;
    std::size_t left = crossing.kept;
    const float above = std::nextafter(crossing.value, -kMinusInfinity);
    BlockBuffer buffer;
    std::array<float, kBlock + kLanes> equal;
    for (std::size_t index = 0; index < blocks.maxima().size(); ++index) {
        const auto x = blocks.block(index, buffer);
        const std::size_t first = index * kBlock;
        const auto edited = edits.between(first, first + x.size());
        std::size_t ties = blocks.kernels().collect(x.data(), x.size(), crossing.value, above, equal.data());
        for (const EditedToken& token : edited) ties += token.value == crossing.value ? 1 : 0;
        if (ties < left) {
            left -= ties;
            continue;
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            const EditedToken* token = edits.find(first + i);
            const float value = token != nullptr ? token->value : x[i];
            if (value == crossing.value && --left == 0) return static_cast<std::uint32_t>(first + i);
        }
    }
    return kEveryToken;
}

// The survivors up to last_, in the order of their tokens. Those present also have to lie above the mask, which the edited have
// met by themselves.
void Truncation::gather(Blocks& blocks, const Edits& edits) {
    ids_.clear();
    candidates_.clear();
    blocks.gather(std::max(last_.value, mask_floor_), ids_);
    const auto add = [this](float value, std::uint32_t token) {
        if (value > kMinusInfinity && keeps(value, token)) candidates_.push_back({value, token});
    };
    auto edited = edits.tokens().begin();
    const auto add_edited = [&](std::uint32_t below) {
        for (; edited != edits.tokens().end() && static_cast<std::uint32_t>(edited->token) < below; ++edited)
            add(edited->value, static_cast<std::uint32_t>(edited->token));
    };
    for (const std::uint32_t id : ids_) {
        add_edited(id);
        add(blocks.logits()[id], id);
    }
    add_edited(kEveryToken);
}

void Truncation::cut_top_k(std::size_t k) {
    if (k == 0 || k >= candidates_.size()) return;
    ranking_ = candidates_;
    const auto kth = ranking_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(ranking_.begin(), kth, ranking_.end());
    last_ = *kth;
    std::erase_if(candidates_, [this](const Candidate& candidate) { return !keeps(candidate.value, candidate.token); });
}

std::span<const Candidate> Truncation::apply(Blocks& blocks, const Edits& edits, const Shaper& shaper,
                                             const SamplerParams& params) {
    const std::size_t vocab = blocks.logits().size();
    top_ = shaper.reference;
    mask_floor_ = shaper.lowest_unmasked();
    candidates_.clear();
    last_ = {std::max(min_p_floor(params.min_p, top_), top_k_floor(blocks, params)), kEveryToken};
    if (params.top_p < 1) {
        const auto crossing = cross_top_p(blocks, edits, params.top_p);
        if (crossing && crossing->value >= last_.value) {
            last_ = {crossing->value, tied(blocks, edits, *crossing)};
            if (params.top_k <= 0 && many(crossing->before + crossing->kept, vocab)) return {};
        }
    }
    gather(blocks, edits);
    cut_top_k(static_cast<std::size_t>(std::max<std::int64_t>(params.top_k, 0)));
    if (many(candidates_.size(), vocab)) candidates_.clear();
    return candidates_;
}

}  // namespace hlg::sample
