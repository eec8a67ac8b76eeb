// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hlg::cli {

/** The number that the whole word is, or nothing. */
std::optional<double> parse_real(std::string_view word);
std::optional<std::int64_t> parse_whole(std::string_view word);
std::optional<std::uint64_t> parse_unsigned(std::string_view word);

}  // namespace hlg::cli
