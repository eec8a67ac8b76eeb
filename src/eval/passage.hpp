// SPDX-License-Identifier: MIT
//
// What the diversity evaluation keeps of a text, and what it measures on all texts of one prompt.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/character_model.hpp"
#include "eval/text_source.hpp"
#include "eval/words.hpp"

namespace hlg::eval {

struct Passage {
    Words words = {};
    double surprisal = 0.0;  ///< sum over its tokens of -ln p, nats
    std::size_t tokens = 0;
    std::size_t deep = 0;         ///< tokens with p < 1e-4
    double character_nats = 0.0;  ///< -ln p of its characters under a model of real text
    std::size_t characters = 0;
};

/** Reads a text that goes on with the prompt; `real` may be null. Throws std::runtime_error where the text is an error. */
Passage read_passage(std::string_view prompt, const WrittenText& text, const CharacterModel* real);

enum class TextMeasure : std::size_t {
    dissimilarity,
    non_words,
    distinct1,
    distinct2,
    distinct3,
    adjusted_distinct,
    self_bleu,
    vendi,
    repetition,
    surprisal,
    deep_tail,
    perplexity,
};

inline constexpr std::size_t text_measures = 12;

/** Of one prompt's texts, by TextMeasure; NaN where there is nothing to measure. */
using TextMeasures = std::array<double, text_measures>;

/** `vocabulary`: the words of all texts that are compared, for the expectation-adjusted distinct. */
TextMeasures measure_texts(std::span<const Passage> passages, const WordList& list, double vocabulary);

/** Only dissimilarity, non-words and surprisal, which tuning looks at; the others NaN. */
TextMeasures measure_for_tuning(std::span<const Passage> passages, const WordList& list);

/** What a measure is called in tables' keys, and for people. */
std::string_view key_of(TextMeasure measure) noexcept;
std::string_view label_of(TextMeasure measure) noexcept;

}  // namespace hlg::eval
