// SPDX-License-Identifier: MIT
#include "engine/utf8.hpp"

namespace hlg::engine {
namespace {

using Byte = unsigned char;

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/** Bytes of the character that starts with this one; 0 if none does. */
std::size_t length_of(Byte lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/** Whether `next` may follow at `position`: the second byte's range also rules out overlong forms, surrogates and > U+10FFFF. */
bool continues(Byte lead, std::size_t position, Byte next) {
    Byte low = 0x80;
    Byte high = 0xBF;
    if (position == 1) {
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    }
    return next >= low && next <= high;
}

/** How many bytes at the front belong to one character, as far as they are there. */
std::size_t valid_prefix(std::string_view text, std::size_t length) {
    std::size_t count = 1;
    while (count < length && count < text.size() && continues(static_cast<Byte>(text[0]), count, static_cast<Byte>(text[count])))
        ++count;
    return count;
}

}  // namespace

std::string Utf8Assembler::push(std::string_view bytes) {
    std::string input = pending_;
    input += bytes;
    pending_.clear();
    std::string whole;
    std::string_view rest = input;
    while (!rest.empty()) {
        const std::size_t length = length_of(static_cast<Byte>(rest[0]));
        const std::size_t valid = length == 0 ? 1 : valid_prefix(rest, length);
        if (length != 0 && valid < length && valid == rest.size()) {  // may still become whole
            pending_ = rest;
            break;
        }
        whole += valid == length ? rest.substr(0, length) : replacement;
        rest.remove_prefix(valid);
    }
    return whole;
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = length_of(static_cast<Byte>(text[at]));
        if (length == 0 || valid_prefix(text.substr(at), length) < length) return at;
        at += length;
    }
    return std::nullopt;
}

}  // namespace hlg::engine
