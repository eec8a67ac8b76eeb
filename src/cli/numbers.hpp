// SPDX-License-Identifier: MIT
//
// Numbers on the command line: the whole word must be a number in its range, and the error names the flag and the range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hlg::cli {

/** The number that the whole word is, or nothing. */
std::optional<double> parse_real(std::string_view word);
std::optional<std::int64_t> parse_whole(std::string_view word);

/** A flag that takes a real number; `range` says in words what is allowed, for --help and for errors. */
CLI::Option* add_real(CLI::App& app, const std::string& flags, std::optional<double>& value, const std::string& range,
                      const std::string& help);

/** As add_real, and the word "off" means infinity. */
CLI::Option* add_nats(CLI::App& app, const std::string& flags, std::optional<double>& value, const std::string& range,
                      const std::string& help);

/** A flag that takes a whole number from `low` to `high`. */
CLI::Option* add_whole(CLI::App& app, const std::string& flags, std::optional<std::int64_t>& value, std::int64_t low,
                       std::int64_t high, const std::string& help);

/** A flag that takes an unsigned 64-bit number. */
CLI::Option* add_unsigned(CLI::App& app, const std::string& flags, std::optional<std::uint64_t>& value, const std::string& help);

}  // namespace hlg::cli
