// The top of a distribution: which tokens, sorted downwards, reach a given share of the mass. Serves the median pivot and top_p.
//
// Nothing is sorted but the last few. A sample tells in what bracket of logits the share is likely reached; one pass over the
// tokens adds up what lies above it and keeps what lies inside; the same is done to those until few are left. The sum above tells
// whether a bracket began too low, the end of the last list whether one ended too high: then all is done again, with a sum of
// each bracket's inside, which goes on at the side where the crossing is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sample/blocks.hpp"
#include "sample/bracket.hpp"

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

/** The end of a prefix of the ranking. */
struct Crossing {
    float value;         ///< of the last in the prefix
    std::size_t before;  ///< tokens of larger values, all of them in the prefix
    std::size_t ties;    ///< tokens of this value
    std::size_t kept;    ///< those of them in the prefix, at least one
};

class Nucleus {
public:
    /** What to find. */
    struct Query {
        double share;                       ///< of the whole mass
        float top;                          ///< the largest value there is
        float floor = kMinusInfinity;       ///< a prefix that reaches below it need not be found
        float mask_floor = kMinusInfinity;  ///< logits below it are masked
    };

    /**
     * The shortest prefix, in rank order, whose mass reaches the share: of the tokens present in the blocks and of those whose
     * values are in `others`. None if it reaches below the floor or, by rounding, past the end. The share is met within 1e-5 of
     * the mass: where it falls that close to a token's edge, the next token may be taken.
     */
    [[nodiscard]] std::optional<Crossing> find(Blocks& blocks, std::span<const float> others, const Query& query);

private:
    [[nodiscard]] double weight(float value) const noexcept;
    [[nodiscard]] Blocks::Split split_all(float low, float high);
    [[nodiscard]] Blocks::Split split_list(Bracket bracket);
    void find_total();
    [[nodiscard]] bool look();
    [[nodiscard]] bool look_from_top(float depth);
    [[nodiscard]] bool look_at_sample();
    void look_in_float64();
    void narrow();
    template <class Split>
    void take(const Split& split, Bracket bracket, Blocks::Split found);
    [[nodiscard]] std::optional<Crossing> finish();
    [[nodiscard]] double listed_mass(const float* list, std::size_t count) const;

    Blocks* blocks_ = nullptr;
    std::span<const float> others_;
    Query query_{};
    double base_ = 0;       ///< weights are 2^(kOctavesPerNat x - base_)
    double target_ = 0;     ///< the mass to reach
    double total_ = 0;      ///< the mass of all, 0 if not known
    float lowest_ = 0;      ///< what lies below counts for nothing
    bool careful_ = false;  ///< sums up the inside of brackets too

    // What is left to look at: the tokens in range_, of which list_ holds the values. The crossing lies among them.
    Bracket range_{};
    std::size_t count_ = 0;
    double before_ = 0;  ///< mass of the tokens above
    std::size_t before_count_ = 0;
    std::vector<float> list_;
    std::vector<float> spare_;
    Sample sample_;
};

}  // namespace hlg::sample
