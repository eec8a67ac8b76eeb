// SPDX-License-Identifier: MIT
#include "engine/file_lock.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace hlg::engine {
namespace {

int open_or_make(const std::filesystem::path& path) {
    constexpr int readable_by_all = 0644;
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, readable_by_all);
}

}  // namespace

FileLock::FileLock(const std::string& path) : descriptor_(open_or_make(path)) {}

FileLock::~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
}

bool FileLock::take() const {
    return descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace hlg::engine
