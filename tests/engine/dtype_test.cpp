// Stored logits against the definitions of their formats.
#include "engine/dtype.hpp"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

// By the definition of the format, not by moving bits.
double half_by_definition(unsigned bits) {
    const double sign = (bits >> 15U) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const double fraction = bits & 1023U;
    if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0 + fraction, exponent - 25));
}

TEST(Dtype, EveryHalfIsExact) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float got = from_f16(static_cast<std::uint16_t>(bits));
        const double expected = half_by_definition(bits);
        if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(got)) << bits;
        } else {
            ASSERT_EQ(static_cast<double>(got), expected) << bits;
            ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
        }
    }
}

TEST(Dtype, Bf16IsTheUpperHalfOfAFloat) {
    EXPECT_EQ(from_bf16(0x3F80), 1.0F);
    EXPECT_EQ(from_bf16(0xC049), -3.140625F);
    EXPECT_EQ(from_bf16(0x0001), 0x1p-133F);  // subnormal
    EXPECT_EQ(from_bf16(0xFF80), -INFINITY);
    EXPECT_TRUE(std::isnan(from_bf16(0x7FC0)));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(from_bf16(0x8000)), 0x80000000U);
}

TEST(Dtype, NamesAndSizes) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) EXPECT_EQ(dtype_from(to_string(dtype)), dtype);
    EXPECT_EQ(dtype_from("f64"), std::nullopt);
    EXPECT_EQ(bytes_of(Dtype::f32), 4U);
    EXPECT_EQ(bytes_of(Dtype::bf16), 2U);
}

TEST(Dtype, NumbersOfBytes) {
    const std::vector<unsigned char> bytes{0x00, 0x3C, 0x00, 0xC0};  // 1 and -2 as halves
    EXPECT_EQ(numbers_of(bytes, Dtype::f16), (std::vector<float>{1.0F, -2.0F}));
    EXPECT_EQ(numbers_of(bytes, Dtype::bf16), (std::vector<float>{0x1p-7F, -2.0F}));
    EXPECT_EQ(numbers_of(bytes, Dtype::f32), (std::vector<float>{-2.0F - 15.0F * 0x1p-12F}));
}

}  // namespace
}  // namespace hlg::engine
