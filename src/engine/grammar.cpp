// SPDX-License-Identifier: MIT
#include "engine/grammar.hpp"

#include <algorithm>
#include <optional>

#include "engine/grammar_ends.hpp"
#include "engine/grammar_machine.hpp"
#include "engine/grammar_trigger.hpp"

namespace hlg::engine {
namespace {

using MachineState = GrammarMachine::State;

// What a machine remembers is dropped at the next token above this, bytes.
constexpr std::size_t tidy_memory = std::size_t{32} << 20U;

constexpr const char* too_much_work = "the grammar may go on in too many ways at once";

Error refused(const std::string& why) { return {ErrorCode::bad_request, "the grammar " + why}; }

Error not_allowed(Token token) {
    return {ErrorCode::sampling_failed, "the grammar does not allow token " + std::to_string(token)};
}

/** The token that a grammar spells <[id]>, or <name>, which is then the token's text with its angle brackets. */
std::optional<Token> token_named(const GrammarVocabulary& vocabulary, std::string_view name) {
    constexpr std::size_t digits = 9;  // as many as surely fit a Token
    if (!name.starts_with("<[")) return vocabulary.token_of(std::string(name));
    if (!name.ends_with("]>")) return std::nullopt;
    const std::string id(name.substr(2, name.size() - 4));
    if (id.empty() || id.size() > digits || id.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    const Token token = std::stoi(id);
    return vocabulary.holds(token) ? std::optional(token) : std::nullopt;
}

}  // namespace

struct Grammar::State {
    enum class Phase {
        waiting,  ///< lazy, before its trigger
        holding,
        let_go,  ///< everything is allowed for good
        over,    ///< ended, or failed: nothing but an end is allowed
    };

    State(GrammarVocabulary known, GrammarMachine walker) : vocabulary(std::move(known)), machine(std::move(walker)) {}

    /** The machine's memory is not copied; its place is. */
    State(const State& other, MachineState place)
        : vocabulary(other.vocabulary), machine(other.machine, place), at(place), phase(other.phase), watch(other.watch) {}

    GrammarVocabulary vocabulary;
    GrammarMachine machine;
    MachineState at = GrammarMachine::dead;
    Phase phase = Phase::holding;
    std::optional<TriggerWatch> watch;

    /** Behind one more token, of which this is the text. */
    MachineState behind(MachineState from, Token token, std::string_view text) {
        MachineState by_text = GrammarMachine::dead;
        if (!text.empty()) by_text = machine.walk(from, text);
        return machine.names_tokens(from) ? machine.merge(by_text, machine.step_token(from, token)) : by_text;
    }

    MachineState behind(MachineState from, const std::vector<TokenText>& tokens) {
        for (const TokenText& each : tokens) from = behind(from, each.token, each.text);
        return from;
    }

    [[nodiscard]] bool allows(Token token) {
        if (vocabulary.is_end(token)) return phase == Phase::waiting || machine.may_end(at);
        machine.grant(max_token_work);
        if (phase == Phase::holding) return behind(at, token, vocabulary.has_text(token) ? vocabulary.text(token) : "") >= 0;
        TriggerWatch ahead = *watch;
        const std::vector<TokenText> begun = ahead.push(token, vocabulary.text(token));
        return begun.empty() || behind(at, begun) >= 0;
    }

    Failure accept(Token token) {
        machine.grant(max_token_work);
        if (phase == Phase::holding) {
            const MachineState next = behind(at, token, vocabulary.has_text(token) ? vocabulary.text(token) : "");
            if (next < 0) phase = Phase::over;
            if (next == GrammarMachine::dead) return not_allowed(token);
            if (next < 0) return Error{ErrorCode::sampling_failed, too_much_work};
            at = next;
        } else {
            const std::vector<TokenText> begun = watch->push(token, vocabulary.text(token));
            if (begun.empty()) return std::nullopt;
            at = behind(at, begun);
            phase = at < 0 ? Phase::let_go : Phase::holding;
            watch.reset();
        }
        if (machine.memory() > tidy_memory) machine = GrammarMachine(machine, at);
        return std::nullopt;
    }

    /** Sets the bits of the tokens whose text goes on from here. */
    Failure mask_by_text(std::span<std::uint32_t> allowed) {
        std::vector<MachineState> path{at};  // behind each byte that the last tokens have in common
        for (const GrammarVocabulary::Sorted& each : vocabulary.sorted()) {
            if (each.common >= path.size()) continue;  // begins like the last one, with more bytes than the grammar goes along
            path.resize(each.common + 1);
            const std::string_view text = vocabulary.text(each.token);
            for (std::size_t i = each.common; i < text.size() && path.back() >= 0; ++i)
                path.push_back(machine.step(path.back(), static_cast<std::uint8_t>(text[i])));
            if (path.back() == GrammarMachine::too_much) return Error{ErrorCode::sampling_failed, too_much_work};
            if (path.back() >= 0) allowed[static_cast<std::size_t>(each.token) / 32] |= bit(each.token);
            if (path.back() == GrammarMachine::dead) path.pop_back();
        }
        return std::nullopt;
    }

