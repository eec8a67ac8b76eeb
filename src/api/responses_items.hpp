// SPDX-License-Identifier: MIT
//
// Output items of OpenAI's responses, and the parts of their content.
#pragma once

#include <string>

#include "api/parts_exchange.hpp"

namespace hlg::api {

/** A new id for an item of this kind. */
[[nodiscard]] std::string item_id(AnswerPart::Kind kind);

/** The one part of a message's or a reasoning's content, as far as it has come. */
[[nodiscard]] Json content_json(const AnswerPart& part, const engine::Model& model);

/** The item; one that has just begun has no content yet. */
[[nodiscard]] Json begun_item_json(const AnswerPart& part, const std::string& id);
[[nodiscard]] Json item_json(const AnswerPart& part, const std::string& id, const char* status, const engine::Model& model);

}  // namespace hlg::api
