// SPDX-License-Identifier: MIT
//
// What a Hugging Face hub and the cache have of a repository, asked through llama-common. That one logs why it found nothing and
// returns nothing, so the reason is asked for afterwards, and only then. All of this may throw what the standard library throws.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <hf-cache.h>

#include "engine/download.hpp"

namespace hlg::engine {

struct ModelName {
    std::string repository;  ///< USER/REPO
    std::string quant;       ///< empty = any

    [[nodiscard]] std::string text() const { return quant.empty() ? repository : repository + ":" + quant; }
};

/** "USER/REPO:QUANT" in its parts, if it is made of nothing but what such names are made of. */
std::optional<ModelName> parse_model_name(std::string_view text);

/** The model's first file in the cache, if all its files are there; else empty. */
std::string cached_model(const ModelName& name);

/** The model's files on the hub, the first one first. Writes the repository's commit into the cache. */
Result<std::vector<hf_cache::hf_file>, DownloadError> files_on_hub(const ModelName& name, const std::string& token);

/** What an HTTP status other than success says about a file of a repository that is there. */
DownloadError refused_file(const ModelName& name, const std::string& file, int status, bool token);

/** The hub's address for people, without a password. */
std::string hub_address();

}  // namespace hlg::engine
