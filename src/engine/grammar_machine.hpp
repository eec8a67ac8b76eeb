// SPDX-License-Identifier: MIT
//
// Walks a grammar program byte by byte. A state is the set of places that the text so far may have led to, each with the calls it
// must still return from; states and the steps between them are kept, so that a step taken twice costs one look-up. Sets merge
// equal places, and calls share their common part: a text is walked in time that grows with its length alone, where llama.cpp,
// which follows each way on its own, needs time exponential in the length of a token: ("a"?){0,999} is enough to hold it up for
// hours.
//
// All work is counted. A step that would exceed what the caller granted yields too_much, and the machine stays usable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/grammar_program.hpp"

namespace hlg::engine {

class GrammarMachine {
public:
    using State = std::int32_t;
    static constexpr State dead = -1;      ///< the grammar does not go on like this
    static constexpr State too_much = -2;  ///< finding out takes more work or memory than was granted

    explicit GrammarMachine(std::shared_ptr<const GrammarProgram> program);

    /** A machine that knows this state of another one, and nothing else; `state` becomes its name here. */
    GrammarMachine(const GrammarMachine& other, State& state);

    /** Grants work until the next call: places looked at, some 50 ns each. */
    void grant(std::uint64_t work) noexcept { work_ = work; }

    /** Where every text begins. */
    [[nodiscard]] State start();

    /** Behind the bytes. */
    [[nodiscard]] State walk(State from, std::string_view bytes);

    /** Behind one byte. */
    [[nodiscard]] State step(State from, std::uint8_t byte);

    /** Behind a whole token, by those places that name tokens instead of characters. */
    [[nodiscard]] State step_token(State from, Token token);

    /** All places of both; dead has none. */
    [[nodiscard]] State merge(State a, State b);

    /** Whether the text may end here. */
    [[nodiscard]] bool may_end(State state) const { return state >= 0 && states_[static_cast<std::size_t>(state)].end; }

    /** Whether a place of the state names a token. */
    [[nodiscard]] bool names_tokens(State state) const { return state >= 0 && states_[static_cast<std::size_t>(state)].tokens; }

    /** Memory held, bytes, roughly. */
    [[nodiscard]] std::size_t memory() const noexcept { return memory_; }

private:
    /** An instruction and the innermost call it must return from: (instruction << 32) | call. */
    using Place = std::uint64_t;

    /** A call under way; 0 is none, and below every other. */
    struct Call {
        std::uint32_t back = 0;  ///< the instruction to go on at
        std::uint32_t outer = 0;
    };
    struct StateData {
        std::vector<Place> places;  ///< sorted
        std::vector<State> next;    ///< for each class of bytes; unknown until asked for
        bool end = false;
        bool tokens = false;
    };

    [[nodiscard]] State settle(std::vector<Place> todo);
    void follow(Place place, std::vector<Place>& todo, StateData& into);
    [[nodiscard]] State intern(StateData data);
    [[nodiscard]] std::uint32_t call(std::uint32_t back, std::uint32_t outer);

    std::shared_ptr<const GrammarProgram> program_;
    std::vector<Call> calls_;
    std::unordered_map<std::uint64_t, std::uint32_t> call_index_;
    std::vector<StateData> states_;
    std::unordered_multimap<std::size_t, State> state_index_;
    std::unordered_map<Place, std::uint64_t> seen_;  ///< places of the state being made, with its number
    std::uint64_t settling_ = 0;
    std::uint64_t work_ = 0;
    std::size_t memory_ = 0;
};

}  // namespace hlg::engine
