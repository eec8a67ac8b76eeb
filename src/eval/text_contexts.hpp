// SPDX-License-Identifier: MIT
//
// Contexts from a model: it reads texts as they stand (teacher forcing), and at each token says what it would have expected. The
// token that really comes next is known, and so are the tokens' strings.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/context_options.hpp"
#include "engine/model.hpp"
#include "eval/corpus.hpp"
#include "eval/progress.hpp"

namespace hlg::eval {

struct NamedText {
    std::string name;
    std::string text;  ///< UTF-8
};

struct TextOptions {
    std::string id;            ///< what to call the model
    std::size_t tokens = 512;  ///< at most so many of each text are read
    std::size_t every = 1;     ///< of them each so many-th is taken, for longer texts at the same cost
    std::size_t skip = 4;      ///< and the first ones not: there the model knows nothing yet
    engine::ContextOptions engine = {};
};

/** One source with all the texts. Errors as an engine::Error's message in std::runtime_error; Stopped when `abort` is raised. */
Corpus read_texts(const engine::Model& model, const std::vector<NamedText>& texts, const TextOptions& options,
                  const std::atomic<bool>& abort, const Progress& progress = {});

}  // namespace hlg::eval
