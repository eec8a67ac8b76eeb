// SPDX-License-Identifier: MIT
//
// Raw logits in a file: rows of numbers, little-endian, nothing else, as tofile() of every array library writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlg::cli {

/** How one logit is stored. */
enum class Dtype { f32, f16, bf16 };

/** The dtype of that name ("f32", "f16", "bf16"), or nothing. */
std::optional<Dtype> dtype_from(std::string_view name) noexcept;

/** The name, as the flag spells it. */
std::string_view to_string(Dtype dtype) noexcept;

/** Bytes a logit. */
std::size_t bytes_of(Dtype dtype) noexcept;

/** The value of IEEE 754 half-precision bits; exact, as every half is a float. */
float from_f16(std::uint16_t bits) noexcept;

/** The value of bfloat16 bits; exact. */
float from_bf16(std::uint16_t bits) noexcept;

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
