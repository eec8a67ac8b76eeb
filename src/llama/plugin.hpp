// SPDX-License-Identifier: MIT
//
// What stands behind a llama_sampler of ours, shared by the files that make up the plugin.
#pragma once

#include <cstdint>
#include <vector>

#include <llama.h>

#include "candidates.hpp"
#include "hlg/llama.hpp"

namespace hlg::llama {

/** Where a sampler runs. llama.cpp asks once, when the chain is attached to a context. */
enum class Placement { unasked, graph, cpu };

/** The state of a sampler made by hlg_llama_init. One thread uses it at a time, as llama.cpp does. */
struct Plugin {
    Plugin(const SamplerParams& params, Role part) : role(part), sampler(params) {}

    Role role;
    Sampler sampler;
    Placement placement = Placement::unasked;
    Status status = Status::ok;  ///< of the last apply
    std::uint64_t index = 0;     ///< tokens accepted
    std::uint32_t attempt = 0;   ///< draws since the last one accepted: a token refused by a grammar must not come up again
    Candidates candidates;
    std::vector<llama_token_data> row;  ///< hlg_llama_sample's
};

/** The state behind a sampler of hlg_llama_init; null for any other sampler. */
[[nodiscard]] Plugin* plugin_of(const llama_sampler* sampler) noexcept;

/** The placement of a sampler of hlg_llama_init_token_only; null for any other sampler. */
[[nodiscard]] Placement* token_only_of(const llama_sampler* sampler) noexcept;

}  // namespace hlg::llama
