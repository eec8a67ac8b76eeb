// The exact draw in one read.
//
// Weights are counted in units: 2^scale units are the weight of the reference, the best token left to draw. Every token gets an
// envelope of whole units that is at least its exact weight; a proposal picks a unit uniformly among all, in exact integer
// arithmetic, and its token is taken with probability weight / envelope, in float64. So the result is exact however the envelope
// was made; the envelope only decides how many proposals that takes. In one step there are four sorts of token:
//
//   edited              one unit more than its own weight, computed in float64
//   in an opened block  one unit more than its own weight, computed in float32 by a kernel, rounded up; when
//                       many blocks are opened, read from a table of 512 bins at each bin's upper end
//   in a closed block   one unit more than the weight of the block's largest logit
//   the rest            one unit: below the threshold t no weight reaches a unit, and their blocks are never looked at
//
// That is a tail layer of one unit for every token of the vocabulary, and above it the layers of edited tokens and of blocks.
// The scale is chosen so that the tail layer is at most half of the reference's units, and blocks are opened, the largest first,
// until the closed ones hold at most 0.4 of what is certain: so two proposals at most are expected.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/blocks.hpp"
#include "sample/shaper.hpp"

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
        double weight;
    };
    [[nodiscard]] Proposal propose(std::uint64_t unit) const;

private:
    struct Block {
        std::uint32_t index;
        std::uint32_t each;  ///< units of each token if closed, kOpened otherwise
    };

    [[nodiscard]] bool set_curve(const Shaper& shaper, std::size_t spare);
    void add_edits();
    void add_blocks();
    [[nodiscard]] std::uint32_t closed_width(std::uint64_t certain) const;
    void make_table();
    [[nodiscard]] bool table_is_tight() const;
    std::uint64_t count_opened();
    [[nodiscard]] Proposal propose_edited(const EditedToken& edited) const;
    [[nodiscard]] Proposal propose_present(std::size_t token, std::uint32_t above) const;
    [[nodiscard]] Proposal propose_in_block(std::size_t position, std::uint64_t unit) const;
    [[nodiscard]] Proposal propose_in_tail(std::size_t token) const;
    std::uint64_t units(std::size_t index, std::uint32_t* out) const;

    Blocks* blocks_ = nullptr;
    const Edits* edits_ = nullptr;
    Shaper shaper_;
    UnitCurve curve_;
    UnitTable table_;
    bool tabled_ = false;  ///< opened blocks are counted by the table
    double scale_ = 0;     ///< units of the reference
    float threshold_ = 0;  ///< t
    std::uint64_t edited_total_ = 0;
    std::uint64_t block_total_ = 0;
    std::uint64_t total_ = 0;
    std::vector<std::uint64_t> edited_ends_;  ///< running sums
    std::vector<Block> heads_;                ///< the blocks that reach the threshold, in order
    std::vector<std::uint32_t> head_units_;   ///< [heads_]
    std::vector<std::uint32_t> opened_;       ///< places in heads_
    std::vector<float> head_maxima_;
};

}  // namespace hlg::sample
