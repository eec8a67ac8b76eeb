// SPDX-License-Identifier: MIT
#include "engine/json_limits.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/utf8.hpp"

namespace hlg::engine {
namespace {

/** How deep arrays and objects nest. Brackets in strings do not count; in a text that is not JSON the answer is still a bound on
    what a parser that stops at the first mistake can have opened. */
std::size_t depth(std::string_view text) noexcept {
    std::size_t open = 0;
    std::size_t deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++open);
        } else if ((c == ']' || c == '}') && open > 0) {
            --open;
        }
    }
    return deepest;
}

}  // namespace

Error over_limit(std::string_view name, std::string_view verb, std::size_t value, std::size_t limit) {
    return {ErrorCode::bad_request, std::string(name) + " " + std::string(verb) + " " + std::to_string(value) +
                                        ", the limit is " + std::to_string(limit)};
}

Failure check_json(std::string_view text, std::string_view name, std::size_t max_bytes) {
    if (text.size() > max_bytes) return over_limit(name, "has a size in bytes of", text.size(), max_bytes);
    if (const std::size_t deepest = depth(text); deepest > max_json_depth)
        return over_limit(name, "has a nesting depth of", deepest, max_json_depth);
    if (const auto bad = first_invalid_utf8(text))
        return Error{ErrorCode::bad_request, std::string(name) + " is not UTF-8 at byte " + std::to_string(*bad)};
    return std::nullopt;
}

Failure check_embedded_json(std::string_view text, std::string_view name) {
    const std::size_t deepest = depth(text);
    if (deepest <= max_json_depth || !nlohmann::json::accept(text)) return std::nullopt;
    return over_limit(name, "has a nesting depth of", deepest, max_json_depth);
}

std::string one_line(std::string_view message) {
    constexpr std::size_t most = 300;
    constexpr std::string_view label = "Error: ";  // the template engine puts an excerpt of the template in front of it
    if (const std::size_t at = message.rfind(label); at != std::string_view::npos) message.remove_prefix(at + label.size());
    std::string line;
    for (const char c : message) {
        const bool blank = c == ' ' || static_cast<unsigned char>(c) < 0x20;
        if (blank && (line.empty() || line.back() == ' ')) continue;
        line += blank ? ' ' : c;
    }
    if (line.size() > most) line = line.substr(0, first_invalid_utf8(line.substr(0, most)).value_or(most)) + "...";
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

}  // namespace hlg::engine
