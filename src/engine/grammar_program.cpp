// SPDX-License-Identifier: MIT
#include "engine/grammar_program.hpp"

#include <algorithm>
#include <bitset>
#include <span>
#include <string>

#include "engine/grammar_recursion.hpp"
#include "engine/grammar_utf8.hpp"
#include "engine/json_limits.hpp"

namespace hlg::engine {
namespace {

using Op = GrammarInstruction::Op;
using Kind = GrammarItem::Kind;

class Compiler {
public:
    Compiler(const GrammarRules& rules, const std::function<std::optional<Token>(std::string_view)>& token_named)
        : rules_(rules), token_named_(token_named) {}

    Result<GrammarProgram> run() {
        for (const GrammarRule& rule : rules_.rules) {
            starts_.push_back(here());
            routine(rule);
            if (failure_) return *failure_;
        }
        for (std::size_t i = 0; i < extra_.size() && !failure_; ++i) {  // grows as it goes
            starts_.push_back(here());
            once(extra_[i]);
            emit({.op = Op::ret});
        }
        if (failure_) return *failure_;
        for (GrammarInstruction& instruction : program_.code) {
            if (instruction.op == Op::call) instruction.target = starts_[instruction.target];
        }
        program_.start = starts_[rules_.root];
        classify();
        return std::move(program_);
    }

private:
    [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }

    std::uint32_t emit(GrammarInstruction instruction) {
        if (program_.code.size() >= max_grammar_instructions) {
            if (!failure_)
                failure_ = over_limit("the grammar", "has a number of steps of more than", max_grammar_instructions,
                                      max_grammar_instructions);
            return 0;
        }
        program_.code.push_back(instruction);
        return here() - 1;
    }

    /** What no byte matches. */
    void nothing() { emit({.op = Op::byte, .low = 1, .high = 0}); }

    void point(std::uint32_t instruction, std::uint32_t target) { program_.code[instruction].target = target; }

    /** Alternatives: each split leads to the next one. */
    void routine(const GrammarRule& rule) {
        if (rule.alternatives.empty()) nothing();
        for (std::size_t i = 0; i < rule.alternatives.size() && !failure_; ++i) {
            const bool last = i + 1 == rule.alternatives.size();
            const std::uint32_t split = last ? 0 : emit({.op = Op::split});
            for (const GrammarItem& item : rule.alternatives[i]) repeated(item);
            emit({.op = Op::ret});
            if (!last && !failure_) point(split, here());
        }
    }

    void repeated(const GrammarItem& item) {
        if (item.min == 1 && item.max == 1) return once(item);
        GrammarItem body = item;
        body.min = body.max = 1;
        const bool small = item.kind == Kind::rule || (item.kind == Kind::literal && item.count <= 1);
        if (!small && (item.max == GrammarItem::unlimited ? item.min > 0 : item.max > 1)) {
            extra_.push_back(body);  // written once, called for each copy
            body = {.kind = Kind::rule, .first = static_cast<std::uint32_t>(rules_.rules.size() + extra_.size() - 1)};
        }
        for (std::uint32_t i = 0; i < item.min && !failure_; ++i) once(body);
        if (failure_) return;
        if (item.max == GrammarItem::unlimited) return any_number(body);
        std::vector<std::uint32_t> exits;
        for (std::uint32_t i = item.min; i < item.max && !failure_; ++i) {
            exits.push_back(emit({.op = Op::split}));
            once(body);
        }
        if (failure_) return;
        for (const std::uint32_t exit : exits) point(exit, here());
    }

    void any_number(const GrammarItem& body) {
        const std::uint32_t split = emit({.op = Op::split});
        once(body);
        emit({.op = Op::jump, .target = split});
        if (!failure_) point(split, here());
    }

    void once(const GrammarItem& item) {
        switch (item.kind) {
            case Kind::rule: emit({.op = Op::call, .target = item.first}); break;
            case Kind::literal:
                for (const char c : std::string_view(rules_.bytes).substr(item.first, item.count)) {
                    const auto byte = static_cast<std::uint8_t>(c);
                    emit({.op = Op::byte, .low = byte, .high = byte});
                }
                break;
            case Kind::set: set(item); break;
            case Kind::token: token(item); break;
        }
    }

    void set(const GrammarItem& item) {
        std::vector<ByteSequence> sequences;
        for (const GrammarRange& range : normalised(std::span(rules_.ranges).subspan(item.first, item.count), item.negated)) {
            for (ByteSequence& sequence : byte_sequences(range)) sequences.push_back(std::move(sequence));
        }
        if (sequences.empty()) nothing();
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i < sequences.size() && !failure_; ++i) {
            const bool last = i + 1 == sequences.size();
            const std::uint32_t split = last ? 0 : emit({.op = Op::split});
            for (const ByteRange& range : sequences[i]) emit({.op = Op::byte, .low = range.low, .high = range.high});
            if (last || failure_) break;
            jumps.push_back(emit({.op = Op::jump}));
            if (!failure_) point(split, here());
        }
        if (failure_) return;
        for (const std::uint32_t jump : jumps) point(jump, here());
    }

    void token(const GrammarItem& item) {
        const std::string_view name = rules_.tokens[item.first];
        const auto token = token_named_(name);
        if (!token) {
            if (!failure_)
                failure_ = Error{ErrorCode::bad_request, "the grammar names a token that is not one: " + one_line(name)};
            return;
        }
        program_.names_tokens = true;
        emit({.op = item.negated ? Op::not_token : Op::token, .target = static_cast<std::uint32_t>(*token)});
    }

    void classify() {
        std::bitset<257> begins;  // a class of bytes begins here
        for (const GrammarInstruction& instruction : program_.code) {
            if (instruction.op != Op::byte || instruction.low > instruction.high) continue;
            begins.set(instruction.low);
            begins.set(instruction.high + 1U);
        }
        std::uint8_t current = 0;
        for (std::size_t byte = 0; byte < 256; ++byte) {
            if (byte > 0 && begins[byte]) ++current;
            program_.classes[byte] = current;
        }
        program_.class_count = current + 1U;
    }

    const GrammarRules& rules_;
    const std::function<std::optional<Token>(std::string_view)>& token_named_;
    GrammarProgram program_;
    std::vector<std::uint32_t> starts_;  ///< of the rules, then of extra_
    std::vector<GrammarItem> extra_;
    Failure failure_;
};

}  // namespace

Result<GrammarProgram> compile_grammar(const GrammarRules& rules,
                                       const std::function<std::optional<Token>(std::string_view)>& token_named) {
    if (Failure failure = check_recursion(rules)) return *failure;
    return Compiler(rules, token_named).run();
}

}  // namespace hlg::engine
