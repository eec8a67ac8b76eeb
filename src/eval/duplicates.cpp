// SPDX-License-Identifier: MIT
#include "eval/duplicates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hlg::eval {
namespace {

std::vector<float> softmax(std::span<const float> logits) {
    const float top = *std::max_element(logits.begin(), logits.end());
    std::vector<float> p(logits.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] = std::exp(logits[i] - top);
    const auto scale = static_cast<float>(1.0 / sum);
    for (float& one : p) one *= scale;
    return p;
}

std::vector<std::size_t> head_of(const std::vector<float>& p) {
    std::vector<std::size_t> head(p.size());
    std::iota(head.begin(), head.end(), std::size_t{0});
    const auto middle = head.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(16, p.size()));
    std::partial_sort(head.begin(), middle, head.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    head.erase(middle, head.end());
    return head;
}

}  // namespace

double total_variation(std::span<const float> p, std::span<const float> q) {
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(static_cast<double>(p[i]) - static_cast<double>(q[i]));
    return sum / 2.0;
}

std::size_t DuplicateFinder::cluster_of(std::span<const float> logits) {
    std::vector<float> p = softmax(logits);
    for (std::size_t i = 0; i < founders_.size(); ++i) {
        const Founder& founder = founders_[i];
        double head = 0.0;
        for (const std::size_t token : founder.head)
            head += std::abs(static_cast<double>(p[token]) - static_cast<double>(founder.p[token]));
        if (head / 2.0 < near_duplicate && total_variation(p, founder.p) < near_duplicate) return i;
    }
    std::vector<std::size_t> head = head_of(p);
    founders_.push_back({std::move(p), std::move(head)});
    return founders_.size() - 1;
}

}  // namespace hlg::eval
