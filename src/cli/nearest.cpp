// SPDX-License-Identifier: MIT
#include "cli/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hlg::cli {
namespace {

/** Letters to add, drop or change (Levenshtein), row by row of the usual table. */
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t farthest = 2;
    std::optional<std::string> best;
    std::size_t least = farthest + 1;
    for (const std::string& candidate : known) {
        const std::size_t letters = distance(word, candidate);
        if (letters >= least) continue;
        least = letters;
        best = candidate;
    }
    return best;
}

}  // namespace hlg::cli
