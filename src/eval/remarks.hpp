// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "eval/corpus.hpp"

namespace hlg::eval {

/** One sentence that belongs under every conclusion: how many texts and distinct contexts of each class there are, of which
   models, and which of them are of one prompt. */
std::string what_it_rests_on(const Corpus& corpus);

/** A short name for what the corpus holds, for Memo: the same contexts have the same one. */
std::string fingerprint(const Corpus& corpus);

}  // namespace hlg::eval
