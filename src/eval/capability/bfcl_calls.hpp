// SPDX-License-Identifier: MIT
//
// Calls of BFCL's functions: how the functions are told to a model, and which calls are right.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/** A function's name as chat APIs allow it: without points. */
std::string callable_name(std::string name);

/** BFCL's descriptions of functions as tools of OpenAI's chat completions: types in JSON Schema's words ("dict" is object,
   "float" number, "tuple" array, "any" anything), names as callable_name has them. */
std::string tools_of(const nlohmann::json& functions);

/**
 * Whether the calls are those expected, in any order: as many, each with one of the expected functions and arguments.
 * `expected` is BFCL's ground truth, an array of {FUNCTION: {PARAMETER: [values that are right]}}; "" among them = may be left
 * out. Strings are compared without cases, spaces and the marks , . / - _ * ^; a number where the function has an integer must be
 * one.
 */
bool calls_match(const std::vector<Call>& calls, const nlohmann::json& functions, const nlohmann::json& expected);

}  // namespace hlg::eval::capability
