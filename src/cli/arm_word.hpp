// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "eval/capability/asking.hpp"

namespace hlg::cli {

/** An arm from a command line: NAME={"temperature": 0.8, "top_p": 0.95, "hlg": {"preset": "bold"}}, the settings as in a request.
    Throws UsageError. */
eval::capability::Arm read_arm(const std::string& word);

}  // namespace hlg::cli
