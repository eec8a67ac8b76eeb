// SPDX-License-Identifier: MIT
#include "engine/grammar_draw.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/grammar_support.hpp"
#include "support/chi_square.hpp"

namespace hlg::engine {
namespace {

class GrammarDraw : public test::WithVocabulary {
protected:
    static std::vector<float> random_logits(unsigned seed, float spread) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0.0F, spread);
        std::vector<float> logits(vocabulary_->size());
        for (float& logit : logits) logit = normal(random);
        return logits;
    }

    static std::vector<std::uint32_t> mask(const Grammar& grammar) {
        std::vector<std::uint32_t> bits((vocabulary_->size() + 31) / 32);
        EXPECT_FALSE(grammar.mask(bits));
        return bits;
    }

    /** Draws many tokens and compares them with the sampler's own distribution over what is allowed. Returns draws by refusals.
     */
    static std::vector<std::size_t> check(const SamplerParams& params, const Step& step, const Grammar& grammar) {
        constexpr std::size_t draws = 20'000;
        Sampler sampler(params);
        DrawScratch scratch;
        std::vector<std::uint64_t> counts(vocabulary_->size());
        std::vector<std::size_t> refusals(max_refusals + 2);
        for (std::size_t i = 0; i < draws; ++i) {
            const ConstrainedDraw drawn = constrained_draw(sampler, step, {.index = i}, grammar, scratch);
            EXPECT_EQ(drawn.draw.status, Status::ok);
            ++counts[static_cast<std::size_t>(drawn.draw.token)];
            ++refusals[drawn.refused];
        }
        const auto allowed = mask(grammar);
        std::vector<double> expected(vocabulary_->size());
        EXPECT_EQ(sampler.probabilities({.logits = step.logits, .edits = step.edits, .allowed = allowed}, expected), Status::ok);
        const auto result = hlg::test::worst_chi_square(expected, counts);
        EXPECT_TRUE(result.plausible()) << result.text();
        return refusals;
    }
};

TEST_F(GrammarDraw, DrawsFromTheDistributionOverWhatIsAllowed) {
    const std::vector<float> logits = random_logits(1, 2.0F);
    const Grammar grammar = gbnf("root ::= [a-m]+");
    SamplerParams params;
    params.seed = 11;
    const auto refusals = check(params, {.logits = logits}, grammar);
    for (const std::size_t draws : refusals) EXPECT_GT(draws, 0U);  // every way there is was taken
    params.hlg = find_preset("balanced")->params;
    check(params, {.logits = logits}, grammar);
}

TEST_F(GrammarDraw, CallersEditsHoldToo) {
    const std::vector<float> logits = random_logits(2, 1.0F);
    const Grammar grammar = gbnf("root ::= [a-z ]");
    const std::vector<Edit> edits = {
        {first_token("e"), 3.0F}, {first_token("a"), -std::numeric_limits<float>::infinity()}, {7, 9.0F}};
    SamplerParams params;
    params.seed = 12;
    check(params, {.logits = logits, .edits = edits}, grammar);
}

TEST_F(GrammarDraw, AModelThatInsistsCostsAMask) {
    std::vector<float> logits(vocabulary_->size(), 0.0F);
    const Token king = first_token("king");
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i % 50);
    const Grammar grammar = gbnf(R"(root ::= "king")");
    SamplerParams params;
    Sampler sampler(params);
    DrawScratch scratch;
    logits[static_cast<std::size_t>(king)] = -90.0F;
    const ConstrainedDraw drawn = constrained_draw(sampler, {.logits = logits}, {.index = 3}, grammar, scratch);
    EXPECT_EQ(drawn.draw.status, Status::ok);
    EXPECT_TRUE(grammar.allows(drawn.draw.token));
    EXPECT_EQ(drawn.refused, max_refusals + 1);
    params.temperature = 0;  // greedy: the best of what is allowed
    Sampler greedy(params);
    EXPECT_TRUE(grammar.allows(constrained_draw(greedy, {.logits = logits}, {}, grammar, scratch).draw.token));
}

TEST_F(GrammarDraw, NoTokenIsAnAnswerToo) {
    Grammar grammar = gbnf("root ::= [a-z]");
    std::vector<float> logits(vocabulary_->size(), -std::numeric_limits<float>::infinity());
    logits[static_cast<std::size_t>(first_token("1"))] = 1.0F;
    Sampler sampler({});
    DrawScratch scratch;
    EXPECT_EQ(constrained_draw(sampler, {.logits = logits}, {}, grammar, scratch).draw.status, Status::no_token);
}

/** The schema of the documents below, and whether one of them keeps to it. */
constexpr const char* person = R"({
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 12},
        "mood": {"enum": ["glad", "sad", null]},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "friends": {"type": "array", "items": {"type": "string", "pattern": "^[A-Z][a-z]{1,6}$"}, "maxItems": 3},
        "happy": {"type": "boolean"}
    },
    "required": ["name", "mood", "age"],
    "additionalProperties": false
})";

bool is_person(const nlohmann::json& it) {
    const std::set<std::string> known = {"name", "mood", "age", "friends", "happy"};
    for (const auto& [key, value] : it.items()) {
        if (!known.contains(key)) return false;
    }
    const auto friends = it.value("friends", nlohmann::json::array());
    for (const auto& each : friends) {
        const std::string name = each.get<std::string>();
        if (name.size() < 2 || name.size() > 7 || name[0] < 'A' || name[0] > 'Z') return false;
    }
    return it.at("name").is_string() && !it.at("name").get<std::string>().empty() &&
           (it.at("mood").is_null() || it.at("mood") == "glad" || it.at("mood") == "sad") && it.at("age").is_number_integer() &&
           it.at("age") >= 0 && it.at("age") <= 150 && friends.size() <= 3 &&
           (!it.contains("happy") || it.at("happy").is_boolean());
}

// All tokens equally likely: whatever the grammar lets through is drawn sooner or later.
TEST_F(GrammarDraw, RandomDocumentsKeepToTheirSchema) {
    const std::vector<float> logits(vocabulary_->size(), 0.0F);
    const Grammar fresh = schema(person);
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SamplerParams params;
        params.seed = seed;
        Sampler sampler(params);
        DrawScratch scratch;
        Grammar grammar = fresh;
        std::string text;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const ConstrainedDraw drawn = constrained_draw(sampler, {.logits = logits}, {.index = i}, grammar, scratch);
            ASSERT_EQ(drawn.draw.status, Status::ok) << text;
            ASSERT_FALSE(grammar.accept(drawn.draw.token)) << text;
            if (vocabulary_->is_end(drawn.draw.token)) break;
            text += vocabulary_->text(drawn.draw.token);
        }
        const auto document = nlohmann::json::parse(text, nullptr, false);
        ASSERT_FALSE(document.is_discarded()) << text;
        EXPECT_TRUE(is_person(document)) << text;
        seen.insert(text);
    }
    EXPECT_EQ(seen.size(), 50U);
}

}  // namespace
}  // namespace hlg::engine
