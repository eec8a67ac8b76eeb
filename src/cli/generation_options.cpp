// SPDX-License-Identifier: MIT
#include "cli/generation_options.hpp"

#include <limits>
#include <utility>

#include "cli/command.hpp"

namespace hlg::cli {

void GenerationOptions::add_to(Flags& flags) {
    flags.group("Generation");
    flags.whole("-n,--tokens", tokens_, -1, std::numeric_limits<std::int32_t>::max(),
                "Tokens to generate at most; -1 = until it ends (256; in a chat with a template -1)");
    flags.whole("--choices", choices_, 1, engine::max_choices, "Answers to each prompt, side by side (1)");
    const auto read_stop = [this](const std::string& word) {
        if (word.empty()) Flags::refuse("--stop", "a string with something in it", word);
        stop_.push_back(word);
    };
    flags.each("--stop", "STRING", read_stop, "End the text where this comes, without it; repeatable");
    flags.on("--ignore-eos", ignore_end_, "Never draw the tokens that end a text");
    sampling_.add_to(flags);
    sampling_.add_edits_to(flags);
}

std::optional<std::size_t> GenerationOptions::max_tokens(std::optional<std::size_t> otherwise) const {
    if (!tokens_) return otherwise;
    return *tokens_ < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(*tokens_));
}

engine::GenerateRequest GenerationOptions::request(std::string prompt) const {
    engine::GenerateRequest request;
    request.prompt = std::move(prompt);
    request.sampling = sampling_.given();
    request.max_tokens = max_tokens(default_tokens);
    request.stop = stop_;
    request.choices = choices();
    request.ignore_end = ignore_end_;
    return request;
}

}  // namespace hlg::cli
