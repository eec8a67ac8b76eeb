// SPDX-License-Identifier: MIT
//
// What an evaluation looks at: contexts, and where each came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/bootstrap.hpp"
#include "eval/context.hpp"

namespace hlg::eval {

/** A model with the texts that it was asked about. */
struct Source {
    std::string id;
    std::string kind;  ///< "logits" or "model"
    std::size_t vocabulary = 0;
    std::vector<std::string> texts;  ///< a name or the beginning of each
    std::string sha256;              ///< of the model's file, or of all files of logits one behind the other
    std::size_t contexts = 0;
    std::size_t clusters = 0;

    /** What a reader must know before the numbers: "1 prompt". */
    [[nodiscard]] std::string remark() const;
};

struct Corpus {
    std::vector<Source> sources;
    std::vector<Context> contexts;  ///< by source, by text, in the order of the text
};

/** How much each context counts. */
enum class Weighing {
    contexts,  ///< a cluster of near-duplicates counts one
    sources,   ///< and each source one in all
};

/** [contexts], summing to 1. */
std::vector<double> weights(const Corpus& corpus, Weighing weighing);

/** Blocks of `length` contexts within each text. */
Resampling resampling(const Corpus& corpus, std::size_t length);

/** The sources of these numbers alone. */
Corpus subset(const Corpus& corpus, const std::vector<std::size_t>& sources);

/** The second behind the first. */
void append(Corpus& corpus, Corpus more);

}  // namespace hlg::eval
