// SPDX-License-Identifier: MIT
//
// Between rendering a chat and parsing its answer; nobody else looks inside.
#pragma once

#include <string>

namespace hlg::engine {

struct ChatFormat {
    int format = 0;                 ///< a common_chat_format
    std::string parser;             ///< llama-common's grammar of the answer, as it saves it
    std::string generation_prompt;  ///< the end of the prompt that belongs to the answer
    bool extract_reasoning = true;
    bool tools = false;         ///< whether calls are looked for
    bool continuation = false;  ///< whether generation_prompt holds text that the client knows already
};

}  // namespace hlg::engine
