// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hlg::eval::capability {

/** A seccomp filter, as bubblewrap takes it: no new process (threads are allowed), no new namespace, no tracing; and none of
   another architecture's calls. Empty for processors that it does not know. */
std::string one_process_filter();

}  // namespace hlg::eval::capability
