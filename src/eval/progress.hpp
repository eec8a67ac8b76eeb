// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <functional>

namespace hlg::eval {

/** Told the share that is done, 0 to 1; false = stop. */
using Progress = std::function<bool(double)>;

/** Somebody said stop. */
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

}  // namespace hlg::eval
