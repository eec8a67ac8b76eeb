// SPDX-License-Identifier: MIT
//
// The loop of a chat: read a line, obey or answer it, say what the answer took. One thread; what waits, waits here, either for
// the keyboard or for the engine's events.
#include "cli/chat.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include <fmt/core.h>

#include "cli/chat_command.hpp"
#include "cli/chat_settings.hpp"
#include "cli/command.hpp"
#include "cli/conversation.hpp"
#include "cli/interrupt.hpp"
#include "cli/line_reader.hpp"
#include "cli/numbers.hpp"
#include "cli/output_file.hpp"
#include "cli/run_report.hpp"
#include "cli/terminal.hpp"
#include "engine/utf8.hpp"

namespace hlg::cli {
namespace {

/** Text broken between words for this terminal. */
std::string fitting(const std::string& text, int indent) {
    const std::optional<TerminalSize> size = terminal_size();
    return size ? wrapped(text, size->columns, indent) : text;
}

/** Remarks of the program's, not the model's: on stderr, and dim. */
void remark(const std::string& text) {
    const bool dim = wants_colour() && isatty(STDERR_FILENO) == 1;
    fmt::print(stderr, "{}{}{}\n", dim ? "\x1b[2m" : "", fitting(text, 0), dim ? "\x1b[0m" : "");
}

class Chat {
public:
    Chat(engine::Engine& engine, Conversation& conversation, const GenerationOptions& options, ChatSettings settings,
         const std::atomic<bool>& interrupted)
        : engine_(engine),
          conversation_(conversation),
          options_(options),
          settings_(std::move(settings)),
          interrupted_(interrupted) {}

    int run() {
        rearm_interrupt();
        remark(greeting());
        std::string line;
        while (!exit_code_ && read_turn(line)) {
            if (const std::optional<ChatCommand> command = chat_command(line)) {
                obey(*command);
            } else if (!line.empty() || conversation_.continues_text()) {
                answer(spoken(line));
            }
        }
        return exit_code_.value_or(exit_ok);
    }

private:
    [[nodiscard]] std::string greeting() const {
        const char* how = conversation_.continues_text() ? "This model knows no chat: it goes on with your text.\n" : "";
        return fmt::format("{}\n{}/help tells what you can type; Ctrl-D ends.", settings_.model_line(), how);
    }

    /** A turn, which has more than one line where backslashes say so. False at the end. */
    bool read_turn(std::string& turn) {
        turn.clear();
        bool asked_to_end = false;
        for (std::string line;;) {
            write_file("-", turn.empty() ? (wants_colour() ? "\n\x1b[1m> \x1b[0m" : "\n> ") : "  ");
            switch (reader_.read(line)) {
                case LineReader::Got::end: write_file("-", "\n"); return false;
                case LineReader::Got::interrupted:
                    rearm_interrupt();
                    write_file("-", "\n");
                    if (asked_to_end) exit_code_ = exit_interrupted;
                    if (asked_to_end) return false;
                    asked_to_end = true;
                    turn.clear();
                    remark("Ctrl-C again ends the chat, and so do Ctrl-D and /exit");
                    continue;
                case LineReader::Got::cut:
                    remark("the terminal takes 4095 bytes a line; the rest of this one is lost (a \\ at its end joins lines)");
                    continue;
                case LineReader::Got::line: break;
            }
            asked_to_end = false;
            const bool more = line.ends_with('\\');
            if (more) line.back() = '\n';
            turn += line;
            if (more) continue;
            if (!engine::first_invalid_utf8(turn)) return true;
            remark("that was not UTF-8");
            turn.clear();
        }
    }

    void obey(const ChatCommand& command) {
        switch (command.kind) {
            case ChatCommand::Kind::reset:
                conversation_.reset();
                remark("forgotten");
                break;
            case ChatCommand::Kind::seed: set_seed(command.argument); break;
            case ChatCommand::Kind::settings: write_file("-", fitting(settings_.text(), ChatSettings::indent)); break;
            case ChatCommand::Kind::help: write_file("-", fitting(chat_help(conversation_.continues_text()), 2)); break;
            case ChatCommand::Kind::exit: exit_code_ = exit_ok; break;
            case ChatCommand::Kind::unknown: remark(command.argument); break;
        }
    }

