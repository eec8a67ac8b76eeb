// SPDX-License-Identifier: MIT
//
// For tests of what reads requests.
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"

namespace hlg::api::test {

/** The problem of a reading that must fail. */
inline Problem problem_of(const std::function<void()>& read) {
    try {
        read();
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem";
    return {};
}

inline std::string refusal_of(const std::function<void()>& read) { return problem_of(read).message; }

/** What is wrong with a body, as a reader of it says. */
template <class Read>
std::string refusal(const std::string& body, Read read) {
    SCOPED_TRACE(body);
    return refusal_of([&] {
        const Json json = parse_body(body);
        (void)read(Node(json));
    });
}

/** What a reader makes of a body. */
template <class Read>
auto accepted(const std::string& body, Read read) {
    SCOPED_TRACE(body);
    const Json json = parse_body(body);
    try {
        return read(Node(json));
    } catch (const Problem& problem) {
        ADD_FAILURE() << problem.message;
        return decltype(read(Node(json)))();
    }
}

}  // namespace hlg::api::test
