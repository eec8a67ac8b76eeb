// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace hlg::eval::capability {

/** The language that most of a text is in, as ISO 639-1 spells it ("en"), by CLD2; its best guess where it is not sure. Nothing
   for a text without letters. */
std::optional<std::string> language_of(const std::string& text);

}  // namespace hlg::eval::capability
