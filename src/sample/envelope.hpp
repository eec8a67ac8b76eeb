// The exact draw in one read.
//
// Weights are counted in units: 2^scale units are the weight of the reference, the best token left to draw. Every token gets an
// envelope of whole units that is at least its exact weight; a proposal picks a unit uniformly among all, in exact integer
// arithmetic, and its token is taken with probability weight / envelope, in float64. So the result is exact however the envelope
// was made; the envelope only decides how many proposals that takes. A token's envelope is one unit, and above it
//
//   edited                     its own weight, computed in float64
//   in a closed block          the weight of the block's largest logit
//   in a split block           the block's sixteen lanes of sixteen tokens come apart:
//     in a closed lane         the weight of the lane's largest logit
//     in an opened lane        its own weight, computed in float32 by a kernel
//   in an opened block         its own weight, by the kernel or from a table
//   in none of these           nothing: below the threshold t no weight reaches a unit, and such blocks are never looked at
//
// The one unit of every token is the tail layer; the others are the layers above it. The scale is chosen so that the tail layer
// is at most half of the reference's units. What is certainly real weight, the largest token of every block or lane, allows
// closed blocks and lanes as much as leaves two proposals expected; the rest is split, and opened lane by lane, for a few tokens
// hold most of the weight. Only where nearly every lane would have to be opened, in flat distributions, are blocks opened whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sample/blocks.hpp"
#include "sample/shaper.hpp"
#include "sample/unit_curve.hpp"

namespace hlg::sample {

class Envelope {
public:
    /**
     * Prepares a step. The shaper's reference must be the largest value present or edited. False: float32 is too coarse for
     * this curve and these logits (a gain, width or pivot in the thousands); use the full pass.
     */
    [[nodiscard]] bool build(Blocks& blocks, const Edits& edits, const Shaper& shaper);

    /** All units there are: proposals are uniform below it. */
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

    /** What a unit proposes: a token, its envelope and its exact weight, both in units. */
    struct Proposal {
        std::size_t token;
        double envelope;
        double weight;  ///< 0 for the place of an edited token, which is no longer there
    };
    [[nodiscard]] Proposal propose(std::uint64_t unit) const;

private:
    /** Which entries of an array of units stay closed. */
    struct Closing {
        std::uint32_t limit;
        std::uint64_t sum;  ///< of the closed entries, once each
    };

    void reserve(std::size_t blocks);
    void add_edits();
    void add_blocks();
    [[nodiscard]] Closing close(const std::vector<std::uint32_t>& units, double tokens, double budget) const;
    void part_blocks(const Closing& closing);
    [[nodiscard]] std::uint64_t weigh_lanes(std::size_t stride);
    [[nodiscard]] Closing close_lanes(std::uint64_t certain, std::size_t stride) const;
    [[nodiscard]] bool open_if_flat(std::uint64_t certain);
    [[nodiscard]] bool open_from_table(std::uint64_t certain);
    void split(std::uint64_t certain_of_blocks);
    [[nodiscard]] bool list_opened_lanes(std::uint32_t limit);
    void open_last_block(Closing& closing);
    void open_lanes();
    void open_blocks();
    [[nodiscard]] bool make_table(std::uint64_t certain);
    [[nodiscard]] bool table_is_tight() const;
    [[nodiscard]] double budget(std::uint64_t certain) const;

    static constexpr std::size_t kLaneTokens = kBlock / kLanes;

    [[nodiscard]] std::size_t tokens_in(std::size_t block) const {
        return std::min(kBlock, blocks_->logits().size() - block * kBlock);
    }

    struct Lane {
        std::size_t block;
        std::size_t lane;
    };
    struct LaneTokens {
        std::array<std::uint32_t, std::max(kLaneTokens, kPadding)> units;
    };
    struct BlockTokens {
        std::array<std::uint32_t, kBlock> units;
    };
    [[nodiscard]] Lane lane_at(std::size_t place) const;
    void gather(const Lane& lane, float* out, std::size_t stride) const;
    [[nodiscard]] std::uint32_t block_units(std::size_t index) const;
    [[nodiscard]] std::uint32_t above_tail(std::size_t token) const;
    [[nodiscard]] std::uint32_t above_tail_in_split(std::size_t place, std::size_t token) const;
    [[nodiscard]] LaneTokens lane_tokens(std::size_t place) const;
    [[nodiscard]] BlockTokens block_tokens(std::size_t index) const;
    [[nodiscard]] Proposal propose_edited(std::uint64_t unit) const;
    [[nodiscard]] Proposal propose_present(std::size_t token, std::uint32_t above) const;
    [[nodiscard]] Proposal propose_closed_block(std::uint64_t unit) const;
    [[nodiscard]] Proposal propose_closed_lane(std::uint64_t unit) const;
    [[nodiscard]] Proposal propose_opened_lane(std::uint64_t unit) const;
    [[nodiscard]] Proposal propose_opened_block(std::uint64_t unit) const;

    Blocks* blocks_ = nullptr;
    const Edits* edits_ = nullptr;
    Shaper shaper_;
    UnitStep units_;
    UnitTable table_;
    bool whole_ = false;   ///< parted blocks are opened whole, else split
    bool tabled_ = false;  ///< by the table
    double scale_ = 0;     ///< units of the reference

    // The layers' units.
    std::uint64_t edited_total_ = 0;
    std::uint64_t closed_block_total_ = 0;
    std::uint64_t closed_lane_total_ = 0;
    std::uint64_t opened_total_ = 0;
    std::uint64_t total_ = 0;

    std::vector<std::uint64_t> edited_ends_;  ///< running sums
    std::vector<std::uint32_t> heads_;        ///< the blocks that reach the threshold, in order
    std::vector<float> head_maxima_;
    std::vector<std::uint32_t> head_units_;    ///< [heads_] of each token if closed, else 0
    std::vector<std::uint32_t> parted_;        ///< the blocks split or opened, in order
    std::vector<float> lane_maxima_;           ///< [parted_ x kLanes]
    std::vector<std::uint32_t> lane_units_;    ///< [parted_ x kLanes] of each token if closed, else 0
    std::vector<std::uint32_t> opened_lanes_;  ///< places in lane_units_, in order
    std::vector<std::uint32_t> opened_units_;  ///< of each opened lane or block, together
};

}  // namespace hlg::sample
