// The random stream: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011), counter-based, so that a draw depends on its position
// alone and never on what was drawn before.
#pragma once

#include <cstdint>

#include <Random123/philox.h>

#include "hlg/sampler.hpp"

namespace hlg::sample {

/** Rounds of proposals before the draw turns to the full pass, which takes the round after the last. */
inline constexpr std::uint32_t kMaxRounds = 64;

/** The 128 random bits of one round. */
struct RandomBits {
    std::uint64_t first;
    std::uint64_t second;
};

/** key = seed, counter = (token index low, token index high, 256 attempt + round, choice). */
inline RandomBits random_bits(std::uint64_t seed, const Position& position, std::uint32_t round) noexcept {
    const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
    const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
    const r123::Philox4x32::ctr_type counter{
        {low(position.index), high(position.index), position.attempt * 256U + round, position.choice}};
    const r123::Philox4x32::key_type key{{low(seed), high(seed)}};
    const auto out = r123::Philox4x32{}(counter, key);
    return {out[0] | (static_cast<std::uint64_t>(out[1]) << 32), out[2] | (static_cast<std::uint64_t>(out[3]) << 32)};
}

/** A uniform float64 in [0, 1) with 53 random bits. */
inline double uniform(std::uint64_t bits) noexcept { return static_cast<double>(bits >> 11) * 0x1p-53; }

/**
 * Maps 64 random bits to a uniform integer below `bound` (Lemire 2019, by multiplication). False: the bits fall in the short
 * remainder that would bias the result; take new ones.
 */
inline bool uniform_below(std::uint64_t bits, std::uint64_t bound, std::uint64_t& result) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(bits) * bound;
    result = static_cast<std::uint64_t>(product >> 64);
    const auto remainder = static_cast<std::uint64_t>(product);
    return remainder >= bound || remainder >= (0 - bound) % bound;
}

}  // namespace hlg::sample
