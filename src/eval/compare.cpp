// SPDX-License-Identifier: MIT
#include "eval/compare.hpp"

#include <chrono>
#include <stdexcept>

#include <fmt/core.h>

#include "engine/settings.hpp"

namespace hlg::eval {
namespace {

engine::ResolvedSettings resolved(const Arm& arm) {
    const engine::SamplingSettings settings = explicit_settings(arm.sampling);
    auto found = engine::resolve(std::span(&settings, 1));
    if (!found) throw std::invalid_argument(fmt::format("{}: {}", arm.name, found.error().message));
    return std::move(*found);
}

/** The tokens of a request's only choice. */
std::vector<engine::Token> collect(engine::Ticket& ticket, const std::string& prompt, const std::atomic<bool>& abort) {
    constexpr std::chrono::milliseconds look(100);  // between two looks at `abort`
    std::vector<engine::Token> tokens;
    for (bool ended = false; !ended;) {
        const std::optional<engine::Event> event = ticket.next_for(look, ended);
        if (abort) throw Stopped();
        if (!event) continue;
        if (const auto* failed = std::get_if<engine::ErrorEvent>(&event->what))
            throw std::runtime_error(fmt::format("\"{}\": {}", prompt.substr(0, 40), failed->error.message));
        if (const auto* text = std::get_if<engine::TextEvent>(&event->what))
            for (const engine::GeneratedToken& token : text->tokens) tokens.push_back(token.token);
    }
    return tokens;
}

/** Writes the texts of some prompts at a time and traces them. */
class Comparing {
public:
    Comparing(engine::Engine& engine, const CompareOptions& options, const std::atomic<bool>& abort)
        : engine_(engine), options_(options), abort_(abort) {
        for (const Arm& arm : options.arms) settings_.push_back(resolved(arm));
    }

    ComparedPrompt prompt(std::size_t index) {
        const std::string& words = options_.prompts[index];
        const std::vector<engine::Token> tokens = engine_.model().tokenize(words, {.begin = true, .marks = false});
        std::vector<engine::Ticket> tickets;
        for (const Arm& arm : options_.arms) tickets.push_back(engine_.submit(request(arm, tokens, options_.seed + index)));
        ComparedPrompt compared{words, {}};
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            const std::vector<engine::Token> text = collect(tickets[i], words, abort_);
            compared.arms.push_back(
                trace_text(engine_.model(), {.context = tokens.size() + options_.tokens}, tokens, text, settings_[i], abort_));
        }
        return compared;
    }

private:
    [[nodiscard]] engine::GenerateRequest request(const Arm& arm, std::vector<engine::Token> prompt, std::uint64_t seed) const {
        engine::GenerateRequest request;
        request.prompt = std::move(prompt);
        request.sampling = explicit_settings(arm.sampling);
        request.sampling.seed = seed;
        request.max_tokens = options_.tokens;
        request.log_probabilities = 0;  // which brings the tokens
        return request;
    }

    engine::Engine& engine_;
    const CompareOptions& options_;
    const std::atomic<bool>& abort_;
    std::vector<engine::ResolvedSettings> settings_;
};

}  // namespace

std::vector<ComparedPrompt> compare(engine::Engine& engine, const CompareOptions& options, const std::atomic<bool>& abort,
                                    const Progress& progress) {
    if (options.prompts.empty()) throw std::invalid_argument("there is no prompt");
    if (options.arms.empty()) throw std::invalid_argument("there is no arm");
    Comparing comparing(engine, options, abort);
    std::vector<ComparedPrompt> all;
    for (std::size_t i = 0; i < options.prompts.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(options.prompts.size()))) throw Stopped();
        all.push_back(comparing.prompt(i));
    }
    return all;
}

}  // namespace hlg::eval
