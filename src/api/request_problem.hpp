// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "api/problem.hpp"

namespace hlg::api {

/** problem_of() with the field first where the request is at fault, and as its param. The engine knows a request's grammar, not
   where it came from: `constraint` is the field that the answer's grammar was made from, "" if there is none, `prompt` the one
   that the prompt was. */
[[nodiscard]] Problem request_problem(const engine::Error& error, const std::string& constraint, const std::string& prompt);

}  // namespace hlg::api
