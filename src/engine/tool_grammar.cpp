// SPDX-License-Identifier: MIT
#include "engine/tool_grammar.hpp"

#include <algorithm>
#include <string_view>

namespace hlg::engine {

std::string without_text_before_call(std::string gbnf) {
    const std::size_t start = gbnf.starts_with("root ::= ") ? 0 : gbnf.find("\nroot ::= ");
    if (start == std::string::npos) return gbnf;
    const std::size_t line_end = std::min(gbnf.find('\n', start + 1), gbnf.size());
    const std::size_t calls = gbnf.rfind(' ', line_end - 1);
    const std::size_t text = calls == 0 || calls == std::string::npos ? std::string::npos : gbnf.rfind(' ', calls - 1);
    if (text == std::string::npos || text < start) return gbnf;
    const std::string_view line(gbnf);
    const bool ends_in_calls = line.substr(calls + 1, line_end - calls - 1).starts_with("tool-call");
    const bool optional_text = line.substr(text + 1).starts_with("until-") && gbnf[calls - 1] == '?';
    if (ends_in_calls && optional_text) gbnf.erase(text, calls - text);
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
