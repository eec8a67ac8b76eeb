// The end of the shortest prefix against sums over a full sort in float64.
#include "sample/nucleus.hpp"

#include <algorithm>
#include <cmath>

#include "support/logits.hpp"
#include "support/properties.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

using sample::Crossing;
using sample::Nucleus;

constexpr double kTolerance = 1e-5;  // of the whole mass, as documented

std::optional<Crossing> find(const sample::Kernels& kernels, const std::vector<float>& logits, double share,
                             float floor = kMinusInfinity, const std::vector<Edit>& changed = {}) {
    sample::Blocks blocks(kernels);
    EXPECT_EQ(blocks.scan(logits), Status::ok);
    sample::Edits edits;
    EXPECT_EQ(edits.assign(changed, logits.size()), Status::ok);
    blocks.remove(edits);
    std::vector<float> others(changed.size());
    std::transform(changed.begin(), changed.end(), others.begin(), [](const Edit& edit) { return edit.delta; });
    float top = blocks.top();
    for (const float value : others) top = std::max(top, value);
    return Nucleus().find(blocks, others, {share, top, floor, kMinusInfinity});
}

// The prefix reaches the share but for the tolerance, and without its last token it falls short but for the tolerance.
void expect_shortest(const Crossing& found, const std::vector<float>& values, double share) {
    const std::vector<double> p = softmax(values);
    double above = 0;
    double each = 0;
    std::size_t before = 0;
    std::size_t ties = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (values[i] > found.value) {
            above += p[i];
            ++before;
        } else if (values[i] == found.value) {
            each = p[i];
            ++ties;
        }
    }
    EXPECT_EQ(found.before, before);
    EXPECT_EQ(found.ties, ties);
    ASSERT_GE(found.kept, 1U);
    ASSERT_LE(found.kept, ties);
    EXPECT_GE(above + each * static_cast<double>(found.kept), share - kTolerance);
    if (before + found.kept == 1) return;  // one is always kept
    EXPECT_LT(above + each * static_cast<double>(found.kept - 1), share + kTolerance);
}

bool operator==(const Crossing& a, const Crossing& b) {
    return a.value == b.value && a.before == b.before && a.ties == b.ties && a.kept == b.kept;
}

void expect_found(const std::vector<float>& logits) {
    for (const double share : {0.0, 0.01, 0.5, 0.9, 0.999}) {
        SCOPED_TRACE(testing::PrintToString(std::tuple(logits.size(), share)));
        const auto best = find(*sample::available_kernels().front(), logits, share);
        ASSERT_TRUE(best);
        expect_shortest(*best, logits, share);
        for (const sample::Kernels* kernels : sample::available_kernels().subspan(1)) {
            const auto other = find(*kernels, logits, share);
            ASSERT_TRUE(other);
            EXPECT_TRUE(*other == *best) << kernels->name;
        }
    }
}

std::vector<float> gaussian(std::size_t vocab, double deviation, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> x(vocab);
    for (float& value : x) value = static_cast<float>(deviation * random.normal());
    return x;
}

constexpr std::size_t kVocabs[] = {1, 2, 15, 16, 17, 255, 257, 1023, 1025, 5000, 32000, 151936, 262144};

TEST(Nucleus, FlatAndSteep) {
    for (const std::size_t vocab : kVocabs)
        for (const double deviation : {0.1, 0.5, 1.0, 2.0, 3.0, 8.0}) {
            SCOPED_TRACE(deviation);
            expect_found(gaussian(vocab, deviation, vocab));
        }
}

TEST(Nucleus, Sorted) {
    for (const std::size_t vocab : {5000U, 32000U, 262144U})
        for (const double deviation : {0.5, 3.0}) {
            std::vector<float> x = gaussian(vocab, deviation, 1);
            std::sort(x.begin(), x.end());
            expect_found(x);
            std::reverse(x.begin(), x.end());
            expect_found(x);
        }
}

TEST(Nucleus, Ties) {
    for (const std::size_t vocab : kVocabs) {
        expect_found(std::vector<float>(vocab, 2.5F));
        // Steps of 1/2 and 1/64, as float16 and bfloat16 leave them.
        for (const float step : {0.5F, 0.015625F}) {
            std::vector<float> x = gaussian(vocab, 1, vocab);
            for (float& value : x) value = std::round(value / step) * step;
            expect_found(x);
        }
        // Two plateaus, the upper one holding just less and just more than half.
        std::vector<float> x(vocab, 0.0F);
        for (std::size_t i = 0; i < vocab * 27 / 100; ++i) x[(i * 7919) % vocab] = 1;
        expect_found(x);
    }
}

TEST(Nucleus, HeavyTopOverAFlatBulk) {
    for (const std::size_t vocab : {5000U, 32000U, 262144U})
        for (const float lead : {3.0F, 6.0F, 9.0F, 11.0F, 13.0F}) {
            std::vector<float> x = gaussian(vocab, 0.5, 7);
            for (const std::size_t i : {100U, 101U, 117U, 4000U}) x[i] += lead;
            expect_found(x);
        }
}

