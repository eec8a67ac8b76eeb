// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hlg::eval::capability {

/** The last number of a text in plain form, "-1234.5": no grouping commas, no zeros that say nothing; nothing if there is none.
    "16-3" ends in 3, "at -3" in -3, "$1,450.00." in 1450. */
std::optional<std::string> last_number(std::string_view text);

/** As last_number, the first one. */
std::optional<std::string> first_number(std::string_view text);

}  // namespace hlg::eval::capability
