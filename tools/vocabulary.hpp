// SPDX-License-Identifier: MIT
//
// Vocabularies of the models that are made: a real one taken from a GGUF file, or a byte-level BPE one built to size.
#pragma once

#include <cstdint>
#include <string>

#include "gguf_file.hpp"

namespace hlg::tools {

/** Copies the tokenizer's keys of the GGUF file at `path`, chat template included. Returns the number of tokens. */
std::int64_t copy_vocabulary(gguf_context* metadata, const std::string& path);

/** Tokens of a built vocabulary: at least five control tokens and the 256 bytes. */
inline constexpr std::int64_t smallest_vocabulary = 5 + 256;
inline constexpr std::int64_t largest_vocabulary = 1'000'000;

/** Builds a byte-level BPE vocabulary of `size` tokens in the manner of MiniCPM5's: control tokens, the bytes, runs of white
    space, numbers of up to three digits, whole UTF-8 characters, then short words. Any text becomes tokens and comes back. */
void build_vocabulary(gguf_context* metadata, std::int64_t size);

}  // namespace hlg::tools
