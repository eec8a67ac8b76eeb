// SPDX-License-Identifier: MIT
#include "cli/numbers.hpp"

#include <charconv>
#include <limits>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

/** The last spelling of "-T,--temperature": the one that errors name. */
std::string long_name(const std::string& flags) { return flags.substr(flags.rfind(',') + 1); }

template <class T>
std::optional<T> parse(std::string_view word) {
    T value{};
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

[[noreturn]] void refuse(const std::string& flag, const std::string& range, const std::string& got) {
    throw UsageError(fmt::format("{} must be {}, got {}", flag, range, got.empty() ? "nothing" : got));
}

CLI::Option* add(CLI::App& app, const std::string& flags, const std::string& type, const std::string& help,
                 const std::function<void(const std::string&)>& read) {
    return app.add_option_function<std::string>(flags, read, help)->type_name(type);
}

}  // namespace

std::optional<double> parse_real(std::string_view word) { return parse<double>(word); }
std::optional<std::int64_t> parse_whole(std::string_view word) { return parse<std::int64_t>(word); }

CLI::Option* add_real(CLI::App& app, const std::string& flags, std::optional<double>& value, const std::string& range,
                      const std::string& help) {
    return add(app, flags, "X", fmt::format("{} ({})", help, range),
               [&value, range, flag = long_name(flags)](const std::string& word) {
                   value = parse<double>(word);
                   if (!value) refuse(flag, range, word);
               });
}

CLI::Option* add_nats(CLI::App& app, const std::string& flags, std::optional<double>& value, const std::string& range,
                      const std::string& help) {
    return add(app, flags, "NATS", fmt::format("{} ({})", help, range),
               [&value, range, flag = long_name(flags)](const std::string& word) {
                   value = word == "off" ? std::numeric_limits<double>::infinity() : parse<double>(word);
                   if (!value) refuse(flag, range, word);
               });
}

CLI::Option* add_whole(CLI::App& app, const std::string& flags, std::optional<std::int64_t>& value, std::int64_t low,
                       std::int64_t high, const std::string& help) {
    const std::string range = fmt::format("a whole number from {} to {}", low, high);
    return add(app, flags, "N", help, [&value, low, high, range, flag = long_name(flags)](const std::string& word) {
        value = parse<std::int64_t>(word);
        if (!value || *value < low || *value > high) refuse(flag, range, word);
    });
}

CLI::Option* add_unsigned(CLI::App& app, const std::string& flags, std::optional<std::uint64_t>& value, const std::string& help) {
    return add(app, flags, "N", help, [&value, flag = long_name(flags)](const std::string& word) {
        value = parse<std::uint64_t>(word);
        if (!value) refuse(flag, "a whole number from 0 to 18446744073709551615", word);
    });
}

}  // namespace hlg::cli
