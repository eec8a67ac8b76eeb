// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace hlg::cli {

/** Whether a bar says how long it will take. Such a bar comes only where that is more than three seconds. */
enum class TimeLeft { untold, told };

/** A bar on stderr while a model loads or is downloaded, or something long is computed. Draws only on a terminal, and erases
 * itself when it goes. */
class ProgressBar {
public:
    explicit ProgressBar(std::string label = "loading", TimeLeft time = TimeLeft::untold);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /** `done` from 0 to 1. */
    void show(float done);

private:
    [[nodiscard]] std::string time_left(float done) const;

    std::string label_;
    TimeLeft time_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool terminal_;
    bool drawn_ = false;
    int last_percent_ = -1;
    std::string last_time_;
};

}  // namespace hlg::cli
