// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "eval/sha256.hpp"

namespace hlg::eval::capability {

/** SHA-256 of a text. */
inline std::string fingerprint_of(std::string_view text) {
    Sha256 sum;
    sum.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
    return sum.digest();
}

}  // namespace hlg::eval::capability
