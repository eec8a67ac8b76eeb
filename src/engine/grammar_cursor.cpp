// SPDX-License-Identifier: MIT
#include "engine/grammar_cursor.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/json_limits.hpp"

namespace hlg::engine {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

void GrammarCursor::fail(const std::string& what) {
    if (!failure_)
        failure_ = Error{ErrorCode::bad_request, "the grammar's line " + std::to_string(line_) + ": " + one_line(what)};
}

bool GrammarCursor::take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
}

void GrammarCursor::spaces(bool over_lines) {
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (c == '#') {
            at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
            if (at_ == text_.size()) return;
        }
        const bool line_end = text_[at_] == '\n' || text_[at_] == '\r';
        if (!(line_end && over_lines) && text_[at_] != ' ' && text_[at_] != '\t') return;
        line_ += text_[at_] == '\n' ? 1 : 0;
    }
}

char32_t GrammarCursor::character() {
    if (take('\\')) return escape();
    if (at_ >= text_.size()) fail("the text ends in the middle of a literal or set");
    line_ += peek() == '\n' ? 1 : 0;
    const auto lead = static_cast<unsigned char>(peek());
    ++at_;
    if (lead < 0x80) return lead;
    char32_t code = lead & (lead < 0xE0 ? 0x1FU : lead < 0xF0 ? 0x0FU : 0x07U);
    for (; (static_cast<unsigned char>(peek()) & 0xC0U) == 0x80U; ++at_)
        code = (code << 6U) | (static_cast<unsigned char>(peek()) & 0x3FU);
    return code;
}

char32_t GrammarCursor::escape() {
    const char kind = peek();
    ++at_;
    switch (kind) {
        case 't': return '\t';
        case 'r': return '\r';
        case 'n': return '\n';
        case '\\':
        case '"':
        case '[':
        case ']':
        case '-': return static_cast<char32_t>(kind);
        case 'x': return hexadecimal(2);
        case 'u': return hexadecimal(4);
        case 'U': return hexadecimal(8);
        default: fail("unknown escape \\" + std::string(kind == '\0' ? 0 : 1, kind)); return 0;
    }
}

char32_t GrammarCursor::hexadecimal(std::size_t digits) {
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
        const char c = peek();
        if (!is_hex(c)) fail("an escape needs more hexadecimal digits");
        code = code * 16 + static_cast<std::uint64_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (code > 0x10FFFF) fail("an escape beyond U+10FFFF");
    return static_cast<char32_t>(code);
}

}  // namespace hlg::engine
