// SPDX-License-Identifier: MIT
//
// detectable_content:... and combination:...
#include <cctype>

#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

/** Placeholders: square brackets and what is between them on one line. */
std::size_t count_placeholders(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open)) {
        const std::size_t end = text.find_first_of("]\n", open);
        if (end == std::string_view::npos) break;
        if (text[end] == ']') ++count;
        open = end;
    }
    return count;
}

Check placeholders(const Arguments& arguments) {
    return
        [wanted = arguments.number("num_placeholders")](const std::string& text) { return count_placeholders(text) >= wanted; };
}

/** Whether the letters stand in the text with a point behind each but the last, and at most one white space behind a point. */
bool has_dotted(std::string_view text, std::string_view letters, bool point_at_end) {
    for (std::size_t start = 0; start < text.size(); ++start) {
        std::size_t at = start;
        std::size_t known = 0;
        for (; known < letters.size() && at < text.size() && text[at] == letters[known]; ++known) {
            ++at;
            if (known + 1 == letters.size() && !point_at_end) continue;
            if (at >= text.size() || text[at] != '.') break;
            ++at;
            if (known + 1 < letters.size() && at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
        }
        if (known == letters.size()) return true;
    }
    return false;
}

Check postscript(const Arguments& arguments) {
    const std::string marker = arguments.text("postscript_marker");
    if (marker == "P.S.") return [](const std::string& text) { return has_dotted(lower_case(text), "ps", true); };
    if (marker == "P.P.S") return [](const std::string& text) { return has_dotted(lower_case(text), "pps", false); };
    return [lower = lower_case(marker)](const std::string& text) { return lower_case(text).find(lower) != std::string::npos; };
}

/** Two answers, and not the same, with "******" between them; nothing blank but at the ends. */
bool two_responses(const std::string& text) {
    const std::vector<std::string_view> pieces = split(text, "******");
    std::vector<std::string_view> answers;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string_view answer = stripped(pieces[i]);
        if (!answer.empty()) {
            answers.push_back(answer);
        } else if (i != 0 && i + 1 != pieces.size()) {
            return false;
        }
    }
    return answers.size() == 2 && answers[0] != answers[1];
}

Check repeat_prompt(const Arguments& arguments) {
    const std::string prompt = arguments.text("prompt_to_repeat");
    return [beginning = lower_case(stripped(prompt))](const std::string& text) {
        return lower_case(stripped(text)).starts_with(beginning);
    };
}

}  // namespace

CheckFamily content_checks() {
    return {{"detectable_content:number_placeholders", placeholders},
            {"detectable_content:postscript", postscript},
            {"combination:two_responses", [](const Arguments&) -> Check { return two_responses; }},
            {"combination:repeat_prompt", repeat_prompt}};
}

}  // namespace hlg::eval::capability
