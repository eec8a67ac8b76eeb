// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hlg::engine {

/** A file that one process at a time works on. The lock goes with the object, and with the process. */
class FileLock {
public:
    /** Makes the file, and the folders to it, where they are missing. */
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /** Whether nobody else has it; never waits. True as well for a file that can't be opened: whoever writes it will say why. */
    [[nodiscard]] bool take() const;

private:
    int descriptor_;
};

}  // namespace hlg::engine
