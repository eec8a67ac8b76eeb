// SPDX-License-Identifier: MIT
#include "net/metrics.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/core.h>

namespace hlg::net {
namespace {

// vLLM's. It has no token times below 10 ms, which small models need.
constexpr std::array<double, 22> first_token_bounds{.001, .005, .01, .02, .04, .06, .08, .1,  .25,  .5,   .75,
                                                    1.0,  2.5,  5.0, 7.5, 10., 20., 40., 80., 160., 640., 2560.};
constexpr std::array<double, 22> token_bounds{.0005, .001, .0025, .005, .01, .025, .05, .075, .1,  .15, .2,
                                              .3,    .4,   .5,    .75,  1.,  2.5,  5.,  7.5,  10., 20., 40.};
constexpr std::array<double, 25> request_bounds{.01, .03, .1,  .3,  .5,  .8,   1.,   1.5,  2.,   2.5,   5.,    10.,  15.,
                                                20., 30., 40., 50., 60., 120., 240., 480., 960., 1920., 3840., 7680.};

/** Why a choice ended, in vLLM's words. */
std::string end_of(engine::Finish finish) {
    switch (finish) {
        case engine::Finish::stop:
        case engine::Finish::tool_calls: return "stop";
        case engine::Finish::length:
        case engine::Finish::context: return "length";
        case engine::Finish::cancelled: return "abort";
    }
    return "stop";
}

std::string escaped(const std::string& value) {
    std::string text;
    for (const char letter : value) {
        if (letter == '\n') {
            text += "\\n";
            continue;
        }
        if (letter == '"' || letter == '\\') text += '\\';
        text += letter;
    }
    return text;
}

/** The lines of one metric after each other. */
class Page {
public:
    explicit Page(std::string labels) : labels_(std::move(labels)) {}

    void head(const std::string& name, const std::string& type, const std::string& help) {
        text_ += fmt::format("# HELP hlg:{0} {2}\n# TYPE hlg:{0} {1}\n", name, type, help);
    }
    void value(const std::string& name, double value, const std::string& more = {}) {
        text_ += fmt::format("hlg:{}{{{}{}}} {}\n", name, labels_, more, value);
    }
    void one(const std::string& name, const std::string& type, double number, const std::string& help) {
        head(name, type, help);
        value(name, number);
    }
    void histogram(const Histogram& histogram, const std::string& name, const std::string& help) {
        text_ += histogram.text("hlg:" + name, help, labels_);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string labels_;
    std::string text_;
};

void add_engine(Page& page, const engine::EngineStatistics& now) {
    const engine::Tally& tally = now.tally;
    const auto number = [](std::size_t count) { return static_cast<double>(count); };
    page.one("num_requests_running", "gauge", number(now.running), "Generations that have a lane.");
    page.one("num_requests_waiting", "gauge", number(now.waiting + now.preparing), "Generations that wait for a lane.");
    page.one("lanes", "gauge", number(now.limits.lanes), "Generations that can run side by side.");
    page.one("kv_cache_usage_perc", "gauge", number(now.held) / std::max(1.0, number(now.limits.lanes * now.limits.context)),
             "Share of the KV cache that running generations use; 1 = all of it.");
    page.one("prompt_tokens_total", "counter", number(tally.prompt_tokens + tally.reused_tokens), "Prompt tokens, all told.");
    page.one("prompt_tokens_cached_total", "counter", number(tally.reused_tokens), "Those found in a lane, not computed.");
    page.one("generation_tokens_total", "counter", number(tally.generated_tokens), "Generated tokens.");
    page.one("decodes_total", "counter", number(tally.decodes), "Batches decoded.");
    page.one("decode_seconds_total", "counter", tally.decode_seconds, "Time in llama.cpp's decode.");
    page.one("step_seconds_total", "counter", tally.step_seconds, "Time in steps that decoded, decode and draws included.");
    page.one("sampler_seconds_total", "counter", tally.draws.seconds, "Time in the sampler: edits, grammar and draw.");
    page.head("drawn_tokens_total", "counter", "Tokens drawn with a curve, by the part of it that they lay on.");
    page.value("drawn_tokens_total", number(tally.draws.shoulder), ",region=\"shoulder\"");
    page.value("drawn_tokens_total", number(tally.draws.mid), ",region=\"mid\"");
    page.value("drawn_tokens_total", number(tally.draws.toe), ",region=\"toe\"");
}

}  // namespace

void Histogram::observe(double value, std::uint64_t times) {
    const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
    counts_[static_cast<std::size_t>(bucket)] += times;
    sum_ += value * static_cast<double>(times);
}

std::string Histogram::text(const std::string& name, const std::string& help, const std::string& labels) const {
    std::string text = fmt::format("# HELP {0} {1}\n# TYPE {0} histogram\n", name, help);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        below += counts_[i];
        const std::string bound = i < bounds_.size() ? fmt::format("{}", bounds_[i]) : "+Inf";
        text += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", name, labels, bound, below);
    }
    text += fmt::format("{0}_sum{{{1}}} {2}\n{0}_count{{{1}}} {3}\n", name, labels, sum_, below);
    return text;
}

Metrics::Metrics()
    : first_token_(first_token_bounds),
      between_tokens_(token_bounds),
      whole_(request_bounds),
      queued_(request_bounds),
      prefill_(request_bounds),
      decode_(request_bounds),
      ends_{{"stop", 0}, {"length", 0}, {"abort", 0}, {"error", 0}} {}

void Metrics::next_tokens(double seconds, std::size_t tokens) {
    if (tokens > 0) between_tokens_.observe(seconds / static_cast<double>(tokens), tokens);
}

void Metrics::finished(const engine::FinishedEvent& event) {
    ++ends_[end_of(event.reason)];
    queued_.observe(event.usage.queued_seconds);
    prefill_.observe(event.usage.prompt_seconds);
    decode_.observe(event.usage.generate_seconds);
}

// A client may make methods up, and every one would be a series of its own for ever.
std::string Metrics::known(const std::string& method) {
    constexpr std::array<const char*, 4> methods{"GET", "HEAD", "POST", "OPTIONS"};
    return std::find(methods.begin(), methods.end(), method) != methods.end() ? method : "other";
}

std::string Metrics::text(const std::optional<engine::EngineStatistics>& engine, const std::string& model) const {
    Page page(fmt::format("model_name=\"{}\"", escaped(model)));
    if (engine) add_engine(page, *engine);
    page.histogram(first_token_, "time_to_first_token_seconds", "From a request's arrival to its first token.");
    page.histogram(between_tokens_, "inter_token_latency_seconds", "Between tokens of one request.");
    page.histogram(whole_, "e2e_request_latency_seconds", "From a request's arrival to its answer's end.");
    page.histogram(queued_, "request_queue_time_seconds", "A generation's wait for a lane.");
    page.histogram(prefill_, "request_prefill_time_seconds", "A generation's prompt.");
    page.histogram(decode_, "request_decode_time_seconds", "A generation after its prompt.");
    page.head("request_success_total", "counter", "Accepted generations that ended, by reason.");
    for (const auto& [reason, count] : ends_)
        page.value("request_success_total", static_cast<double>(count), fmt::format(",finished_reason=\"{}\"", reason));
    page.head("http_requests_total", "counter", "Answers sent, by method and status.");
    for (const auto& [key, count] : answers_)
        page.value("http_requests_total", static_cast<double>(count),
                   fmt::format(",method=\"{}\",status=\"{}\"", key.first, key.second));
    return page.text();
}

}  // namespace hlg::net
