// The public sampler: its calls agree with each other, keep nothing from one step to the next, and two samplers share nothing.
#include "hlg/sampler.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "sample/cases.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

std::vector<Plan> some_plans() {
    return {{1, Shape::flat, 0, 1.0, Change::none},
            {17, Shape::open, 1, 0.7, Change::none},
            {512, Shape::confident, 2, 1.0, Change::penalties},
            {512, Shape::open, 3, 1.6, Change::half_masked},
            {32000, Shape::open, 4, 1.0, Change::top_banned},
            {32000, Shape::flat, 5, 2.5, Change::allowed_mask},
            {32000, Shape::certain, 6, 0.35, Change::none}};
}

TEST(Sampler, DrawManyIsDrawRepeated) {
    for (const Plan& plan : some_plans()) {
        SCOPED_TRACE(plan.name());
        const Case made = make(plan);
        Sampler sampler(made.params);
        const Position first{.index = 1000, .choice = 2, .attempt = 3};
        std::vector<std::int32_t> many(200);
        ASSERT_EQ(sampler.draw_many(made.step(), first, many), Status::ok);
        for (std::size_t i = 0; i < many.size(); ++i) {
            const Draw one = sampler.draw(made.step(), {first.index + i, first.choice, first.attempt});
            ASSERT_EQ(one.status, Status::ok);
            ASSERT_EQ(one.token, many[i]);
        }
    }
}

TEST(Sampler, ADrawDependsOnItsPositionAloneAndNotOnEarlierSteps) {
    const auto plans = some_plans();
    std::vector<std::int32_t> fresh;
    std::vector<Case> cases;
    for (const Plan& plan : plans) {
        cases.push_back(make(plan));
        cases.back().params = cases.front().params;  // one sampler for all
        fresh.push_back(Sampler(cases.back().params).draw(cases.back().step(), {.index = 5}).token);
    }
    Sampler used(cases.front().params);
    for (int round = 0; round < 3; ++round)
        for (std::size_t i = cases.size(); i-- > 0;) {
            const std::vector<float> nan(50, std::numeric_limits<float>::quiet_NaN());
            EXPECT_EQ(used.draw({.logits = nan}, {}).status, Status::nan);  // an error leaves nothing behind
            EXPECT_EQ(used.draw(cases[i].step(), {.index = 5}).token, fresh[i]);
        }
}

TEST(Sampler, ShapeInPlace) {
    for (const Plan& plan : some_plans()) {
        SCOPED_TRACE(plan.name());
        const Case made = make(plan);
        Sampler sampler(made.params);
        std::vector<float> apart(made.logits.size());
        ASSERT_EQ(sampler.shape(made.step(), apart), Status::ok);
        std::vector<float> place = made.logits;
        ASSERT_EQ(sampler.shape({.logits = place, .edits = made.edits, .allowed = made.allowed}, place), Status::ok);
        EXPECT_EQ(place, apart);
    }
    for (const SamplerParams& params : {SamplerParams{0, 1, 0, 0, 0, {}}, SamplerParams{0.7, 0.9, 40, 0.01, 0, {}}}) {
        std::vector<float> place = synthetic(Shape::open, 5000, 1);
        std::vector<float> apart(place.size());
        Sampler sampler(params);
        ASSERT_EQ(sampler.shape({.logits = place}, apart), Status::ok);
        ASSERT_EQ(sampler.shape({.logits = place}, place), Status::ok);
        EXPECT_EQ(place, apart);
    }
}

TEST(Sampler, MovesAndKeepsItsSettings) {
    SamplerParams params{0.5, 0.9, 7, 0.1, 11, CurveParams{}};
    Sampler first(params);
    Sampler second(std::move(first));
    EXPECT_EQ(second.params().temperature, 0.5);
    EXPECT_EQ(second.params().top_k, 7);
    EXPECT_EQ(second.params().seed, 11U);
    EXPECT_EQ(second.params().hlg, params.hlg);
    Sampler third(SamplerParams{});
    third = std::move(second);
    const std::vector<float> logits{1, 2, 3};
    EXPECT_EQ(third.draw({.logits = logits}, {}).status, Status::ok);
    EXPECT_EQ(third.proposals(), 1U);
}

TEST(Sampler, SamplersOnThreadsShareNothing) {
    const Case made = make({32000, Shape::open, 4, 1.0, Change::penalties});
    std::vector<std::int32_t> expected(500);
    ASSERT_EQ(Sampler(made.params).draw_many(made.step(), {}, expected), Status::ok);
    std::vector<std::vector<std::int32_t>> found(4, std::vector<std::int32_t>(expected.size()));
    std::vector<std::thread> threads;
    threads.reserve(found.size());
    for (auto& tokens : found)
        threads.emplace_back([&made, &tokens] {
            Sampler sampler(made.params);
            for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = sampler.draw(made.step(), {.index = i}).token;
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& tokens : found) EXPECT_EQ(tokens, expected);
}

TEST(Sampler, StatusesHaveTexts) {
    for (int status = 0; status <= HLG_ERROR_INTERNAL; ++status) {
        EXPECT_FALSE(to_string(static_cast<Status>(status)).empty());
        EXPECT_NE(to_string(static_cast<Status>(status)), "unknown status");
    }
    EXPECT_EQ(to_string(static_cast<Status>(15)), "unknown status");
}

}  // namespace
}  // namespace hlg::test
