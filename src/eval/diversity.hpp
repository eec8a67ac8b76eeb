// SPDX-License-Identifier: MIT
//
// hlg eval diversity: whether texts drawn with HLG differ more from each other than texts of tuned rivals at the same own-text
// surprisal. The plan, which was there before the texts: docs/evaluation.md. Samplers are tuned and matched on development
// prompts, then written down (frozen.json), and only then the held-out prompts are drawn, twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eval/passage.hpp"
#include "eval/progress.hpp"
#include "eval/report.hpp"
#include "eval/temperature_search.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval {

struct DiversityOptions {
    std::vector<std::string> development;  ///< prompts
    std::vector<std::string> held_out;
    std::size_t samples = 40;        ///< of each prompt
    std::size_t search_samples = 8;  ///< of each prompt, while tuning
    std::size_t trials = 3;          ///< temperatures of each level, while tuning
    std::size_t matchings = 2;       ///< tries to match what was chosen
    std::size_t end_samples = 4;     ///< of each prompt without the ban on end-of-text
    std::size_t tokens = 64;         ///< of each text
    std::uint64_t seed = 1;
    WordList words;
    CharacterModel real{5};  ///< of real text; without any there is no perplexity
    std::string folder;      ///< where frozen.json goes; empty = nowhere
    std::size_t resamples = 2000;
};

/** A sampler with its settings. */
struct Configuration {
    std::string id;    ///< "hlg", "top_p", ...
    std::string name;  ///< for people, with the knob
    engine::SamplingSettings sampling = {};
    TextTrial trial = {};              ///< on the development prompts, all samples
    double surprisal_off = 0.0;        ///< from temperature 1's there, nats
    double dissimilarity_slope = 0.0;  ///< a nat of surprisal, of its level
};

/** A knob's setting with the trials that were made of it. */
struct Level {
    std::string knob;
    engine::SamplingSettings sampling = {};
    std::vector<TextTrial> trials = {};
    double at_target = 0.0;  ///< dissimilarity
    bool allowed = false;    ///< reached the target and has not too many non-words
};

struct FamilySearch {
    std::string id;
    std::string name;
    std::vector<Level> levels;

    /** The allowed level with the highest dissimilarity at the target; of all levels where none is allowed. */
    [[nodiscard]] const Level& best() const;
};

/** End-of-text where it is not banned. */
struct EndRate {
    std::size_t texts = 0;
    std::size_t ended = 0;
    std::size_t tokens = 0;  ///< drawn, the ends included
};

/** Of each configuration, of each held-out prompt. */
struct DrawnBand {
    std::string id;
    std::vector<std::vector<TextMeasures>> values;  ///< [configurations][prompts]
    double vocabulary = 0.0;
};

struct Diversity {
    TextTrial target;  ///< temperature 1 on the development prompts, all samples
    std::vector<FamilySearch> searches;
    std::vector<Configuration> configurations;  ///< HLG's default first, tuned top_p second
    std::string frozen;                         ///< digest of frozen.json
    DrawnBand held_out;
    DrawnBand replication;
    std::vector<EndRate> ends;  ///< [configurations]
};

/** The three bands of seeds. */
enum class SeedBand : std::uint64_t { development, held_out, replication };

/** A text's seed: below 2^32 for run seeds below 14,000, as some servers want it. No two texts of a run share one. */
std::uint64_t text_seed(std::uint64_t run_seed, SeedBand band, std::size_t prompt, std::size_t sample);

/** The families to tune, with their levels. */
std::vector<FamilySearch> diversity_families();

/** Draws everything. Throws Stopped, std::runtime_error. */
Diversity draw_diversity(TextSource& source, const DiversityOptions& options, const Progress& progress);

/** What it says. */
Report diversity_report(const Diversity& diversity, const SourceFacts& facts, const DiversityOptions& options);

}  // namespace hlg::eval
