// SPDX-License-Identifier: MIT
//
// The one file that needs llama-common's schema converter.
#include <exception>

#include <json-schema-to-grammar.h>
#include <json.h>

#include "engine/converter_schema.hpp"
#include "engine/grammar.hpp"
#include "engine/grammar_schema.hpp"
#include "engine/json_limits.hpp"

namespace hlg::engine {

Result<std::string> schema_to_gbnf(std::string_view schema, std::string_view name) {
    if (Failure failure = check_schema(schema, name)) return *failure;
    try {
        return json_schema_to_grammar(common_json::parse(converter_schema(std::string(schema))));
    } catch (const std::exception& error) {
        return Error{ErrorCode::bad_request, std::string(name) + ": " + one_line(error.what())};
    }
}

}  // namespace hlg::engine
