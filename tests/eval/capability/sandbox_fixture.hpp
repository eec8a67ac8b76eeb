// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "eval/capability/sandbox.hpp"

namespace hlg::eval::capability {

/** A sandbox, or why there is none here: then a test is skipped, for containers often forbid user namespaces. */
struct MaybeSandbox {
    explicit MaybeSandbox(const SandboxLimits& limits) {
        try {
            sandbox = std::make_unique<Sandbox>(limits);
        } catch (const SandboxError& error) {
            missing = error.what();
        }
    }

    std::unique_ptr<Sandbox> sandbox;
    std::string missing;
};

#define HLG_SKIP_WITHOUT_SANDBOX(maybe) \
    if (!(maybe).sandbox) GTEST_SKIP() << "no program can be run safely here: " << (maybe).missing

}  // namespace hlg::eval::capability
