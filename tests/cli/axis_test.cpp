// SPDX-License-Identifier: MIT
#include "cli/axis.hpp"

#include <gtest/gtest.h>

namespace hlg::cli {
namespace {

TEST(Axis, PlacesAndValuesAreInverse) {
    const Axis axis{-6, 6, 100, 40};  // upside down, as a picture's y is
    EXPECT_EQ(axis.place(-6), 100);
    EXPECT_EQ(axis.place(6), 40);
    EXPECT_EQ(axis.place(0), 70);
    EXPECT_EQ(axis.value(axis.place(1.5)), 1.5);
    EXPECT_TRUE(axis.holds(6));
    EXPECT_FALSE(axis.holds(6.1));
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
    EXPECT_EQ(ticks(-6, 6, 7), (std::vector<double>{-6, -4, -2, 0, 2, 4, 6}));
    EXPECT_EQ(ticks(-12.3, 9.9, 6), (std::vector<double>{-10, -5, 0, 5}));
    EXPECT_EQ(ticks(100, 101, 3), (std::vector<double>{100, 100.5, 101}));
}

TEST(Ticks, AreNeverTooManyNorNone) {
    for (const double width : {0.1, 0.37, 1.0, 7.0, 24.0, 99.0, 2e4, 3.3e7}) {
        for (const int most : {5, 9, 13}) {
            const std::vector<double> found = ticks(-width / 3, width, most);
            EXPECT_LE(found.size(), static_cast<std::size_t>(most)) << width;
            EXPECT_GE(found.size(), 2U) << width;
            EXPECT_GE(found.front(), -width / 3);
            EXPECT_LE(found.back(), width);
        }
    }
}

TEST(Tidy, HasNoNeedlessDigits) {
    EXPECT_EQ(tidy(1.6), "1.6");
    EXPECT_EQ(tidy(-10.8421), "-10.84");
    EXPECT_EQ(tidy(6), "6");
    EXPECT_EQ(tidy(-0.0), "0");
    EXPECT_EQ(tidy(0.1 + 0.2), "0.3");
}

}  // namespace
}  // namespace hlg::cli
