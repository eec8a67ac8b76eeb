// SPDX-License-Identifier: MIT
#pragma once

#include "eval/diversity.hpp"
#include "eval/diversity_verdict.hpp"
#include "eval/report.hpp"

namespace hlg::eval {

/** Each band and configuration with all measures, means over prompts. */
Table samplers_table(const Diversity& diversity, const BootstrapOptions& options);

/** The held-out rows of that table, and the rate of end-of-text: for the terminal. */
Table short_table(const Table& samplers, const Diversity& diversity);

/** The two parts of the claim on both bands. */
Table primary_table(const Primary& held_out, const Primary& replication);

/** HLG's default less tuned top_p in the secondary measures, Holm-adjusted within a band; measures that there are none of are
 * left out. */
Table secondary_table(const Diversity& diversity, const BootstrapOptions& options);

/** Every trial of the tuning. */
Table search_table(const Diversity& diversity);

/** What was frozen, how well it is matched, and its rate of end-of-text. */
Table frozen_table(const Diversity& diversity);

/** Every measure of every prompt. */
Table prompts_table(const Diversity& diversity, const DiversityOptions& options);

}  // namespace hlg::eval
