// SPDX-License-Identifier: MIT
//
// How much texts differ from each other, and how often they repeat themselves, from their words.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eval/words.hpp"

namespace hlg::eval {

/** The cosines between the texts' vectors of counts of words and of pairs of neighbouring words together, [n * n]; 1 on the
    diagonal, 0 between a text without words and any other. */
std::vector<double> cosines(std::span<const Words> texts);

/** 1 less the mean cosine of all pairs of different texts, [n * n]: unbiased in n. NaN below two texts. */
double dissimilarity(std::span<const double> cosines);

/** The effective number of different texts (Vendi score, Friedman and Dieng 2023): exp of the entropy of the eigenvalues of
    cosines / n, from 1 to n. */
double vendi(std::span<const double> cosines);

/** Different runs of n words, over all runs, of all texts together (Li et al. 2016). NaN without any. */
double distinct(std::span<const Words> texts, std::size_t n);

/** Different words over what so many words, drawn evenly from a vocabulary of this size, would be expected to have (Liu et al.
    2022): unlike distinct-1 it does not fall with the length. */
double expectation_adjusted_distinct(std::span<const Words> texts, double vocabulary);

/** The mean BLEU-4 of each text against all others (Zhu et al. 2018), brevity penalty against the nearest length; where a text of
    enough words has no match of some length, 0.1 stands for it (Chen and Cherry 2014, method 1). NaN below two texts. */
double self_bleu(std::span<const Words> texts);

/** The share of runs of four words that their text has had before, of all texts together. NaN without any. */
double repetition(std::span<const Words> texts);

/** The share of words that the list does not have. NaN without words. */
double non_words(std::span<const Words> texts, const WordList& list);

}  // namespace hlg::eval
