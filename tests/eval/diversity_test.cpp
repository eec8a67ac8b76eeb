// SPDX-License-Identifier: MIT
//
// The diversity evaluation on texts that are made up: an effect that was put in is found, and one that is not there is not.
#include "eval/diversity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "eval/diversity_verdict.hpp"
#include "eval/open_prompts.hpp"
#include "eval/random.hpp"

namespace hlg::eval {
namespace {

constexpr BootstrapOptions few{.resamples = 400, .level = 0.95, .seed = 1};

TEST(TemperatureSearch, FindsTheTemperature) {
    // Own-text surprisal that bends, as real ones do, without noise.
    const auto evaluate = [](double temperature) {
        const double nats = 5.0 - 2.5 / (0.2 + temperature * temperature);
        return TextTrial{temperature, nats, 0.7 + 0.05 * nats, 0.0};
    };
    const std::vector<TextTrial> trials = search_temperature(evaluate, 4.0, 4);
    EXPECT_DOUBLE_EQ(trials.front().temperature, 1.0);
    EXPECT_NEAR(nearest(trials, 4.0).surprisal, 4.0, 0.02);
    EXPECT_NEAR(dissimilarity_at(trials, 4.0), 0.9, 1e-3);
}

TEST(TemperatureSearch, NoiseDoesNotSendItFarAway) {
    // Two trials side by side whose order noise has turned: the slope stays what a slope can be.
    const std::vector<TextTrial> trials{{1.00, 4.10, 0.80, 0.0}, {1.01, 4.05, 0.83, 0.0}};
    EXPECT_DOUBLE_EQ(surprisal_slope(trials, 4.0), 0.5);
    EXPECT_DOUBLE_EQ(dissimilarity_slope(trials, 4.0), 0.0);
    EXPECT_NEAR(next_temperature(trials, 4.0), 1.01 * std::exp(-0.05 / 0.5), 1e-3);
    EXPECT_LE(next_temperature(std::vector<TextTrial>{{99.0, 1.0, 0.5, 0.0}}, 4.0), 100.0);
}

TEST(Diversity, NoTwoTextsShareASeed) {
    std::set<std::uint64_t> seeds;
    std::size_t texts = 0;
    for (const std::uint64_t run : {1ULL, 2ULL})
        for (const SeedBand band : {SeedBand::development, SeedBand::held_out, SeedBand::replication})
            for (std::size_t prompt = 0; prompt < 100; prompt += 33)
                for (std::size_t sample = 0; sample < 1000; sample += 111, ++texts)
                    seeds.insert(text_seed(run, band, prompt, sample));
    EXPECT_EQ(seeds.size(), texts);
}

TEST(Diversity, SixtyPromptsNoneTwice) {
    std::set<std::string_view> all;
    for (const std::string_view prompt : development_prompts()) all.insert(prompt);
    EXPECT_EQ(all.size(), 20U);
    for (const std::string_view prompt : held_out_prompts()) all.insert(prompt);
    EXPECT_EQ(all.size(), 60U);
}

TEST(Diversity, EveryFamilyGetsTheSameNumberOfLevels) {
    for (const FamilySearch& family : diversity_families()) EXPECT_EQ(family.levels.size(), 5U) << family.id;
}

TEST(Diversity, TheBestLevelIsAnAllowedOne) {
    FamilySearch family{"x",
                        "x",
                        {{.knob = "a", .at_target = 0.9},
                         {.knob = "b", .at_target = 0.7, .allowed = true},
                         {.knob = "c", .at_target = 0.8, .allowed = true}}};
    EXPECT_EQ(family.best().knob, "c");
    family.levels.resize(1);
    EXPECT_EQ(family.best().knob, "a");
}

/** A band in which HLG's prompts differ from top_p's by so much, and noise. */
DrawnBand band_of(double dissimilarity, double non_words, double noise, std::uint64_t seed) {
    Random dice(seed);
    DrawnBand band{.id = "held-out", .values = std::vector<std::vector<TextMeasures>>(2), .vocabulary = 1.0};
    for (int prompt = 0; prompt < 40; ++prompt) {
        TextMeasures rival{};
        rival[0] = 0.8 + 0.05 * dice.normal();
        rival[1] = 0.03 + 0.01 * dice.normal();
        TextMeasures ours = rival;
        ours[0] += dissimilarity + noise * dice.normal();
        ours[1] += non_words + noise * dice.normal() / 2;
        band.values[0].push_back(ours);
        band.values[1].push_back(rival);
    }
    return band;
}

Verdict verdict(double dissimilarity, double non_words, double again) {
    return verdict_of(primary_of(band_of(dissimilarity, non_words, 0.016, 3), 0.0, few),
                      primary_of(band_of(again, non_words, 0.016, 4), 0.0, few));
}

TEST(DiversityVerdict, WhatWasPutInIsFound) {
    EXPECT_EQ(verdict(0.02, 0.0, 0.02), Verdict::confirmed);
    EXPECT_EQ(verdict(0.02, -0.03, 0.02), Verdict::confirmed) << "cleaner is no failure";
    EXPECT_EQ(verdict(0.02, 0.0, 0.0), Verdict::not_shown) << "not replicated";
    EXPECT_EQ(verdict(0.02, 0.03, 0.02), Verdict::refuted) << "more non-words";
    EXPECT_EQ(verdict(0.0, 0.0, 0.0), Verdict::refuted) << "less than .01, surely";
}

TEST(DiversityVerdict, ANullIsSeldomTakenForAnEffect) {
    int false_alarms = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        if (primary_of(band_of(0.0, 0.0, 0.016, seed + 100), 0.0, {.resamples = 10, .level = 0.95, .seed = 1}).more_diverse())
            ++false_alarms;
    EXPECT_EQ(false_alarms, 0);  // .01 is four standard errors away
}

TEST(DiversityVerdict, SurprisalIsCorrectedFor) {
    DrawnBand band = band_of(0.02, 0.0, 0.0, 1);
    for (TextMeasures& values : band.values[0]) values[static_cast<std::size_t>(TextMeasure::surprisal)] = 0.1;
    const Primary primary = primary_of(band, 0.05, few);
    EXPECT_NEAR(primary.corrected, 0.02 - 0.05 * 0.1, 1e-12);
}

/** Texts of so many different words, whose surprisal follows the temperature as the sampler's cut lets it. */
class MadeUpSource final : public TextSource {
public:
    explicit MadeUpSource(std::size_t more_words_with_hlg) : more_(more_words_with_hlg) {}

    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            take(i, text_of(jobs[i]));
            ++written;
            if (progress && !progress(static_cast<double>(i) / static_cast<double>(jobs.size()))) throw Stopped();
        }
    }
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }
    std::size_t written = 0;

