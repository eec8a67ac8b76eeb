// SPDX-License-Identifier: MIT
#include "engine/tool_grammar.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace hlg::engine {
namespace {

constexpr std::string_view root_rule = "root ::= ";

/** Where a rule's body lies in a grammar; nothing in it where there is no such rule. */
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

Span root_of(std::string_view gbnf) {
    std::size_t at = gbnf.starts_with(root_rule) ? 0 : gbnf.find(std::string("\n") + std::string(root_rule));
    if (at == std::string_view::npos) return {};
    at = gbnf.find(root_rule, at) + root_rule.size();
    return {at, std::min(gbnf.find('\n', at), gbnf.size())};
}

/** The words of a rule's body that stand in no brackets, a bracket with what is in it or a literal being one word. */
std::vector<Span> words_of(std::string_view gbnf, Span body) {
    std::vector<Span> words;
    int depth = 0;
    bool quoted = false;
    bool within = false;  ///< a word
    for (std::size_t i = body.begin; i < body.end; ++i) {
        const char c = gbnf[i];
        if (c == ' ' && depth == 0 && !quoted) {
            within = false;
            continue;
        }
        if (!within) words.push_back({i, i});
        within = true;
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '(' || c == '['))
            ++depth;
        else if (!quoted && (c == ')' || c == ']'))
            --depth;
        words.back().end = std::min(i + 1, body.end);
    }
    return words;
}

/** A rule for any text up to a mark. */
bool any_text(std::string_view word) { return word.starts_with("until-") || word == "scan-to-toolcall"; }

}  // namespace

std::string without_text_before_call(std::string gbnf) {
    const std::vector<Span> words = words_of(gbnf, root_of(gbnf));
    const auto text_of = [&gbnf](Span word) { return std::string_view(gbnf).substr(word.begin, word.end - word.begin); };
    std::size_t call = words.size();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (text_of(words[i]).starts_with("tool-call")) call = i;
    if (call == words.size()) return gbnf;
    std::size_t last = call;  // of what may go, one behind it
    while (last > 0 && text_of(words[last - 1]) == "space") --last;
    if (last == 0 || !any_text(text_of(words[last - 1]))) return gbnf;
    std::size_t first = last - 1;
    // Gemma 4's messages before the call hold a text each, and thoughts.
    const bool messages = first > 0 && text_of(words[first - 1]) == "message*";
    if (messages) --first;
    const bool thought = messages && gbnf.find("\nthought ::= ") != std::string::npos;
    const std::size_t begin = words[first].begin;
    const std::size_t end = last < words.size() ? words[last].begin : words[last - 1].end;
    gbnf.replace(begin, end - begin, thought ? "thought? " : "");
    return gbnf;
}

std::string with_one_call(std::string gbnf) {
    constexpr std::string_view rule = "\ntool-calls ::= (";
    const std::size_t start = gbnf.find(rule);
    if (start == std::string::npos) return gbnf;
    const std::size_t line_end = std::min(gbnf.find('\n', start + 1), gbnf.size());
    if (std::string_view(gbnf).substr(0, line_end).ends_with(")+")) gbnf.erase(line_end - 1, 1);
    return gbnf;
}

}  // namespace hlg::engine
