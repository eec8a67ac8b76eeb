// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hlg::cli {

/** Writes a file whole or not at all: beside its place first, then renamed into it. "-" is stdout; pipes and devices are
    written as they are. Throws UsageError where the path can't be written, std::runtime_error when the disk gives up. */
void write_file(const std::string& path, std::string_view bytes);

/** The bytes of an array of numbers, as they lie in memory. */
template <class T>
std::string_view raw_bytes(std::span<const T> numbers) noexcept {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace hlg::cli
