// SPDX-License-Identifier: MIT
//
// The fields that steer a generation and mean the same for every vendor.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/settings.hpp"

namespace hlg::api {

struct SamplingFields {
    engine::SamplingSettings settings;
    std::vector<std::string> ignored;  ///< samplers of other servers that the request asks for and that there are none of here
    bool negative_seed = false;        ///< it is reported as it came, not as the unsigned number that it stands for
};

/** temperature, top_p, top_k, min_p, penalties, seed, logit_bias and hlg of a body. Throws. */
[[nodiscard]] SamplingFields read_sampling(const Node& body, std::size_t vocabulary);

/** Adds those of grammar, json_schema, response_format, n, stop, ignore_eos and n_predict that the body sets, and that the path
   does not read: `read` are those that it does. */
void ignore_others(const Node& body, std::initializer_list<std::string_view> read, std::vector<std::string>& ignored);

/** A seed in a reply. */
[[nodiscard]] Json seed_json(std::uint64_t seed, bool negative);

/** Stop strings: one, or up to 64, none of them empty. Throws. */
[[nodiscard]] std::vector<std::string> read_stops(const Node& stop);

/** A limit on generated tokens; absent and -1 are no limit but the context. Throws below `low`. */
[[nodiscard]] std::optional<std::size_t> read_limit(const Node& limit, std::int64_t low);

/** max_completion_tokens, else max_tokens, else llama-server's n_predict. */
[[nodiscard]] std::optional<std::size_t> read_max_tokens(const Node& body, std::int64_t low);

/** n: how many answers. */
[[nodiscard]] std::size_t read_choices(const Node& body);

}  // namespace hlg::api
