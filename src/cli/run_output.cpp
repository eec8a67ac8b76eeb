// SPDX-License-Identifier: MIT
#include "cli/run_output.hpp"

#include <cstdio>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "cli/live_view.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"

namespace hlg::cli {
namespace {

constexpr int usual_columns = 80;

/** For a person at a terminal a header stands out; a pipe gets it plain. */
std::string shown_header(std::span<const RunReport> reports, std::size_t index) {
    const std::optional<TerminalSize> size = terminal_size();
    const std::string plain = header(reports, index, size ? size->columns : usual_columns);
    return wants_colour() ? "\x1b[1m" + plain + "\x1b[0m\n" : plain + "\n";
}

void tell_statistics(std::span<const RunReport> reports, std::size_t index) {
    const std::optional<std::size_t> number = reports.size() > 1 ? std::optional(index + 1) : std::nullopt;
    fmt::print(stderr, "hlg run: {}\n", statistics_line(reports[index], number));
}

class TextOutput : public RunOutput {
public:
    TextOutput(std::span<const RunReport> reports, bool echo) : RunOutput(reports), echo_(echo) { begin(0); }

    void part(std::size_t index, std::string_view text) override {
        if (index == turn()) write(text);
    }

    void stop() override {
        if (open_) write_file("-", "\n");
        open_ = false;
    }

protected:
    void tell(std::size_t index) override {
        stop();
        tell_statistics(reports(), index);
        if (index + 1 < reports().size()) begin(index + 1);
    }

    void write(std::string_view text) {
        if (text.empty()) return;
        open_ = true;
        write_file("-", text);
    }

    [[nodiscard]] bool echo() const noexcept { return echo_; }

private:
    /** Catches up with what the text has by now. */
    void begin(std::size_t index) {
        if (reports().size() > 1) write_file("-", (index > 0 ? "\n" : "") + shown_header(reports(), index));
        if (echo_) write(reports()[index].prompt);
        write(reports()[index].text);
    }

    bool echo_;
    bool open_ = false;  ///< in the middle of a line
};

/** What has ended scrolls up for good; what has not stays below it in a view that is redrawn. */
class TerminalOutput : public RunOutput {
public:
    TerminalOutput(std::span<const RunReport> reports, bool echo) : RunOutput(reports), echo_(echo) {}

    void part(std::size_t /*index*/, std::string_view /*text*/) override {}

    void tick() override {
        if (const std::optional<TerminalSize> size = terminal_size()) view_.draw(reports(), turn(), *size, wants_colour());
    }

    void stop() override {
        view_.erase();
        for (std::size_t index = turn(); index < reports().size(); ++index) write(index);
    }

protected:
    void tell(std::size_t index) override {
        view_.erase();
        write(index);
        tell_statistics(reports(), index);
    }

private:
    void write(std::size_t index) {
        const RunReport& report = reports()[index];
        std::string text = (echo_ ? report.prompt : std::string()) + report.text;
        if (const std::optional<TerminalSize> size = terminal_size()) text = wrapped(text, size->columns, 0);  // to be read
        write_file("-", (index > 0 ? "\n" : "") + shown_header(reports(), index) + text + (text.empty() ? "" : "\n"));
    }

    LiveView view_;
    bool echo_;
};

class JsonOutput : public RunOutput {
public:
    explicit JsonOutput(std::span<const RunReport> reports) : RunOutput(reports) {}

    void part(std::size_t /*index*/, std::string_view /*text*/) override {}
    void stop() override {}

protected:
    void tell(std::size_t index) override {
        write_file("-", to_json(reports()[index]) + "\n");
        tell_statistics(reports(), index);
    }
};

}  // namespace

std::unique_ptr<RunOutput> RunOutput::make(OutputForm form, std::span<const RunReport> reports, bool echo) {
    switch (form) {
        case OutputForm::json: return std::make_unique<JsonOutput>(reports);
        case OutputForm::terminal: return std::make_unique<TerminalOutput>(reports, echo);
        case OutputForm::text: break;
    }
    return std::make_unique<TextOutput>(reports, echo);
}

void RunOutput::ended() {
    while (turn_ < reports_.size() && reports_[turn_].finished) {
        tell(turn_);
        ++turn_;
    }
}

std::string header(std::span<const RunReport> reports, std::size_t index, int columns) {
    const RunReport& report = reports[index];
    std::string title = fmt::format("{} of {}", index + 1, reports.size());
    if (reports.back().index > 0) {
        const bool choices = reports.back().choice > 0;
        const std::string answer = choices ? fmt::format(" (answer {})", report.choice + 1) : std::string();
        const int left = columns - static_cast<int>(title.size() + answer.size() + std::string_view("==> :  <==").size());
        title += ": " + one_line(report.prompt, left) + answer;
    }
    return "==> " + title + " <==";
}

}  // namespace hlg::cli
