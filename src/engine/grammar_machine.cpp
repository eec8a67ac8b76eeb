// SPDX-License-Identifier: MIT
#include "engine/grammar_machine.hpp"

#include <algorithm>
#include <utility>

namespace hlg::engine {
namespace {

using Op = GrammarInstruction::Op;

constexpr GrammarMachine::State unknown = -3;

constexpr std::size_t max_memory = std::size_t{128} << 20U;  // bytes of one machine

std::uint32_t instruction_of(std::uint64_t place) { return static_cast<std::uint32_t>(place >> 32U); }
std::uint32_t call_of(std::uint64_t place) { return static_cast<std::uint32_t>(place); }
std::uint64_t place_of(std::uint32_t instruction, std::uint32_t call) { return (std::uint64_t{instruction} << 32U) | call; }

std::size_t hash_of(const std::vector<std::uint64_t>& places, bool end) {
    std::uint64_t hash = end ? 1 : 0;
    for (const std::uint64_t place : places) hash = (hash ^ place) * 0x9E3779B97F4A7C15U + (hash >> 29U);
    return static_cast<std::size_t>(hash);
}

}  // namespace

GrammarMachine::GrammarMachine(std::shared_ptr<const GrammarProgram> program) : program_(std::move(program)), calls_(1) {}

GrammarMachine::GrammarMachine(const GrammarMachine& other, State& state) : program_(other.program_), calls_(1) {
    if (state < 0) return;
    const StateData& kept = other.states_[static_cast<std::size_t>(state)];
    std::vector<bool> needed(other.calls_.size());
    for (const Place place : kept.places) {
        for (std::uint32_t c = call_of(place); c != 0 && !needed[c]; c = other.calls_[c].outer) needed[c] = true;
    }
    std::vector<std::uint32_t> names(other.calls_.size());
    for (std::uint32_t c = 1; c < needed.size(); ++c) {  // outer ones come first
        if (needed[c]) names[c] = call(other.calls_[c].back, names[other.calls_[c].outer]);
    }
    StateData data;
    data.end = kept.end;
    data.tokens = kept.tokens;
    for (const Place place : kept.places) data.places.push_back(place_of(instruction_of(place), names[call_of(place)]));
    std::sort(data.places.begin(), data.places.end());
    state = intern(std::move(data));
}

GrammarMachine::State GrammarMachine::start() { return settle({place_of(program_->start, 0)}); }

GrammarMachine::State GrammarMachine::walk(State from, std::string_view bytes) {
    for (const char byte : bytes) {
        if (from < 0) return from;
        from = step(from, static_cast<std::uint8_t>(byte));
    }
    return from;
}

GrammarMachine::State GrammarMachine::step(State from, std::uint8_t byte) {
    if (from < 0) return from;
    const std::size_t index = program_->classes[byte];
    if (const State known = states_[static_cast<std::size_t>(from)].next[index]; known != unknown) return known;
    std::vector<Place> todo;
    for (const Place place : states_[static_cast<std::size_t>(from)].places) {
        const GrammarInstruction& instruction = program_->code[instruction_of(place)];
        if (instruction.op == Op::byte && instruction.low <= byte && byte <= instruction.high)
            todo.push_back(place_of(instruction_of(place) + 1, call_of(place)));
    }
    const State to = settle(std::move(todo));
    if (to != too_much) states_[static_cast<std::size_t>(from)].next[index] = to;
    return to;
}

GrammarMachine::State GrammarMachine::step_token(State from, Token token) {
    if (!names_tokens(from)) return dead;
    std::vector<Place> todo;
    for (const Place place : states_[static_cast<std::size_t>(from)].places) {
        const GrammarInstruction& instruction = program_->code[instruction_of(place)];
        const bool same = instruction.target == static_cast<std::uint32_t>(token);
        if ((instruction.op == Op::token && same) || (instruction.op == Op::not_token && !same))
            todo.push_back(place_of(instruction_of(place) + 1, call_of(place)));
    }
    return settle(std::move(todo));
}

GrammarMachine::State GrammarMachine::merge(State a, State b) {
    if (a == dead || b == too_much) return b;
    if (b == dead || a == too_much) return a;
    const StateData& first = states_[static_cast<std::size_t>(a)];
    const StateData& second = states_[static_cast<std::size_t>(b)];
    StateData both;
    both.end = first.end || second.end;
    both.tokens = first.tokens || second.tokens;
    std::set_union(first.places.begin(), first.places.end(), second.places.begin(), second.places.end(),
                   std::back_inserter(both.places));
    return intern(std::move(both));
}

/** The state of all places that these lead to without matching anything. */
GrammarMachine::State GrammarMachine::settle(std::vector<Place> todo) {
    StateData data;
    const std::uint64_t number = ++settling_;
    while (!todo.empty()) {
        const Place place = todo.back();
        todo.pop_back();
        std::uint64_t& seen = seen_[place];
        if (seen == number) continue;
        seen = number;
        if (work_ == 0 || memory_ > max_memory) return too_much;
        --work_;
        follow(place, todo, data);
    }
    constexpr std::size_t many = 1U << 16U;
    if (seen_.size() > many) seen_.clear();
    if (data.places.empty() && !data.end) return dead;
    std::sort(data.places.begin(), data.places.end());
    return intern(std::move(data));
}

/** What stands at one place: something to match stays, everything else leads on. */
void GrammarMachine::follow(Place place, std::vector<Place>& todo, StateData& into) {
    const std::uint32_t at = instruction_of(place);
    const std::uint32_t within = call_of(place);
    const GrammarInstruction& instruction = program_->code[at];
    switch (instruction.op) {
        case Op::byte:
            if (instruction.low <= instruction.high) into.places.push_back(place);
            break;
        case Op::token:
        case Op::not_token:
            into.places.push_back(place);
            into.tokens = true;
            break;
        case Op::split:
            todo.push_back(place_of(instruction.target, within));
            todo.push_back(place_of(at + 1, within));
            break;
        case Op::jump: todo.push_back(place_of(instruction.target, within)); break;
        case Op::call: {
            // A call that has nothing to do when it returns need not be returned to, or lists would grow with their length.
            const bool last = program_->code[at + 1].op == Op::ret;
            todo.push_back(place_of(instruction.target, last ? within : call(at + 1, within)));
            break;
        }
        case Op::ret:
            if (within == 0) {
                into.end = true;
            } else {
                todo.push_back(place_of(calls_[within].back, calls_[within].outer));
            }
    }
}

GrammarMachine::State GrammarMachine::intern(StateData data) {
    const std::size_t hash = hash_of(data.places, data.end);
    const auto [first, last] = state_index_.equal_range(hash);
    for (auto each = first; each != last; ++each) {
        const StateData& known = states_[static_cast<std::size_t>(each->second)];
        if (known.end == data.end && known.places == data.places) return each->second;
    }
    data.next.assign(program_->class_count, unknown);
    memory_ += sizeof(StateData) + 64 + data.next.size() * sizeof(State) + data.places.size() * sizeof(Place);
    states_.push_back(std::move(data));
    const auto state = static_cast<State>(states_.size() - 1);
    state_index_.emplace(hash, state);
    return state;
}

std::uint32_t GrammarMachine::call(std::uint32_t back, std::uint32_t outer) {
    const auto [found, added] = call_index_.try_emplace(place_of(back, outer), static_cast<std::uint32_t>(calls_.size()));
    if (added) {
        calls_.push_back({back, outer});
        memory_ += sizeof(Call) + 48;
    }
    return found->second;
}

}  // namespace hlg::engine
