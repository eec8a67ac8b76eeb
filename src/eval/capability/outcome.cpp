// SPDX-License-Identifier: MIT
#include "eval/capability/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "eval/hypothesis.hpp"

namespace hlg::eval::capability {
namespace {

/** The normal quantiles of 1 - .05 / 2 and of .8: so many standard errors away is what a test at 5% finds in four of five tries.
 */
constexpr double standard_errors_seen = 1.959964 + 0.841621;

/** The points of a measure, by place in Asked::questions. */
class PointsView {
public:
    PointsView(const Asked& asked, std::size_t measures, std::vector<std::size_t> places)
        : asked_(asked), measures_(measures), places_(std::move(places)) {}

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] const Points& at(std::size_t arm, std::size_t i, std::size_t measure) const {
        return asked_.arms[arm].points[places_[i] * measures_ + measure];
    }
    [[nodiscard]] double chance(std::size_t arm, std::size_t i) const { return asked_.arms[arm].chance[places_[i]]; }

private:
    const Asked& asked_;
    std::size_t measures_;
    std::vector<std::size_t> places_;
};

double share(const PointsView& view, std::size_t arm, std::size_t measure, std::span<const double> times) {
    double right = 0.0;
    double of = 0.0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        right += times[i] * view.at(arm, i, measure).right;
        of += times[i] * view.at(arm, i, measure).of;
    }
    return right / of;
}

/** The mean over questions of what `value` gives for one, each weighing as much as what could be earned there. */
template <class Value>
Estimate over_questions(const PointsView& view, std::size_t measure, const Value& value) {
    std::vector<double> values;
    std::vector<double> weights;
    std::vector<std::size_t> clusters(view.size());
    std::iota(clusters.begin(), clusters.end(), std::size_t{0});
    for (std::size_t i = 0; i < view.size(); ++i) {
        weights.push_back(view.at(0, i, measure).of);
        values.push_back(value(i) / weights.back());
    }
    return paired_difference(values, weights, clusters);
}

/** The t test's p, two-sided, but no smaller than a sign test's could be: few questions that all agree have no scatter for t. */
double p_value(const Estimate& estimate) { return std::max(t_test(estimate), std::min(1.0, std::exp2(-estimate.degrees))); }

Difference difference_of(const PointsView& view, std::size_t arm, std::size_t measure, const Interval& found) {
    const Estimate estimate = over_questions(
        view, measure, [&](std::size_t i) { return view.at(arm, i, measure).right - view.at(0, i, measure).right; });
    return {.share = found,
            .margin = (found.high - found.low) / 2.0,
            .detectable = standard_errors_seen * estimate.standard_error,
            .p = p_value(estimate)};
}

/** Scores of all arms at the first `measures` measures. */
Group group_of(const PointsView& view, std::size_t arms, std::size_t measures, const BootstrapOptions& options) {
    const auto statistics = [&](std::span<const double> times, std::span<double> values) {
        for (std::size_t arm = 0, k = 0; arm < arms; ++arm) {
            for (std::size_t measure = 0; measure < measures; ++measure, ++k) {
                values[k] = share(view, arm, measure, times);
                values[arms * measures + k] = values[k] - values[measure];
            }
        }
    };
    const std::vector<Interval> found = bootstrap(Resampling::independent(view.size()), statistics, 2 * arms * measures, options);
    Group group{.name = {}, .questions = view.size(), .scores = {}};
    for (std::size_t arm = 0, k = 0; arm < arms; ++arm) {
        group.scores.emplace_back();
        for (std::size_t measure = 0; measure < measures; ++measure, ++k)
            group.scores.back().push_back({found[k], difference_of(view, arm, measure, found[arms * measures + k])});
    }
    return group;
}

void judge_chance(const PointsView& view, std::size_t arms, Outcome& outcome) {
    for (std::size_t arm = 0; arm < arms; ++arm) {
        double by_chance = 0.0;
        double of = 0.0;
        for (std::size_t i = 0; i < view.size(); ++i) {
            by_chance += view.chance(arm, i);
            of += view.at(arm, i, 0).of;
        }
        const Estimate above =
            over_questions(view, 0, [&](std::size_t i) { return view.at(arm, i, 0).right - view.chance(arm, i); });
        const double one_sided = above.value > 0 ? p_value(above) / 2.0 : 1.0;
        outcome.chance.push_back(by_chance / of);
        outcome.p_chance.push_back(std::min(1.0, one_sided * static_cast<double>(arms)));
        outcome.informative = outcome.informative || outcome.p_chance.back() < 0.05;
    }
}

/** The places of each group's questions, in the order in which the groups come. */
std::vector<std::pair<std::string, std::vector<std::size_t>>> groups_of(const Task& task, const Asked& asked) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t place = 0; place < asked.questions.size(); ++place) {
        const std::string& name = task.questions()[asked.questions[place]].group;
        if (name.empty()) continue;
        auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == name; });
        if (found == groups.end()) found = groups.emplace(groups.end(), name, std::vector<std::size_t>());
        found->second.push_back(place);
    }
    return groups;
}

}  // namespace

Outcome outcome_of(const Task& task, const Asked& asked, std::size_t samples, const BootstrapOptions& options) {
    if (asked.questions.size() < 2) throw std::invalid_argument("[capability] needs two questions of " + task.title());
    const std::size_t arms = asked.arms.size();
    const std::size_t measures = task.measures().size();
    Outcome outcome{.name = task.name(), .title = task.title(), .measures = task.measures(), .samples = samples};
    std::vector<std::size_t> places(asked.questions.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const PointsView whole(asked, measures, std::move(places));
    outcome.all = group_of(whole, arms, measures, options);
    judge_chance(whole, arms, outcome);
    for (auto& [name, of_group] : groups_of(task, asked)) {
        if (of_group.size() < 2) continue;  // one question has no scatter to tell
        outcome.groups.push_back(group_of(PointsView(asked, measures, std::move(of_group)), arms, 1, options));
        outcome.groups.back().name = name;
    }
    return outcome;
}

}  // namespace hlg::eval::capability
