// SPDX-License-Identifier: MIT
//
// What llama-common's grammars for tool calls allow, and a client was promised would not come: edits of their text.
#pragma once

#include <string>

namespace hlg::engine {

/**
 * llama-common's grammars let a text come before a call that must come, and a model may never end it. Vendors promise the call
 * and nothing else. Where the start rule has such a text right before the call, "until-7? tool-calls" or "until-71 space
 * tool-call-root", it goes; reasoning may still come first.
 */
std::string without_text_before_call(std::string gbnf);

/**
 * Where each call has its own marks, llama-common lets another follow though one was asked for: "tool-calls ::= ( ... )+". The
 * rule loses its repetition.
 */
std::string with_one_call(std::string gbnf);

}  // namespace hlg::engine
