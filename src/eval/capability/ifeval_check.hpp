// SPDX-License-Identifier: MIT
//
// IFEval's instructions: each can be checked by a program, without a judge. One file a family; every id of the published set is
// there.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace hlg::eval::capability {

/** Whether a text, which is not blank, follows an instruction. */
using Check = std::function<bool(const std::string&)>;

/** How often something must come: so many times at least, or less than so many times. */
struct Bound {
    bool at_least = true;
    std::size_t times = 0;

    [[nodiscard]] bool holds(std::size_t found) const { return at_least ? found >= times : found < times; }
};

/** What an instruction is about: "kwargs" of the published files. Members that are missing or of another kind throw
    std::runtime_error: "no number called num_words". */
class Arguments {
public:
    explicit Arguments(const nlohmann::json& object) : object_(object) {}

    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
    [[nodiscard]] std::size_t number(const std::string& key) const;

    /** A Bound from a relation, "at least" or "less than", and a number. */
    [[nodiscard]] Bound bound(const std::string& relation, const std::string& number) const;

private:
    const nlohmann::json& object_;
};

using CheckMaker = std::function<Check(const Arguments&)>;
using CheckFamily = std::map<std::string, CheckMaker, std::less<>>;

CheckFamily keyword_checks();  ///< keywords:...
CheckFamily length_checks();   ///< length_constraints:...
CheckFamily content_checks();  ///< detectable_content:... and combination:...
CheckFamily format_checks();   ///< detectable_format:...
CheckFamily wording_checks();  ///< change_case:..., language:..., punctuation:..., startend:...

/** The check of an instruction. Throws std::runtime_error for an unknown id and for arguments that it can't use. */
Check make_check(const std::string& id, const nlohmann::json& arguments);

/** All ids that make_check knows, sorted. */
std::vector<std::string> known_checks();

}  // namespace hlg::eval::capability
