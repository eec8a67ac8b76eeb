// SPDX-License-Identifier: MIT
//
// A folder of raw logits from any framework, listed by its index.json: an array with an object for each decoding step, in the
// order of the text.
//
//     {"file": "step-000.f16", "model": "my-model", "vocab": 262144, "dtype": "f16",
//      "row": 0, "text": "t1", "next_token": 563, "sha256": "..."}            the second line is optional
//
// `row` counts rows of `vocab` logits within the file; `text` tells one text from another, without it all steps of a model are of
// one; `next_token` is the token that the text has there; a sum that does not fit is an error.
#pragma once

#include <string>

#include "eval/corpus.hpp"
#include "eval/progress.hpp"

namespace hlg::eval {

/** Reads the folder: a source for each model. Throws std::runtime_error that names the file and what is wrong with it, and
 * Stopped. */
Corpus read_logits_folder(const std::string& folder, const Progress& progress = {});

}  // namespace hlg::eval
