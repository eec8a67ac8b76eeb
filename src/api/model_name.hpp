// SPDX-License-Identifier: MIT
//
// Which model a request means. A server has one.
#pragma once

#include <string>
#include <vector>

#include "api/json_reader.hpp"
#include "api/service.hpp"

namespace hlg::api {

/** The file's name without .gguf: the id of a model that was given none. */
[[nodiscard]] std::string id_of(const std::string& path);

/** Whether the model goes by that name: its id, an alias, or its file's name. */
[[nodiscard]] bool names_model(const std::string& name, const ServiceOptions& options, const std::string& path);

/** What a name that it does not go by gets: 404, with the ids. */
[[nodiscard]] Problem no_such_model(const std::string& name, const ServiceOptions& options);

/** Checks a request's field. Absent and "" mean the model that there is. Throws. */
void check_model(const Node& model, const ServiceOptions& options, const std::string& path);

}  // namespace hlg::api
