// The logits in blocks of kBlock tokens with each block's maximum: the index that lets a draw look at a few blocks only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sample/edits.hpp"
#include "sample/kernels.hpp"
#include "sample/running_mass.hpp"

namespace hlg::sample {

using BlockBuffer = std::array<float, kBlock>;

class Blocks {
public:
    explicit Blocks(const Kernels& kernels) : kernels_(&kernels) {}

    /** Reads the logits once. Status::nan, infinite or no_token when they cannot be drawn from. */
    Status scan(std::span<const float> logits);

    /** The same, and mass() will be asked for: adds it up on the way, which takes no second read but for rare distributions. */
    Status scan_and_weigh(std::span<const float> logits);

    /** From here on the edited tokens are absent: the touched blocks' maxima, and the top, are those of the others. */
    void remove(const Edits& edits);

    [[nodiscard]] const Kernels& kernels() const noexcept { return *kernels_; }
    [[nodiscard]] std::span<const float> logits() const noexcept { return logits_; }
    [[nodiscard]] std::span<const float> maxima() const noexcept { return maxima_; }

    /** The largest logit of each of a block's kLanes lanes, its tokens i with the same i mod kLanes. */
    [[nodiscard]] std::span<const float> lane_maxima(std::size_t index) const {
        return std::span(lane_maxima_).subspan(index * kLanes, kLanes);
    }

    /** The largest logit among the tokens present; -inf for none. */
    [[nodiscard]] float top() const noexcept { return top_; }

    /** One block's logits, absent tokens as -inf; `buffer` holds them if the block was touched. */
    [[nodiscard]] std::span<const float> block(std::size_t index, BlockBuffer& buffer) const;

    /** The blocks whose maximum is at least the threshold, in order; valid until the next call. */
    [[nodiscard]] std::span<const std::uint32_t> at_least(float threshold);

    /** The tokens present whose logit is at least the threshold, in order, appended to `out`. */
    void gather(float threshold, std::vector<std::uint32_t>& out);

    /** The mass of the tokens present, within 1e-5 of each sum's weight. Tokens below `floor` do not count. */
    [[nodiscard]] Mass mass(float floor = kMinusInfinity);

    /** Tokens by their logit: those >= high are above, those in [low, high) inside. Weights are 2^(kOctavesPerNat x - base). */
    struct Split {
        double total = 0;
        double above = 0;
        std::size_t above_count = 0;
        std::size_t inside_count = 0;
    };

    /** Splits the tokens of the blocks that reach `low`; the logits of those inside go to `inside`, with room for all and kLanes.
     */
    [[nodiscard]] Split split(float base, float low, float high, float* inside);

    /** The same without sums: writes the logits in [low, high) and returns how many. */
    [[nodiscard]] std::size_t collect(float low, float high, float* inside);

    /** The weight of the blocks that do not reach `below`, within 5e-6 of itself and what is `known` of the others. */
    [[nodiscard]] double weight(float base, float below, double known);

    /** Logits below this count for nothing: as many as there are tokens hold e^-16 of the top one's weight together. */
    [[nodiscard]] float lowest_that_counts() const noexcept;

    /** The first token present that has this logit. */
    [[nodiscard]] std::size_t first_with(float logit) const;

private:
    void begin(std::span<const float> logits);
    [[nodiscard]] Status judge(const Scan& found);

    const Kernels* kernels_;
    std::span<const float> logits_;
    const Edits* removed_ = nullptr;
    float top_ = kMinusInfinity;
    std::vector<float> maxima_;
    std::vector<float> lane_maxima_;
    template <class Visit>
    void for_runs(float from, float below, const Visit& visit);
    [[nodiscard]] double weigh(float base, float from, float below, bool coarse);
    [[nodiscard]] Mass sum(float from, float below, bool coarse);
    [[nodiscard]] Mass sum_in_float64(float floor) const;

    std::optional<Mass> mass_;   ///< of all tokens, if it is known
    std::vector<float> folded_;  ///< maxima of the maxima, and of their lanes
    std::vector<std::uint32_t> found_;
};

}  // namespace hlg::sample
