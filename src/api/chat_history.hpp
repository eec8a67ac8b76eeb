// SPDX-License-Identifier: MIT
//
// A chat's messages, as the engine's templates take them, out of histories that are cut up otherwise: vendors put calls, their
// results and reasoning into blocks or items of their own. What an assistant says in a row becomes one message.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"

namespace hlg::api {

class ChatHistory {
public:
    /** A message of the system or the user: a string, or text parts. What a user says in a row is one message. */
    void say(const std::string& role, const Json& content);

    // Of the assistant.
    void answer(const std::string& text);
    void reason(const std::string& text);
    void call(const std::string& id, const std::string& name, const std::string& arguments);

    /** The next that the assistant says is a message of its own, if it has said something in this one. */
    void end_answer() noexcept { answering_ = false; }

    /** What a call came to: a string, or text parts. It is given the name of the function that was called. */
    void result(const std::string& id, const Json& content);

    [[nodiscard]] bool empty() const noexcept;

    /** Whether the last message is text of the assistant, which could be continued. */
    [[nodiscard]] bool ends_in_answer() const;

    /** The array. */
    [[nodiscard]] std::string text() const;

private:
    Json& assistant();

    Json messages_ = Json::array();
    std::map<std::string, std::string> called_;  ///< functions' names by the calls' ids
    bool answering_ = false;                     ///< the last message is the assistant's, and open
};

}  // namespace hlg::api
