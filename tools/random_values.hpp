// SPDX-License-Identifier: MIT
//
// The random values of a tensor: a function of the seed, the tensor's name and the value's index alone, in integers and
// exactly rounded float operations, so that every machine makes the same bytes.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace hlg::tools {

/** The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection that leaves no trace of the order of its inputs. */
inline std::uint64_t mix(std::uint64_t bits) noexcept {
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31U);
}

class RandomValues {
public:
    RandomValues(std::uint64_t seed, std::string_view name, double deviation) noexcept : key_(mix(seed)) {
        for (const char letter : name) key_ = mix(key_ ^ static_cast<unsigned char>(letter));
        // Uniform on [-1, 1) has the deviation 1/sqrt(3); a logit is a sum of hundreds of products and all but normal anyway.
        step_ = static_cast<float>(deviation * std::sqrt(3.0) / half_range);
    }

    /** The tensor's values from index `first` on. */
    void fill(std::uint64_t first, std::span<float> values) const noexcept {
        for (float& value : values) {
            const auto bits = static_cast<std::int32_t>(mix(key_ + golden * ++first) >> 40U);  // 24 bits: exact in a float
            value = static_cast<float>(bits - half_range) * step_;
        }
    }

private:
    static constexpr std::int32_t half_range = 1 << 23;
    static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;  // SplitMix64's increment

    std::uint64_t key_;
    float step_ = 0.0F;
};

}  // namespace hlg::tools
