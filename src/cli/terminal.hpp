// SPDX-License-Identifier: MIT
#pragma once

namespace hlg::cli {

/** Whether the environment's locale writes UTF-8. Read from the variables themselves: a container's terminal often shows
    UTF-8 where the locale's tables are not installed, and setlocale would say no. */
bool writes_utf8();

/** Whether stdout wants colours: a terminal that is not dumb, and no NO_COLOR. */
bool wants_colour();

}  // namespace hlg::cli
