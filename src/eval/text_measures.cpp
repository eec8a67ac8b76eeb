// SPDX-License-Identifier: MIT
#include "eval/text_measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace hlg::eval {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t bleu_order = 4;

/** A run of words as one string; words have no spaces. */
using Counts = std::map<std::string, double>;

std::string run_at(const Words& words, std::size_t at, std::size_t n) {
    std::string run = words[at];
    for (std::size_t i = 1; i < n; ++i) run += " " + words[at + i];
    return run;
}

void count(const Words& words, std::size_t n, Counts& counts) {
    for (std::size_t at = 0; at + n <= words.size(); ++at) counts[run_at(words, at, n)] += 1;
}

double dot(const Counts& a, const Counts& b) {
    double sum = 0.0;
    auto at = b.begin();
    for (const auto& [run, times] : a) {
        while (at != b.end() && at->first < run) ++at;
        if (at != b.end() && at->first == run) sum += times * at->second;
    }
    return sum;
}

/** The largest count of a run in any text, in which one, and the largest in any other. */
struct Largest {
    double first = 0.0;
    double second = 0.0;
    std::size_t owner = 0;

    [[nodiscard]] double without(std::size_t text) const { return text == owner ? second : first; }
};

/** The length nearest to the text's own among the others', the shorter of two as near. */
double reference_length(std::span<const Words> texts, std::size_t text) {
    const auto own = static_cast<double>(texts[text].size());
    double best = nan;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i == text) continue;
        const auto length = static_cast<double>(texts[i].size());
        const double gap = std::abs(length - own) - std::abs(best - own);
        if (std::isnan(best) || gap < 0 || (gap == 0 && length < best)) best = length;
    }
    return best;
}

}  // namespace

std::vector<double> cosines(std::span<const Words> texts) {
    const std::size_t n = texts.size();
    std::vector<Counts> counts(n);
    std::vector<double> norms(n);
    for (std::size_t i = 0; i < n; ++i) {
        count(texts[i], 1, counts[i]);
        count(texts[i], 2, counts[i]);
        norms[i] = std::sqrt(dot(counts[i], counts[i]));
    }
    std::vector<double> matrix(n * n, 1.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double norm = norms[i] * norms[j];
            matrix[i * n + j] = matrix[j * n + i] = norm > 0 ? dot(counts[i], counts[j]) / norm : 0.0;
        }
    return matrix;
}

double dissimilarity(std::span<const double> cosines) {
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cosines.size()))));
    if (n < 2) return nan;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) sum += cosines[i * n + j];
    return 1.0 - 2.0 * sum / static_cast<double>(n * (n - 1));
}

double distinct(std::span<const Words> texts, std::size_t n) {
    std::set<std::string> different;
    std::size_t all = 0;
    for (const Words& words : texts)
        for (std::size_t at = 0; at + n <= words.size(); ++at, ++all) different.insert(run_at(words, at, n));
    return all == 0 ? nan : static_cast<double>(different.size()) / static_cast<double>(all);
}

double expectation_adjusted_distinct(std::span<const Words> texts, double vocabulary) {
    std::set<std::string> different;
    double all = 0.0;
    for (const Words& words : texts) {
        different.insert(words.begin(), words.end());
        all += static_cast<double>(words.size());
    }
    const double expected = -vocabulary * std::expm1(all * std::log1p(-1.0 / vocabulary));
    return all == 0 ? nan : static_cast<double>(different.size()) / expected;
}

double self_bleu(std::span<const Words> texts) {
    constexpr double nothing = 0.1;
    const std::size_t n = texts.size();
    if (n < 2) return nan;
    std::vector<std::array<Counts, bleu_order>> counts(n);
    std::array<std::map<std::string, Largest>, bleu_order> largest;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t order = 0; order < bleu_order; ++order) {
            count(texts[i], order + 1, counts[i][order]);
            for (const auto& [run, times] : counts[i][order]) {
                Largest& one = largest[order][run];
                if (times > one.first)
                    one = {times, one.first, i};
                else
                    one.second = std::max(one.second, times);
            }
        }
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        double log_precision = 0.0;
        for (std::size_t order = 0; order < bleu_order; ++order) {
            double matches = 0.0;
            double all = 0.0;
            for (const auto& [run, times] : counts[i][order]) {
                matches += std::min(times, largest[order].at(run).without(i));
                all += times;
            }
            if (order == 0 && matches == 0) log_precision = -HUGE_VAL;
            log_precision += std::log((matches == 0 ? nothing : matches) / std::max(all, 1.0)) / bleu_order;
        }
        const auto own = static_cast<double>(texts[i].size());
        const double reference = reference_length(texts, i);
        const double brevity = own > reference ? 0.0 : 1.0 - reference / std::max(own, 1.0);
        sum += std::exp(log_precision + brevity);
    }
    return sum / static_cast<double>(n);
}

double repetition(std::span<const Words> texts) {
    constexpr std::size_t run = 4;
    std::size_t repeated = 0;
    std::size_t all = 0;
    for (const Words& words : texts) {
        std::set<std::string> before;
        for (std::size_t at = 0; at + run <= words.size(); ++at, ++all)
            if (!before.insert(run_at(words, at, run)).second) ++repeated;
    }
    return all == 0 ? nan : static_cast<double>(repeated) / static_cast<double>(all);
}

double non_words(std::span<const Words> texts, const WordList& list) {
    std::size_t unknown = 0;
    std::size_t all = 0;
    for (const Words& words : texts)
        for (const std::string& word : words) {
            ++all;
            if (!list.has(word)) ++unknown;
        }
    return all == 0 ? nan : static_cast<double>(unknown) / static_cast<double>(all);
}

}  // namespace hlg::eval
