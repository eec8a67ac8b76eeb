// Families, tuning, what is kept of a long run, what is held out.
#include "eval/search.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "eval/expand.hpp"
#include "eval/folds.hpp"
#include "eval/memo.hpp"

namespace hlg::eval {
namespace {

/** Some contexts of every class. */
Corpus made_corpus(std::size_t sources = 1, std::size_t texts = 1, std::size_t each = 9) {
    Corpus corpus;
    std::size_t seed = 1;
    for (std::size_t source = 0; source < sources; ++source) {
        corpus.sources.push_back(
            {.id = "model" + std::to_string(source), .kind = "logits", .vocabulary = 400, .texts = {}, .sha256 = {}});
        for (std::size_t text = 0; text < texts; ++text) {
            corpus.sources.back().texts.push_back("text" + std::to_string(text));
            for (std::size_t place = 0; place < each; ++place) {
                const double spread = place % 3 == 0 ? 4.0 : place % 3 == 1 ? 2.0 : 1.3;
                corpus.contexts.push_back(make_context(random_logits(400, spread, place % 3 == 0 ? 1 : 5, seed++)));
                corpus.contexts.back().source = source;
                corpus.contexts.back().text = text;
                corpus.contexts.back().place = place;
                corpus.contexts.back().cluster = text * each + place;
            }
        }
    }
    return corpus;
}

TEST(Families, HaveIdsAndMakeSamplersWithinTheirRanges) {
    std::set<std::string> ids;
    const Corpus corpus = made_corpus();
    for (const Family& family : families()) {
        EXPECT_TRUE(ids.insert(family.id).second) << family.id;
        EXPECT_EQ(find_family(family.id), &family);
        for (const double unit : {0.0, 0.5, 1.0}) {
            const std::vector<double> knobs = family.at(std::vector<double>(family.knobs.size(), unit));
            for (std::size_t i = 0; i < knobs.size(); ++i) {
                EXPECT_GE(knobs[i], family.knobs[i].low - 1e-9);
                EXPECT_LE(knobs[i], family.knobs[i].high + 1e-9 * family.knobs[i].high);
            }
            const std::vector<double> q = drawn_from(*family.make(knobs), random_logits(400, 1.5, 3, 7), 1.1);
            double sum = 0.0;
            for (const double one : q) sum += one;
            EXPECT_NEAR(sum, 1.0, 1e-9) << family.id << " " << family.text(knobs);
        }
    }
    EXPECT_EQ(ids.size(), 21U);
    EXPECT_EQ(find_family("top_q"), nullptr);
}

TEST(Halton, FirstPoints) {
    EXPECT_EQ(halton(1, 2), (std::vector<double>{0.5, 1 / 3.0}));
    EXPECT_EQ(halton(2, 2), (std::vector<double>{0.25, 2 / 3.0}));
    EXPECT_EQ(halton(6, 1), (std::vector<double>{0.375}));
}

TEST(Search, FindsTheMinimumWithinTheLimit) {
    // Collision falls with both knobs, price is their sum: the best at a price of .8 has sum .8, and x weighs three times y.
    const Family family{"made", "made", {{"x", 0, 1, false}, {"y", 0, 1, false}}, {}};
    std::size_t tries = 0;
    const Try attempt = [&](std::vector<double> unit) {
        ++tries;
        Trial trial{unit, unit, 1.0, {}};
        trial.outcome.price = unit[0] + unit[1];
        trial.outcome.collision = 4.0 - 3.0 * unit[0] - unit[1];
        return trial;
    };
    const std::vector<Limits> goals{{0.8, false}};
    const std::vector<Trial> trials = search(family, attempt, goals, 200, 1);
    EXPECT_EQ(tries, 200U);
    const Trial* best = best_of(trials, goals.front());
    ASSERT_NE(best, nullptr);
    EXPECT_LE(best->outcome.price, 0.8);
    EXPECT_LT(best->outcome.collision, 4.0 - 2.4 + 0.05);
    EXPECT_EQ(best_of(trials, {1e-6, false}), nullptr);
    const Try same = [](std::vector<double> unit) { return Trial{std::move(unit), {}, 1.0, {}}; };
    EXPECT_EQ(search({"none", "none", {}, {}}, same, goals, 200, 1).size(), 1U);
}

TEST(Search, APlantedBetterSamplerIsFoundBetter) {
    // Of two top_k families the one that may choose k must do at least as well within the price as the one that may not.
    const Corpus corpus = made_corpus();
    const Baseline baseline(corpus, Weighing::contexts);
    const std::vector<Limits> goals{{0.05, false}};
    const auto best = [&](const Family& family) {
        const std::vector<Trial> trials = search(
            family, [&](std::vector<double> unit) { return try_setting(family, baseline, std::move(unit)); }, goals, 24, 1);
        const Trial* found = best_of(trials, goals.front());
        return found == nullptr ? 2.0 : found->outcome.collision;
    };
    const double temperature = best(*find_family("temperature"));
    EXPECT_NEAR(temperature, 1.0, 1e-6);
    EXPECT_LT(best(*find_family("hlg-fade-entropy")), temperature - 0.02);
}

TEST(Outcome, OfTemperatureOneIsNothing) {
    const Corpus corpus = made_corpus();
    const Baseline baseline(corpus, Weighing::contexts);
    const Outcome outcome = outcome_of(baseline, baseline.rows);
    EXPECT_NEAR(outcome.price, 0.0, 1e-12);
    EXPECT_NEAR(outcome.collision, 1.0, 1e-12);
    EXPECT_NEAR(outcome.mid, 0.0, 1e-12);
    EXPECT_NEAR(outcome.slip, outcome.slip_before, 1e-12);
    EXPECT_NEAR(outcome.tail, 1.0, 1e-12);
    EXPECT_TRUE(keeps(outcome, {0.01, false}));
    EXPECT_FALSE(keeps(outcome, {0.01, true}));  // its tail is all of temperature's
}

TEST(Outcome, LimitsByHand) {
    Outcome outcome{0.05, 0.8, 0.3, -0.02, 0.001, 0.002, 0.005, 0.0};
    EXPECT_TRUE(keeps(outcome, {0.05, true}));
    EXPECT_FALSE(keeps(outcome, {0.04, true}));
    outcome.mid = -0.04;
    EXPECT_FALSE(keeps(outcome, {0.05, true}));
    EXPECT_TRUE(keeps(outcome, {0.05, false}));
    outcome.mid = std::nan("");  // no mid contexts: no limit
    EXPECT_TRUE(keeps(outcome, {0.05, true}));
    outcome.slip = 0.003;
    EXPECT_FALSE(keeps(outcome, {0.05, true}));
}

TEST(Memo, HalfALineOfAKilledRunSpoilsNothing) {
    const std::string path = testing::TempDir() + "hlg_memo_half";
    std::filesystem::remove(path);
    {
        Memo memo(path, "inputs");
        memo.put("whole", {1, 2});
    }
    std::ofstream(path, std::ios::app) << "half\t0x1p+0 0x1";
    {
        Memo memo(path, "inputs");
        memo.put("next", {3});
    }
    Memo memo(path, "inputs");
    EXPECT_EQ(memo.find("whole"), (std::vector<double>{1, 2}));
    EXPECT_EQ(memo.find("half"), std::nullopt);
    EXPECT_EQ(memo.find("next"), std::vector<double>{3});
    memo.remove();
}

TEST(Memo, KeepsEveryBitAndOnlyForTheSameInputs) {
    const std::string path = testing::TempDir() + "hlg_memo";
    std::filesystem::remove(path);
    const std::vector<double> numbers{1.0 / 3.0, -0.0, 1e-300, std::nan("")};
    {
        Memo memo(path, "inputs a");
        EXPECT_FALSE(memo.find("x"));
        memo.put("x", numbers);
        memo.put("y", {});
    }
    std::ofstream(path, std::ios::app) << "torn\t0x1p";  // killed in the middle of a line
    Memo memo(path, "inputs a");
    EXPECT_EQ(memo.resumed(), 2U);
    EXPECT_FALSE(memo.find("torn"));
    const std::vector<double> found = *memo.find("x");
    ASSERT_EQ(found.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i], numbers[i]);
    EXPECT_TRUE(std::isnan(found[3]));
    EXPECT_EQ(Memo(path, "inputs b").resumed(), 0U);
    memo.remove();
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Folds, NothingIsTunedOnAndReportedOn) {
    for (const Corpus& corpus : {made_corpus(3), made_corpus(1, 3), made_corpus(1, 1)}) {
        std::set<std::size_t> places;
        for (const Fold& fold : make_folds(corpus, {})) {
            EXPECT_EQ(fold.calibration.contexts.size() + fold.held_out.contexts.size(), corpus.contexts.size());
            for (std::size_t i = 0; i < fold.places.size(); ++i) {
                EXPECT_TRUE(places.insert(fold.places[i]).second);
                EXPECT_EQ(fold.held_out.contexts[i].logit, corpus.contexts[fold.places[i]].logit);
            }
        }
        EXPECT_EQ(places.size(), corpus.contexts.size());
    }
    const Corpus three = made_corpus(3);
    const std::vector<Fold> named = make_folds(three, {"model2"});
    ASSERT_EQ(named.size(), 1U);
    EXPECT_EQ(named[0].places.front(), 18U);
    EXPECT_THROW(make_folds(three, {"model3"}), std::invalid_argument);
    EXPECT_THROW(make_folds(three, {"model0", "model1", "model2"}), std::invalid_argument);
}

}  // namespace
}  // namespace hlg::eval
