// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace hlg::eval {

/** SHA-256 (FIPS 180-4), OpenSSL's: reports name what they were made from, and files of logits are checked against their index.
    Throws std::runtime_error where OpenSSL has none to give. */
class Sha256 {
public:
    Sha256();

    void add(std::span<const unsigned char> bytes);

    /** The digest of all that was added, 64 hexadecimal digits. Nothing may be added after it. */
    [[nodiscard]] std::string digest();

private:
    struct Free {
        void operator()(evp_md_ctx_st* state) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> state_;
};

/** Of a whole file; empty if it can't be read. */
std::string sha256_of_file(const std::string& path);

}  // namespace hlg::eval
