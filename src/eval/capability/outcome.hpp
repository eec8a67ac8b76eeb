// SPDX-License-Identifier: MIT
//
// What the arms' points say: scores, paired differences, and whether the task tells anything about this model at all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "eval/bootstrap.hpp"
#include "eval/capability/asking.hpp"

namespace hlg::eval::capability {

/** Two arms on the same questions with the same seeds; shares from -1 to 1. */
struct Difference {
    Interval share = {};      ///< the arm's score less the first arm's; questions are resampled, never answers
    double margin = 0.0;      ///< half the width of that interval
    double detectable = 0.0;  ///< the smallest true difference that such a run finds in four of five tries, at the 5% level
    double p = 1.0;           ///< that there is none, two-sided; not corrected for how many are tested
};

/** An arm's result at one measure. */
struct Score {
    Interval share = {};
    Difference difference = {};  ///< of the first arm: zero
};

struct Group {
    std::string name;  ///< empty = the whole task
    std::size_t questions = 0;
    std::vector<std::vector<Score>> scores;  ///< [arm][measure]; of a part of the task, the first measure alone
};

struct Outcome {
    std::string name;
    std::string title;
    std::vector<std::string> measures;
    std::size_t samples = 0;
    Group all = {};
    std::vector<Group> groups = {};     ///< where the task has any, in the order of its questions
    std::vector<double> chance = {};    ///< [arm]: the share of the first measure that comes by chance
    std::vector<double> p_chance = {};  ///< [arm]: that the score is no higher, one-sided, times the number of arms
    bool informative = false;           ///< whether an arm is above chance: p_chance below .05
};

/** Throws std::invalid_argument where fewer than two questions were asked: nothing can be said of one. */
Outcome outcome_of(const Task& task, const Asked& asked, std::size_t samples, const BootstrapOptions& options);

}  // namespace hlg::eval::capability
