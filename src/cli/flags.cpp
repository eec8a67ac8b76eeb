// SPDX-License-Identifier: MIT
#include "cli/flags.hpp"

#include <limits>
#include <map>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/numbers.hpp"

namespace hlg::cli {
namespace {

/** "--temperature" of "-T,--temperature,--temp": the spelling that errors name. */
std::string long_name(const std::string& names) {
    const std::size_t start = names.find("--");
    return names.substr(start, names.find(',', start) - start);
}

}  // namespace

void Flags::refuse(const std::string& names, const std::string& range, const std::string& got) {
    throw UsageError(fmt::format("{} must be {}, got {}", long_name(names), range, got.empty() ? "nothing" : got));
}

Flags::Flags(CLI::App& app, const std::string& subcommand, const std::string& help)
    : command_(app.add_subcommand(subcommand, help)) {}

void Flags::on(const std::string& names, bool& value, const std::string& help) {
    on(
        names, [&value] { value = true; }, help);
}

void Flags::on(const std::string& names, const std::function<void()>& then, const std::string& help) {
    command_->add_flag_callback(names, then, help)->group(group_);
}

void Flags::word(const std::string& names, const std::string& type, const Reader& read, const std::string& help) {
    const auto take = [read](const CLI::results_t& words) {
        read(words.back());
        return true;
    };
    command_->add_option(names, CLI::callback_t(take), help)->type_name(type)->group(group_);
}

void Flags::text(const std::string& names, const std::string& type, std::string& value, const std::string& help) {
    word(
        names, type, [&value](const std::string& given) { value = given; }, help);
}

void Flags::text(const std::string& names, const std::string& type, std::optional<std::string>& value, const std::string& help) {
    word(
        names, type, [&value](const std::string& given) { value = given; }, help);
}

void Flags::each(const std::string& names, const std::string& type, const Reader& read, const std::string& help) {
    const auto take = [read](const CLI::results_t& words) {
        for (const std::string& given : words) read(given);
        return true;
    };
    command_->add_option(names, CLI::callback_t(take), help)
        ->expected(CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false)
        ->type_name(type)
        ->group(group_);
}

void Flags::real(const std::string& names, std::optional<double>& value, const std::string& range, const std::string& help) {
    const auto read = [&value, range, names](const std::string& given) {
        value = parse_real(given);
        if (!value) refuse(names, range, given);
    };
    word(names, "X", read, fmt::format("{} ({})", help, range));
}

void Flags::nats(const std::string& names, std::optional<double>& value, const std::string& range, const std::string& help) {
    const auto read = [&value, range, names](const std::string& given) {
        value = given == "off" ? std::numeric_limits<double>::infinity() : parse_real(given);
        if (!value) refuse(names, range, given);
    };
    word(names, "NATS", read, fmt::format("{} ({})", help, range));
}

void Flags::whole(const std::string& names, std::optional<std::int64_t>& value, std::int64_t low, std::int64_t high,
                  const std::string& help) {
    const auto read = [&value, low, high, names](const std::string& given) {
        value = parse_whole(given);
        if (!value || *value < low || *value > high) refuse(names, fmt::format("a whole number from {} to {}", low, high), given);
    };
    word(names, "N", read, help);
}

void Flags::unsigned64(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help) {
    const auto read = [&value, names](const std::string& given) {
        value = parse_unsigned(given);
        if (!value) refuse(names, "a whole number from 0 to 18446744073709551615", given);
    };
    word(names, "N", read, help);
}

void Flags::require(const std::string& name) { command_->get_option(name)->required(); }

void Flags::when_chosen(const std::function<void()>& then) { command_->callback(then); }

std::vector<std::pair<std::string, std::string>> Flags::given() const {
    std::vector<std::pair<std::string, std::string>> all;
    std::map<const CLI::Option*, std::size_t> seen;  // a repeatable one comes once for each word, and has all words each time
    for (const CLI::Option* option : command_->parse_order())
        if (option->get_items_expected_max() > 0) all.emplace_back(option->get_name(), option->results().at(seen[option]++));
    return all;
}

}  // namespace hlg::cli
