// SPDX-License-Identifier: MIT
//
// Tokens cut text at any byte. This puts whole UTF-8 characters together again, so that a stream never shows half of one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hlg::engine {

class Utf8Assembler {
public:
    /** Takes bytes; gives back the characters that are whole now. A byte that fits nowhere becomes U+FFFD. */
    [[nodiscard]] std::string push(std::string_view bytes);

    /** Bytes of a character that is not whole yet; what is left at the end of a text is torn and dropped. */
    [[nodiscard]] std::string_view pending() const noexcept { return pending_; }

private:
    std::string pending_;  ///< at most 3 bytes
};

/** Where the first byte stands that is not part of a whole UTF-8 character; nothing if there is none. */
std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept;

}  // namespace hlg::engine
