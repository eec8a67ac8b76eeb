// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace hlg::cli {

ProgressBar::ProgressBar(std::string label, TimeLeft time)
    : label_(std::move(label)), time_(time), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

std::string ProgressBar::time_left(float done) const {
    constexpr double worth_it = 3.0;  // seconds
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
    const double left = gone.count() * (1.0 - static_cast<double>(done)) / std::max(static_cast<double>(done), 1e-6);
    if (gone.count() < 0.5 || (!drawn_ && gone.count() + left < worth_it)) return {};
    const long seconds = std::lround(left);
    if (seconds >= 3600) return fmt::format(" {} h {:02} min left", seconds / 3600, seconds / 60 % 60);
    return seconds >= 60 ? fmt::format(" {} min {:02} s left", seconds / 60, seconds % 60) : fmt::format(" {} s left", seconds);
}

void ProgressBar::show(float done) {
    constexpr int width = 30;
    if (!terminal_) return;
    const int percent = static_cast<int>(std::clamp(done, 0.0F, 1.0F) * 100.0F);
    const std::string time = time_ == TimeLeft::told ? time_left(done) : std::string();
    if ((percent == last_percent_ && time == last_time_) || (time_ == TimeLeft::told && time.empty())) return;
    last_percent_ = percent;
    last_time_ = time;
    drawn_ = true;
    const int filled = percent * width / 100;
    fmt::print(stderr, "\r{} [{:<{}}] {:3}%{}\x1b[K", label_, std::string(static_cast<std::size_t>(filled), '#'), width, percent,
               time);
    std::fflush(stderr);
}

}  // namespace hlg::cli
