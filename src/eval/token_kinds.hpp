// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/model.hpp"

namespace hlg::eval {

/** The scripts that the text's letters are of, one bit each; digits, punctuation and what is no character have none. */
std::uint32_t scripts_of(std::string_view utf8);

/** TokenKind flags of each token, [vocab], beside a text in these scripts. */
std::vector<std::uint8_t> token_kinds_of(const engine::Model& model, std::uint32_t text_scripts);

}  // namespace hlg::eval
