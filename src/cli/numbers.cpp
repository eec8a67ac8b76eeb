// SPDX-License-Identifier: MIT
#include "cli/numbers.hpp"

#include <charconv>

namespace hlg::cli {
namespace {

template <class T>
std::optional<T> parse(std::string_view word) {
    T value{};
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

}  // namespace

std::optional<double> parse_real(std::string_view word) { return parse<double>(word); }
std::optional<std::int64_t> parse_whole(std::string_view word) { return parse<std::int64_t>(word); }
std::optional<std::uint64_t> parse_unsigned(std::string_view word) { return parse<std::uint64_t>(word); }

}  // namespace hlg::cli
