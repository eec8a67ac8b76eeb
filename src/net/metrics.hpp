// SPDX-License-Identifier: MIT
//
// What the server counts, and how Prometheus reads it. Names and buckets are vLLM's where it has the like, so that its dashboards
// work. The network thread's alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"

namespace hlg::net {

/** Observations by size. */
class Histogram {
public:
    /** Upper bounds of the buckets, rising. */
    explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

    void observe(double value, std::uint64_t times = 1);

    /** As Prometheus reads it; `labels` stand in braces before each bucket's own. */
    [[nodiscard]] std::string text(const std::string& name, const std::string& help, const std::string& labels) const;

private:
    std::span<const double> bounds_;
    std::vector<std::uint64_t> counts_;  ///< a bucket's own, the last is of what is above all bounds
    double sum_ = 0.0;
};

class Metrics {
public:
    Metrics();

    /** A request was answered with this status. */
    void answered(const std::string& method, int status) { ++answers_[{known(method), status}]; }

    void first_token(double seconds) { first_token_.observe(seconds); }

    /** So many tokens came together, so long after those before them. */
    void next_tokens(double seconds, std::size_t tokens);

    /** A choice has ended. */
    void finished(const engine::FinishedEvent& event);

    /** So many accepted choices did not come to their end: something went wrong, or nobody wants them any more. */
    void failed(std::size_t choices) { ends_["error"] += choices; }
    void aborted(std::size_t choices) { ends_["abort"] += choices; }

    /** A request to the engine has its whole answer. */
    void completed(double seconds) { whole_.observe(seconds); }

    /** Everything, in Prometheus' text format; the engine's part only if there is one. */
    [[nodiscard]] std::string text(const std::optional<engine::EngineStatistics>& engine, const std::string& model) const;

private:
    static std::string known(const std::string& method);

    Histogram first_token_;
    Histogram between_tokens_;
    Histogram whole_;
    Histogram queued_;
    Histogram prefill_;
    Histogram decode_;
    std::map<std::pair<std::string, int>, std::uint64_t> answers_;
    std::map<std::string, std::uint64_t> ends_;
};

}  // namespace hlg::net
