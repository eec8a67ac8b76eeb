// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace hlg::eval {

/** Beginnings that can go on in many ways, written for `hlg eval diversity`: small models of stories can go on with them, and so
   can big models. None of them comes from a text that a model may have read. On the first twenty samplers are tuned. */
std::span<const std::string_view> development_prompts() noexcept;

/** The forty that nothing is tuned on. */
std::span<const std::string_view> held_out_prompts() noexcept;

}  // namespace hlg::eval
