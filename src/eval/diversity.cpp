// SPDX-License-Identifier: MIT
#include "eval/diversity.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

#include "engine/settings_json.hpp"
#include "eval/passage_drawer.hpp"
#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

constexpr std::size_t levels_a_family = 5;
constexpr double reached = 0.1;          // nats
constexpr double matched = 0.02;         // nats
constexpr double more_non_words = 0.01;  // share of words

/** Temperature and nothing else, whatever the source's own settings are. */
engine::SamplingSettings plain_sampling() {
    engine::SamplingSettings sampling{.temperature = 1.0, .top_p = 1.0, .top_k = 0, .min_p = 0.0};
    sampling.hlg.enabled = false;
    return sampling;
}

Level level_of(const std::string& knob) {
    Level level;
    level.knob = knob;
    level.sampling = plain_sampling();
    return level;
}

TextTrial trial_of(const PassageTable& table, const WordList& words, double temperature) {
    TextTrial trial{.temperature = temperature};
    double prompts = 0.0;
    for (const std::vector<Passage>& passages : table) {
        const TextMeasures values = measure_for_tuning(passages, words);
        if (std::isnan(values[static_cast<std::size_t>(TextMeasure::non_words)])) continue;  // not a word in any text
        trial.surprisal += values[static_cast<std::size_t>(TextMeasure::surprisal)];
        trial.dissimilarity += values[static_cast<std::size_t>(TextMeasure::dissimilarity)];
        trial.non_words += values[static_cast<std::size_t>(TextMeasure::non_words)];
        ++prompts;
    }
    if (prompts == 0) throw std::runtime_error("no text has a word");
    trial.surprisal /= prompts;
    trial.dissimilarity /= prompts;
    trial.non_words /= prompts;
    return trial;
}

PassageTable first_samples(PassageTable table, std::size_t samples) {
    for (std::vector<Passage>& passages : table) passages.resize(std::min(samples, passages.size()));
    return table;
}

std::size_t planned_texts(const DiversityOptions& options, std::size_t families) {
    const std::size_t search = families * levels_a_family * options.trials * options.search_samples;
    const std::size_t matching = (1 + options.matchings * (families + 1)) * options.samples;
    return options.development.size() * (search + matching) +
           options.held_out.size() * (families + 2) * (2 * options.samples + options.end_samples);
}

std::string digest_of(const std::string& text) {
    Sha256 sha;
    sha.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
    return sha.digest();
}

/** The run, in the order of its plan. */
class Run {
public:
    Run(TextSource& source, const DiversityOptions& options, const Progress& progress)
        : options_(options),
          drawer_(source, options, planned_texts(options, diversity_families().size()), progress),
          facts_(source.facts()) {}

    Diversity all() {
        tune();
        choose();
        freeze();
        result_.held_out = draw_band("held-out", SeedBand::held_out);
        result_.replication = draw_band("replication", SeedBand::replication);
        for (const Configuration& one : result_.configurations)
            result_.ends.push_back(drawer_.end_rate(one.sampling, "end-of-text, " + one.name));
        return std::move(result_);
    }

private:
    TextTrial evaluate(const Level& level, double temperature, std::size_t samples, const std::string& what) {
        engine::SamplingSettings sampling = level.sampling;
        sampling.temperature = temperature;
        const std::string label = fmt::format("{} {} T {:.4g}", what, level.knob, temperature);
        return trial_of(drawer_.draw(sampling, {label, SeedBand::development, 0, samples}), options_.words, temperature);
    }

    void tune() {
        const PassageTable plain =
            drawer_.draw(plain_sampling(), {"development T 1", SeedBand::development, 0, options_.samples});
        result_.target = trial_of(plain, options_.words, 1.0);
        const TextTrial target = trial_of(first_samples(plain, options_.search_samples), options_.words, 1.0);
        result_.searches = diversity_families();
        for (FamilySearch& family : result_.searches)
            for (Level& level : family.levels) {
                level.trials = search_temperature(
                    [&](double temperature) { return evaluate(level, temperature, options_.search_samples, "search"); },
                    target.surprisal, options_.trials);
                const TextTrial& near = nearest(level.trials, target.surprisal);
                level.at_target = dissimilarity_at(level.trials, target.surprisal);
                level.allowed =
                    std::abs(near.surprisal - target.surprisal) <= reached && near.non_words <= target.non_words + more_non_words;
            }
        search_target_ = target.surprisal;
    }

    /** The level with all samples, at the temperature that matches best of a few tries. */
    Configuration match(const std::string& id, const std::string& family, const Level& level) {
        const double wanted = result_.target.surprisal;
        const double slope = surprisal_slope(level.trials, search_target_);
        std::vector<TextTrial> trials;
        double temperature = next_temperature(level.trials, search_target_);
        for (std::size_t i = 0; i < options_.matchings; ++i) {
            trials.push_back(evaluate(level, temperature, options_.samples, "matching"));
            const double off = wanted - trials.back().surprisal;
            if (std::abs(off) <= matched) {
                drawer_.skip((options_.matchings - 1 - i) * options_.samples * options_.development.size());
                break;
            }
            constexpr double digits = 1e4;
            temperature = std::round(std::clamp(temperature * std::exp(off / slope), 0.05, 100.0) * digits) / digits;
        }
        Configuration one{.id = id, .name = {}, .sampling = level.sampling, .trial = nearest(trials, wanted)};
        one.name = fmt::format("{} {}, T {:.4g}", family, level.knob, one.trial.temperature);
        one.sampling.temperature = one.trial.temperature;
        one.surprisal_off = one.trial.surprisal - wanted;
        one.dissimilarity_slope = dissimilarity_slope(level.trials, search_target_);
        return one;
    }

