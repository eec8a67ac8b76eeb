// SPDX-License-Identifier: MIT
//
// Answers as HTTP/1 spells them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/exchange.hpp"

namespace hlg::net {

/** How the client knows where the body ends. */
enum class Framing {
    length,  ///< by its size
    chunks,  ///< by an empty chunk
    close,   ///< by the connection's end
};

/** Status line and headers, those of the reply and `more`. What is in them that HTTP doesn't allow becomes spaces. */
std::string head_text(const api::Reply& reply, const std::vector<api::Header>& more, Framing framing, bool keep_alive);

/** Bytes of a body as one chunk. There must be some: none means the end. */
std::string chunk_text(std::string_view bytes);

inline constexpr std::string_view last_chunk = "0\r\n\r\n";
inline constexpr std::string_view continue_text = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace hlg::net
