#include "support/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace hlg::test {
namespace {

constexpr double kLeastExpected = 5;

struct Bin {
    double expected = 0;
    double observed = 0;
};

// P(a, x), the lower incomplete gamma function by its series; good for x < a + 1.
double lower_gamma(double a, double x) {
    double term = 1 / a;
    double sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) sum += term *= x / n;
    return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Q(a, x) by its continued fraction (Lentz's method); good for x >= a + 1.
double upper_gamma(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1 - a;
    double c = 1 / tiny;
    double d = 1 / b;
    double fraction = d;
    for (int i = 1; i < 1'000'000; ++i) {
        const double n = i;
        const double an = -n * (n - a);
        b += 2;
        d = 1 / (std::abs(an * d + b) < tiny ? tiny : an * d + b);
        c = std::abs(b + an / c) < tiny ? tiny : b + an / c;
        fraction *= d * c;
        if (std::abs(d * c - 1) < 1e-15) break;
    }
    return fraction * std::exp(a * std::log(x) - x - std::lgamma(a));
}

std::vector<std::size_t> order(std::span<const double> probabilities, Pooling pooling) {
    std::vector<std::size_t> ids(probabilities.size());
    std::iota(ids.begin(), ids.end(), 0U);
    if (pooling != Pooling::by_token)
        std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return probabilities[a] > probabilities[b]; });
    return ids;
}

std::vector<Bin> pool(std::span<const double> probabilities, std::span<const std::uint64_t> counts, Pooling pooling) {
    const double draws = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double least = pooling == Pooling::coarse ? std::max(kLeastExpected, draws / 20) : kLeastExpected;
    std::vector<Bin> bins;
    Bin open;
    for (const std::size_t i : order(probabilities, pooling)) {
        const Bin own{probabilities[i] * draws, static_cast<double>(counts[i])};
        if (own.expected >= least) {
            bins.push_back(own);
            continue;
        }
        open = {open.expected + own.expected, open.observed + own.observed};
        if (open.expected < least) continue;
        bins.push_back(open);
        open = {};
    }
    // What is left over joins the last bin, or stands alone.
    if (bins.empty()) bins.emplace_back();
    bins.back().expected += open.expected;
    bins.back().observed += open.observed;
    return bins;
}

}  // namespace

double chi_square_tail(double x, double degrees) {
    if (degrees <= 0 || x <= 0) return 1;
    const double a = degrees / 2;
    return x / 2 < a + 1 ? 1 - lower_gamma(a, x / 2) : upper_gamma(a, x / 2);
}

ChiSquare chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts, Pooling pooling) {
    ChiSquare result;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (probabilities[i] == 0) result.impossible += counts[i];
    const std::vector<Bin> bins = pool(probabilities, counts, pooling);
    result.bins = bins.size();
    for (const Bin& bin : bins)
        if (bin.expected > 0) result.statistic += (bin.observed - bin.expected) * (bin.observed - bin.expected) / bin.expected;
    result.p_value = chi_square_tail(result.statistic, static_cast<double>(bins.size()) - 1);
    return result;
}

ChiSquare single_chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts) {
    const double draws = std::accumulate(counts.begin(), counts.end(), 0.0);
    ChiSquare result{.bins = 2};
    double tokens = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = probabilities[i] * draws;
        const double rest = draws - expected;
        if (expected < 1000 || rest < 1000) continue;
        ++tokens;
        const double miss = static_cast<double>(counts[i]) - expected;
        result.statistic = std::max(result.statistic, miss * miss * (1 / expected + 1 / rest));
    }
    result.p_value = std::min(1.0, tokens * chi_square_tail(result.statistic, 1));
    if (tokens == 0) result.p_value = 1;
    return result;
}

ChiSquare worst_chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts) {
    ChiSquare worst = chi_square(probabilities, counts, Pooling::by_probability);
    const auto consider = [&worst](ChiSquare other) {
        other.impossible = worst.impossible;
        if (other.p_value < worst.p_value) worst = other;
    };
    consider(chi_square(probabilities, counts, Pooling::by_token));
    consider(chi_square(probabilities, counts, Pooling::coarse));
    consider(single_chi_square(probabilities, counts));
    return worst;
}

std::string ChiSquare::text() const {
    return "chi-square " + std::to_string(statistic) + " over " + std::to_string(bins) + " bins, p = " + std::to_string(p_value) +
           ", " + std::to_string(impossible) + " draws of impossible tokens";
}

}  // namespace hlg::test
