// SPDX-License-Identifier: MIT
//
// detectable_format:...
#include <algorithm>
#include <array>
#include <cctype>

#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

/** Lines that begin with "-", or with one "*" and something behind it. */
Check bullets(const Arguments& arguments) {
    return [wanted = arguments.number("num_bullets")](const std::string& text) {
        std::size_t count = 0;
        for (const std::string_view line : split(text, "\n")) {
            const std::size_t first = line.find_first_not_of(" \t\r\f\v");
            if (first == std::string_view::npos) continue;
            if (line[first] == '-' || (line[first] == '*' && first + 1 < line.size() && line[first + 1] != '*')) ++count;
        }
        return count == wanted;
    };
}

/** How often a mark, something on one line without stars, and the mark again come; blank insides do not count. */
std::size_t count_marked(std::string_view text, std::string_view mark) {
    std::size_t count = 0;
    for (std::size_t open = text.find(mark); open != std::string_view::npos; open = text.find(mark, open)) {
        const std::size_t inside = open + mark.size();
        const std::size_t end = text.find_first_of("*\n", inside);
        if (end == std::string_view::npos || text.compare(end, mark.size(), mark) != 0) {
            ++open;
            continue;
        }
        if (!stripped(text.substr(inside, end - inside)).empty()) ++count;
        open = end + mark.size();
    }
    return count;
}

Check highlights(const Arguments& arguments) {
    return [wanted = arguments.number("num_highlights")](const std::string& text) {
        return count_marked(text, "*") + count_marked(text, "**") >= wanted;
    };
}

/** Sections: a given word with a number behind it, with at most one white space between. */
Check sections(const Arguments& arguments) {
    return [wanted = arguments.number("num_sections"), word = arguments.text("section_spliter")](const std::string& text) {
        const std::vector<std::string_view> pieces = split(text, word);
        std::size_t count = 0;
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            const auto byte = [&](std::size_t at) {
                return at < pieces[i].size() ? static_cast<unsigned char>(pieces[i][at]) : 0;
            };
            if (std::isdigit(byte(std::isspace(byte(0)) != 0 ? 1 : 0)) != 0) ++count;
        }
        return count >= wanted;
    };
}

/** One of three given sentences. */
bool constrained_response(const std::string& text) {
    constexpr std::array<std::string_view, 3> allowed{"My answer is yes.", "My answer is no.", "My answer is maybe."};
    return std::any_of(allowed.begin(), allowed.end(), [&](std::string_view one) { return text.find(one) != std::string::npos; });
}

/** JSON and nothing else, but for the fence of a code block. */
bool json_format(const std::string& text) {
    std::string_view inside = stripped(text);
    for (const std::string_view fence : {"```json", "```Json", "```JSON", "```"}) {
        if (!inside.starts_with(fence)) continue;
        inside.remove_prefix(fence.size());
        break;
    }
    if (inside.ends_with("```")) inside.remove_suffix(3);
    return nlohmann::json::accept(stripped(inside));
}

/** <<a title>>: on one line, and not blank. */
bool title(const std::string& text) {
    for (const std::string_view line : split(text, "\n")) {
        const std::size_t open = line.find("<<");
        const std::size_t close = line.rfind(">>");
        if (open == std::string_view::npos || close == std::string_view::npos || close < open + 3) continue;
        std::string_view inside = line.substr(open, close - open);
        inside.remove_prefix(std::min(inside.find_first_not_of('<'), inside.size()));
        if (!stripped(inside.substr(0, inside.find_last_not_of('>') + 1)).empty()) return true;
    }
    return false;
}

}  // namespace

CheckFamily format_checks() {
    return {{"detectable_format:number_bullet_lists", bullets},
            {"detectable_format:number_highlighted_sections", highlights},
            {"detectable_format:multiple_sections", sections},
            {"detectable_format:constrained_response", [](const Arguments&) -> Check { return constrained_response; }},
            {"detectable_format:json_format", [](const Arguments&) -> Check { return json_format; }},
            {"detectable_format:title", [](const Arguments&) -> Check { return title; }}};
}

}  // namespace hlg::eval::capability
