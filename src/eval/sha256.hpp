// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hlg::eval {

/** SHA-256 (FIPS 180-4): reports name what they were made from, and files of logits are checked against their index. */
class Sha256 {
public:
    void add(std::span<const unsigned char> bytes);

    /** The digest of all that was added, 64 hexadecimal digits. Nothing may be added after it. */
    [[nodiscard]] std::string digest();

private:
    void take_block(const unsigned char* block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> block_{};
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;
};

/** Of a whole file; empty if it can't be read. */
std::string sha256_of_file(const std::string& path);

}  // namespace hlg::eval
