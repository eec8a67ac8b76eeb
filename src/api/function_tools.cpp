// SPDX-License-Identifier: MIT
#include "api/function_tools.hpp"

#include "api/chat_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {

void FunctionTools::add(const Node& function, std::string_view parameters) {
    check_function(function, parameters, names_, lost_);
    Json described{{"name", names_.back()}};
    if (const auto words = function.at("description").text()) described["description"] = *words;
    if (const Node schema = function.at(parameters); !schema.absent()) described["parameters"] = schema.json();
    if (const auto strict = function.at("strict").boolean()) described["strict"] = *strict;
    tools_.push_back({{"type", "function"}, {"function", std::move(described)}});
}

std::string FunctionTools::text() const { return tools_.empty() ? std::string() : to_text(tools_); }

}  // namespace hlg::api
