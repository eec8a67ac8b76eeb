// SPDX-License-Identifier: MIT
#include "engine/grammar_recursion.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hlg::engine {
namespace {

bool refers(const GrammarItem& item) { return item.kind == GrammarItem::Kind::rule; }
bool matches_nothing(const GrammarItem& item) { return item.kind == GrammarItem::Kind::literal && item.count == 0; }

/** Which rules match the empty text. Each alternative counts the parts that may not be empty yet; linear in the grammar. */
std::vector<bool> empty_rules(const GrammarRules& grammar) {
    struct Use {
        std::uint32_t rule;
        std::uint32_t alternative;
    };
    std::vector<std::vector<Use>> uses(grammar.rules.size());
    std::vector<std::vector<std::uint32_t>> needed(grammar.rules.size());
    std::vector<bool> empty(grammar.rules.size());
    std::vector<std::uint32_t> fresh;
    const auto mark = [&](std::uint32_t rule) {
        if (!empty[rule]) fresh.push_back(rule);
        empty[rule] = true;
    };
    for (std::uint32_t r = 0; r < grammar.rules.size(); ++r) {
        for (std::uint32_t a = 0; a < grammar.rules[r].alternatives.size(); ++a) {
            std::uint32_t count = 0;
            for (const GrammarItem& item : grammar.rules[r].alternatives[a]) {
                if (matches_nothing(item) || item.min == 0) continue;
                ++count;
                if (refers(item)) uses[item.first].push_back({r, a});
            }
            needed[r].push_back(count);
            if (count == 0) mark(r);
        }
    }
    while (!fresh.empty()) {
        const std::uint32_t rule = fresh.back();
        fresh.pop_back();
        for (const Use& use : uses[rule]) {
            if (--needed[use.rule][use.alternative] == 0) mark(use.rule);
        }
    }
    return empty;
}

/** Tarjan's strongly connected components of "may begin with", with a stack of its own: a text may chain ten thousands of rules.
 */
class Beginnings {
public:
    explicit Beginnings(const GrammarRules& grammar)
        : grammar_(grammar), empty_(empty_rules(grammar)), nodes_(grammar.rules.size()) {
        for (std::uint32_t r = 0; r < nodes_.size(); ++r) {
            for (const GrammarSequence& alternative : grammar.rules[r].alternatives) read(alternative, nodes_[r]);
        }
    }

    Failure check() {
        for (std::uint32_t r = 0; r < nodes_.size(); ++r) {
            if (nodes_[r].order == 0) visit(r);
            if (failure_) return failure_;
        }
        return std::nullopt;
    }

private:
    struct Edge {
        std::uint32_t to = 0;
        bool last = false;  ///< whether nothing is left to do behind it
    };
    struct Node {
        std::vector<Edge> edges;
        std::uint32_t order = 0;  ///< of discovery, from 1
        std::uint32_t low = 0;
        bool on_stack = false;
    };
    struct Frame {
        std::uint32_t node = 0;
        std::size_t edge = 0;
    };

    void read(const GrammarSequence& sequence, Node& node) {
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const GrammarItem& item = sequence[i];
            if (item.max == 0) continue;
            if (refers(item)) node.edges.push_back({item.first, i + 1 == sequence.size() && item.max == 1});
            if (!matches_nothing(item) && item.min > 0 && !(refers(item) && empty_[item.first])) return;
        }
    }

    void enter(std::uint32_t index) {
        nodes_[index].order = nodes_[index].low = ++order_;
        nodes_[index].on_stack = true;
        stack_.push_back(index);
        path_.push_back({index, 0});
    }

    void visit(std::uint32_t start) {
        enter(start);
        while (!path_.empty()) {
            const std::uint32_t index = path_.back().node;
            Node& node = nodes_[index];
            if (path_.back().edge < node.edges.size()) {
                const std::uint32_t to = node.edges[path_.back().edge++].to;
                if (nodes_[to].order == 0) {
                    enter(to);
                } else if (nodes_[to].on_stack) {
                    node.low = std::min(node.low, nodes_[to].order);
                }
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) nodes_[path_.back().node].low = std::min(nodes_[path_.back().node].low, node.low);
            if (node.low == node.order) leave(index);
        }
    }

    /** The component that was entered first at this node. Of what is still on the stack, its members reach only one another. */
    void leave(std::uint32_t first) {
        const auto start = std::find(stack_.rbegin(), stack_.rend(), first).base() - 1;
        for (auto member = start; member != stack_.end(); ++member) {
            for (const Edge& edge : nodes_[*member].edges) {
                if (nodes_[edge.to].on_stack && !edge.last && !failure_) refuse(grammar_.rules[edge.to]);
            }
        }
        for (auto member = start; member != stack_.end(); ++member) nodes_[*member].on_stack = false;
        stack_.erase(start, stack_.end());
    }

    void refuse(const GrammarRule& rule) {
        failure_ =
            Error{ErrorCode::bad_request, "the grammar's line " + std::to_string(rule.line) + ": the rule " +
                                              std::string(rule.name.substr(0, 64)) + " begins with itself (left recursion)"};
    }

    const GrammarRules& grammar_;
    std::vector<bool> empty_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> stack_;
    std::vector<Frame> path_;
    std::uint32_t order_ = 0;
    Failure failure_;
};

}  // namespace

Failure check_recursion(const GrammarRules& grammar) { return Beginnings(grammar).check(); }

}  // namespace hlg::engine
