// SPDX-License-Identifier: MIT
//
// What a sampler came to at equal entropy, as columns of a report: the same words and keys wherever it is told.
#pragma once

#include <vector>

#include "eval/comparison.hpp"
#include "eval/report.hpp"

namespace hlg::eval {

/** These columns, and behind them those that put_judged() fills; the deep tail's is the last. */
std::vector<Column> with_judged(std::vector<Column> columns);

/** Writes the outcome with its intervals into a row. */
void put_judged(Json& row, const Judged& judged);

}  // namespace hlg::eval
