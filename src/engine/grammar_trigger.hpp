// SPDX-License-Identifier: MIT
//
// When a lazy grammar begins. Triggers are looked for in the text, where marks that are tokens of their own are spelled out: the
// parser of the answer does not see the difference either. Only the last kilobyte is searched: regular expressions take time, and
// stack, with every character.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/grammar.hpp"

namespace hlg::engine {

/** What is watched for; immutable, shared by all copies of a grammar. */
struct TriggerSet;

/** The triggers of a lazy grammar. A bad_request where there are none, or one is no regular expression. */
Result<std::shared_ptr<const TriggerSet>> make_triggers(const GrammarSpec& spec);

/** A regular expression that matches this text alone. */
std::string escape_expression(std::string_view text);

/** A token, or the end of one, as it is given to a grammar. */
struct TokenText {
    Token token = 0;
    std::string text;
};

class TriggerWatch {
public:
    TriggerWatch(std::shared_ptr<const TriggerSet> set, bool reasoning) : set_(std::move(set)), reasoning_(reasoning) {}

    /** Takes a token and its text. Once a trigger is there: the text from its beginning on, by tokens. */
    [[nodiscard]] std::vector<TokenText> push(Token token, std::string_view text);

private:
    [[nodiscard]] std::size_t find_trigger() const;
    [[nodiscard]] std::size_t find_reasoning_end() const;
    void drop_before(std::size_t position);
    [[nodiscard]] std::vector<TokenText> rest() const;

    std::shared_ptr<const TriggerSet> set_;
    std::string window_;
    std::deque<std::pair<Token, std::size_t>> tokens_;  ///< of the window, with the bytes of each
    bool reasoning_ = false;
    bool from_start_ = true;  ///< whether the window still begins where the text does, or where reasoning ended
};

}  // namespace hlg::engine
