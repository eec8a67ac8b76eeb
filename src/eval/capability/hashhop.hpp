// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

struct HashHopOptions {
    std::size_t questions = 100;
    std::size_t chains = 16;  ///< in each question
    std::size_t hops = 4;     ///< pairs in a chain; questions ask for 1 to so many, in turn
    std::size_t letters = 8;  ///< of a hash
    std::uint64_t seed = 1;
};

/**
 * HashHop, after Magic's public description (2024): random hashes in chains, told as shuffled pairs "FROM -> TO"; which hash is
 * at the end of k steps from a given one? Nothing but the question helps, not even what words mean. Made here, so that its length
 * is free and no model has seen it. Throws std::invalid_argument for options out of range.
 */
std::unique_ptr<Task> make_hashhop(const HashHopOptions& options);

/** What a text gives as its answer: the last word of it that is one of the hashes. */
std::optional<std::string> hashhop_answer(const std::string& text, const std::set<std::string>& hashes);

}  // namespace hlg::eval::capability
