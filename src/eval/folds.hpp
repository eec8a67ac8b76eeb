// SPDX-License-Identifier: MIT
//
// What is tuned on and what is reported on are never the same contexts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "eval/corpus.hpp"

namespace hlg::eval {

/** Tuned on the one part, reported on the other. */
struct Fold {
    std::string name;  ///< of what is held out
    Corpus calibration;
    Corpus held_out;
    std::vector<std::size_t> places;  ///< of the held-out contexts in the whole corpus
};

/**
 * With names, one fold: those sources are held out. Without, each source is held out once while the others are tuned on; of a
 * single source each text; of a single text each half. Throws std::invalid_argument for a name that there is not, and where one
 * part is empty.
 */
std::vector<Fold> make_folds(const Corpus& corpus, const std::vector<std::string>& held_out);

/** What makes_folds did, in words: "each model is held out once". */
std::string how_folded(const Corpus& corpus, const std::vector<std::string>& held_out);

}  // namespace hlg::eval