    void set_seed(const std::string& word) {
        const std::optional<std::uint64_t> seed = parse_unsigned(word);
        if (!word.empty() && !seed) return remark("/seed takes a whole number from 0 to 18446744073709551615, got " + word);
        settings_.set_seed(seed);
    }

    void answer(std::string_view line) {
        engine::GenerateRequest request = options_.request({});
        request.sampling.seed = settings_.seed_of_next();
        request.max_tokens = settings_.max_tokens();
        request.prompt = conversation_.ask(line);
        engine::Ticket ticket = engine_.submit(std::move(request));
        RunReport report;
        while (std::optional<engine::Event> event = next_event(ticket)) {
            if (const auto* part = std::get_if<engine::TextEvent>(&event->what)) {
                show(part->text, false);
            } else if (const auto* chat = std::get_if<engine::ChatEvent>(&event->what)) {
                for (const engine::ChatDelta& delta : chat->deltas)
                    show(delta.text, delta.kind == engine::ChatDelta::Kind::reasoning);
            } else if (auto* last = std::get_if<engine::FinishedEvent>(&event->what)) {
                report.finished = std::move(*last);
            } else if (const auto* failed = std::get_if<engine::ErrorEvent>(&event->what)) {
                return fail(failed->error);
            }
        }
        end(report);
    }

    /** The next event; a Ctrl-C meanwhile cancels, and the events go on until the end of that. */
    std::optional<engine::Event> next_event(engine::Ticket& ticket) {
        constexpr std::chrono::milliseconds patience(50);
        bool ended = false;
        while (!ended) {
            if (interrupted_) ticket.cancel();
            if (std::optional<engine::Event> event = ticket.next_for(patience, ended)) return event;
        }
        return std::nullopt;
    }

    /** More of the answer. What is only thought is dim, and no part of the conversation, as templates want it. */
    void show(const std::string& text, bool reasoning) {
        if (text.empty()) return;
        if (!reasoning) conversation_.hear(text);
        if (reasoning_ && !reasoning) write_file("-", at_line_start_ ? "\n" : "\n\n");
        reasoning_ = reasoning;
        at_line_start_ = text.back() == '\n';
        write_file("-", reasoning && wants_colour() ? "\x1b[2m" + text + "\x1b[0m" : text);
    }

    void end(const RunReport& report) {
        conversation_.end_answer();
        end_line();
        remark(statistics_line(report));
        if (report.finished->reason == engine::Finish::context)
            remark("the context is full: /reset starts over, --ctx-size makes it larger");
        rearm_interrupt();
    }

    void fail(const engine::Error& error) {
        conversation_.take_back();
        end_line();
        const bool full = error.code == engine::ErrorCode::prompt_too_long;
        remark(error.message + (full ? "; /reset starts over" : ""));
        rearm_interrupt();
    }

    void end_line() {
        if (!at_line_start_) write_file("-", "\n");
        at_line_start_ = true;
        reasoning_ = false;
    }

    engine::Engine& engine_;
    Conversation& conversation_;
    const GenerationOptions& options_;
    ChatSettings settings_;
    const std::atomic<bool>& interrupted_;
    LineReader reader_{STDIN_FILENO, interrupt_descriptor()};
    std::optional<int> exit_code_;
    bool at_line_start_ = true;
    bool reasoning_ = false;
};

}  // namespace

int chat(const EngineOptions& engine_options, const GenerationOptions& generation, const std::atomic<bool>& interrupted) {
    LoadedModel loaded = engine_options.load(interrupted);
    engine::EngineOptions options = engine_options.for_model(loaded.model, 1);
    options.settings = {loaded.own};
    const std::unique_ptr<engine::Engine> engine = start_engine(loaded.model, std::move(options));
    if (!engine->chat_template()) give_up(engine->chat_template().error());
    const std::unique_ptr<Conversation> conversation = Conversation::make(*engine->chat_template());
    const std::optional<std::size_t> tokens =
        generation.max_tokens(conversation->continues_text() ? std::optional(default_tokens) : std::nullopt);
    ChatSettings settings(engine_options.name(loaded.model), engine->limits(), generation.sampling(), loaded.own, tokens);
    return Chat(*engine, *conversation, generation, std::move(settings), interrupted).run();
}

}  // namespace hlg::cli
