// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hlg::cli {

/** A bar on stderr while a model loads or is downloaded. Draws only on a terminal, and erases itself when it goes. */
class ProgressBar {
public:
    explicit ProgressBar(std::string label = "loading");
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /** `done` from 0 to 1. */
    void show(float done);

private:
    std::string label_;
    bool terminal_;
    bool drawn_ = false;
    int last_percent_ = -1;
};

}  // namespace hlg::cli
