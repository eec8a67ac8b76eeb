// The sampler in llama.cpp's chain, on the CPU, against libhlg.
#include "hlg/llama.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>
#include <llama.h>

#include "llama/graph_run.hpp"
#include "support/logits.hpp"

namespace hlg::test {
namespace {

using llama::Role;
using Handle = std::unique_ptr<llama_sampler, decltype(&llama_sampler_free)>;

constexpr float kMask = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Handle plugin(const SamplerParams& params, Role role) { return {hlg_llama_init(params, role), &llama_sampler_free}; }

SamplerParams balanced(std::uint64_t seed = 0) {
    return {.temperature = 0.9, .seed = seed, .hlg = find_preset("balanced")->params};
}

/** A candidate array with its memory. */
struct Row {
    std::vector<llama_token_data> data;
    llama_token_data_array array{};

    explicit Row(std::span<const float> logits) {
        for (const float logit : logits) data.push_back({static_cast<llama_token>(data.size()), logit, 0});
        array = {.data = data.data(), .size = data.size(), .selected = -1, .sorted = false};
    }

    void sort() {
        std::sort(data.begin(), data.end(), [](const auto& a, const auto& b) { return a.logit > b.logit; });
        array.sorted = true;
    }
    void apply(const Handle& sampler) { llama_sampler_apply(sampler.get(), &array); }
    [[nodiscard]] llama_token token() const { return array.selected < 0 ? -1 : array.data[array.selected].id; }
};

TEST(Plugin, BadSettingsAreTypedErrors) {
    llama::Error error;
    EXPECT_EQ(hlg_llama_init({.hlg = CurveParams{.width = -1}}, Role::draw, &error), nullptr);
    EXPECT_EQ(error.status, Status::parameter);
    EXPECT_EQ(error.message, "[hlg.width] must be >= 0 or off, got -1");
    EXPECT_EQ(hlg_llama_init({.temperature = std::nan("")}, Role::shape), nullptr);
}

TEST(Plugin, DrawsWhatTheLibraryDraws) {
    for (const SamplerParams& params : {balanced(5), SamplerParams{.temperature = 0.7, .top_p = 0.9, .seed = 5}}) {
        const Handle sampler = plugin(params, Role::draw);
        Sampler library(params);
        for (std::uint64_t index = 0; index < 50; ++index) {
            const std::vector<float> logits = synthetic(Shape::open, 3000, index);
            Row row(logits);
            row.apply(sampler);
            EXPECT_EQ(row.token(), library.draw({.logits = logits}, {.index = index}).token);
            llama_sampler_accept(sampler.get(), row.token());
        }
    }
}

TEST(Plugin, ShapesWhatTheLibraryShapes) {
    for (const std::vector<float>& logits : adversarial()) {
        const Handle sampler = plugin(balanced(), Role::shape);
        std::vector<float> expected(logits.size());
        ASSERT_EQ(Sampler(balanced()).shape({.logits = logits}, expected), Status::ok);
        Row row(logits);
        row.apply(sampler);
        ASSERT_EQ(row.array.size, logits.size());
        for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_EQ(row.data[i].logit, expected[i]);
        EXPECT_EQ(row.array.selected, -1);
    }
}

// top_k in front leaves a sorted list of few ids: the draw is over the list, and its order does not matter.
TEST(Plugin, KnowsListsOfCandidates) {
    const std::vector<float> logits = synthetic(Shape::open, 5000, 1);
    const Handle top_k{llama_sampler_init_top_k(40), &llama_sampler_free};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Row sorted(logits);
        sorted.apply(top_k);
        ASSERT_EQ(sorted.array.size, 40U);
        std::vector<llama_token_data> by_id(sorted.array.data, sorted.array.data + 40);
        std::sort(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        std::vector<float> kept(by_id.size());
        std::transform(by_id.begin(), by_id.end(), kept.begin(),
                       [](const llama_token_data& candidate) { return candidate.logit; });
        sorted.apply(plugin(balanced(seed), Role::draw));
        const Draw expected = Sampler(balanced(seed)).draw({.logits = kept}, {});
        EXPECT_EQ(sorted.token(), by_id[static_cast<std::size_t>(expected.token)].id);
    }
}

TEST(Plugin, ShapingKeepsASortedListSorted) {
    Row row(synthetic(Shape::open, 5000, 1));
    row.sort();
    row.apply(plugin(balanced(), Role::shape));
    EXPECT_TRUE(row.array.sorted);
    EXPECT_TRUE(std::is_sorted(row.data.begin(), row.data.end(), [](const auto& a, const auto& b) { return a.logit > b.logit; }));
}

TEST(Plugin, GreedyIsTheLowestIdInAnyOrder) {
    Row row(std::vector<float>{1, 3, 3, 2});
    std::reverse(row.data.begin(), row.data.end());
    row.apply(plugin({.temperature = 0}, Role::draw));
    EXPECT_EQ(row.token(), 1);

    Row shaped(std::vector<float>{1, 3, 3, 2});
    shaped.sort();
    if (shaped.data[0].id == 1) std::swap(shaped.data[0], shaped.data[1]);  // the lowest id second
    shaped.apply(plugin({.temperature = 0}, Role::shape));
    shaped.apply({llama_sampler_init_dist(1), &llama_sampler_free});
    EXPECT_EQ(shaped.token(), 1);
}

TEST(Plugin, TheIndexCountsAcceptedTokens) {
    const std::vector<float> logits = synthetic(Shape::open, 3000, 2);
    const Handle sampler = plugin(balanced(3), Role::draw);
    Sampler library(balanced(3));
    const auto next = [&](const Handle& from) {
        Row row(logits);
        row.apply(from);
        return row.token();
    };
    EXPECT_EQ(next(sampler), library.draw({.logits = logits}, {.index = 0}).token);
    EXPECT_EQ(next(sampler), library.draw({.logits = logits}, {.index = 0, .attempt = 1}).token);  // refused, drawn again
    llama_sampler_accept(sampler.get(), 0);
    const Handle copy{llama_sampler_clone(sampler.get()), &llama_sampler_free};
    const llama_token second = library.draw({.logits = logits}, {.index = 1}).token;
    EXPECT_EQ(next(sampler), second);
    EXPECT_EQ(next(copy), second);
    const Handle later{llama_sampler_clone(copy.get()), &llama_sampler_free};
    EXPECT_EQ(next(later), library.draw({.logits = logits}, {.index = 1, .attempt = 1}).token);
    llama_sampler_reset(sampler.get());
    EXPECT_EQ(next(sampler), library.draw({.logits = logits}, {.index = 0}).token);
    llama_sampler_copy(copy.get(), sampler.get());
    EXPECT_EQ(next(sampler), library.draw({.logits = logits}, {.index = 1, .attempt = 1}).token);
}

TEST(Plugin, ErrorsLeaveNothingToDraw) {
    const std::vector<std::pair<std::vector<float>, Status>> rows{
        {{}, Status::empty}, {{kMask, kMask}, Status::no_token}, {{1, kNan}, Status::nan}, {{1, -kMask}, Status::infinite}};
    for (const Role role : {Role::draw, Role::shape})
        for (const auto& [logits, status] : rows) {
            Row row(logits);
            const Handle sampler = plugin(balanced(), role);
            row.apply(sampler);
            EXPECT_EQ(hlg_llama_status(sampler.get()), status);
            if (role == Role::shape) row.apply({llama_sampler_init_dist(1), &llama_sampler_free});
            EXPECT_EQ(row.array.selected, -1);
        }
}

TEST(Plugin, StatusIsOfOursAlone) {
    const Handle other{llama_sampler_init_greedy(), &llama_sampler_free};
    EXPECT_EQ(hlg_llama_status(other.get()), Status::argument);
    EXPECT_EQ(hlg_llama_status(nullptr), Status::argument);
    EXPECT_FALSE(hlg_llama_in_graph(other.get()));
    EXPECT_EQ(hlg_llama_sample(nullptr, nullptr, 0).status, Status::argument);
}

// Builds a sampler's part of a graph behind what `dist` leaves.
GraphResult close(const std::vector<float>& probabilities, std::int32_t token, std::span<const std::int32_t> candidates = {}) {
    const Handle sampler{hlg_llama_init_token_only(), &llama_sampler_free};
    return run_graph(
        {.logits = probabilities, .candidates = candidates, .probabilities = probabilities, .sampled = token},
        [&](ggml_context* ctx, llama_sampler_data& data) { sampler->iface->backend_apply(sampler.get(), ctx, nullptr, &data); });
}

TEST(TokenOnly, LeavesTheTokenAndNothingElse) {
    const std::vector<std::int32_t> ids{9, 262143, 7};
    const std::vector<float> probabilities{0.5F, 0.25F, 0.25F};
    EXPECT_EQ(close(probabilities, 2).sampled, 2);
    EXPECT_EQ(close(probabilities, 262143, ids).sampled, 262143);
    EXPECT_TRUE(close(probabilities, 2).logits.empty());
    EXPECT_TRUE(close(probabilities, 2).probabilities.empty());
    EXPECT_TRUE(close(probabilities, 262143, ids).candidates.empty());
}

TEST(TokenOnly, ATokenFromNothingIsNone) {
    const std::vector<std::int32_t> ids{9, 8};
    const std::vector<float> nothing{kNan, kNan};
    EXPECT_EQ(close(nothing, 1).sampled, LLAMA_TOKEN_NULL);
    EXPECT_EQ(close(nothing, 8, ids).sampled, LLAMA_TOKEN_NULL);

    const Handle sampler{hlg_llama_init_token_only(), &llama_sampler_free};
    Row row(std::vector<float>{kMask, kMask});
    row.array.selected = 1;
    row.apply(sampler);
    EXPECT_EQ(row.array.selected, -1);
}

}  // namespace
}  // namespace hlg::test
