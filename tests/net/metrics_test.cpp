// SPDX-License-Identifier: MIT
#include "net/metrics.hpp"

#include <array>

#include <gtest/gtest.h>

namespace hlg::net {
namespace {

bool has_line(const std::string& text, const std::string& line) {
    const bool there = ("\n" + text).find("\n" + line + "\n") != std::string::npos;
    EXPECT_TRUE(there) << line << " is not in\n" << text;
    return there;
}

TEST(Metrics, HistogramsAreCumulative) {
    static constexpr std::array<double, 3> bounds{.5, 1., 2.};
    Histogram histogram(bounds);
    histogram.observe(.5);  // a bound belongs to its bucket
    histogram.observe(.75, 3);
    histogram.observe(5.);
    EXPECT_EQ(histogram.text("h", "Help.", "m=\"x\""),
              "# HELP h Help.\n# TYPE h histogram\nh_bucket{m=\"x\",le=\"0.5\"} 1\nh_bucket{m=\"x\",le=\"1\"} 4\n"
              "h_bucket{m=\"x\",le=\"2\"} 4\nh_bucket{m=\"x\",le=\"+Inf\"} 5\nh_sum{m=\"x\"} 7.75\nh_count{m=\"x\"} 5\n");
}

TEST(Metrics, Requests) {
    Metrics metrics;
    metrics.answered("POST", 200);
    metrics.answered("POST", 200);
    metrics.answered("MADE-UP", 405);
    metrics.first_token(.003);
    metrics.next_tokens(.02, 4);
    metrics.next_tokens(.02, 0);
    metrics.completed(.2);
    metrics.finished({.reason = engine::Finish::tool_calls});
    metrics.finished({.reason = engine::Finish::context});
    metrics.failed(1);
    metrics.aborted(2);
    metrics.aborted(0);
    const std::string text = metrics.text(std::nullopt, "a\"b\\\n");
    const std::string label = R"(model_name="a\"b\\\n")";
    has_line(text, "hlg:http_requests_total{" + label + ",method=\"POST\",status=\"200\"} 2");
    has_line(text, "hlg:http_requests_total{" + label + ",method=\"other\",status=\"405\"} 1");
    has_line(text, "hlg:time_to_first_token_seconds_bucket{" + label + ",le=\"0.005\"} 1");
    has_line(text, "hlg:inter_token_latency_seconds_bucket{" + label + ",le=\"0.005\"} 4");
    has_line(text, "hlg:inter_token_latency_seconds_count{" + label + "} 4");
    has_line(text, "hlg:e2e_request_latency_seconds_count{" + label + "} 1");
    has_line(text, "hlg:request_success_total{" + label + ",finished_reason=\"stop\"} 1");
    has_line(text, "hlg:request_success_total{" + label + ",finished_reason=\"length\"} 1");
    has_line(text, "hlg:request_success_total{" + label + ",finished_reason=\"error\"} 1");
    has_line(text, "hlg:request_success_total{" + label + ",finished_reason=\"abort\"} 2");
    EXPECT_EQ(text.find("num_requests_running"), std::string::npos);
}

TEST(Metrics, TheEngine) {
    engine::EngineStatistics now;
    now.running = 2;
    now.waiting = 3;
    now.preparing = 1;
    now.tally.prompt_tokens = 10;
    now.tally.reused_tokens = 5;
    now.tally.generated_tokens = 12'345'678;
    now.tally.draws = {.seconds = .5, .shoulder = 4, .mid = 3, .toe = 2};
    now.held = 50;
    now.limits.lanes = 2;
    now.limits.context = 100;
    const std::string text = Metrics().text(now, "m");
    has_line(text, "# TYPE hlg:num_requests_running gauge");
    has_line(text, "hlg:num_requests_running{model_name=\"m\"} 2");
    has_line(text, "hlg:num_requests_waiting{model_name=\"m\"} 4");
    has_line(text, "hlg:prompt_tokens_total{model_name=\"m\"} 15");
    has_line(text, "hlg:kv_cache_usage_perc{model_name=\"m\"} 0.25");
    has_line(text, "hlg:sampler_seconds_total{model_name=\"m\"} 0.5");
    has_line(text, "hlg:drawn_tokens_total{model_name=\"m\",region=\"toe\"} 2");
    has_line(text, "hlg:generation_tokens_total{model_name=\"m\"} 12345678");
}

}  // namespace
}  // namespace hlg::net
