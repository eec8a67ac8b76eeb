// SPDX-License-Identifier: MIT
//
// Raw logits in a file: rows of numbers, little-endian, nothing else, as tofile() of every array library writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/dtype.hpp"

namespace hlg::cli {

using engine::Dtype;
using engine::dtype_from;

/** One row of a file. */
struct LogitsRow {
    std::string path = {};  ///< "-" = stdin
    Dtype dtype = Dtype::f32;
    std::optional<std::int64_t> vocab = {};  ///< tokens a row; unset = the whole file is one row
    std::int64_t row = 0;
};

/** The row's logits. Throws UsageError for a file that is missing, short or not whole rows, and for a row that is not there. */
std::vector<float> read_logits(const LogitsRow& wanted);

}  // namespace hlg::cli
