// The random stream: the published generator, the documented counter, uniform numbers, positions that know nothing of each other.
#include "sample/philox.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sample/core.hpp"
#include "support/chi_square.hpp"

namespace hlg::test {
namespace {

using Words = std::array<std::uint32_t, 4>;

// random_bits puts its four words into two; here they are apart again.
Words words(std::uint64_t seed, const Position& position, std::uint32_t round) {
    const sample::RandomBits bits = sample::random_bits(seed, position, round);
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    return {low(bits.first), low(bits.first >> 32), low(bits.second), low(bits.second >> 32)};
}

// The known answers that Random123 publishes for philox4x32-10 (kat_vectors), reached through key = seed and
// counter = (index low, index high, 256 attempt + round, choice).
TEST(Philox, KnownAnswers) {
    EXPECT_EQ(words(0, {}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    const Position ones{.index = ~0ULL, .choice = 0xffffffff, .attempt = 0xffffff};
    EXPECT_EQ(words(~0ULL, ones, 0xff), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    // The digits of pi: counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
    const Position pi{.index = 0x85a308d3'243f6a88, .choice = 0x03707344, .attempt = 0x13198a};
    EXPECT_EQ(words(0x299f31d0'a4093822, pi, 0x2e), (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, EveryPartOfAPositionCounts) {
    std::set<Words> seen;
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32})
        for (const std::uint64_t index : {0ULL, 1ULL, 1ULL << 32, 1ULL << 63})
            for (const std::uint32_t choice : {0U, 1U, 1U << 31})
                for (const std::uint32_t attempt : {0U, 1U, (1U << 24) - 1})
                    for (const std::uint32_t round : {0U, 1U, 63U, 64U})
                        EXPECT_TRUE(seen.insert(words(seed, {index, choice, attempt}, round)).second);
}

TEST(Philox, RoundsOfOneAttemptDoNotReachTheNext) { EXPECT_LE(sample::kMaxRounds, 255U); }

TEST(Philox, UniformIsBelowOneAndEven) {
    EXPECT_EQ(sample::uniform(0), 0);
    EXPECT_EQ(sample::uniform(~0ULL), 1 - 0x1p-53);
    EXPECT_EQ(sample::uniform(1ULL << 63), 0.5);
    EXPECT_EQ(sample::uniform(2047), 0);
    EXPECT_EQ(sample::uniform(2048), 0x1p-53);
}

// Over a space that can be counted in full: all values of the top 16 bits. What is accepted falls evenly on every result.
TEST(Philox, UniformBelowIsExactlyEven) {
    for (const std::uint64_t share : {3ULL, 7ULL, 1000ULL, 65535ULL}) {
        // A bound of share * 2^48 makes the low 48 bits of the result free and leaves the question to the high ones.
        const std::uint64_t bound = share << 48;
        std::uint64_t result = 0;
        EXPECT_TRUE(sample::uniform_below(~0ULL, bound, result));
        EXPECT_LT(result, bound);
    }
    std::vector<std::uint64_t> counts(5);
    std::uint64_t refused = 0;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        std::uint64_t result = 0;
        if (!sample::uniform_below(sample::random_bits(9, {.index = i}, 0).first, 5, result)) {
            ++refused;
            continue;
        }
        ASSERT_LT(result, 5U);
        ++counts[result];
    }
    EXPECT_EQ(refused, 0U);  // one of 2^64 / 5 draws
    EXPECT_TRUE(worst_chi_square(std::vector<double>(5, 0.2), counts).plausible());
}

// 3 * 2^62 does not divide 2^64: a quarter of the results would come twice as often, were they not refused.
TEST(Philox, UniformBelowRefusesWhatWouldBias) {
    const std::uint64_t bound = 3ULL << 62;
    std::vector<std::uint64_t> counts(12);
    std::uint64_t refused = 0;
    const std::uint64_t draws = 400'000;
    for (std::uint64_t i = 0; i < draws; ++i) {
        std::uint64_t result = 0;
        if (!sample::uniform_below(sample::random_bits(10, {.index = i}, 0).first, bound, result))
            ++refused;
        else
            ++counts[result >> 60];
    }
    EXPECT_NEAR(static_cast<double>(refused) / static_cast<double>(draws), 0.25, 0.005);
    EXPECT_TRUE(worst_chi_square(std::vector<double>(12, 1.0 / 12), counts).plausible());
}

// Pairs of draws at neighbouring positions: independent means that each pair of tokens is as likely as any other.
TEST(Philox, NeighbouringPositionsAreIndependent) {
    const std::vector<float> logits(8, 1.5F);
    const auto pairs_are_even = [&](const auto& position_of) {
        sample::Core core({1, 1, 0, 0, 77, {}});
        ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
        std::vector<std::uint64_t> pairs(64);
        for (std::uint32_t i = 0; i < 500'000; ++i) {
            const auto a = static_cast<std::size_t>(core.sample(position_of(i)));
            ++pairs[8 * a + static_cast<std::size_t>(core.sample(position_of(i + 1)))];
        }
        const ChiSquare result = worst_chi_square(std::vector<double>(64, 1.0 / 64), pairs);
        EXPECT_TRUE(result.plausible()) << result.text();
    };
    pairs_are_even([](std::uint32_t i) { return Position{.index = i}; });
    pairs_are_even([](std::uint32_t i) { return Position{.choice = i}; });
    pairs_are_even([](std::uint32_t i) { return Position{.attempt = i}; });
    pairs_are_even([](std::uint32_t i) { return Position{.index = (1ULL << 32) * i}; });
    pairs_are_even([](std::uint32_t i) { return Position{.index = ~0ULL - i}; });
}

TEST(Philox, NeighbouringSeedsAreIndependent) {
    const std::vector<float> logits(8, 1.5F);
    std::vector<std::uint64_t> pairs(64);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        sample::Core core({1, 1, 0, 0, seed, {}});
        sample::Core next({1, 1, 0, 0, seed + 1, {}});
        ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
        ASSERT_EQ(next.prepare({.logits = logits}), Status::ok);
        for (std::uint64_t i = 0; i < 2000; ++i)
            ++pairs[8 * static_cast<std::size_t>(core.sample({.index = i})) +
                    static_cast<std::size_t>(next.sample({.index = i}))];
    }
    EXPECT_TRUE(worst_chi_square(std::vector<double>(64, 1.0 / 64), pairs).plausible());
}

}  // namespace
}  // namespace hlg::test
