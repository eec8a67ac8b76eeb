// The shortest prefix against a full sort.
#include "sample/nucleus.hpp"

#include <algorithm>
#include <cmath>

#include "support/logits.hpp"
#include "support/properties.hpp"

namespace hlg::test {
namespace {

using sample::Candidate;

std::vector<Candidate> candidates(const std::vector<float>& values) {
    std::vector<Candidate> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = {values[i], static_cast<std::uint32_t>(i)};
    return out;
}

std::vector<std::uint32_t> ids(const std::vector<Candidate>& from, std::size_t count) {
    std::vector<std::uint32_t> out(count);
    std::transform(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count), out.begin(),
                   [](const Candidate& candidate) { return candidate.token; });
    std::sort(out.begin(), out.end());
    return out;
}

// By sorting; `clear` is false where rounding could decide.
struct Prefix {
    std::size_t length = 0;
    bool clear = true;
};

Prefix by_sorting(std::vector<Candidate>& all, float top, double target) {
    std::sort(all.begin(), all.end());
    double sum = 0;
    Prefix prefix;
    while (prefix.length < all.size()) {
        sum += std::exp(static_cast<double>(all[prefix.length++].value) - static_cast<double>(top));
        if (std::abs(sum - target) < 1e-9 * (1 + target)) prefix.clear = false;
        if (sum >= target) break;
    }
    return prefix;
}

RC_GTEST_PROP(NucleusProperty, ShortestPrefixIsThatOfAFullSort, ()) {
    auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<float>>(
        rc::gen::map(rc::gen::inRange(-40, 1), [](int x) { return static_cast<float>(x) / 4; })));
    const float top = *std::max_element(values.begin(), values.end());
    std::vector<Candidate> sorted = candidates(values);
    std::vector<Candidate> found = sorted;
    const double target = *between(0, 1.2 * static_cast<double>(values.size()));
    const Prefix expected = by_sorting(sorted, top, target);
    RC_PRE(expected.clear);
    const std::size_t length = sample::shortest_prefix(found, top, target);
    RC_ASSERT(length == expected.length);
    RC_ASSERT(ids(found, length) == ids(sorted, length));
    RC_ASSERT(found[length - 1].token == sorted[length - 1].token);
}

TEST(Nucleus, OneIsTheLeast) {
    std::vector<Candidate> all = candidates({1, 3, 2});
    EXPECT_EQ(sample::shortest_prefix(all, 3, 0), 1U);
    EXPECT_EQ(all[0].token, 1U);
    EXPECT_EQ(sample::shortest_prefix(all, 3, 1e9), 3U);
}

TEST(Nucleus, ManyEqualCandidatesComeInTheOrderOfTheirIds) {
    std::vector<Candidate> all = candidates(std::vector<float>(5000, 2));
    std::reverse(all.begin(), all.end());
    const std::size_t length = sample::shortest_prefix(all, 2, 1234.5);
    EXPECT_EQ(length, 1235U);
    EXPECT_EQ(ids(all, length).back(), 1234U);
}

}  // namespace
}  // namespace hlg::test
