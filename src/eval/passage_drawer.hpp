// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "eval/diversity.hpp"

namespace hlg::eval {

/** Which texts to draw. */
struct DrawPlan {
    std::string label;
    SeedBand band = SeedBand::development;
    std::size_t first = 0;  ///< sample
    std::size_t samples = 0;
    bool ban_end = true;
};

/** Passages of all samples of all prompts, [prompts][samples]. */
using PassageTable = std::vector<std::vector<Passage>>;

/** Has the source write the texts of the diversity evaluation, and says how far the whole run is. */
class PassageDrawer {
public:
    /** `texts`: how many the run will draw at most. */
    PassageDrawer(TextSource& source, const DiversityOptions& options, std::size_t texts, const Progress& progress);

    /** Throws Stopped, std::runtime_error. */
    PassageTable draw(const engine::SamplingSettings& sampling, const DrawPlan& plan);

    /** Texts of held-out prompts without the ban on end-of-text. */
    EndRate end_rate(const engine::SamplingSettings& sampling, const std::string& label);

    /** So many texts of the plan will not be needed. */
    void skip(std::size_t texts) { texts_ -= texts; }

private:
    [[nodiscard]] const std::vector<std::string>& prompts(SeedBand band) const;
    [[nodiscard]] std::vector<TextJob> jobs(const engine::SamplingSettings& sampling, const DrawPlan& plan) const;
    [[nodiscard]] Progress share(std::size_t texts) const;

    TextSource& source_;
    const DiversityOptions& options_;
    std::size_t texts_;
    std::size_t done_ = 0;
    Progress progress_;
};

}  // namespace hlg::eval
