// SPDX-License-Identifier: MIT
//
// Logits as other programs store them: little-endian numbers, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hlg::engine {

/** How one logit is stored. */
enum class Dtype { f32, f16, bf16 };

/** The dtype of that name ("f32", "f16", "bf16"), or nothing. */
std::optional<Dtype> dtype_from(std::string_view name) noexcept;

/** The name, as flags and index files spell it. */
std::string_view to_string(Dtype dtype) noexcept;

/** Bytes a logit. */
std::size_t bytes_of(Dtype dtype) noexcept;

/** The value of IEEE 754 half-precision bits; exact, as every half is a float. */
float from_f16(std::uint16_t bits) noexcept;

/** The value of bfloat16 bits; exact. */
float from_bf16(std::uint16_t bits) noexcept;

/** The numbers that the bytes are, [bytes / bytes_of(dtype)]. */
std::vector<float> numbers_of(std::span<const unsigned char> bytes, Dtype dtype);

}  // namespace hlg::engine
