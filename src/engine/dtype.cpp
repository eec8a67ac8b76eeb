// SPDX-License-Identifier: MIT
#include "engine/dtype.hpp"

#include <bit>

namespace hlg::engine {
namespace {

std::uint16_t half_at(const unsigned char* at) { return static_cast<std::uint16_t>(at[0] | (at[1] << 8U)); }

float float_at(const unsigned char* at) {
    const std::uint32_t low = half_at(at);
    const std::uint32_t high = half_at(at + 2);
    return std::bit_cast<float>(low | (high << 16U));
}

float logit_at(const unsigned char* at, Dtype dtype) {
    switch (dtype) {
        case Dtype::f16: return from_f16(half_at(at));
        case Dtype::bf16: return from_bf16(half_at(at));
        case Dtype::f32: break;
    }
    return float_at(at);
}

}  // namespace

std::optional<Dtype> dtype_from(std::string_view name) noexcept {
    for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16})
        if (to_string(dtype) == name) return dtype;
    return std::nullopt;
}

std::string_view to_string(Dtype dtype) noexcept {
    switch (dtype) {
        case Dtype::f16: return "f16";
        case Dtype::bf16: return "bf16";
        case Dtype::f32: break;
    }
    return "f32";
}

std::size_t bytes_of(Dtype dtype) noexcept { return dtype == Dtype::f32 ? 4 : 2; }

float from_f16(std::uint16_t bits) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0) {  // zero and subnormals: fraction times 2^-24, which a float holds exactly
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
    }
    // The exponents' biases are 15 and 127; all ones stay all ones, for inf and NaN.
    const std::uint32_t wide = exponent == 0x1FU ? 0xFFU : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

float from_bf16(std::uint16_t bits) noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }

std::vector<float> numbers_of(std::span<const unsigned char> bytes, Dtype dtype) {
    const std::size_t unit = bytes_of(dtype);
    std::vector<float> numbers(bytes.size() / unit);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = logit_at(bytes.data() + i * unit, dtype);
    return numbers;
}

}  // namespace hlg::engine