private:
    [[nodiscard]] WrittenText text_of(const TextJob& job) const {
        Random dice(*job.sampling.seed * 7919 + 13);
        const bool hlg = *job.sampling.hlg.enabled;
        const std::size_t words = 30 + (hlg ? more_ : 0);
        WrittenText text{.finish = "length"};
        const double cut = 1.0 - *job.sampling.top_p + *job.sampling.min_p;
        for (std::size_t i = 0; i < job.max_tokens; ++i) {
            const std::size_t word = dice.below(words);
            text.text += std::string(" ") + static_cast<char>('a' + word % 26) + static_cast<char>('a' + word / 26);
            const double nats = 4.0 - cut + 1.5 * std::log(*job.sampling.temperature) + 0.2 * dice.normal();
            if (job.log_probabilities) text.tokens.push_back({"", static_cast<float>(-nats)});
        }
        text.text += " .";
        text.generated_tokens = job.max_tokens;
        return text;
    }

    std::size_t more_;
    SourceFacts facts_{.id = "made up", .kind = "model"};
};

DiversityOptions small_options() {
    DiversityOptions options;
    for (int i = 0; i < 12; ++i) {
        options.development.push_back("Development " + std::to_string(i));
        options.held_out.push_back("Held out " + std::to_string(i));
    }
    options.samples = 12;
    options.search_samples = 4;
    options.tokens = 30;
    options.resamples = 200;
    std::string list;
    for (char a = 'a'; a <= 'z'; ++a)
        for (char b = 'a'; b <= 'e'; ++b) list += std::string{a, b, '\n'};
    options.words = WordList::parse(list);
    return options;
}

TEST(Diversity, APlantedEffectIsConfirmedAndANullIsNot) {
    const DiversityOptions options = small_options();
    for (const std::size_t more : {0U, 20U}) {
        MadeUpSource source(more);
        const Diversity diversity = draw_diversity(source, options, {});
        ASSERT_GE(diversity.configurations.size(), 4U);
        EXPECT_EQ(diversity.configurations[0].id, "hlg");
        EXPECT_EQ(diversity.configurations[1].id, "top_p");
        for (const Configuration& one : diversity.configurations) EXPECT_LT(std::abs(one.surprisal_off), 0.02) << one.name;
        const Json report = diversity_report(diversity, source.facts(), options).json({});
        const std::string finding = report["findings"][0];
        EXPECT_EQ(finding.rfind(more == 0 ? "Refuted" : "Confirmed", 0), 0U) << finding;
        EXPECT_EQ(report["tables"]["prompts"]["rows"].size(), 2 * diversity.configurations.size() * options.held_out.size());
    }
}

TEST(Diversity, EveryLevelGetsAsManyTrialsAsAskedFor) {
    DiversityOptions options = small_options();
    options.trials = 5;
    MadeUpSource source(0);
    const Diversity diversity = draw_diversity(source, options, {});
    for (const FamilySearch& family : diversity.searches)
        for (const Level& level : family.levels) EXPECT_EQ(level.trials.size(), 5U) << family.id << " " << level.knob;
}

TEST(Diversity, WhatIsFrozenStays) {
    DiversityOptions options = small_options();
    options.folder = testing::TempDir() + "frozen-" + std::to_string(::getpid());
    std::filesystem::create_directories(options.folder);
    MadeUpSource source(5);
    const std::string digest = draw_diversity(source, options, {}).frozen;
    EXPECT_EQ(draw_diversity(source, options, {}).frozen, digest);
    options.seed = 2;
    EXPECT_THROW(draw_diversity(source, options, {}), std::runtime_error);
    std::filesystem::remove_all(options.folder);
}

TEST(Diversity, StopsWhenTold) {
    MadeUpSource source(0);
    EXPECT_THROW(draw_diversity(source, small_options(), [&](double) { return source.written < 20; }), Stopped);
    EXPECT_EQ(source.written, 20U);
}

}  // namespace
}  // namespace hlg::eval
