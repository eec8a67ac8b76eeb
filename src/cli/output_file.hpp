// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hlg::cli {

/** Nobody reads stdout any more, and SIGPIPE, which ends a program without a word, is ignored here: main does as it would. */
class ReaderGone : public std::runtime_error {
public:
    ReaderGone() : std::runtime_error("nobody reads stdout any more") {}
};

/** Writes a file whole or not at all: beside its place first, then renamed into it. "-" is stdout; pipes and devices are
    written as they are. Throws UsageError where the path can't be written, std::runtime_error when the disk gives up, ReaderGone.
 */
void write_file(const std::string& path, std::string_view bytes);

/** The bytes of an array of numbers, as they lie in memory. */
template <class T>
std::string_view raw_bytes(std::span<const T> numbers) noexcept {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace hlg::cli
