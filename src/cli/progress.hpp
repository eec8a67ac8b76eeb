// SPDX-License-Identifier: MIT
#pragma once

namespace hlg::cli {

/** A bar on stderr while a model loads. Draws only on a terminal, and erases itself when it goes. */
class ProgressBar {
public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /** `done` from 0 to 1. */
    void show(float done);

private:
    bool terminal_;
    bool drawn_ = false;
    int last_percent_ = -1;
};

}  // namespace hlg::cli
