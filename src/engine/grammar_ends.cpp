// SPDX-License-Identifier: MIT
#include "engine/grammar_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/grammar_utf8.hpp"

namespace hlg::engine {
namespace {

using Kind = GrammarItem::Kind;

/** Rules whose alternatives are all dead, found from the sets that hold no character. A rule that only goes on and on is none. */
class DeadEnds {
public:
    explicit DeadEnds(GrammarRules& grammar)
        : grammar_(grammar), uses_(grammar.rules.size()), living_(grammar.rules.size()), dead_(grammar.rules.size()) {}

    void drop() {
        for (std::uint32_t r = 0; r < grammar_.rules.size(); ++r) read(r);
        while (!fresh_.empty()) {
            const std::uint32_t rule = fresh_.back();
            fresh_.pop_back();
            for (const Use& use : uses_[rule]) kill(use.rule, use.alternative);
        }
        for (std::uint32_t r = 0; r < grammar_.rules.size(); ++r) {
            std::vector<GrammarSequence>& alternatives = grammar_.rules[r].alternatives;
            std::size_t kept = 0;
            for (std::size_t a = 0; a < alternatives.size(); ++a) {
                if (dead_[r][a]) continue;
                if (kept != a) alternatives[kept] = std::move(alternatives[a]);
                ++kept;
            }
            alternatives.resize(kept);
        }
    }

private:
    struct Use {
        std::uint32_t rule;
        std::uint32_t alternative;
    };

    void read(std::uint32_t r) {
        const std::vector<GrammarSequence>& alternatives = grammar_.rules[r].alternatives;
        living_[r] = alternatives.size();
        dead_[r].resize(alternatives.size());
        for (std::uint32_t a = 0; a < alternatives.size(); ++a) {
            for (const GrammarItem& item : alternatives[a]) {
                if (item.min == 0) continue;
                if (item.kind == Kind::rule) uses_[item.first].push_back({r, a});
                if (item.kind == Kind::set && holds_nothing(item)) kill(r, a);
            }
        }
    }

    [[nodiscard]] bool holds_nothing(const GrammarItem& item) const {
        return normalised(std::span(grammar_.ranges).subspan(item.first, item.count), item.negated).empty();
    }

    void kill(std::uint32_t rule, std::uint32_t alternative) {
        if (dead_[rule][alternative]) return;
        dead_[rule][alternative] = true;
        if (--living_[rule] == 0) fresh_.push_back(rule);
    }

    GrammarRules& grammar_;
    std::vector<std::vector<Use>> uses_;  ///< of each rule, where it must match
    std::vector<std::size_t> living_;     ///< alternatives of each rule that are not dead
    std::vector<std::vector<bool>> dead_;
    std::vector<std::uint32_t> fresh_;  ///< dead rules whose uses have not been told
};

/** The rules of a grammar in the order in which a walk leaves them, with a stack of its own: a text may chain ten thousands. */
class Walk {
public:
    explicit Walk(const GrammarRules& grammar) : grammar_(grammar), states_(grammar.rules.size()) {}

    [[nodiscard]] bool ends() {
        if (!enter(grammar_.root)) return false;
        while (!path_.empty()) {
            Frame& frame = path_.back();
            if (frame.next == frame.rules.size()) {
                states_[frame.rule] = State::left;
                path_.pop_back();
                continue;
            }
            const std::uint32_t rule = frame.rules[frame.next++];
            if (states_[rule] == State::entered) return false;
            if (states_[rule] == State::fresh && !enter(rule)) return false;
        }
        return true;
    }

private:
    enum class State : std::uint8_t { fresh, entered, left };
    struct Frame {
        std::uint32_t rule = 0;
        std::vector<std::uint32_t> rules;  ///< that it refers to
        std::size_t next = 0;
    };

    /** False if something in the rule is repeated without bound. */
    bool enter(std::uint32_t rule) {
        states_[rule] = State::entered;
        Frame frame{.rule = rule, .rules = {}};
        for (const GrammarSequence& alternative : grammar_.rules[rule].alternatives) {
            for (const GrammarItem& item : alternative) {
                if (item.max == 0) continue;
                if (item.max == GrammarItem::unlimited) return false;
                if (item.kind == Kind::rule) frame.rules.push_back(item.first);
            }
        }
        path_.push_back(std::move(frame));
        return true;
    }

    const GrammarRules& grammar_;
    std::vector<State> states_;
    std::vector<Frame> path_;
};

}  // namespace

void drop_dead_ends(GrammarRules& grammar) { DeadEnds(grammar).drop(); }

bool must_end(const GrammarRules& grammar) { return Walk(grammar).ends(); }

}  // namespace hlg::engine
