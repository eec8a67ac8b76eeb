// SPDX-License-Identifier: MIT
//
// What is wrong with a request, before it takes a vendor's shape. Inside this room it is thrown, for a reader of deeply nested
// JSON has nothing to do but give up; it never leaves the room.
#pragma once

#include <optional>
#include <string>

#include "engine/result.hpp"

namespace hlg::api {

struct Problem {
    int status = 400;                            ///< HTTP
    std::string message = {};                    ///< one line for people; names the field first and gives the range
    std::optional<std::string> param = {};       ///< the field, as a path: "messages[2].role"
    std::optional<std::string> code = {};        ///< a machine's word for it, such as "context_length_exceeded"
    std::optional<int> retry_after = {};         ///< seconds, for the header of that name
    std::optional<std::string> request_id = {};  ///< for the vendors that tell it
};

/** A problem of one field: its path, and what is wrong with it. */
[[nodiscard]] Problem bad_field(const std::string& path, const std::string& what);

/** The engine's error as a problem: the request's own faults are 400, too_busy 429, interrupted 503, all others 500. */
[[nodiscard]] Problem problem_of(const engine::Error& error);

}  // namespace hlg::api
