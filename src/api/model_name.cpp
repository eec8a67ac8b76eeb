// SPDX-License-Identifier: MIT
#include "api/model_name.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

namespace hlg::api {

std::string id_of(const std::string& path) {
    const std::filesystem::path file(path);
    return file.extension() == ".gguf" ? file.stem().string() : file.filename().string();
}

bool names_model(const std::string& name, const ServiceOptions& options, const std::string& path) {
    return std::find(options.names.begin(), options.names.end(), name) != options.names.end() ||
           name == std::filesystem::path(path).filename().string() || name == id_of(path);
}

Problem no_such_model(const std::string& name, const ServiceOptions& options) {
    return {.status = 404,
            .message = fmt::format("model {} does not exist; there is {}", shown(name), fmt::join(options.names, ", ")),
            .param = "model",
            .code = "model_not_found"};
}

void check_model(const Node& model, const ServiceOptions& options, const std::string& path) {
    const std::string name = model.text().value_or("");
    if (name.empty() || options.any_model || names_model(name, options, path)) return;
    throw no_such_model(name, options);
}

}  // namespace hlg::api
