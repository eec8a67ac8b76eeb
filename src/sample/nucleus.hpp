// The top of a distribution: which tokens, sorted downwards, reach a given share of the mass. Serves the median pivot and top_p.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/blocks.hpp"

namespace hlg::sample {

/** A token and the value it is ranked by. */
struct Candidate {
    float value;
    std::uint32_t token;

    /** Rank order: larger values first, lower ids first among equals. */
    friend bool operator<(const Candidate& a, const Candidate& b) noexcept {
        return a.value != b.value ? a.value > b.value : a.token < b.token;
    }
};

/**
 * The length of the shortest prefix, in rank order, whose sum of exp(value - top) reaches `target`; all of them if none does.
 * Afterwards that prefix stands first, in no particular order, and its last-ranked member at its end. Expected time linear.
 */
std::size_t shortest_prefix(std::vector<Candidate>& candidates, float top, double target);

/**
 * The logit at which the mass of the tokens present, sorted downwards, first reaches one half. The half is met within 1e-5 of the
 * mass (Blocks::mass): where it falls that close to a token's edge, the next token may be taken.
 */
class MedianLogit {
public:
    [[nodiscard]] float find(Blocks& blocks);

private:
    std::vector<std::uint32_t> ids_;
    std::vector<Candidate> candidates_;
};

}  // namespace hlg::sample
