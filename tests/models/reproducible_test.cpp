// SPDX-License-Identifier: MIT
//
// --reproducible on quantised and on f16 weights: a seeded request's answer is the same alone, in company, from a reused prompt,
// and from a model loaded anew.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "random_model.hpp"

namespace hlg::test {
namespace {

using namespace engine;

class Reproducible : public testing::TestWithParam<TestModel> {
protected:
    static std::unique_ptr<Engine> start(const Model& model, std::size_t lanes) {
        auto engine =
            Engine::start(model, {.context = {.lanes = lanes, .context = 256, .threads = 1, .chunk = 16}, .reproducible = true});
        if (!engine) throw std::runtime_error(engine.error().message);
        return std::move(*engine);
    }

    /** Tokens differ between two seeds, so equal ones mean something. */
    static GenerateRequest request(std::size_t words, std::uint64_t seed) {
        std::string prompt = "Once upon a time";
        for (std::size_t i = 0; i < words; ++i) prompt += " there was a king";
        return {.prompt = prompt, .sampling = {.temperature = 1.2, .seed = seed}, .max_tokens = 12, .ignore_end = true};
    }

    /** Tokens and log-probabilities: these show what no draw happens to hit. */
    static std::vector<std::pair<Token, float>> answer(Engine& engine, GenerateRequest request) {
        request.log_probabilities = 0;
        const auto completions = complete(engine, std::move(request));
        if (!completions) throw std::runtime_error(completions.error().message);
        std::vector<std::pair<Token, float>> tokens;
        for (const GeneratedToken& token : completions->front().tokens) tokens.emplace_back(token.token, *token.log_probability);
        return tokens;
    }
};

TEST_P(Reproducible, AloneInCompanyReusedAndLoadedAnew) {
    const GenerateRequest wanted = request(9, 99);
    const Model model = load(GetParam());
    const auto expected = answer(*start(model, 1), wanted);
    ASSERT_EQ(expected.size(), 12U);
    EXPECT_NE(answer(*start(model, 1), request(9, 98)), expected);
    const auto engine = start(model, 5);
    for (int round = 0; round < 2; ++round) {
        std::vector<Ticket> company;
        for (std::uint64_t i = 0; i < 4; ++i) company.push_back(engine->submit(request(2 + 2 * i, i)));
        EXPECT_EQ(answer(*engine, wanted), expected) << "in company, round " << round;
        for (Ticket& other : company)
            while (other.next()) continue;
    }
    EXPECT_EQ(answer(*engine, wanted), expected) << "its prompt reused";
    EXPECT_GT(engine->statistics().tally.reused_tokens, 0U);
    EXPECT_EQ(answer(*start(load(GetParam()), 2), wanted), expected) << "loaded anew";
}

INSTANTIATE_TEST_SUITE_P(Models, Reproducible,
                         testing::Values(TestModel{"gemma4-q4_k_m", 262'144, "gemma4"}, TestModel{"small-f16", 8'192, "llama"}),
                         test_name);

}  // namespace
}  // namespace hlg::test
