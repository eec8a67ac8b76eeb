// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hlg::eval {

/**
 * What a long run has worked out so far, in a file, so that the run can be stopped and goes on where it was: each piece of work
 * has a name and gives some numbers. A file that was written for other inputs is begun anew. Threads may share one.
 */
class Memo {
public:
    /** `inputs` says all that the numbers depend on. Without a path nothing is kept. Throws std::runtime_error if it can't be
     * written. */
    Memo(const std::string& path, const std::string& inputs);
    ~Memo();
    Memo(const Memo&) = delete;
    Memo& operator=(const Memo&) = delete;

    /** The numbers of that name, exactly as they were put; nothing if there are none. */
    [[nodiscard]] std::optional<std::vector<double>> find(const std::string& name) const;

    void put(const std::string& name, const std::vector<double>& numbers);

    /** How many pieces were known when it was opened. */
    [[nodiscard]] std::size_t resumed() const noexcept { return resumed_; }

    /** The run is over: forgets everything. */
    void remove();

private:
    void read(const std::string& inputs);

    std::string path_;
    std::map<std::string, std::vector<double>> known_;
    std::size_t resumed_ = 0;
    std::FILE* file_ = nullptr;
    mutable std::mutex mutex_;
};

}  // namespace hlg::eval
