// SPDX-License-Identifier: MIT
//
// From the bytes of tokens to the text that a reader may see: whole characters, and never a byte of a stop string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/utf8.hpp"

namespace hlg::engine {

class TextStream {
public:
    /** Ends at the first of these strings; empty ones never match. */
    explicit TextStream(std::vector<std::string> stops = {}) : stops_(std::move(stops)) {}

    /** Takes a token's bytes; the text that may be shown now. What may yet become a stop string is held back. */
    [[nodiscard]] std::string push(std::string_view bytes);

    /** Which stop string came, if one did; after it nothing more is shown. */
    [[nodiscard]] const std::optional<std::string>& stopped() const noexcept { return stopped_; }

    /** At the end of the tokens: what was held back for a stop string that did not come. A torn character is dropped. */
    [[nodiscard]] std::string finish();

    /** Bytes taken that were not shown, so far. */
    [[nodiscard]] std::size_t held() const noexcept { return held_.size() + characters_.pending().size(); }

private:
    std::vector<std::string> stops_;
    Utf8Assembler characters_;
    std::string held_;
    std::optional<std::string> stopped_;
};

}  // namespace hlg::engine
