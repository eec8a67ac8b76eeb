// SPDX-License-Identifier: MIT
//
// Rules compiled to a program for grammar_machine.hpp: each rule is a routine that matches bytes, calls others, and may go on in
// several ways at once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/grammar_rules.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"

namespace hlg::engine {

struct GrammarInstruction {
    enum class Op : std::uint8_t {
        byte,       ///< one byte from low to high
        token,      ///< the token `target`, whole
        not_token,  ///< any other token, whole
        split,      ///< goes on at the next instruction and at `target`
        jump,       ///< goes on at `target`
        call,       ///< goes on at `target`, and behind here when that returns
        ret,        ///< returns; from the first routine: the end
    };
    Op op = Op::ret;
    std::uint8_t low = 0;
    std::uint8_t high = 0;
    std::uint32_t target = 0;
};

struct GrammarProgram {
    std::vector<GrammarInstruction> code;
    std::uint32_t start = 0;
    std::array<std::uint8_t, 256> classes{};  ///< bytes of one class are the same to every instruction
    std::uint32_t class_count = 0;
    bool names_tokens = false;
};

/** Instructions of one grammar, 8 bytes each. */
inline constexpr std::size_t max_grammar_instructions = 2'000'000;

/** Compiles. `token_named` finds the token that a name as written in the grammar stands for. Refuses a grammar that is too large,
   or in which a rule begins with itself and goes on behind that (left recursion). */
Result<GrammarProgram> compile_grammar(const GrammarRules& rules,
                                       const std::function<std::optional<Token>(std::string_view)>& token_named);

}  // namespace hlg::engine