    void mask_by_name(std::span<std::uint32_t> allowed) {
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const auto token = static_cast<Token>(i);
            if (!vocabulary.is_end(token) && machine.step_token(at, token) >= 0) allowed[i / 32] |= bit(token);
        }
    }

    static std::uint32_t bit(Token token) { return std::uint32_t{1} << (static_cast<unsigned>(token) % 32U); }
};

Grammar::Grammar(std::unique_ptr<State> state) : state_(std::move(state)) {}
Grammar::Grammar(const Grammar& other) : state_(std::make_unique<State>(*other.state_, other.state_->at)) {}
Grammar::Grammar(Grammar&&) noexcept = default;
Grammar& Grammar::operator=(Grammar&&) noexcept = default;
Grammar::~Grammar() = default;

Grammar& Grammar::operator=(const Grammar& other) {
    if (this != &other) *this = Grammar(other);
    return *this;
}

Result<Grammar> Grammar::compile(const GrammarVocabulary& vocabulary, const GrammarSpec& spec) {
    auto rules = read_grammar(spec.gbnf, spec.converted ? converted_limits : request_limits);
    if (!rules) return rules.error();
    drop_dead_ends(*rules);
    if (rules->rules[rules->root].alternatives.empty()) return refused("matches nothing");
    auto program = compile_grammar(*rules, [&](std::string_view name) { return token_named(vocabulary, name); });
    if (!program) return program.error();
    auto state = std::make_unique<State>(vocabulary, GrammarMachine(std::make_shared<const GrammarProgram>(std::move(*program))));
    if (spec.lazy) {
        auto triggers = make_triggers(spec);
        if (!triggers) return triggers.error();
        state->watch.emplace(*triggers, spec.reasoning_first);
        state->phase = State::Phase::waiting;
    }
    state->machine.grant(max_token_work);
    state->at = state->machine.start();
    if (!spec.lazy) state->at = state->machine.walk(state->at, spec.prefix);
    if (state->at == GrammarMachine::too_much) return Error{ErrorCode::bad_request, too_much_work};
    if (state->at == GrammarMachine::dead)
        return refused(spec.prefix.empty() || spec.lazy ? "matches nothing"
                                                        : "does not fit the beginning of the answer that the prompt gives");
    return Grammar(std::move(state));
}

Result<Grammar> Grammar::from_gbnf(const GrammarVocabulary& vocabulary, std::string_view gbnf) {
    GrammarSpec spec;
    spec.gbnf = gbnf;
    return compile(vocabulary, spec);
}

Result<Grammar> Grammar::from_schema(const GrammarVocabulary& vocabulary, std::string_view schema) {
    auto gbnf = schema_to_gbnf(schema);
    if (!gbnf) return gbnf.error();
    GrammarSpec spec;
    spec.gbnf = std::move(*gbnf);
    spec.converted = true;
    auto grammar = compile(vocabulary, spec);
    if (!grammar)
        return Error{grammar.error().code, "the JSON schema becomes a grammar that is refused: " + grammar.error().message};
    return grammar;
}

bool Grammar::free() const noexcept { return state_->phase == State::Phase::waiting || state_->phase == State::Phase::let_go; }

bool Grammar::allows(Token token) const {
    if (!state_->vocabulary.holds(token)) return false;
    if (state_->phase == State::Phase::over) return state_->vocabulary.is_end(token);
    return state_->phase == State::Phase::let_go || state_->allows(token);
}

bool Grammar::may_end() const { return state_->phase != State::Phase::holding || state_->machine.may_end(state_->at); }

Failure Grammar::accept(Token token) {
    if (!state_->vocabulary.holds(token)) return Error{ErrorCode::bad_request, "no such token: " + std::to_string(token)};
    if (state_->vocabulary.is_end(token)) {
        const bool allowed = may_end();
        state_->phase = State::Phase::over;
        return allowed ? std::nullopt : Failure(not_allowed(token));
    }
    switch (state_->phase) {
        case State::Phase::let_go: return std::nullopt;
        case State::Phase::over: return not_allowed(token);
        default: return state_->accept(token);
    }
}

Failure Grammar::mask(std::span<std::uint32_t> allowed) const {
    State& state = *state_;
    const std::size_t words = (state.vocabulary.size() + 31) / 32;
    if (allowed.size() < words) return Error{ErrorCode::bad_request, "the mask is shorter than the vocabulary"};
    std::fill(allowed.begin(), allowed.end(), 0U);
    if (free()) {
        for (std::size_t i = 0; i < state.vocabulary.size(); ++i) allowed[i / 32] |= State::bit(static_cast<Token>(i));
        return std::nullopt;
    }
    if (may_end()) {
        for (const Token end : state.vocabulary.ends()) allowed[static_cast<std::size_t>(end) / 32] |= State::bit(end);
    }
    if (state.phase == State::Phase::over) return std::nullopt;
    state.machine.grant(max_mask_work);
    if (state.machine.names_tokens(state.at)) state.mask_by_name(allowed);
    return state.mask_by_text(allowed);
}

}  // namespace hlg::engine
