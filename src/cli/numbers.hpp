// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlg::cli {

/** The number that the whole word is, or nothing. */
std::optional<double> parse_real(std::string_view word);
std::optional<std::int64_t> parse_whole(std::string_view word);
std::optional<std::uint64_t> parse_unsigned(std::string_view word);

/** A flag's count, or the usual one where it was not given; flags let nothing below 0 through. */
inline std::size_t size_or(const std::optional<std::int64_t>& given, std::size_t usual) {
    return given ? static_cast<std::size_t>(*given) : usual;
}

}  // namespace hlg::cli