    void choose() {
        std::vector<Configuration>& chosen = result_.configurations;
        const FamilySearch& hlg = result_.searches.front();
        const Level& standard =
            *std::find_if(hlg.levels.begin(), hlg.levels.end(), [](const Level& level) { return level.knob == default_preset; });
        chosen.push_back(match("hlg", hlg.name, standard));
        for (std::size_t i = 1; i < result_.searches.size(); ++i) {
            const FamilySearch& family = result_.searches[i];
            chosen.push_back(match(family.id, family.name, family.best()));
        }
        chosen.push_back({"temperature", "temperature 1", plain_sampling(), result_.target});
        if (hlg.best().knob != default_preset)
            chosen.push_back(match("hlg_tuned", hlg.name + " tuned,", hlg.best()));
        else
            drawer_.skip(options_.matchings * options_.samples * options_.development.size());
    }

    /** Writes down what will be drawn, before it is; or makes sure that it is what was written down. */
    void freeze() {
        Json frozen{
            {"model", facts_.json()}, {"seed", options_.seed}, {"samples", options_.samples}, {"tokens", options_.tokens}};
        for (const std::string& prompt : options_.held_out) frozen["prompts"].push_back(prompt);
        for (const Configuration& one : result_.configurations)
            frozen["configurations"].push_back(
                {{"id", one.id}, {"name", one.name}, {"sampling", Json(engine::to_json(one.sampling))}});
        const std::string text = frozen.dump(1) + "\n";
        result_.frozen = digest_of(text);
        if (options_.folder.empty()) return;
        const std::string path = (std::filesystem::path(options_.folder) / "frozen.json").string();
        if (std::ifstream in(path); in) {
            std::ostringstream there;
            there << in.rdbuf();
            if (there.str() != text)
                throw std::runtime_error(path +
                                         " holds other configurations, so other texts were drawn here: take another folder");
            return;
        }
        std::ofstream out(path);
        out << text << std::flush;
        if (!out) throw std::runtime_error("can't write " + path);
    }

    DrawnBand draw_band(const std::string& id, SeedBand seeds) {
        std::vector<PassageTable> tables;
        std::set<std::string> vocabulary;
        for (const Configuration& one : result_.configurations) {
            tables.push_back(drawer_.draw(one.sampling, {id + ", " + one.name, seeds, 0, options_.samples}));
            for (const std::vector<Passage>& passages : tables.back())
                for (const Passage& passage : passages) vocabulary.insert(passage.words.begin(), passage.words.end());
        }
        DrawnBand band{.id = id, .values = {}, .vocabulary = static_cast<double>(vocabulary.size())};
        for (const PassageTable& table : tables) {
            std::vector<TextMeasures>& values = band.values.emplace_back();
            for (const std::vector<Passage>& passages : table)
                values.push_back(measure_texts(passages, options_.words, band.vocabulary));
        }
        return band;
    }

    static constexpr std::string_view default_preset = "balanced";

    const DiversityOptions& options_;
    PassageDrawer drawer_;
    SourceFacts facts_;
    double search_target_ = 0.0;
    Diversity result_;
};

}  // namespace

const Level& FamilySearch::best() const {
    const auto better = [](const Level& a, const Level& b) {
        if (a.allowed != b.allowed) return b.allowed;
        return a.at_target < b.at_target;
    };
    return *std::max_element(levels.begin(), levels.end(), better);
}

std::vector<FamilySearch> diversity_families() {
    std::vector<FamilySearch> families{{"hlg", "HLG", {}}, {"top_p", "top_p", {}}, {"min_p", "min_p", {}}};
    for (const char* preset : {"note", "gentle", "balanced", "bold", "cheap"}) {
        Level& level = families[0].levels.emplace_back(level_of(preset));
        level.sampling.hlg = {.enabled = true, .preset = preset};
    }
    for (const double top_p : {0.5, 0.7, 0.8, 0.9, 0.95})
        families[1].levels.emplace_back(level_of(fmt::format("{}", top_p))).sampling.top_p = top_p;
    for (const double min_p : {0.005, 0.01, 0.02, 0.05, 0.1})
        families[2].levels.emplace_back(level_of(fmt::format("{}", min_p))).sampling.min_p = min_p;
    return families;
}

Diversity draw_diversity(TextSource& source, const DiversityOptions& options, const Progress& progress) {
    if (!source.facts().knows_hlg)
        throw std::runtime_error(fmt::format("{} does not know HLG: its texts can't be compared", source.facts().id));
    return Run(source, options, progress).all();
}

}  // namespace hlg::eval
