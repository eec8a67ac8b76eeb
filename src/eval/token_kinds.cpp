// SPDX-License-Identifier: MIT
#include "eval/token_kinds.hpp"

#include <array>
#include <string>

#include "engine/utf8.hpp"
#include "eval/context.hpp"

namespace hlg::eval {
namespace {

struct Range {
    char32_t first;
    char32_t last;
    unsigned script;
};

// Blocks of letters in the order of Unicode; scripts that nobody mixes up in one text share a number. What lies in none has none.
constexpr std::array<Range, 33> ranges{{
    {0x41, 0x5A, 0},      {0x61, 0x7A, 0},      {0xC0, 0xD6, 0},
    {0xD8, 0xF6, 0},      {0xF8, 0x24F, 0},  // Latin
    {0x370, 0x3FF, 1},    {0x400, 0x52F, 2},    {0x530, 0x58F, 3},
    {0x591, 0x5FF, 4},    {0x600, 0x6FF, 5},  // Greek ... Arabic
    {0x750, 0x77F, 5},    {0x780, 0x8FF, 6},    {0x900, 0x97F, 7},
    {0x980, 0xDFF, 8},    {0xE00, 0xE7F, 9},  // Devanagari ... Thai
    {0xE80, 0xFFF, 10},   {0x1000, 0x109F, 11}, {0x10A0, 0x10FF, 12},
    {0x1100, 0x11FF, 13}, {0x1200, 0x139F, 14},  // Georgian, Hangul
    {0x13A0, 0x1CFF, 15}, {0x1E00, 0x1EFF, 0},  {0x1F00, 0x1FFF, 1},
    {0x3041, 0x30FF, 16}, {0x3130, 0x318F, 13},  // Kana
    {0x31F0, 0x31FF, 16}, {0x3400, 0x9FFF, 17}, {0xA000, 0xABFF, 18},
    {0xAC00, 0xD7AF, 13}, {0xF900, 0xFAFF, 17},  // Han
    {0xFB50, 0xFDFF, 5},  {0xFE70, 0xFEFC, 5},  {0x20000, 0x3FFFF, 17},
}};

std::uint32_t script_of(char32_t character) {
    for (const Range& range : ranges)
        if (range.first <= character && character <= range.last) return std::uint32_t{1} << range.script;
    return 0;
}

/** Calls visit(character) for each one; the text must be UTF-8. */
template <class Visit>
void for_characters(std::string_view utf8, const Visit& visit) {
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        char32_t character = lead < 0x80 ? lead : lead & (0x7FU >> length);
        for (std::size_t byte = 1; byte < length; ++byte)
            character = character << 6U | (static_cast<unsigned char>(utf8[i + byte]) & 0x3FU);
        visit(character);
        i += length;
    }
}

}  // namespace

std::uint32_t scripts_of(std::string_view utf8) {
    std::uint32_t scripts = 0;
    for_characters(utf8, [&](char32_t character) { scripts |= script_of(character); });
    return scripts;
}

std::vector<std::uint8_t> token_kinds_of(const engine::Model& model, std::uint32_t text_scripts) {
    std::vector<std::uint8_t> kinds(model.vocabulary_size(), plain_token);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto token = static_cast<engine::Token>(i);
        const std::string piece = model.piece(token);
        if (piece.empty()) {
            if (!model.piece(token, true).empty()) kinds[i] = control_token;
        } else if (engine::first_invalid_utf8(piece)) {
            kinds[i] = byte_token;
        } else if ((scripts_of(piece) & ~text_scripts) != 0) {
            kinds[i] = foreign_token;
        }
    }
    return kinds;
}

}  // namespace hlg::eval
