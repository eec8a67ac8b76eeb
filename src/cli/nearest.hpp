// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hlg::cli {

/** The word that was probably meant: the nearest of the known ones, if at most two letters must be added, dropped or changed. */
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

}  // namespace hlg::cli
