// SPDX-License-Identifier: MIT
#include "eval/sha256.hpp"

#include <array>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

namespace hlg::eval {
namespace {

// A policy of the machine may forbid a digest.
void check(int done) {
    if (done != 1) throw std::runtime_error("OpenSSL can't compute SHA-256 here");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* state) const { EVP_MD_CTX_free(state); }

Sha256::Sha256() : state_(EVP_MD_CTX_new()) { check(state_ ? EVP_DigestInit_ex(state_.get(), EVP_sha256(), nullptr) : 0); }

void Sha256::add(std::span<const unsigned char> bytes) { check(EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size())); }

std::string Sha256::digest() {
    std::array<unsigned char, 32> sum{};
    check(EVP_DigestFinal_ex(state_.get(), sum.data(), nullptr));
    return fmt::format("{:02x}", fmt::join(sum, ""));
}

std::string sha256_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return {};
    Sha256 sum;
    std::vector<char> buffer(std::size_t{1} << 20U);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
        sum.add({reinterpret_cast<const unsigned char*>(buffer.data()), static_cast<std::size_t>(in.gcount())});
    return sum.digest();
}

}  // namespace hlg::eval
