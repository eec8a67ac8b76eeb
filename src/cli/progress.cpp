// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace hlg::cli {

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(float done) {
    constexpr int width = 30;
    const int percent = static_cast<int>(std::clamp(done, 0.0F, 1.0F) * 100.0F);
    if (!terminal_ || percent == last_percent_) return;
    last_percent_ = percent;
    drawn_ = true;
    const int filled = percent * width / 100;
    fmt::print(stderr, "\r{} [{:<{}}] {:3}%", label_, std::string(static_cast<std::size_t>(filled), '#'), width, percent);
    std::fflush(stderr);
}

}  // namespace hlg::cli
