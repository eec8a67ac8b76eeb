// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "eval/arm.hpp"

namespace hlg::cli {

/** An arm from a command line: NAME={"temperature": 0.8, "top_p": 0.95, "hlg": {"preset": "bold"}}, the settings as in a request.
    Throws UsageError. */
eval::Arm read_arm(const std::string& word);

/** The arms that were given, or the usual ones. Throws UsageError for one alone and for two of one name. */
std::vector<eval::Arm> checked_arms(std::vector<eval::Arm> arms);

}  // namespace hlg::cli