TEST(Nucleus, Masks) {
    for (const std::size_t vocab : {300U, 32000U, 262144U})
        for (const float mask : {kMinusInfinity, -std::numeric_limits<float>::max(), -1e30F, -9999.0F}) {
            std::vector<float> x = gaussian(vocab, 0.7, 2);
            for (std::size_t i = 0; i < vocab; ++i)
                if (i % 3 != 0 || i < vocab / 2) x[i] = mask;
            expect_found(x);
        }
}

// Whatever has the period of a sample's rows could show it one kind of token only.
TEST(Nucleus, Periods) {
    for (const std::size_t vocab : {32768U, 262144U})
        for (const std::size_t period : {16U, 32U, 256U, 512U, 1024U, 8192U}) {
            std::vector<float> x = gaussian(vocab, 0.3, 3);
            for (std::size_t i = 0; i < vocab; ++i)
                if (i % period < period / 2) x[i] -= 2;
            expect_found(x);
        }
}

// The sample sees what its author wants: the rows that it takes of the logits (bracket.cpp) are unlike all the others.
TEST(Nucleus, AMisleadingSample) {
    constexpr std::size_t vocab = 131072;
    constexpr double rows = vocab / 16.0;
    for (const float shift : {-4.0F, -1.0F, 1.0F, 4.0F}) {
        std::vector<float> x = gaussian(vocab, 0.3, 4);
        for (std::size_t i = 0; i < 32; ++i) {
            const double turn = static_cast<double>(i) * 0.6180339887498949;
            const double place = static_cast<double>(i) + turn - std::floor(turn);
            const auto row = static_cast<std::size_t>(place * rows / 32);
            for (std::size_t j = 0; j < 16; ++j) x[16 * row + j] += shift;
        }
        expect_found(x);
    }
}

TEST(Nucleus, AdversarialAndRealLogits) {
    for (const auto& x : adversarial()) expect_found(x);
    for (const RealLogits& real : real_logits(7)) {
        SCOPED_TRACE(real.name);
        expect_found(real.logits);
    }
}

TEST(Nucleus, EditedTokensTakePartWithTheirValues) {
    for (const std::size_t vocab : {3U, 700U, 32000U})
        for (const double deviation : {0.5, 2.0})
            for (const float value : {-30.0F, 0.3F, 2.0F, 9.0F}) {
                std::vector<float> x = gaussian(vocab, deviation, 5);
                std::vector<Edit> edits;
                for (std::size_t i = 0; i < vocab; i += 1 + vocab / 50) edits.push_back({static_cast<std::int32_t>(i), value});
                const auto share = 0.8;
                for (const sample::Kernels* kernels : sample::available_kernels()) {
                    const auto found = find(*kernels, x, share, kMinusInfinity, edits);
                    std::vector<float> values = x;
                    for (const Edit& edit : edits) values[static_cast<std::size_t>(edit.token)] = edit.delta;
                    ASSERT_TRUE(found);
                    expect_shortest(*found, values, share);
                }
            }
}

TEST(Nucleus, AFloorEndsTheSearch) {
    for (const std::size_t vocab : {700U, 32000U})
        for (const double deviation : {0.5, 3.0})
            for (const float floor : {-1.0F, 0.0F, 1.0F, 3.0F}) {
                const std::vector<float> x = gaussian(vocab, deviation, 6);
                const auto& kernels = *sample::available_kernels().front();
                const auto free = find(kernels, x, 0.7);
                const auto found = find(kernels, x, 0.7, floor);
                ASSERT_TRUE(free);
                if (free->value >= floor) {
                    ASSERT_TRUE(found);
                    EXPECT_TRUE(*found == *free);
                } else if (found) {
                    EXPECT_TRUE(*found == *free);  // it need not end the search
                }
            }
}

TEST(Nucleus, ANucleusIsUsedAgain) {
    sample::Blocks blocks(*sample::available_kernels().front());
    Nucleus nucleus;
    for (const std::size_t vocab : {32000U, 17U, 262144U, 1U, 5000U})
        for (const double deviation : {3.0, 0.5}) {
            const std::vector<float> x = gaussian(vocab, deviation, vocab);
            ASSERT_EQ(blocks.scan(x), Status::ok);
            const auto found = nucleus.find(blocks, {}, {.share = 0.6, .top = blocks.top()});
            ASSERT_TRUE(found);
            expect_shortest(*found, x, 0.6);
        }
}

RC_GTEST_PROP(NucleusProperty, IsThatOfAFullSort, ()) {
    const std::vector<float> x = *logits();
    const double share = *between(0, 0.9999);
    const auto found = find(*sample::available_kernels().front(), x, share);
    RC_ASSERT(found.has_value());
    expect_shortest(*found, x, share);
}

}  // namespace
}  // namespace hlg::test
