// SPDX-License-Identifier: MIT
#include "eval/passage.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/core.h>

#include "eval/text_measures.hpp"

namespace hlg::eval {
namespace {

const float deep_tail = std::log(1e-4F);

struct Name {
    std::string_view key;
    std::string_view label;
};

constexpr std::array<Name, text_measures> names{{{"dissimilarity", "dissimilarity"},
                                                 {"non_words", "non-words"},
                                                 {"distinct1", "distinct-1"},
                                                 {"distinct2", "distinct-2"},
                                                 {"distinct3", "distinct-3"},
                                                 {"adjusted_distinct", "adjusted distinct"},
                                                 {"self_bleu", "self-BLEU"},
                                                 {"vendi", "Vendi score"},
                                                 {"repetition", "repetition"},
                                                 {"surprisal", "surprisal"},
                                                 {"deep_tail", "deep tail"},
                                                 {"perplexity", "perplexity"}}};

double ratio(double sum, std::size_t of) {
    return of == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(of);
}

std::vector<Words> words_in(std::span<const Passage> passages) {
    std::vector<Words> texts;
    for (const Passage& passage : passages) texts.push_back(passage.words);
    return texts;
}

/** Sums over all texts of a prompt. */
Passage pooled(std::span<const Passage> passages) {
    Passage sum;
    for (const Passage& passage : passages) {
        sum.surprisal += passage.surprisal;
        sum.tokens += passage.tokens;
        sum.deep += passage.deep;
        sum.character_nats += passage.character_nats;
        sum.characters += passage.characters;
    }
    return sum;
}

}  // namespace

Passage read_passage(std::string_view prompt, const WrittenText& text, const CharacterModel* real) {
    if (!text.error.empty()) throw std::runtime_error(fmt::format("no text for the prompt \"{}\": {}", prompt, text.error));
    Passage passage;
    passage.words = continuation_words(prompt, text.text, text.finish != "stop");
    passage.tokens = text.tokens.size();
    for (const WrittenToken& token : text.tokens) {
        passage.surprisal -= static_cast<double>(token.log_probability);
        if (token.log_probability < deep_tail) ++passage.deep;
    }
    if (real == nullptr) return passage;
    const CharacterModel::Score score = real->score(prompt, text.text);
    passage.character_nats = -score.log_probability;
    passage.characters = score.characters;
    return passage;
}

TextMeasures measure_for_tuning(std::span<const Passage> passages, const WordList& list) {
    const std::vector<Words> texts = words_in(passages);
    const Passage sum = pooled(passages);
    TextMeasures measures;
    measures.fill(std::numeric_limits<double>::quiet_NaN());
    const auto at = [&](TextMeasure measure) -> double& { return measures[static_cast<std::size_t>(measure)]; };
    at(TextMeasure::dissimilarity) = dissimilarity(cosines(texts));
    at(TextMeasure::non_words) = non_words(texts, list);
    at(TextMeasure::surprisal) = ratio(sum.surprisal, sum.tokens);
    return measures;
}

TextMeasures measure_texts(std::span<const Passage> passages, const WordList& list, double vocabulary) {
    const std::vector<Words> texts = words_in(passages);
    const std::vector<double> matrix = cosines(texts);
    const Passage sum = pooled(passages);
    return {dissimilarity(matrix),
            non_words(texts, list),
            distinct(texts, 1),
            distinct(texts, 2),
            distinct(texts, 3),
            expectation_adjusted_distinct(texts, vocabulary),
            self_bleu(texts),
            vendi(matrix),
            repetition(texts),
            ratio(sum.surprisal, sum.tokens),
            ratio(static_cast<double>(sum.deep), sum.tokens),
            std::exp(ratio(sum.character_nats, sum.characters))};
}

std::string_view key_of(TextMeasure measure) noexcept { return names[static_cast<std::size_t>(measure)].key; }

std::string_view label_of(TextMeasure measure) noexcept { return names[static_cast<std::size_t>(measure)].label; }

}  // namespace hlg::eval
