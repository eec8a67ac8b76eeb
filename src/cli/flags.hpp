// SPDX-License-Identifier: MIT
//
// The flags of a subcommand. CLI11 parses them, but its header takes seconds to compile, so flags.cpp and main.cpp alone
// include it; every other file says what it wants through this class.
//
//     Flags flags(app, "run", "Continue a prompt");
//     flags.text("-m,--model", "FILE", options.model, "GGUF file");
//     flags.when_chosen([&] { ... });
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace hlg::cli {

/** Takes a flag's word in; throws UsageError when it is not one of those allowed. */
using Reader = std::function<void(const std::string&)>;

/** A handle: the flags belong to the app, and what they write to must live until parsing is over. A flag's names are
    "-T,--temperature,--temp"; errors say the first long one. Help texts end with the default in brackets. */
class Flags {
public:
    /** Adds a subcommand. */
    Flags(CLI::App& app, const std::string& subcommand, const std::string& help);

    /** The subcommand, to which others can be added. */
    [[nodiscard]] CLI::App& app() noexcept { return *command_; }

    /** The heading in --help over the flags added from now on. */
    void group(const std::string& title) { group_ = title; }

    /** A flag without a value. */
    void on(const std::string& names, bool& value, const std::string& help);
    void on(const std::string& names, const std::function<void()>& then, const std::string& help);

    /** A flag with a word; `type` stands for it in --help. */
    void word(const std::string& names, const std::string& type, const Reader& read, const std::string& help);
    void text(const std::string& names, const std::string& type, std::string& value, const std::string& help);
    void text(const std::string& names, const std::string& type, std::optional<std::string>& value, const std::string& help);

    /** A flag that takes one of a few words, "on|off|auto"; `parse` gives nothing for any other. */
    template <class T, class Parse>
    void choice(const std::string& names, const std::string& words, std::optional<T>& value, const std::string& help,
                Parse parse) {
        const auto read = [&value, names, words, parse](const std::string& given) {
            value = parse(given);
            if (!value) refuse(names, words, given);
        };
        word(names, words, read, help);
    }

    /** A flag that may be given any number of times, a word each. */
    void each(const std::string& names, const std::string& type, const Reader& read, const std::string& help);

    /** A real number; `range` says in words what is allowed, for --help and for errors. */
    void real(const std::string& names, std::optional<double>& value, const std::string& range, const std::string& help);

    /** As real, and the word "off" means infinity. */
    void nats(const std::string& names, std::optional<double>& value, const std::string& range, const std::string& help);

    /** A whole number from `low` to `high`. */
    void whole(const std::string& names, std::optional<std::int64_t>& value, std::int64_t low, std::int64_t high,
               const std::string& help);

    /** An unsigned 64-bit number. */
    void unsigned64(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help);

    /** The flag of that name must be given. */
    void require(const std::string& name);

    /** Called once the command line is read, if it names this subcommand. */
    void when_chosen(const std::function<void()>& then);

    /** What the command line gave, in its order: names and words, without the flags that have no value. */
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> given() const;

    /** Throws UsageError: "--flag must be RANGE, got WORD". */
    [[noreturn]] static void refuse(const std::string& names, const std::string& range, const std::string& got);

private:
    CLI::App* command_;
    std::string group_ = "Options";
};

}  // namespace hlg::cli
