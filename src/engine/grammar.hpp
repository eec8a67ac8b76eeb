// SPDX-License-Identifier: MIT
//
// A grammar at work on one answer: which tokens may come next. Grammars are GBNF; schemas become GBNF by llama-common.
//
// Walking them is ours, in grammar_machine.hpp: llama.cpp's own walk can't be interrupted, and a grammar of 30 bytes, sent by
// anyone, would hold up the engine for hours. Here all work is counted, and what exceeds its share is refused.
//
// Compiling may take a second for the largest that is let through: do it on a worker, not on the engine's thread. A Grammar is
// used by one thread at a time, const calls included, because it remembers what it found out; copies share nothing that changes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/grammar_vocabulary.hpp"
#include "engine/result.hpp"

namespace hlg::engine {

/** Text that starts a lazy grammar; the grammar begins where it begins. */
struct GrammarTrigger {
    std::string text;
    bool pattern =
        false;  ///< whether it is an ECMAScript regular expression, whose first group, if there is one, is the beginning
};

/** A grammar and when it holds. */
struct GrammarSpec {
    std::string gbnf;                         ///< its start is the rule `root`
    bool converted = false;                   ///< made from schemas: converted_limits instead of request_limits
    bool lazy = false;                        ///< everything is allowed until a trigger comes
    std::vector<GrammarTrigger> triggers;     ///< for lazy ones
    std::string prefix;                       ///< the end of the prompt, where the grammar covers that too; not for lazy ones
    bool reasoning_first = false;             ///< whether a lazy one starts inside a reasoning block
    std::string reasoning_start;              ///< reasoning starts here, and no trigger counts in it; empty = no reasoning
    std::vector<std::string> reasoning_ends;  ///< and ends at the first of these
};

class Grammar {
public:
    /** Compiles. What is refused is a bad_request whose message says why. */
    static Result<Grammar> compile(const GrammarVocabulary& vocabulary, const GrammarSpec& spec);

    /** The same for GBNF that holds from the first token on. */
    static Result<Grammar> from_gbnf(const GrammarVocabulary& vocabulary, std::string_view gbnf);

    /** The same for JSON that a schema, an object as JSON text, describes. */
    static Result<Grammar> from_schema(const GrammarVocabulary& vocabulary, std::string_view schema);

    Grammar(const Grammar& other);
    Grammar& operator=(const Grammar& other);
    Grammar(Grammar&&) noexcept;
    Grammar& operator=(Grammar&&) noexcept;
    ~Grammar();

    /** Whether the token may come next; well under a microsecond as a rule. Says no where finding out takes too much work. */
    [[nodiscard]] bool allows(Token token) const;

    /** Whether the answer may end here. */
    [[nodiscard]] bool may_end() const;

    /** Whether everything is allowed: a lazy grammar's trigger has not come, or the grammar has let go. */
    [[nodiscard]] bool free() const noexcept;

    /** Sets bit i%32 of word i/32 for each token i that may come next and clears all others, for the whole vocabulary; all are
       set while the grammar is free. Milliseconds at 262,144 tokens. Fails where it takes too much work. */
    [[nodiscard]] Failure mask(std::span<std::uint32_t> allowed) const;

    /** Goes on behind a token that was drawn. Fails for one that is not allowed; only an end is allowed from then on. A lazy
       grammar whose trigger came together with text that it does not allow lets go instead. */
    [[nodiscard]] Failure accept(Token token);

private:
    struct State;
    explicit Grammar(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

/** Work that one token may take, places looked at; about a tenth of a second. An honest grammar takes some hundred, once. */
inline constexpr std::uint64_t max_token_work = 250'000;

/** Work that a mask may take; about a second. */
inline constexpr std::uint64_t max_mask_work = 2'500'000;

/** GBNF for JSON that a schema describes, within the limits of grammar_schema.hpp; `name` is what errors call it. Not enforced
   are not, if/then/else, contains, uniqueItems, multipleOf, min/maxProperties, minimum and maximum of numbers, most formats, and
    patterns that json_pattern() finds beyond a grammar. */
Result<std::string> schema_to_gbnf(std::string_view schema, std::string_view name = "the JSON schema");

}  // namespace hlg::engine
