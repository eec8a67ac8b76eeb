// Intervals against what they promise: how often they cover the truth, and whether they tell an effect from none.
#include "eval/bootstrap.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace hlg::eval {
namespace {

double mean(std::span<const double> values, std::span<const double> times) {
    return std::inner_product(values.begin(), values.end(), times.begin(), 0.0) /
           std::accumulate(times.begin(), times.end(), 0.0);
}

Interval interval_of(const Resampling& resampling, const std::vector<double>& values, std::uint64_t seed = 1) {
    return bootstrap(resampling, [&](std::span<const double> times) { return mean(values, times); },
                     {.resamples = 400, .level = 0.95, .seed = seed});
}

/** In how many of 300 experiments the interval holds `truth`. */
template <class Make>
double coverage(double truth, const Resampling& resampling, Make make) {
    constexpr int experiments = 300;
    Random random(7);
    int covered = 0;
    for (int i = 0; i < experiments; ++i) {
        const Interval interval = interval_of(resampling, make(random), static_cast<std::uint64_t>(i));
        covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    return covered / static_cast<double>(experiments);
}

std::vector<double> exponential(Random& random, std::size_t n) {
    std::vector<double> values(n);
    for (double& value : values) value = -std::log(1.0 - random.uniform());
    return values;
}

/** Each value is .8 of the one before it and noise. */
std::vector<double> autoregressive(Random& random, std::size_t n) {
    std::vector<double> values(n);
    double last = random.normal() / 0.6;
    for (double& value : values) value = last = 0.8 * last + random.normal();
    return values;
}

std::vector<std::size_t> places(std::size_t n) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

TEST(Bootstrap, CoversTheMeanOfIndependentValues) {
    const double covered = coverage(1.0, Resampling::independent(60), [](Random& random) { return exponential(random, 60); });
    EXPECT_GT(covered, 0.90);
    EXPECT_LT(covered, 0.98);
}

TEST(Bootstrap, ClustersCoverWhereSingleValuesDoNot) {
    std::vector<std::size_t> cluster_of(200);
    for (std::size_t i = 0; i < cluster_of.size(); ++i) cluster_of[i] = i / 5;
    const auto five_alike = [](Random& random) {
        std::vector<double> values(200);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 5 == 0 ? random.normal() : values[i - 1];
        return values;
    };
    EXPECT_GT(coverage(0.0, Resampling::clustered(cluster_of), five_alike), 0.90);
    EXPECT_LT(coverage(0.0, Resampling::independent(200), five_alike), 0.75);
}

TEST(Bootstrap, BlocksCoverATextWhereSingleValuesDoNot) {
    const auto text = [](Random& random) { return autoregressive(random, 400); };
    EXPECT_GT(coverage(0.0, Resampling::blocks({places(400)}, 25), text), 0.85);
    EXPECT_LT(coverage(0.0, Resampling::independent(400), text), 0.65);
}

TEST(Bootstrap, FindsAPlantedEffectAndNoneWhereThereIsNone) {
    Random random(3);
    int found = 0;
    int false_alarms = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<double> null(200);
        for (double& value : null) value = random.normal();
        std::vector<double> effect = null;
        for (double& value : effect) value += 0.3;
        const Resampling plan = Resampling::blocks({places(200)}, 5);
        found += interval_of(plan, effect).low > 0 ? 1 : 0;
        const Interval nothing = interval_of(plan, null);
        false_alarms += nothing.low > 0 || nothing.high < 0 ? 1 : 0;
    }
    EXPECT_GT(found, 90);  // the power of a z test is .99
    EXPECT_LT(false_alarms, 14);
}

TEST(Bootstrap, SameSeedSameInterval) {
    Random random(5);
    const std::vector<double> values = exponential(random, 50);
    const Interval once = interval_of(Resampling::independent(50), values, 9);
    const Interval again = interval_of(Resampling::independent(50), values, 9);
    const Interval other = interval_of(Resampling::independent(50), values, 10);
    EXPECT_EQ(once.low, again.low);
    EXPECT_EQ(once.high, again.high);
    EXPECT_NE(once.low, other.low);
}

TEST(Bootstrap, ResamplesKeepTheirUnits) {
    Random random(1);
    std::vector<double> times(10);
    const std::vector<std::size_t> cluster_of{0, 0, 0, 1, 1, 2, 2, 2, 2, 3};
    for (int i = 0; i < 50; ++i) {
        Resampling::clustered(cluster_of).draw(random, times);
        EXPECT_EQ(times[0], times[2]);
        EXPECT_EQ(times[5], times[8]);
        EXPECT_EQ(times[0] + times[3] + times[5] + times[9], 4.0);
        Resampling::blocks({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9}}, 3).draw(random, times);
        EXPECT_EQ(std::accumulate(times.begin(), times.begin() + 6, 0.0), 6.0);  // two series: each stays
        EXPECT_EQ(std::accumulate(times.begin() + 6, times.end(), 0.0), 4.0);
    }
}

TEST(Bootstrap, ABlockIsAStretch) {
    Random random(1);
    std::vector<double> times(6);
    for (int i = 0; i < 50; ++i) {
        Resampling::blocks({places(6)}, 6).draw(random, times);
        EXPECT_EQ(times, std::vector<double>(6, 1.0));  // the only block of six
    }
}

TEST(Bootstrap, NothingToEstimate) {
    const Interval interval = bootstrap(Resampling::independent(3), [](std::span<const double>) { return std::nan(""); }, {});
    EXPECT_TRUE(std::isnan(interval.estimate));
    EXPECT_TRUE(std::isnan(interval.low));
}

}  // namespace
}  // namespace hlg::eval
